// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// How far the newest burst of each class is: learning, finishing its variations, saved.

import { byId, count, setText } from "./dom.js";

const kSavedStays = 3000;  // milliseconds

// createProgress(again): `again` is called when a "saved" has been shown long enough.
export function createProgress(again) {
  const savedAt = new Map();  // burst -> when it was first seen saved; only bursts that were seen unsaved
  const unsaved = new Set();
  let state = null, timer = 0;

  function note(burst, names) {
    if (burst.frames === 0 || (!burst.durable && !unsaved.has(burst.id))) unsaved.add(burst.id);
    if (burst.durable && unsaved.delete(burst.id)) {
      savedAt.set(burst.id, Date.now());
      clearTimeout(timer);
      timer = setTimeout(again, kSavedStays + 50);
      setText(byId("live-teach"), `Saved: ${count(burst.frames, "picture")} of ${names.get(burst.class)}.`);
    }
  }

  return {
    showState(next) {
      const names = new Map(next.classes.map((one) => [one.id, one.name]));
      if (next.teaching && next.teaching.class !== state?.teaching?.class) {
        setText(byId("live-teach"), `Learning ${names.get(next.teaching.class)}.`);
      }
      state = next;
      for (const burst of next.bursts) note(burst, names);
    },
    // {stage: "learning" | "finishing" | "saving" | "saved", frames, share of the lessons, text}, or null
    of(classId) {
      const burst = state.bursts.findLast((one) => one.class === classId);
      const learning = state.teaching?.class === classId;
      if (!burst) return learning ? { stage: "learning", frames: 0, share: 0, text: "learning …" } : null;
      const { frames, lessons, pending } = burst;
      const share = lessons + pending > 0 ? lessons / (lessons + pending) : 0;
      if (learning) return { stage: "learning", frames, share, text: "learning …" };
      if (pending > 0) return { stage: "finishing", frames, share, text: `${count(pending, "variation")} to go` };
      if (frames > 0 && !burst.durable) return { stage: "saving", frames, share, text: "saving …" };
      const recent = Date.now() - (savedAt.get(burst.id) ?? 0) < kSavedStays;
      return recent ? { stage: "saved", frames, share: 1, text: "saved" } : null;
    },
  };
}
