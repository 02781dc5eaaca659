// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The live picture: a stream of JPEG frames in an <img>, started again when it breaks or stands still
// while the app goes on answering.

import { byId, setText } from "./dom.js";

const kFirstWait = 500, kLongestWait = 4000;  // milliseconds
const kLook = 1500;                           // milliseconds between two looks at the picture
const kStandsStill = 3;                       // looks

const kVeils = {
  opening: "Opening the camera …",
  lost: "The camera is gone",
  frozen: "The picture stands still",
  ended: "The recording has ended",
};

export function createPicture() {
  const image = byId("picture");
  const small = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  let wait = kFirstWait, number = 0, timer = 0, frame = 0, frameSeen = 0, pixelsSeen = "", still = 0, stopped = false;
  small.canvas.width = 32;
  small.canvas.height = 24;

  function start() {
    clearTimeout(timer);
    if (stopped) return;
    still = 0;
    image.src = `/api/picture.mjpeg?${++number}`;
  }
  function startLater() {
    clearTimeout(timer);
    timer = setTimeout(start, wait);
    wait = Math.min(kLongestWait, wait * 1.6);
  }
  image.addEventListener("error", startLater);
  image.addEventListener("load", () => { wait = kFirstWait; });

  // An <img> does not tell that its stream has ended.
  function pixels() {
    try {
      small.drawImage(image, 0, 0, 32, 24);
      return small.getImageData(0, 0, 32, 24).data.join();
    } catch {
      return "";  // nothing to draw yet
    }
  }
  function look() {
    if (document.hidden) return;
    const now = pixels();
    still = now === pixelsSeen && frame > frameSeen ? still + 1 : 0;
    pixelsSeen = now;
    frameSeen = frame;
    if (still >= kStandsStill) start();
  }

  // A page that is not seen does not need the stream; browsers keep few connections to one address.
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (document.hidden) image.removeAttribute("src");
    else start();
  });
  setInterval(look, kLook);
  if (!document.hidden) start();

  return {
    start,
    stop() {
      clearTimeout(timer);
      stopped = true;
      image.removeAttribute("src");
    },
    showState({ source }) {
      const stage = byId("stage"), veil = byId("veil");
      stage.dataset.status = source.status;
      if (source.width && source.height) {
        document.body.style.setProperty("--aspect", String(source.width / source.height));
      }
      veil.hidden = source.status === "running";
      setText(veil, kVeils[source.status] ?? "");
      const size = source.width && source.height ? ` · ${source.width} × ${source.height}` : "";
      setText(byId("source"), `${source.uri}${size}`);
    },
    showMoment(moment) {
      frame = moment.frame;
    },
  };
}
