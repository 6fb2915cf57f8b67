// What ranges of blueprints are called, and how they were made.
import { count, fixed, number } from "../core/numbers.js";
import { t } from "../core/texts.js";

// An action as lines write it, at a decision after `before` other actions: a first call is a limp.
function actionText(code, before) {
  const [kind, amount] = [code[0], Number(code.slice(1))];
  if (kind === "C" && before === 0) return t("range.solved.limp");
  return t(`range.solved.action.${kind}`, { amount: number(amount) });
}

// SB: limp; BB after limp: raise to 3.
export function rangeName({ seats }, { seat, line, action }) {
  const codes = line ? line.split("-") : [];
  const before = codes.filter((code) => code !== "F");
  const values = { seat: seats[seat], action: actionText(action, before.length) };
  if (!codes.length) return t("range.solved.first", values);
  const words = codes.map((code, k) => actionText(code, codes.slice(0, k).filter((one) => one !== "F").length));
  return t("range.solved.after", { ...values, line: words.join(", ") });
}

// The sizes of a hand, from its name in the engine: hand(stack=20,bets="100%,a",raises="100%,a").
function handText(name) {
  const sizes = (kind) => (new RegExp(`${kind}="([^"]*)"`).exec(name)?.[1] ?? "").split(",");
  const text = (kind) => sizes(kind).map((size) => (size === "a" ? t("range.solved.action.A") : size)).join(", ");
  return t("range.solved.hand", { bets: text("bets"), raises: text("raises") });
}

// How a set was made, and what can be won against it.
export const madeText = ({ hand, buckets, samples, minutes, seats, gain_mbb: gain, gain_half_width_mbb: half }) =>
  t(seats.length === 2 ? "range.solved.made" : "range.solved.made.many", {
    hand: handText(hand), buckets, samples: count(samples), n: minutes, gain: fixed(gain, 1), half: fixed(half, 1),
  });
