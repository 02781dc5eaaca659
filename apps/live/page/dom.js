// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Making and updating elements. Text always goes through textContent: names are written by users.

export const byId = (id) => document.getElementById(id);

// make("p", { class: "note", text: name }, child, ...)
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") element.textContent = value;
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

const svgSpace = "http://www.w3.org/2000/svg";

export function makeSvg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(svgSpace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Writes only what differs, so that screen readers and selections are left alone.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

// Makes the children of `list` show `items`, one element for each key, kept while its key is there.
// Where the element in focus goes away, `fallback` gets the focus.
export function showList(list, items, { key, create, update, fallback }) {
  const kept = new Map([...list.children].map((element) => [element.dataset.key, element]));
  const wanted = new Set(items.map((item) => String(key(item))));
  for (const [name, element] of kept) {
    if (wanted.has(name)) continue;
    const hadFocus = element.contains(document.activeElement);
    element.remove();
    if (hadFocus) fallback?.focus();
  }
  items.forEach((item, index) => {
    const name = String(key(item));
    let element = kept.get(name);
    if (!element) {
      element = create(item);
      element.dataset.key = name;
    }
    if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
    update(element, item, index);
  });
}

export const count = (number, one, many = `${one}s`) =>
  `${number.toLocaleString("en-GB")} ${number === 1 ? one : many}`;

export const bytes = (number) =>
  number < 1e6 ? `${Math.ceil(number / 1000)} kB` : number < 1e9 ? `${Math.round(number / 1e6)} MB`
    : `${(number / 1e9).toFixed(1)} GB`;

// No half percents, and never 100 where it is not certain.
export const percent = (share) => `${Math.min(99, Math.max(0, Math.round(share * 100)))} %`;

// What the page itself remembers in this browser; where that is not allowed it remembers nothing.
export function remember(name, value) {
  try {
    localStorage.setItem(`jackdaw-${name}`, value);
  } catch {
    // a private window, perhaps
  }
}

export function recall(name) {
  try {
    return localStorage.getItem(`jackdaw-${name}`);
  } catch {
    return null;
  }
}
