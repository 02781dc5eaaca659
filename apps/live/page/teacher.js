// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Teaching while something is held. One request every 400 ms asks for one second more, so that a page
// that vanishes in the middle of it is over a second later; letting go stops it at once.
//
//   const teacher = createTeacher({ refused: (error) => ..., changed: (classId or null) => ... });
//   teacher.begin(3); ... teacher.end();

import { ask } from "./api.js";

const kEvery = 400;  // milliseconds
const kSeconds = 1;

export function createTeacher({ refused, changed }) {
  let held = null, timer = 0, underWay = null;

  async function prolong() {
    if (underWay) return;  // a slow connection is not given more to do
    const meant = held;
    try {
      underWay = ask("POST", "/api/teach", { class: meant, seconds: kSeconds });
      await underWay;
    } catch (error) {
      if (held === meant) end();
      refused(error);
    } finally {
      underWay = null;
    }
  }

  function begin(classId) {
    if (held !== null) return;
    held = classId;
    changed(held);
    timer = setInterval(prolong, kEvery);
    prolong();
  }

  const stop = () => ask("DELETE", "/api/teach", undefined, { keepalive: true }).catch(() => {});

  // The stop must not overtake a request that is still on its way, nor stop what was begun since.
  async function end() {
    if (held === null) return;
    clearInterval(timer);
    held = null;
    changed(null);
    await underWay?.catch(() => {});
    if (held === null) await stop();
  }

  // For a page that goes away and cannot wait.
  function leave() {
    if (held === null) return;
    end();
    stop();
  }

  return { begin, end, leave, held: () => held };
}
