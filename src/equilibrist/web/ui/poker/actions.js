// What players, actions and metrics are called.
import { hasText, t } from "../core/texts.js";
import { amount, METRICS, shownUnit } from "./amounts.js";

export const METRIC_NAMES = Object.keys(METRICS);
const SEATS = { two: ["oop", "ip"], three: ["oop", "middle", "ip"] };
const WORDS = { F: "fold", X: "check", C: "call", B: "bet", R: "raise", A: "all-in" };

// The seats of what a title is of, in the order of acting.
export const seatsOf = (title) => SEATS[title?.kind === "three" ? "three" : "two"];
// A player's position where it is known, else who acts first.
export const seatName = (title, who) => title?.[seatsOf(title)[who]] || t(`seat.${seatsOf(title)[who]}`);

// The largest bet so far on the street of a place, the `k`-th of a way.
export function betBefore(way, k) {
  let most = 0;
  for (let at = k - 1; at >= 0 && way[at].street === way[k].street && way[at].player !== null; at -= 1) {
    const size = Number(way[at].actions[way[at].chosen].code.slice(1)) || 0;
    most = Math.max(most, size);
  }
  return most;
}

// An action at a place; its size in the reader's unit. Of the pot, a raise counts what it adds to a
// call, and the pot as it is after one. `before` is the largest bet so far on the street.
export function actionName({ code }, place, before = 0) {
  const word = WORDS[code[0]];
  const chips = Number(code.slice(1));
  if (!chips) return t(`action.${word}`);
  if (shownUnit() !== "pot") return t(`action.${word}.size`, { amount: amount(chips, place.pot) });
  const share = amount(chips - before, place.pot + place.to_call);
  return t(`action.${word}.size`, { amount: share });
}

// The same by the engine's name for it alone, "Raise 2.5": its size as it stands.
export function plainName(name) {
  const [word, ...size] = name.split(" ");
  const key = `action.${word.toLowerCase()}`;
  if (size.length) return hasText(`${key}.size`) ? t(`${key}.size`, { amount: size.join(" ") }) : name;
  return hasText(key) ? t(key) : name;
}

// The actions {name, code, role} of a table with columns such as "Bet 50 freq", from the smallest on.
const CODES = { fold: "F", check: "X", call: "C" };
export function actionsOf(columns) {
  const names = columns.filter((name) => name.endsWith(" freq")).map((name) => name.slice(0, -5));
  const sizeOf = (name) => Number(/[\d.]+/.exec(name)?.[0] ?? 0);
  const bets = names.filter((name) => sizeOf(name) > 0).sort((a, b) => sizeOf(a) - sizeOf(b));
  return names.map((name) => {
    const [word, size] = [name.split(" ")[0], sizeOf(name)];
    const code = `${CODES[word.toLowerCase()] ?? word.slice(0, 1)}${size || ""}`;
    return { name, code, role: code === "F" ? "fold" : size ? `bet:${bets.indexOf(name)}/${bets.length}` : "passive" };
  });
}
