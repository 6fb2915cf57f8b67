// What groups of hands do: by made hand, by draw, by equity; and what single cards block.
import { FIRST, SECOND } from "./cards.js";
import { means } from "./figures.js";

const BUCKETS = [0.9, 0.75, 0.5, 0.25, 0];

// Rows {name, from, to, combos, share, equity, ev, frequency, actionEv} of those that are held.
function rowsOf(node, who, mask, groupOf, groups) {
  const hands = node.hands[who];
  const rows = groups.map((group, k) => {
    const own = hands.combos.map((_, hand) => (mask[hand] && groupOf(hand) === k ? 1 : 0));
    return { ...group, ...means(node, who, own) };
  });
  const all = rows.reduce((sum, row) => sum + row.combos, 0);
  return rows.filter((row) => row.combos > 0).map((row) => ({ ...row, share: row.combos / all }));
}

export function byMadeHand(node, who, mask) {
  const { made } = node.hands[who];
  return rowsOf(node, who, mask, (k) => made[k], node.made_hands.map((name) => ({ name })));
}

export function byDraw(node, who, mask) {
  const { draw } = node.hands[who];
  return rowsOf(node, who, mask, (k) => draw[k], node.draws.map((name) => ({ name })));
}

// Hands by their equity against the other range, the strongest first.
export function byEquity(node, who, mask) {
  const { equity } = node.hands[who];
  const groups = BUCKETS.map((from, k) => ({ from, to: BUCKETS[k - 1] ?? 1 }));
  return rowsOf(node, who, mask, (k) => BUCKETS.findIndex((from) => equity[k] !== null && equity[k] >= from), groups);
}

// Of each card that a held hand may have: {card, combos, blocked, frequency, change}. `blocked` is the
// share of the other players' combos with that card, which holding it takes away; `frequency` is what
// hands with it do, and `change` how much more often than the range does each.
export function blockers(node, who, mask) {
  const hands = node.hands[who];
  const others = node.hands.filter((_, at) => at !== who);
  const whole = means(node, who, mask);
  const weights = new Float64Array(52);
  let all = 0;
  for (const other of others) {
    other.combos.forEach((combo, k) => {
      weights[FIRST[combo]] += other.weight[k];
      weights[SECOND[combo]] += other.weight[k];
      all += other.weight[k];
    });
  }
  const rows = [];
  for (let card = 51; card >= 0; card--) {
    const own = hands.combos.map((combo, k) => (mask[k] && (FIRST[combo] === card || SECOND[combo] === card) ? 1 : 0));
    const { combos, frequency } = means(node, who, own);
    if (!(combos > 0)) continue;
    const change = frequency.map((share, a) => (share === null ? null : share - whole.frequency[a]));
    rows.push({ card, combos, blocked: all > 0 ? weights[card] / all : null, frequency, change });
  }
  return rows;
}
