// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The event stream, kept alive: when it breaks, or is silent for long, the app is asked directly, so
// that "gone" and "wants a token" are told apart.
//
//   connect({ state, moment, lost, found, refused })   // functions; refused: a token is needed

import { ask } from "./api.js";

const kFirstWait = 500, kLongestWait = 4000;  // milliseconds between two tries
const kSilence = 10000;                       // milliseconds without an event that call for a look

export function connect(on) {
  let source = null, wait = kFirstWait, heard = 0, connected = null, looking = false;

  function open() {
    heard = Date.now();
    source = new EventSource("/api/events");
    source.addEventListener("state", (event) => {
      hear();
      on.state(JSON.parse(event.data));
    });
    source.addEventListener("moment", (event) => {
      hear();
      on.moment(JSON.parse(event.data));
    });
    source.onerror = () => {
      source.close();
      look();
    };
  }

  function hear() {
    heard = Date.now();
    wait = kFirstWait;
    if (connected) return;
    connected = true;
    on.found();
  }

  async function look() {
    if (looking) return;
    looking = true;
    try {
      on.state(await ask("GET", "/api/state"));
      looking = false;
      if (source.readyState !== EventSource.OPEN) setTimeout(open, connected === false ? 0 : kFirstWait);
      else heard = Date.now();
    } catch (error) {
      looking = false;
      source.close();
      if (error.status === 401) return on.refused();
      if (connected !== false) on.lost();
      connected = false;
      setTimeout(look, wait);
      wait = Math.min(kLongestWait, wait * 1.6);
    }
  }

  setInterval(() => {
    if (source.readyState === EventSource.OPEN && Date.now() - heard > kSilence) look();
  }, 2000);
  open();
}
