// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Saving what was learned as a file, replacing it by one, and adding another device's.

import { upload } from "./api.js";
import { byId, bytes, count, setText } from "./dom.js";
import { say } from "./notices.js";

const kKinds = {
  merge: {
    path: "/api/state-file/merge", yes: "Add it", done: "Added.",
    question: (file, here) => `Add what ${file} holds to the ${here} that are here?`,
  },
  import: {
    path: "/api/state-file", yes: "Replace", done: "Loaded.",
    question: (file, here) => `Use ${file} instead of the ${here} that are here? They are kept beside it on the device.`,
  },
};

export function createFiles(teacher) {
  const dialog = byId("files-dialog");
  let state = null, kind = null, file = null, sending = false;

  function showChoices() {
    byId("files-choose").hidden = false;
    byId("files-confirm").hidden = true;
    byId("merge-file").value = byId("import-file").value = "";
  }

  function open() {
    teacher.end();
    const day = new Date().toISOString().slice(0, 10);
    byId("export").download = `jackdaw-${day}.jackdaw`;
    if (!sending) showChoices();
    dialog.showModal();
  }

  function confirm(wanted, chosen) {
    if (!chosen) return;
    kind = kKinds[wanted];
    file = chosen;
    setText(byId("files-question"), kind.question(`${file.name} (${bytes(file.size)})`,
      count(state?.classes.length ?? 0, "class", "classes")));
    setText(byId("files-yes"), kind.yes);
    setText(byId("files-note"), "");
    byId("files-progress").hidden = true;
    byId("files-choose").hidden = true;
    byId("files-confirm").hidden = false;
    byId("files-question").focus();
  }

  function setSending(now) {
    sending = now;
    byId("files-yes").disabled = byId("files-back").disabled = now;
    byId("files-progress").hidden = !now;
  }

  async function send() {
    const progress = byId("files-progress");
    progress.value = 0;
    setSending(true);
    setText(byId("files-note"), "");
    try {
      // All sent: the app is reading it, and how long that takes is not known.
      await upload(kind.path, file, (share) => (share < 1 ? (progress.value = share) : progress.removeAttribute("value")));
      dialog.close();
      say(kind.done);
    } catch (error) {
      setText(byId("files-note"), error.message);
    } finally {
      setSending(false);
    }
  }

  byId("open-files").addEventListener("click", open);
  byId("merge-file").addEventListener("change", (event) => confirm("merge", event.target.files[0]));
  byId("import-file").addEventListener("change", (event) => confirm("import", event.target.files[0]));
  byId("files-back").addEventListener("click", () => {
    showChoices();
    byId("merge-file").focus();
  });
  byId("files-yes").addEventListener("click", send);
  return { showState: (next) => { state = next; } };
}
