// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Frames a second, the time of each stage, memory, dropped frames.

import { byId, bytes, make, setText } from "./dom.js";

const kEvery = 500;  // milliseconds; faster figures cannot be read
const kStages = ["capture", "preprocess", "encode", "answer", "teach"];

export function createMeters() {
  const values = new Map();
  let last = 0;

  function add(name, label, title) {
    const value = make("dd", { "data-meter": name, text: "–" });
    values.set(name, value);
    byId("meters").append(make("div", { title, class: "meter" }, make("dt", { text: label }), value));
  }
  add("rate", "frames a second", "answered, of those captured");
  for (const stage of kStages) add(stage, stage, `milliseconds for a frame: ${stage}`);
  add("dropped", "dropped", "frames dropped on purpose, so that the newest is answered");
  add("memory", "memory", "of the learner, fixed at the start; of the whole program");

  const set = (name, text) => setText(values.get(name), text);
  return {
    showState(state) {
      set("memory", `${bytes(state.memory.planned_bytes)} · ${bytes(state.memory.resident_bytes)}`);
      const kept = state.state_folder ? `kept in ${state.state_folder}` : "kept only while it runs";
      const recorded = state.record_folder ? `, pictures in ${state.record_folder}` : "";
      setText(byId("about"), `Jackdaw ${state.version} · ${state.encoder.name} (${state.encoder.backend}) · ` +
        `learner: ${state.learner.backend} · ${kept}${recorded}`);
    },
    showMoment(moment) {
      const now = performance.now();
      if (now - last < kEvery) return;
      last = now;
      const { rate, milliseconds, counts } = moment;
      set("rate", `${rate.answered.toFixed(1)} of ${rate.captured.toFixed(1)}`);
      for (const stage of kStages) set(stage, `${milliseconds[stage].toFixed(1)} ms`);
      const bad = counts.bad_frames ? `, ${counts.bad_frames} bad` : "";
      set("dropped", `${counts.dropped.toLocaleString("en-GB")}${bad}`);
    },
  };
}
