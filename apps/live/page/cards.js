// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The classes as cards that are held to teach.

import { byId, count, make, makeSvg, setAttribute, setText, showList } from "./dom.js";
import { holdable } from "./hold.js";

const kRingLength = 100;  // of the circle, as pathLength

function ring() {
  const circle = { cx: 32, cy: 32, r: 28, pathLength: kRingLength };
  return makeSvg("svg", { class: "ring", viewBox: "0 0 64 64", "aria-hidden": "true" },
    makeSvg("circle", { ...circle, class: "ring-track" }), makeSvg("circle", { ...circle, class: "ring-done" }));
}

// createCards({ teacher, progress, tapped, pressed, more }): functions of the class they are called for.
export function createCards({ teacher, progress, tapped, pressed, more }) {
  let state = null, focusNext = null;

  function create(known) {
    const picture = make("span", { class: "thumb" }, make("img", { alt: "", draggable: "false", hidden: true }),
      make("span", { class: "initial", "aria-hidden": "true" }),
      make("span", { class: "progress", "aria-hidden": "true" }, ring(), make("span", { class: "progress-count" })));
    const hold = make("button", { type: "button", class: "hold", "aria-describedby": "hold-help" }, picture,
      make("span", { class: "card-text" }, make("span", { class: "name" }), make("span", { class: "count" })));
    const other = make("button", { type: "button", class: "more" },
      make("span", { class: "dots", "aria-hidden": "true", text: "⋯" }));
    const card = make("li", { class: "card", "data-class": known.id }, hold,
      make("kbd", { class: "number", "aria-hidden": "true" }), other);
    holdable(hold, teacher, () => known.id, { tapped, pressed: () => pressed(known.id) });
    other.addEventListener("click", () => more(known.id));
    return card;
  }

  function updateThumbnail(card, known) {
    const image = card.querySelector("img");
    if (known.thumbnail && image.getAttribute("src") !== known.thumbnail) image.src = known.thumbnail;
    image.hidden = !known.thumbnail;
    const initial = card.querySelector(".initial");
    initial.hidden = Boolean(known.thumbnail);
    setText(initial, [...known.name][0].toUpperCase());
  }

  function update(card, known, index) {
    const now = progress.of(known.id);
    const held = teacher.held() === known.id;
    setText(card.querySelector(".name"), known.name);
    setText(card.querySelector(".count"), now ? now.text
      : known.examples ? count(known.examples, "picture") : "hold to teach");
    setText(card.querySelector(".progress-count"), now?.stage === "saved" ? "✓" : now ? `+${now.frames}` : "");
    setText(card.querySelector(".number"), index < 9 ? String(index + 1) : "");
    setAttribute(card, "data-stage", held ? "learning" : now?.stage);
    setAttribute(card, "data-examples", known.examples);
    card.querySelector(".ring-done").style.strokeDashoffset = String(kRingLength * (1 - (now?.share ?? 0)));
    const hold = card.querySelector(".hold");
    setAttribute(hold, "aria-keyshortcuts", index < 9 ? String(index + 1) : null);
    setAttribute(card.querySelector(".more"), "aria-label", `${known.name}: rename, forget`);
    updateThumbnail(card, known);
  }

  function render() {
    if (!state) return;
    showList(byId("cards"), state.classes, { key: (known) => known.id, create, update, fallback: byId("classes-title") });
    if (focusNext !== null && state.classes.some((known) => known.id === focusNext)) {
      byId("cards").querySelector(`[data-class="${focusNext}"] .hold`).focus();
      focusNext = null;
    }
  }

  return {
    render,
    showState(next) {
      state = next;
      byId("first-run").hidden = state.classes.length > 0;
      byId("hold-help").classList.toggle("hidden", !state.classes.length || state.classes.some((known) => known.examples));
      setText(byId("class-count"), state.classes.length ? `${state.classes.length} of ${state.max_classes}` : "");
      render();
    },
    // As soon as its card is there.
    focusOn(id) {
      focusNext = id;
      render();
    },
  };
}
