// The combos of a hand class in its cell, each in a place of its own.
import { CLASS, FIRST, SECOND } from "./cards.js";

// Spades, hearts, diamonds, clubs: by the suit of the higher card, then of the lower one.
const order = (combo) => 4 * (3 - (SECOND[combo] & 3)) + (3 - (FIRST[combo] & 3));
const COMBOS = Array.from({ length: 169 }, () => []);
for (let combo = 0; combo < 1326; combo++) COMBOS[CLASS[combo]].push(combo);
for (const combos of COMBOS) combos.sort((a, b) => order(a) - order(b));
// Columns and rows of 4, 6 and 12 combos.
const SHAPES = { 4: [2, 2], 6: [3, 2], 12: [3, 4] };

// The number of each combo among the hands of a player, -1 for those that are not held or filtered.
export function numbersOf(hands, mask) {
  const found = new Int16Array(1326).fill(-1);
  hands.combos.forEach((combo, k) => {
    if (!mask || mask[k]) found[combo] = k;
  });
  return found;
}

// Backgrounds of a cell: `stopsOf(k)` colours the k-th hand, `shareOf(k)` is the height of its bar.
export function backgrounds(place, numbers, stopsOf, shareOf) {
  const combos = COMBOS[place];
  const [columns, rows] = SHAPES[combos.length];
  const [images, sizes, places] = [[], [], []];
  combos.forEach((combo, n) => {
    const k = numbers[combo];
    const stops = k < 0 ? [] : stopsOf(k);
    if (!stops.length) return;
    const share = Math.min(Math.max(shareOf(k), 0.06), 1);
    const [column, row] = [n % columns, Math.floor(n / columns)];
    images.push(`linear-gradient(90deg,${stops.join(",")})`);
    sizes.push(`calc(${(100 / columns).toFixed(2)}% - 1px) calc(${((100 * share) / rows).toFixed(2)}% - 1px)`);
    const [left, above] = [(100 * column) / (columns - 1), (100 * (row + 1 - share)) / (rows - share)];
    places.push(`${left.toFixed(2)}% ${above.toFixed(2)}%`);
  });
  return images.length ? [images.join(","), sizes.join(","), places.join(",")] : ["none", "auto", "bottom"];
}
