// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Puts the page together. All that is shown comes from the app's `state` and `moment` events.

import { createAnswer } from "./answer.js";
import { createBursts } from "./bursts.js";
import { createCards } from "./cards.js";
import { createClasses } from "./classes.js";
import { connect } from "./connection.js";
import { byId, recall, remember, setText } from "./dom.js";
import { createFiles } from "./files.js";
import { shortcutKeys } from "./hold.js";
import { createMeters } from "./meters.js";
import { askForToken, hush, say, sayError, showConnection, showProblems } from "./notices.js";
import { createPicture } from "./picture.js";
import { createProgress } from "./progress.js";
import { createRegion } from "./region.js";
import { createTeacher } from "./teacher.js";

let state = null;

const teacher = createTeacher({ refused: sayError, changed: (held) => {
  if (held !== null) hush();
  showTeaching();
} });
const progress = createProgress(() => showTeaching());
const cards = createCards({
  teacher, progress,
  tapped: () => say("Hold the card as long as it shall learn."),
  pressed: (id) => classes.teachForAWhile(id),
  more: (id) => classes.open(id),
});
const classes = createClasses({ cards, teacher });
const bursts = createBursts(teacher);
const picture = createPicture();
const region = createRegion();
const files = createFiles(teacher);
const meters = createMeters();
const answer = createAnswer(matchMedia("(max-width: 859px)"));

// Seen on the card, and on the picture, as a finger may cover the card.
function showTeaching() {
  cards.render();
  const id = teacher.held() ?? state?.teaching?.class;
  const known = state?.classes.find((one) => one.id === id);
  const chip = byId("learning");
  chip.hidden = !known;
  byId("stage").dataset.learning = known ? "yes" : "no";
  if (known) setText(chip, `Learning ${known.name} · ${progress.of(id)?.frames ?? 0}`);
}

function showState(next) {
  state = next;
  progress.showState(state);
  for (const part of [classes, cards, bursts, picture, region, files, meters, answer]) part.showState(state);
  showProblems(state.problems);
  if (teacher.held() !== null && !state.classes.some((known) => known.id === teacher.held())) teacher.end();
  showTeaching();
}

connect({
  state: showState,
  moment: (moment) => {
    for (const part of [answer, meters, picture]) part.showMoment(moment);
  },
  lost: () => {
    teacher.end();
    if (state) showState({ ...state, teaching: null });  // what it does now is not known
    showConnection(false);
  },
  found: () => {
    if (document.body.dataset.connection === "lost") picture.start();
    showConnection(true);
  },
  refused: () => {
    picture.stop();
    askForToken();
  },
});

const keysOn = byId("keys-on");
keysOn.checked = recall("single-keys") !== "off";
keysOn.addEventListener("change", () => remember("single-keys", keysOn.checked ? "on" : "off"));
const help = () => byId("help-dialog").showModal();
const keys = shortcutKeys({
  teacher,
  classOfNumber: (number) => state?.classes[number - 1]?.id,
  enabled: () => keysOn.checked && document.body.dataset.view === "app",
  actions: { u: () => bursts.undoLast(), n: () => byId("new-name").focus(), r: () => region.choose(), "?": help },
});

// Whatever takes the attention away lets go.
function letGo() {
  keys.letGo();
  teacher.end();
}
window.addEventListener("blur", letGo);
document.addEventListener("visibilitychange", () => document.hidden && letGo());
window.addEventListener("pagehide", () => teacher.leave());

byId("undo").addEventListener("click", () => bursts.undoLast());
byId("open-help").addEventListener("click", help);
for (const dialog of document.querySelectorAll("dialog")) {
  dialog.addEventListener("click", (event) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const beside = event.target === dialog && (event.clientX < left || event.clientX > right ||
      event.clientY < top || event.clientY > bottom);
    if (beside || event.target.closest("[data-close]")) dialog.close();
  });
}
