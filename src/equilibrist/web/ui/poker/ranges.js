// Ranges as the weights of the 1,326 combos, in the order of poker.combo_name.
import { CLASS, CLASS_NAMES, comboName, FIRST, SECOND } from "./cards.js";

export const NUM_COMBOS = CLASS.length;
// The combos of each class of the grid.
export const COMBOS = CLASS_NAMES.map(() => []);
CLASS.forEach((place, combo) => COMBOS[place].push(combo));

// Pairs of suits, 4 times that of the higher card and that of the lower one, spades first.
export const ALL_SUITS = Array(16).fill(true);
export const SUITED = ALL_SUITS.map((_, pair) => Math.floor(pair / 4) === pair % 4);
export const OFFSUIT = SUITED.map((is) => !is);

const suitOf = (card) => 3 - (card & 3);
// The cards of a pair have one rank, so that both orders of their suits mean it.
function isOf(combo, suits) {
  const [high, low] = [SECOND[combo], FIRST[combo]];
  const isPair = high >> 2 === low >> 2;
  return suits[4 * suitOf(high) + suitOf(low)] || (isPair && suits[4 * suitOf(low) + suitOf(high)]);
}
// The combos of a class that are of chosen pairs of suits.
export const combosOf = (place, suits) => COMBOS[place].filter((combo) => isOf(combo, suits));
// Weights in which all combos of chosen pairs of suits that are held have one weight.
export const reweighted = (weights, suits, weight) =>
  weights.map((was, combo) => (was > 0 && isOf(combo, suits) ? weight : was));

export const noHands = () => new Float64Array(NUM_COMBOS);
const sum = (weights, combos) => combos.reduce((all, combo) => all + weights[combo], 0);

// The mean weight of each class.
export const classWeights = (weights) => COMBOS.map((combos) => sum(weights, combos) / combos.length);
export const total = (weights) => weights.reduce((all, weight) => all + weight, 0);
export const isEven = (weights, place) =>
  COMBOS[place].every((combo) => weights[combo] === weights[COMBOS[place][0]]);

const same = (a, b) => Math.abs(a - b) < 1e-9;
export const isAll = (weights, combos, weight) => combos.every((combo) => same(weights[combo], weight));

// Weights in which some combos have others: from combos to weights.
export function changed(weights, changes) {
  const found = Float64Array.from(weights);
  for (const [combo, weight] of changes) found[combo] = weight;
  return found;
}

export const inverted = (weights) => weights.map((weight) => Number((1 - weight).toFixed(6)));

// The best hands: whole classes as `ranking` has them, best first, as long as the next one fits.
export function best(ranking, share) {
  const [found, most] = [noHands(), share * NUM_COMBOS + 1e-9];
  let used = 0;
  for (const place of ranking) {
    used += COMBOS[place].length;
    if (used > most) break;
    for (const combo of COMBOS[place]) found[combo] = 1;
  }
  return found;
}

const written = (name, weight) => (same(weight, 1) ? name : `${name}:${Number(weight.toFixed(6))}`);

// A text for weights: by classes where their combos have the same, else combo by combo.
export function textOf(weights) {
  const parts = [];
  COMBOS.forEach((combos, place) => {
    if (isAll(weights, combos, 0)) return;
    if (isEven(weights, place)) parts.push(written(CLASS_NAMES[place], weights[combos[0]]));
    else {
      for (const combo of combos) if (!same(weights[combo], 0)) parts.push(written(comboName(combo), weights[combo]));
    }
  });
  return parts.join(",");
}
