// A payoff table while it is edited: texts as they were typed, what is wrong with them, and its document.
export const MOST = 30; // actions of a player, as the server takes them
const LONGEST = 60; // letters of a label

// The name of the action with a number, from 0.
const letter = (k) => String.fromCharCode(65 + (k % 26)) + (k < 26 ? "" : Math.floor(k / 26));

// A name that none of the others has.
function freshLabel(labels) {
  let k = labels.length;
  while (labels.includes(letter(k))) k += 1;
  return letter(k);
}

const cells = (rows, columns) => Array.from({ length: rows }, () => Array.from({ length: columns }, () => ["", ""]));

// An empty table: {title, players, rows, columns, cells: [row][column][player], isZeroSum}.
export const blank = (rows = 2, columns = 2) => ({
  title: "",
  players: ["", ""],
  rows: Array.from({ length: rows }, (_, k) => letter(k)),
  columns: Array.from({ length: columns }, (_, k) => letter(k)),
  cells: cells(rows, columns),
  isZeroSum: false,
});

// The draft of a document, {title, players, rows, columns, payoffs}.
export function draftOf({ title = "", players = [], rows, columns, payoffs }) {
  return {
    title,
    players: [players[0] ?? "", players[1] ?? ""],
    rows: [...rows],
    columns: [...columns],
    cells: payoffs.map((row) => row.map((cell) => cell.map(String))),
    isZeroSum: payoffs.every((row) => row.every(([own, other]) => own + other === 0)),
  };
}

const DECIMAL = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d{1,3})?$/i;

// The number of a text such as -1, 0.5, 0,5 or 1/3; null where it is none.
function payoffOf(text) {
  const parts = text.trim().replace(/[\u2212\u2013]/g, "-").split(/\//).map((part) => part.trim());
  if (parts.length > 2 || !parts.every((part) => DECIMAL.test(part))) return null;
  const [above, below = 1] = parts.map((part) => Number(part.replace(",", ".")));
  const x = above / below;
  return Number.isFinite(x) ? x : null;
}

// How fields are called: row-1, column-0, cell-1-0-1.
export const cellId = (i, k, player) => `cell-${i}-${k}-${player}`;

const labelFault = (label, k, labels) => {
  const name = label.trim();
  if (!name || name.length > LONGEST) return "payoffs.fault.label";
  if (name.endsWith("\\")) return "payoffs.fault.backslash";
  return labels.slice(0, k).some((other) => other.trim() === name) ? "payoffs.fault.twice" : null;
};

// What is wrong, by fields: {id of the field: key of a text}.
export function faultsOf({ rows, columns, cells: texts, isZeroSum }) {
  const faults = {};
  const note = (id, key) => {
    if (key) faults[id] = key;
  };
  rows.forEach((label, k) => note(`row-${k}`, labelFault(label, k, rows)));
  columns.forEach((label, k) => note(`column-${k}`, labelFault(label, k, columns)));
  texts.forEach((row, i) => row.forEach((cell, k) => cell.forEach((text, player) => {
    if (player && isZeroSum) return;
    if (payoffOf(text) === null) note(cellId(i, k, player), "payoffs.fault.number");
  })));
  return faults;
}

// What is sent of a draft without faults.
export function documentOf({ title, players, rows, columns, cells: texts, isZeroSum }) {
  const names = players.map((name) => name.trim());
  return {
    title: title.trim(),
    players: names.every(Boolean) ? names : [],
    rows: rows.map((label) => label.trim()),
    columns: columns.map((label) => label.trim()),
    payoffs: texts.map((row) => row.map((cell) => (isZeroSum ? cell.slice(0, 1) : cell).map(payoffOf))),
  };
}

// The drafts with an action more or less: `side` is rows or columns.
export function withAction(draft, side) {
  const labels = [...draft[side], freshLabel(draft[side])];
  const wider = side === "rows"
    ? [...draft.cells, draft.columns.map(() => ["", ""])]
    : draft.cells.map((row) => [...row, ["", ""]]);
  return { ...draft, [side]: labels, cells: wider };
}

export function withoutAction(draft, side, k) {
  const others = (_, place) => place !== k;
  const narrower = side === "rows" ? draft.cells.filter(others) : draft.cells.map((row) => row.filter(others));
  return { ...draft, [side]: draft[side].filter(others), cells: narrower };
}
