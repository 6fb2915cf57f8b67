// Sites of files: which pack has the document that answers a question, and what of it is asked for.

// A question as packs and the list of packs name it: what is given of it, in one order.
export function keyOf(values) {
  const pairs = Object.keys(values).sort().flatMap((name) =>
    [values[name]].flat()
      .filter((one) => one !== null && one !== undefined && one !== "" && one !== false)
      .map((one) => [name, String(one)]));
  return JSON.stringify(pairs);
}

// What of a question tells packs apart: of lists the beginning; `board` stands for the cards of a line.
const part = (values, name) => {
  if (name === "board") return (values.line ?? "").split("|").filter((_, k) => k % 2).join("");
  return [values[name]].flat()[0];
};

// The name of the pack that would answer, by the values that `by` lists; undefined where there is none.
export function packOf({ by, packs }, values) {
  return packs[keyOf(Object.fromEntries(by.map((name) => [name, part(values, name)])))];
}

const entropy = (row) => -Object.values(row.strategy).reduce((sum, p) => sum + (p > 0 ? p * Math.log(p) : 0), 0);
const FIGURES = {
  mixing: entropy,
  regret: ({ regrets }) => regrets && Math.max(...Object.values(regrets)),
  infoset: (row) => row.infoset,
  player: (row) => row.player ?? 0,
};

// Rows by a figure; those that have none come last.
function sorted(rows, order, isFalling) {
  const figure = FIGURES[order] ?? ((row) => row[order]);
  const isKnown = (row) => (figure(row) ?? null) !== null;
  const compare = (a, b) => (figure(a) < figure(b) ? -1 : Number(figure(a) > figure(b)));
  const known = rows.filter(isKnown).sort((a, b) => (isFalling ? compare(b, a) : compare(a, b)));
  return [...known, ...rows.filter((row) => !isKnown(row))];
}

const special = /[\\^$.|+()[\]{}]/g;
const pattern = (glob) =>
  new RegExp(`^${glob.replace(special, "\\$&").replaceAll("*", ".*").replaceAll("?", ".")}$`, "su");

// The part of all infosets of a solution that is asked for, as a server would cut it out; `shown` has what
// people read for keys that are called otherwise.
export function infosetsOf({ infosets, ...page }, wanted, shown = {}) {
  const { key, match, player, order, descending, start = 0, count } = wanted;
  const glob = match ? pattern(match) : null;
  const namesOf = ({ infoset }) => [infoset, shown[infoset] ?? infoset];
  const isWanted = (row) =>
    (!key || namesOf(row).includes(key)) &&
    (!glob || namesOf(row).some((name) => glob.test(name))) &&
    (!player || String(row.player) === player);
  const found = infosets.filter(isWanted);
  const rows = order ? sorted(found, order, descending) : found;
  return { ...page, total: found.length, start, infosets: rows.slice(start, start + count) };
}

const COLUMNS = ["histories", "reach", "counterfactual_reach", "value", "cf_value"];

// Infosets as a table for other programs, a row for each action: as a server writes it.
export function infosetRows(infosets) {
  const tables = ["cf_action_values", "current", "regrets"];
  const head = ["player", "infoset", "action", "probability", ...COLUMNS, "action_cf_value", "current", "regret"];
  const rows = infosets.flatMap((row) =>
    Object.entries(row.strategy).map(([action, p]) => [
      row.player, row.infoset, action, p,
      ...COLUMNS.map((name) => row[name]), ...tables.map((name) => row[name]?.[action]),
    ]));
  return [head, ...rows];
}
