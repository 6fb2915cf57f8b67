// What long tables share: heads that sort, and the rows that are seen.
import { html } from "../core/html.js";

export const ROW = 28; // pixels, as in the style sheet

const LETTER = 8.5; // pixels, at most
const FIGURE = 10.5; // pixels of a bold one, at most
const EDGES = 18; // pixels of a cell beside its text

// A column is as wide as its name with the arrow, and as `least`.
export const wide = (label, least) => Math.max(least, Math.ceil(label.length * LETTER) + 30);

// The room that figures need, whatever the pot: that of the longest one, by those at both ends.
export function roomFor(values, text) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (typeof value !== "number") continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return 0;
  return Math.ceil(Math.max(text(low).length, text(high).length) * FIGURE) + EDGES;
}

// Rows from the one at the top on, a few more on both sides.
export function seenRows(rows, top, count) {
  const from = Math.max(Math.floor(top / ROW) - 4, 0);
  return rows.slice(from, from + count).map((row, n) => [from + n, row]);
}

// Numbers in order; what is not known comes last.
export function inOrder(rows, keyOf, isDown) {
  const keyed = rows.map((row, at) => [keyOf(row, at), row, at]);
  keyed.sort(([a, , m], [b, , n]) => {
    if (a === null || b === null || a === undefined || b === undefined) return (a == null) - (b == null) || m - n;
    return (isDown ? b - a : a - b) || m - n;
  });
  return keyed.map(([, row]) => row);
}

// The key of a column, after its head was pressed: the other way round if it was sorted by it.
export const sortedBy = (by, key, first = true) => ({ key, down: by.key === key ? !by.down : first });
export const sortOf = (by, key) => (by.key !== key ? "none" : by.down ? "descending" : "ascending");

// The button in the head of a column.
export const sortButton = (by, key, label, act, title = null) => html`
  <button type="button" title=${title} onClick=${act}>${label}<span aria-hidden="true">${
    by.key !== key ? "" : by.down ? " ▾" : " ▴"}</span></button>`;
