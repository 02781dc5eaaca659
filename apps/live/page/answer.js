// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The answer, large, with a bar for each likely class and one for "unknown".

import { byId, make, percent, setAttribute, setText, showList } from "./dom.js";

const kQuiet = 4000;   // milliseconds between two answers read aloud
const kSettled = 1200;  // milliseconds an answer has to stand before it is read aloud
const kUnknown = { class: 0, name: "unknown" };

export function createAnswer(narrow) {
  let state = null, spoken = "", spokenAt = 0, candidate = "", candidateSince = 0;

  function show(kind, name, note) {
    setAttribute(byId("answer"), "data-answer", kind);
    setText(byId("answer-name"), name);
    setText(byId("answer-note"), note);
  }

  // Aloud: what stands for a while, not while teaching, and not often.
  function speak(text) {
    const now = performance.now();
    if (text !== candidate) {
      candidate = text;
      candidateSince = now;
    }
    if (text === spoken || now - candidateSince < kSettled || now - spokenAt < kQuiet) return;
    spoken = text;
    spokenAt = now;
    setText(byId("live-answer"), text);
  }

  // The most likely classes, in the order of the cards, so that rows do not jump about.
  function rows(moment) {
    const likely = moment.ranked.slice(0, narrow.matches ? 2 : 4);
    const place = new Map(state.classes.map((one, index) => [one.id, index]));
    likely.sort((a, b) => (place.get(a.class) ?? 1e9) - (place.get(b.class) ?? 1e9));
    return [...likely, { ...kUnknown, confidence: moment.unknown }];
  }

  function showBars(moment) {
    const best = moment.answer ? moment.answer.class : 0;
    showList(byId("bars"), rows(moment), {
      key: (row) => row.class,
      create: () => make("li", {}, make("span", { class: "bar-name" }), make("span", { class: "bar-track" },
        make("span", { class: "bar-fill" })), make("span", { class: "bar-share" })),
      update: (item, row) => {
        const [name, track, share] = item.children;
        setText(name, row.name);
        setText(share, percent(row.confidence));
        track.firstChild.style.transform = `scaleX(${Math.max(0.004, row.confidence).toFixed(3)})`;
        setAttribute(item, "data-best", row.class === best);
        setAttribute(item, "data-class", row.class);
      },
    });
  }

  function nothingYet() {
    const named = state.classes.length > 0;
    show("none", named ? "Ready to learn" : "Nothing taught yet",
      named ? "Hold a card." : "Name a thing, then hold its card.");
    if (!named) byId("bars").replaceChildren();
  }

  const taught = () => state.classes.some((one) => one.examples > 0);

  return {
    showState(next) {
      state = next;
      if (!taught()) nothingYet();
      else if (state.source.status !== "running") setText(byId("answer-note"), "the last answer");
    },
    showMoment(moment) {
      if (!state || !state.classes.length) return;
      showBars(moment);
      if (!taught()) return;
      const { answer } = moment;
      if (answer) show("class", answer.name, `${percent(answer.confidence)} sure`);
      else show("unknown", "Unknown", `${percent(moment.unknown)} sure`);
      if (!state.teaching) speak(answer ? `It sees ${answer.name}.` : "Unknown.");
    },
  };
}
