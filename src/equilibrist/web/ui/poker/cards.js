// Cards, combos and hand classes, numbered as in equilibrist.poker.
const RANKS = "23456789TJQKA";
export const SUITS = "cdhs";
export const RANKS_DOWN = [...RANKS].reverse();
export const SUITS_DOWN = [...SUITS].reverse();
const SIGNS = { c: "♣", d: "♦", h: "♥", s: "♠" };
export const FIRST = new Uint8Array(1326);
export const SECOND = new Uint8Array(1326);
export const CLASS = new Uint8Array(1326);
let at = 0;
for (let low = 0; low < 52; low++) {
  for (let high = low + 1; high < 52; high++, at++) {
    FIRST[at] = low;
    SECOND[at] = high;
    const [a, b] = [12 - (low >> 2), 12 - (high >> 2)];
    CLASS[at] = low % 4 === high % 4 ? 13 * b + a : 13 * a + b;
  }
}
export const CLASS_NAMES = Array.from({ length: 169 }, (_, k) => {
  const [row, column] = [Math.floor(k / 13), k % 13];
  const name = RANKS[12 - Math.min(row, column)] + RANKS[12 - Math.max(row, column)];
  return name + (row === column ? "" : row < column ? "s" : "o");
});
export const cardName = (card) => RANKS[card >> 2] + SUITS[card & 3];
const cardNumber = (name) => 4 * RANKS.indexOf(name[0]) + SUITS.indexOf(name[1]);
export const cardsOf = (text) => (text.match(/../g) ?? []).map(cardNumber);
export const comboName = (combo) => cardName(SECOND[combo]) + cardName(FIRST[combo]);
export function comboNumber(name) {
  const [a, b] = cardsOf(name).sort((x, y) => x - y);
  for (let k = 0; k < 1326; k++) if (FIRST[k] === a && SECOND[k] === b) return k;
  return null;
}
// A card as it is read: 8h is 8 with the sign of hearts.
export const cardText = (name) => name[0] + SIGNS[name[1]];
export const signOf = (suit) => SIGNS[suit];

// How many combos of each class a board leaves.
export function possible(board) {
  const taken = new Set(cardsOf(board));
  const found = new Uint8Array(169);
  for (let k = 0; k < 1326; k++) {
    if (!taken.has(FIRST[k]) && !taken.has(SECOND[k])) found[CLASS[k]]++;
  }
  return found;
}
