// What is wrong with a field, in a player's words.
import { hasText, t } from "../../core/texts.js";

const LONGEST = 60;
const shortened = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

// The text of a fault {field, kind, option, given ...} of a field of some kind, which has `value`; null
// where only the engine can say it.
export function faultText({ field, option, given }, kind, value) {
  const isEmpty = typeof value === "string" && !value.trim();
  const keys = isEmpty
    ? [`spot.fault.empty.${field}`]
    : [`spot.fault.of.${option}`, `spot.fault.field.${field}`, `spot.fault.kind.${kind}`];
  const key = keys.find(hasText);
  return key ? t(key, { given: shortened(String(given ?? value ?? "")) }) : null;
}
