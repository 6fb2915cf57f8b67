// Figures of hands: choices of hands, and means over all, by class, and by kind.
import { CLASS, CLASS_NAMES, FIRST, SECOND, comboName, possible } from "./cards.js";

// Where a metric stands between bad (0) and good (1): even is half of the pot.
export function heat(metric, value, pot) {
  if (value == null || Number.isNaN(value)) return null;
  if (metric === "equity") return value;
  if (metric === "ev") return pot > 0 ? value / pot : 0.5;
  return value / 2;
}

// bool for each hand of a player: those that all filters take.
export function chosen(hands, filters) {
  const { made, draws, suits } = filters;
  const find = filters.text.trim().toLowerCase();
  const count = hands.combos.length;
  const mask = new Uint8Array(count);
  for (let k = 0; k < count; k++) {
    const combo = hands.combos[k];
    if (made.length && !made.includes(hands.made[k])) continue;
    if (draws.length && !draws.includes(hands.draw[k])) continue;
    if (suits.length && !(suits.includes(FIRST[combo] & 3) && suits.includes(SECOND[combo] & 3))) continue;
    if (find && !matches(combo, find)) continue;
    mask[k] = 1;
  }
  return mask;
}
function matches(combo, find) {
  const name = CLASS_NAMES[CLASS[combo]].toLowerCase();
  const exact = comboName(combo).toLowerCase();
  return find.split(/[\s,]+/).some((part) => part && (name.startsWith(part) || exact.includes(part)));
}

// Whether a hand can be held here beside hands of the others.
export const isHeld = (hands, k) => hands.matchups[k] > 0;
// Figures of a player {equity, ev}: of three players there are EVs of the one who acts alone, and no
// equities.
function known({ equity, ev }, node, player) {
  if (node.hands.length < 3) return { equity, ev };
  return { equity: null, ev: node.player === player ? ev : null };
}
const realised = ({ equity, ev }, pot) => (equity > 0 ? ev / (equity * pot) : null);

// Means over hands, each counted by how often it is held when play comes here.
export function means(node, player, mask) {
  const hands = node.hands[player];
  const acts = node.player === player;
  const strategy = acts ? node.strategy : [];
  const sums = { combos: 0, count: 0, equity: 0, ev: 0 };
  const shares = strategy.map(() => 0);
  const combos = strategy.map(() => 0);
  const won = strategy.map(() => 0);
  for (let k = 0; k < hands.combos.length; k++) {
    if (mask && !mask[k]) continue;
    const weight = hands.weight[k];
    sums.combos += weight;
    for (let a = 0; a < strategy.length; a++) combos[a] += weight * strategy[a][k];
    if (!isHeld(hands, k)) continue;
    const count = weight * hands.matchups[k];
    sums.count += count;
    sums.equity += count * hands.equity[k];
    sums.ev += count * hands.ev[k];
    for (let a = 0; a < strategy.length; a++) {
      shares[a] += count * strategy[a][k];
      won[a] += count * strategy[a][k] * (node.action_evs[a][k] ?? 0);
    }
  }
  const per = (value) => (sums.count > 0 ? value / sums.count : null);
  const found = known({ equity: per(sums.equity), ev: per(sums.ev) }, node, player);
  return {
    combos: sums.combos,
    ...found,
    eqr: realised(found, node.pot),
    frequency: shares.map(per),
    taken: combos,
    actionEv: won.map((value, a) => (shares[a] > 0 ? value / shares[a] : null)),
  };
}

// The two lines of a cell: the EV of the best bet or raise above that of a check or call, or, where
// nothing can be bet, of a call above a fold.
export function twoEvs(actions, actionEv) {
  const of = (fits) => actionEv.filter((value, a) => fits(actions[a].role) && value !== null);
  const bets = of((role) => role.startsWith("bet"));
  const passive = of((role) => role === "passive");
  const folds = of((role) => role === "fold");
  return [...(bets.length ? [Math.max(...bets)] : []), ...passive, ...(bets.length ? [] : folds)].slice(0, 2);
}
// The actions of those lines, from above; null stands for the best of several bets.
export function twoEvActions(actions) {
  const bets = actions.filter((action) => action.role.startsWith("bet"));
  const passive = actions.filter((action) => action.role === "passive");
  const folds = bets.length ? [] : actions.filter((action) => action.role === "fold");
  return [...(bets.length ? [bets.length === 1 ? bets[0] : null] : []), ...passive, ...folds].slice(0, 2);
}

// The same by hand class: 169 entries; null where no hand of the class is held.
export function byClass(node, player, mask) {
  const hands = node.hands[player];
  const strategy = node.player === player ? node.strategy : [];
  const left = possible(node.board);
  const cells = new Array(169).fill(null);
  for (let k = 0; k < hands.combos.length; k++) {
    if (mask && !mask[k]) continue;
    const place = CLASS[hands.combos[k]];
    const cell = (cells[place] ??= {
      combos: 0, count: 0, equity: 0, ev: 0, shares: strategy.map(() => 0), won: strategy.map(() => 0),
    });
    const weight = hands.weight[k];
    cell.combos += weight;
    if (!isHeld(hands, k)) continue;
    const count = weight * hands.matchups[k];
    cell.count += count;
    cell.equity += count * hands.equity[k];
    cell.ev += count * hands.ev[k];
    for (let a = 0; a < strategy.length; a++) {
      cell.shares[a] += count * strategy[a][k];
      cell.won[a] += count * (node.action_evs[a][k] ?? 0);
    }
  }
  return cells.map((cell, place) => {
    if (!cell) return null;
    const per = (value) => (cell.count > 0 ? value / cell.count : null);
    const found = known({ equity: per(cell.equity), ev: per(cell.ev) }, node, player);
    return {
      weight: cell.combos / Math.max(left[place], 1),
      combos: cell.combos,
      isHeld: cell.count > 0,
      ...found,
      eqr: realised(found, node.pot),
      strategy: cell.count > 0 ? cell.shares.map(per) : null,
      actionEv: cell.won.map(per),
    };
  });
}

// Text of a range, for other programs: combos with weights, AsAh first.
export function rangeText(hands, mask) {
  const parts = [];
  for (let k = 0; k < hands.combos.length; k++) {
    if (mask && !mask[k]) continue;
    const weight = hands.weight[k];
    const name = comboName(hands.combos[k]);
    parts.push(weight >= 0.9999995 ? name : `${name}:${Number(weight.toPrecision(6))}`);
  }
  return parts.join(",");
}

// The hands of a player from the worst to the best, each with its part of the range.
export function sorted(hands, mask, metric) {
  const found = [];
  hands.combos.forEach((combo, k) => {
    if (mask[k] && hands[metric][k] !== null) found.push(k);
  });
  found.sort((a, b) => hands[metric][a] - hands[metric][b] || a - b);
  const total = found.reduce((sum, k) => sum + hands.weight[k], 0) || 1;
  let at = 0;
  return found.map((k) => {
    const from = at;
    at += hands.weight[k] / total;
    return { k, from, to: at, value: hands[metric][k] };
  });
}
