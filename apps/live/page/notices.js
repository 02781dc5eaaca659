// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// What the app has to say: problems as banners that stay, messages that pass.

import { ask } from "./api.js";
import { byId, make, setAttribute, setText, showList } from "./dom.js";

const kMessageStays = 5000;  // milliseconds
let hide = 0;

export function say(text, severity = "info") {
  const box = byId("message");
  clearTimeout(hide);
  box.replaceChildren(make("p", { text, "data-severity": severity }));
  hide = setTimeout(() => box.replaceChildren(), Math.max(kMessageStays, text.length * 80));
}

export function hush() {
  byId("message").replaceChildren();
}

export const sayError = (error) => say(error.message, "error");

export function showProblems(problems) {
  showList(byId("problems"), problems, {
    key: (problem) => problem.id,
    create: () => make("li", { class: "banner" }),
    update: (item, problem) => {
      setAttribute(item, "data-severity", problem.severity);
      setAttribute(item, "data-problem", problem.id);
      setText(item, problem.text);
    },
  });
}

export function showConnection(connected) {
  byId("connection-lost").hidden = connected;
  document.body.dataset.connection = connected ? "open" : "lost";
}

// The app answers the right token with a cookie, which this page then has.
async function tryToken(event) {
  event.preventDefault();
  const field = byId("token");
  try {
    await ask("GET", `/?token=${encodeURIComponent(field.value.trim())}`);
    location.reload();
  } catch (error) {
    setText(byId("token-note"), error.status === 401
      ? "That was not the token. Look where the program was started." : error.message);
    field.select();
  }
}

export function askForToken() {
  document.body.dataset.view = "token";
  document.title = "Token – Jackdaw";
  byId("token-form").addEventListener("submit", tryToken);
  byId("token").focus();
}
