// A part of two solutions that differs, as a text.
import { number, percent } from "../../core/numbers.js";
import { hasText, t } from "../../core/texts.js";
import { potTypeName } from "../../poker/titles.js";

const SHARES = ["rake", "bets"];
const LISTS = ["stacks", "payouts"];

// What a part is called: a key of spots as it is where spots are set up.
export function partName(part) {
  const key = part.replace(/^keys\./, "");
  const names = [`compare.part.${part.replace(".", "-")}`, `spot.name.${key}`, `size.name.${key}`, `spot.list.${key}`];
  const known = names.find(hasText);
  return known ? t(known) : key.replaceAll("_", " ");
}

// `value` as the document has it: a number, a text, a list, or nothing.
export function partText(part, value) {
  if (value === null || value === undefined) return t("compare.nothing");
  if (typeof value === "boolean") return t(`compare.${value}`);
  if (SHARES.includes(part)) return [value].flat().map((share) => percent(share)).join(" ");
  if (LISTS.includes(part)) return value.map((amount) => number(amount, 10)).join(`/`);
  if (typeof value === "number") return number(value, 10);
  if (part === "pot_type") return potTypeName(value);
  return hasText(`library.streets.${value}`) ? t(`library.streets.${value}`) : value;
}
