// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// What the app has to say: problems as banners that stay, messages that pass.

import { byId, make, recall, remember, setAttribute, setText, showList } from "./dom.js";

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

export function askForToken() {
  const tried = recall("token-tried") === "yes";
  remember("token-tried", "no");
  document.body.dataset.view = "token";
  document.title = "Token – Jackdaw";
  if (tried) setText(byId("token-note"), "That was not the token. Look where the program was started.");
  byId("token-form").addEventListener("submit", () => remember("token-tried", "yes"));
  byId("token").focus();
}
