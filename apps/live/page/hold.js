// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Holding a card: with the mouse, a finger, Space or Enter on it, or its number key.

const kFingerRests = 160;  // milliseconds after which a finger means holding, not scrolling
const kHint = 300;         // milliseconds: shorter was a tap, and tells how to hold

// holdable(button, teacher, () => classId, { tapped, pressed }): `tapped` is called after a tap,
// `pressed` for a press without holding, as screen readers make it.
export function holdable(button, teacher, classId, { tapped, pressed }) {
  let pointer = null, rest = 0, since = 0, byKey = false;

  const begin = () => {
    since = performance.now();
    teacher.begin(classId());
  };
  const release = () => {
    clearTimeout(rest);
    const wasHolding = since > 0;
    if (wasHolding) teacher.end();
    const short = !wasHolding || performance.now() - since < kHint;
    since = 0;
    return short;
  };

  button.addEventListener("pointerdown", (event) => {
    if (pointer !== null || event.button !== 0 || teacher.held() !== null) return;
    pointer = event.pointerId;
    if (event.pointerType === "mouse") {
      button.setPointerCapture(pointer);
      begin();
    } else {
      rest = setTimeout(begin, kFingerRests);
    }
  });
  // Once it holds, the finger may wander: the page does not scroll under it.
  button.addEventListener("touchmove", (event) => since > 0 && event.preventDefault(), { passive: false });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) {
    button.addEventListener(name, (event) => {
      if (event.pointerId !== pointer) return;
      pointer = null;
      if (release() && name === "pointerup") tapped();
    });
  }
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("dragstart", (event) => event.preventDefault());

  button.addEventListener("keydown", (event) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || teacher.held() !== null) return;
    byKey = true;
    begin();
  });
  const keyDone = (event) => {
    if (!byKey || (event.type === "keyup" && event.key !== " " && event.key !== "Enter")) return;
    if (event.type === "keyup") event.preventDefault();
    byKey = false;
    if (release() && event.type === "keyup") tapped();
  };
  button.addEventListener("keyup", keyDone);
  button.addEventListener("blur", keyDone);
  button.addEventListener("click", (event) => {
    if (event.detail === 0) pressed();
  });
}

// Number keys hold the card with that number; other single keys act once.
export function shortcutKeys({ teacher, classOfNumber, actions, enabled }) {
  let down = null;
  const elsewhere = (event) =>
    event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]") ||
    event.target.closest?.("input, textarea, select");

  document.addEventListener("keydown", (event) => {
    if (!enabled() || elsewhere(event)) return;
    if (/^[1-9]$/.test(event.key)) {
      const id = classOfNumber(Number(event.key));
      if (event.repeat || down !== null || id === undefined) return;
      down = event.code;
      teacher.begin(id);
    } else if (actions[event.key.toLowerCase()] && !event.repeat) {
      event.preventDefault();
      actions[event.key.toLowerCase()]();
    }
  });
  document.addEventListener("keyup", (event) => {
    if (event.code !== down) return;
    down = null;
    teacher.end();
  });
  return { letGo: () => { down = null; } };
}
