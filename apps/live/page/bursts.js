// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// What was taught last, newest first: each can be taken back, or was of another class.

import { ask } from "./api.js";
import { byId, count, make, setAttribute, setText, showList } from "./dom.js";
import { say, sayError } from "./notices.js";

const kShown = 5;

export function createBursts(teacher) {
  let state = null, moving = null;
  const nameOf = (id) => state.classes.find((known) => known.id === id)?.name ?? "a forgotten class";
  const pictures = (burst) => `${count(burst.frames, "picture")} of ${nameOf(burst.class)}`;
  const lastUndoable = () => state?.bursts.findLast((burst) => burst.undoable);

  async function undo(burst) {
    if (!burst) return say("There is nothing to undo.");
    await teacher.end();
    // What is known now may have grown since: the app's own list says what went.
    const text = pictures(state.bursts.find((one) => one.id === burst.id) ?? burst);
    try {
      await ask("POST", "/api/undo", { burst: burst.id });
      say(`Taken back: ${text}.`);
    } catch (error) {
      sayError(error);
    }
  }

  async function move(burst, target) {
    const text = pictures(burst), to = nameOf(target);
    byId("move-dialog").close();
    try {
      await ask("POST", `/api/bursts/${burst.id}/move`, { class: target });
      say(`Moved: ${text} to ${to}.`);
    } catch (error) {
      sayError(error);
    }
  }

  function chooseTarget(burst) {
    moving = burst;
    setText(byId("move-text"), `${pictures(burst)} will be moved to:`);
    const targets = state.classes.filter((known) => known.id !== burst.class);
    byId("move-choices").replaceChildren(...targets.map((known) => {
      const choice = make("button", { type: "button", class: "quiet wide", text: known.name, "data-class": known.id });
      choice.addEventListener("click", () => move(moving, known.id));
      return make("li", {}, choice);
    }));
    byId("move-dialog").showModal();
  }

  function create(burst) {
    const mine = () => state.bursts.find((one) => one.id === burst.id) ?? burst;
    const other = make("button", { type: "button", class: "quiet small move", text: "Move …" });
    const back = make("button", { type: "button", class: "quiet small undo-burst", text: "Undo" });
    other.addEventListener("click", () => chooseTarget(mine()));
    back.addEventListener("click", () => undo(mine()));
    return make("li", { class: "burst", "data-burst": burst.id },
      make("p", {}, make("span", { class: "burst-what" }), make("span", { class: "burst-stage muted" })),
      make("span", { class: "burst-actions" }, other, back));
  }

  function update(item, burst) {
    const learning = state.teaching?.class === burst.class && burst === state.bursts.at(-1);
    const stage = learning ? "learning …" : burst.pending > 0 ? `${count(burst.pending, "variation")} to go` : burst.durable ? "saved" : "saving …";
    const text = pictures(burst);
    setText(item.querySelector(".burst-what"), text);
    setText(item.querySelector(".burst-stage"), stage);
    setAttribute(item, "data-class", burst.class);
    const [other, back] = item.querySelectorAll("button");
    other.hidden = !burst.undoable || state.classes.length < 2;
    back.hidden = !burst.undoable;
    setAttribute(other, "aria-label", `Move ${text} to another class`);
    setAttribute(back, "aria-label", `Undo ${text}`);
  }

  return {
    undoLast: () => undo(lastUndoable()),
    showState(next) {
      state = next;
      const shown = state.bursts.filter((burst) => burst.frames > 0).slice(-kShown).reverse();
      byId("recent").hidden = shown.length === 0;
      setAttribute(byId("undo"), "aria-disabled", lastUndoable() ? null : "true");
      showList(byId("bursts"), shown, { key: (burst) => burst.id, create, update, fallback: byId("recent-title") });
    },
  };
}
