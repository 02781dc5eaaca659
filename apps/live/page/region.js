// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The region of interest: dragged on the picture, or typed in per cent.

import { ask } from "./api.js";
import { byId, setAttribute } from "./dom.js";
import { say, sayError } from "./notices.js";

const kLeast = 0.1;  // of the picture's width and height
const kFields = ["x", "y", "width", "height"];
const limit = (value, low, high) => Math.min(high, Math.max(low, value));
const rounded = (share) => Math.round(share * 1000) / 1000;

export function createRegion() {
  const layer = byId("region-layer"), box = byId("region-box"), form = byId("region-form");
  let region = null, draft = null, choosing = false, from = null;

  function render() {
    const shown = draft ?? region;
    box.hidden = !shown;
    layer.dataset.choosing = choosing ? "yes" : "no";
    if (shown) {
      box.style.left = `${shown.x * 100}%`;
      box.style.top = `${shown.y * 100}%`;
      box.style.width = `${shown.width * 100}%`;
      box.style.height = `${shown.height * 100}%`;
    }
    form.hidden = !choosing;
    byId("region-remove").hidden = !region;
    setAttribute(byId("region-choose"), "aria-expanded", String(choosing));
  }

  function fill(shown) {
    for (const field of kFields) byId(`region-${field}`).value = Math.round(shown[field] * 100);
  }

  function choose() {
    choosing = true;
    draft = region ?? { x: 0.2, y: 0.2, width: 0.6, height: 0.6 };
    fill(draft);
    render();
    byId("region-x").focus();
  }
  function close(focus = true) {
    choosing = false;
    draft = from = null;
    render();
    if (focus) byId("region-choose").focus();
  }

  async function apply(wanted) {
    try {
      await ask("PUT", "/api/region", wanted);
      region = wanted;
      say("Only the marked part of the picture counts now.");
      close(choosing);
    } catch (error) {
      sayError(error);
      if (!choosing) close(false);
    }
  }
  async function remove() {
    try {
      await ask("DELETE", "/api/region");
      region = null;
      say("The whole picture counts again.");
      close();
    } catch (error) {
      sayError(error);
    }
  }

  // --- dragging: with the mouse at any time; with a finger after "Choose a region", as it scrolls otherwise
  function place(event) {
    const area = layer.getBoundingClientRect();
    return { x: limit((event.clientX - area.left) / area.width, 0, 1),
             y: limit((event.clientY - area.top) / area.height, 0, 1) };
  }
  layer.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || (event.pointerType !== "mouse" && !choosing)) return;
    layer.setPointerCapture(event.pointerId);
    from = place(event);
  });
  layer.addEventListener("pointermove", (event) => {
    if (!from) return;
    const to = place(event);
    draft = { x: rounded(Math.min(from.x, to.x)), y: rounded(Math.min(from.y, to.y)),
              width: rounded(Math.abs(from.x - to.x)), height: rounded(Math.abs(from.y - to.y)) };
    render();
  });
  layer.addEventListener("pointerup", () => {
    if (!from) return;
    from = null;
    if (draft && draft.width >= kLeast && draft.height >= kLeast) return apply(draft);
    if (choosing) fillDraft();
    else close(false);
  });
  layer.addEventListener("pointercancel", () => (choosing ? fillDraft() : close(false)));

  function fillDraft() {
    from = null;
    const typed = Object.fromEntries(kFields.map((field) => [field, byId(`region-${field}`).valueAsNumber / 100]));
    if (Object.values(typed).some(Number.isNaN)) return null;
    const x = limit(typed.x, 0, 1 - kLeast), y = limit(typed.y, 0, 1 - kLeast);
    draft = { x: rounded(x), y: rounded(y), width: rounded(limit(typed.width, kLeast, 1 - x)),
              height: rounded(limit(typed.height, kLeast, 1 - y)) };
    render();
    return draft;
  }

  form.addEventListener("input", fillDraft);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const wanted = fillDraft();
    if (wanted) apply(wanted);
  });
  form.addEventListener("keydown", (event) => event.key === "Escape" && close());
  byId("region-cancel").addEventListener("click", () => close());
  byId("region-choose").addEventListener("click", () => (choosing ? close() : choose()));
  byId("region-remove").addEventListener("click", remove);

  return {
    choose,
    showState(state) {
      region = state.region;
      if (!from) render();
    },
  };
}
