// Reports over boards: their rows, means of some of them, and what kinds of boards there are.
import { cardsOf, RANKS_DOWN } from "./cards.js";

const TEXTS = ["board", "line", "acts"];

// The rows of a report.csv, {columns, rows}; null of another file. Its texts hold no commas.
export function parse(text) {
  const [head, ...lines] = text.trim().split(/\r?\n/);
  const columns = head.split(",");
  if (!["board", "line", "frequency", "pot"].every((column) => columns.includes(column))) {
    return null;
  }
  const read = (cell, k) => (TEXTS.includes(columns[k]) ? cell : cell === "" ? null : Number(cell));
  const rows = lines.map((line) => line.split(",").map(read));
  return { columns, rows: rows.filter((row) => row[columns.indexOf("board")] !== "all") };
}

// The mean of some boards, weighted by how often play comes to the node on each.
export function together(columns, rows) {
  const place = (name) => columns.indexOf(name);
  const mean = (name, weight) => {
    let [sum, all] = [0, 0];
    for (const row of rows) {
      const count = weight(row);
      if (!(count > 0) || row[place(name)] === null) continue;
      sum += count * row[place(name)];
      all += count;
    }
    return all > 0 ? sum / all : null;
  };
  const reach = (row) => row[place("frequency")];
  const found = Object.fromEntries(columns.map((name) => [name, null]));
  found.frequency = rows.reduce((sum, row) => sum + reach(row), 0);
  found.weight = rows.reduce((sum, row) => sum + row[place("weight")], 0);
  found.pot = rows[0]?.[place("pot")] ?? null;
  for (const name of columns) {
    const taken = (row) => row[place(name.replace(/ ev$/, " freq"))] ?? 0;
    if (/^(equity|ev)_| freq$/.test(name)) found[name] = mean(name, reach);
    else if (name.endsWith(" ev")) found[name] = mean(name, (row) => reach(row) * taken(row));
  }
  for (const seat of ["oop", "ip"]) {
    const share = found[`equity_${seat}`] * found.pot;
    found[`eqr_${seat}`] = share ? found[`ev_${seat}`] / share : null;
  }
  return found;
}

// On the turn and the river these are words for the most cards of one suit, or of one rank.
function most(board, from) {
  const found = [...board].filter((_, k) => k % 2 === from);
  return Math.max(...found.map((one) => found.filter((other) => other === one).length));
}
const SUITS = ["rainbow", "two-tone", "monotone"];
const RANKS = ["unpaired", "paired", "trips"];
const highest = (board) => Math.max.apply(null, cardsOf(board).map((card) => card >> 2));
// What boards are chosen by: the kinds that there are, and that of a board.
export const KINDS = {
  suits: { kinds: SUITS, of: (board) => SUITS[Math.min(most(board, 1), 3) - 1] },
  ranks: { kinds: RANKS, of: (board) => RANKS[Math.min(most(board, 0), 3) - 1] },
  high: { kinds: RANKS_DOWN, of: (board) => RANKS_DOWN[12 - highest(board)] },
};

// Whether a board has all that is looked for: cards such as 7h, or ranks.
export function hasAll(board, text) {
  const here = board.toLowerCase();
  const parts = text.trim().toLowerCase().split(/[\s,]+/).filter(Boolean);
  return parts.every((part) =>
    (/[cdhs]/.test(part) ? here.includes(part) : [...part].every((rank) => here.includes(rank))));
}
