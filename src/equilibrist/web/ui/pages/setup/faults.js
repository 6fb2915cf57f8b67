// What is wrong with a field, in a player's words where it is certain what that is.
import { hasText, t } from "../../core/texts.js";

const LATER_BOARD = "4 or 5 cards"; // what locks of three players need
const LONGEST = 60;
const shortened = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

// Values that can be read: what is wrong with one of these lies elsewhere, as in an amount that does not
// fit the unit.
const READABLE = {
  chips: /^\d{1,9}(\.\d{1,4})?$/,
  count: /^\d+$/,
  share: /^\d+(\.\d+)?%?$/,
  iterations: /^[1-9]\d*$/,
  threads: /^[1-9]\d*$/,
  target: /^\d*\.?\d+\s*[%c]?$/,
};
// What is only said of errors of these kinds.
const KINDS = {
  range: "RangeSyntaxError", ranges: "RangeSyntaxError", board: "CardSyntaxError", sizes: "BetSizeSyntaxError",
};

function keysOf({ field, kind: error, option, given, expected }, kind, value) {
  if (expected === LATER_BOARD) return ["spot.fault.three.locks"];
  if (typeof value === "string" && !value.trim()) return [`spot.fault.empty.${field}`];
  if (kind === "range" && error === "ConfigError") {
    return [given === null ? `spot.fault.empty.${field}` : "spot.fault.blocked"];
  }
  if (error === "TooLargeError") return kind === "sizes" ? ["spot.fault.many"] : [];
  if (kind in KINDS && error !== KINDS[kind]) return [];
  if ((READABLE[field] ?? READABLE[kind])?.test(String(value).trim()) && Number.parseFloat(value) > 0) return [];
  return [`spot.fault.of.${option}`, `spot.fault.field.${field}`, `spot.fault.kind.${kind}`];
}

// The text of a fault {field, kind, option, given ...} of a field of some kind, which has `value`; null
// where only the engine can say it.
export function faultText(fault, kind, value) {
  const key = keysOf(fault, kind, value).find(hasText);
  return key ? t(key, { given: shortened(String(fault.given ?? value ?? "")) }) : null;
}
