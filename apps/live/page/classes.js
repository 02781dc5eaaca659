// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Making, renaming and forgetting classes.

import { ask } from "./api.js";
import { byId, count, setText } from "./dom.js";
import { say, sayError } from "./notices.js";

const kSecondsWithoutHolding = 3;

export function createClasses({ cards, teacher }) {
  let state = null, chosen = null;
  const find = (id) => state?.classes.find((known) => known.id === id);

  async function add(event) {
    event.preventDefault();
    const field = byId("new-name");
    const name = field.value.trim();
    if (!name) return field.focus();
    try {
      const { id } = await ask("POST", "/api/classes", { name });
      field.value = "";
      setText(byId("new-note"), "");
      cards.focusOn(id);
      setText(byId("live-teach"), `${name} has a card now. Hold it while the camera sees the thing.`);
    } catch (error) {
      setText(byId("new-note"), error.message);
      field.focus();
    }
  }

  async function teachForAWhile(id) {
    try {
      await ask("POST", "/api/teach", { class: id, seconds: kSecondsWithoutHolding });
      say(`Learning ${find(id)?.name} for ${kSecondsWithoutHolding} seconds.`);
    } catch (error) {
      sayError(error);
    }
  }

  function open(id) {
    const known = find(id);
    if (!known) return;
    teacher.end();
    chosen = id;
    setText(byId("class-dialog-title"), known.name);
    setText(byId("class-dialog-facts"), known.examples
      ? `${count(known.examples, "picture")}, ${count(known.lessons, "lesson")} with their variations`
      : "Not taught yet");
    setText(byId("rename-note"), "");
    byId("rename").value = known.name;
    byId("class-dialog").showModal();
  }

  async function rename(event) {
    event.preventDefault();
    const name = byId("rename").value.trim(), before = find(chosen)?.name;
    try {
      if (name !== before) {
        await ask("PATCH", `/api/classes/${chosen}`, { name });
        say(`${before} is called ${name} now.`);
      }
      byId("class-dialog").close();
    } catch (error) {
      setText(byId("rename-note"), error.message);
      byId("rename").focus();
    }
  }

  function askToForget() {
    const known = find(chosen);
    byId("class-dialog").close();
    if (!known) return;
    setText(byId("forget-title"), `Forget ${known.name}?`);
    setText(byId("forget-text"), known.examples
      ? `The ${count(known.examples, "picture")} it was taught with will be gone. This cannot be undone.`
      : "It was not taught yet.");
    byId("forget-dialog").showModal();
  }

  async function forget() {
    const name = find(chosen)?.name;
    byId("forget-dialog").close();
    try {
      await ask("DELETE", `/api/classes/${chosen}`);
      say(`${name} is forgotten.`);
      byId("classes-title").focus();
    } catch (error) {
      sayError(error);
    }
  }

  byId("new-class").addEventListener("submit", add);
  byId("new-name").addEventListener("input", () => setText(byId("new-note"), ""));
  byId("rename-form").addEventListener("submit", rename);
  byId("forget").addEventListener("click", askToForget);
  byId("forget-yes").addEventListener("click", forget);
  byId("teach-without-holding").addEventListener("click", () => {
    byId("class-dialog").close();
    teachForAWhile(chosen);
  });
  return { open, teachForAWhile, showState: (next) => { state = next; } };
}
