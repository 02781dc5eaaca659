// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Requests to the app (docs/api.md). What is refused is thrown as an ApiError with the app's own
// sentence; where nothing answers at all, its status is 0.
//
//   const { id } = await ask("POST", "/api/classes", { name: "mug" });

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const kNoAnswer = "The app does not answer.";
const kSecondsToAnswer = 15;

function sentence(status, text) {
  try {
    const { error } = JSON.parse(text);
    if (typeof error === "string" && error) return error;
  } catch {
    // not from the app itself: a proxy, perhaps
  }
  return `The app answered with status ${status}.`;
}

export async function ask(method, path, body, { keepalive = false } = {}) {
  const request = { method, keepalive, cache: "no-store", signal: AbortSignal.timeout(kSecondsToAnswer * 1000) };
  if (body !== undefined) {
    request.body = JSON.stringify(body);
    request.headers = { "Content-Type": "application/json" };
  }
  let response, text;
  try {
    response = await fetch(path, request);
    text = await response.text();
  } catch {
    throw new ApiError(0, kNoAnswer);
  }
  if (!response.ok) throw new ApiError(response.status, sentence(response.status, text));
  return response.headers.get("Content-Type")?.startsWith("application/json") ? JSON.parse(text) : {};
}

// Sends a file; `onProgress` is told the share that has been sent. (fetch cannot tell.)
export function upload(path, file, onProgress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(new ApiError(request.status, sentence(request.status, request.responseText)));
    };
    request.onerror = () => reject(new ApiError(0, kNoAnswer));
    request.send(file);
  });
}
