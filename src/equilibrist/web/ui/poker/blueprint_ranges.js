// What ranges of blueprints are called, and how they were made.
import { count, fixed, number } from "../core/numbers.js";
import { t } from "../core/texts.js";

// An action as lines write it, at a decision after `before` other actions: a first call is a limp.
function actionText(code, before) {
  const [kind, amount] = [code[0], Number(code.slice(1))];
  if (kind === "C" && before === 0) return t("range.solved.limp");
  return t(`range.solved.action.${kind}`, { amount: number(amount) });
}

// The actions of a line that are no folds, each with its seat: [["CO", "R2.2"], ...]. `seats` are in the order of
// posting: with three and more the one behind the big blind begins.
function movesOf(seats, line) {
  const left = seats.length > 2 ? [...seats.slice(2), ...seats.slice(0, 2)] : [...seats];
  const moves = [];
  for (const code of line ? line.split("-") : []) {
    const seat = left.shift();
    if (code === "F") continue;
    if (code[0] !== "A") left.push(seat);
    moves.push([seat, code]);
  }
  return moves;
}

// SB: limp; BB after limp: raise to 3; with more seats BB after CO: raise to 2.2, SB: call: all-in.
export function rangeName({ seats }, { seat, line, action }) {
  const moves = movesOf(seats, line);
  const values = { seat: seats[seat], action: actionText(action, moves.length) };
  if (!moves.length) return t("range.solved.first", values);
  const words = moves.map(([who, code], k) =>
    seats.length > 2 ? t("range.solved.move", { seat: who, action: actionText(code, k) }) : actionText(code, k));
  return t("range.solved.after", { ...values, line: words.join(", ") });
}

// The sizes of a hand, from its name in the engine: hand(stack=20,bets="100%,a",raises="100%,a").
function handText(name) {
  const sizes = (kind) => (new RegExp(`${kind}="([^"]*)"`).exec(name)?.[1] ?? "").split(",");
  const text = (kind) => sizes(kind).map((size) => (size === "a" ? t("range.solved.action.A") : size)).join(", ");
  return t("range.solved.hand", { bets: text("bets"), raises: text("raises") });
}

// How a set was made, and what can be won against it.
export function madeText({ method, buckets, minutes, gain_mbb: gain, gains_mbb: bySeat, ...made }) {
  const [low, high] = made.gain_interval_mbb;
  const gains = { gain: fixed(gain, 1), low: fixed(low, 1), high: fixed(high, 1) };
  const run = { hand: handText(made.hand), buckets, samples: count(made.samples), n: minutes };
  const text = t(`range.solved.made.${method}`, { ...run, ...gains });
  if (!bySeat.length) return text;
  const each = made.seats.map((seat, k) => t("range.solved.gain", { seat, gain: fixed(bySeat[k], 1) }));
  return t("range.solved.by-seat", { text, gains: each.join(", ") });
}
