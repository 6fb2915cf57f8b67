// Amounts and shares as texts; chips also as big blinds or as percent of the pot, as the reader likes.
import { reactive } from "../core/html.js";
import { kept, keep } from "../core/theme.js";

export const UNITS = ["chips", "blinds", "pot"];
const blind = Number(kept("big-blind", ""));
export const unit = reactive({
  name: UNITS.includes(kept("unit")) ? kept("unit") : "chips",
  blind: blind > 0 ? blind : null, // chips of a big blind; null while nobody has said that
});

export function setUnit(name) {
  unit.name = name;
  keep("unit", name);
}
export function setBlind(text) {
  const chips = Number(text);
  unit.blind = chips > 0 && Number.isFinite(chips) ? chips : null;
  keep("big-blind", unit.blind ?? "");
}

// The unit that counts: without a big blind amounts stay in chips.
export const shownUnit = () => (unit.name === "blinds" && !unit.blind ? "chips" : unit.name);

// Amounts: the smaller, the more decimals.
const digitsOf = (value) => (Math.abs(value) < 10 ? 3 : Math.abs(value) < 100 ? 2 : 1);
// A number with so many decimals; what rounds to zero has no sign.
const decimals = (value, digits) => value.toFixed(digits).replace(/^-(?=[0.]*$)/, "");
const isNone = (value) => value === null || value === undefined || Number.isNaN(value);

// Chips; where the pot is less than one so many digits are significant, fewer where there is no room.
function chips(value, pot, digits = 6) {
  if (isNone(value)) return "–";
  if (!(pot > 0 && pot < 1)) return decimals(value, digitsOf(value));
  return Math.abs(value) <= 1e-9 * pot ? "0" : String(Number(value.toPrecision(digits)));
}
export const percent = (value, digits = 1) => (isNone(value) ? "–" : `${decimals(100 * value, digits)}%`);
export const number = (value, digits = 2) => (isNone(value) ? "–" : decimals(value, digits));

// An EV in the reader's unit; of the pot at its node.
export function money(value, pot, digits = 6) {
  if (isNone(value)) return "–";
  if (shownUnit() === "pot") return percent(pot > 0 ? value / pot : null);
  if (shownUnit() === "blinds") return decimals(value / unit.blind, digits < 6 ? 1 : 2);
  return chips(value, pot, digits);
}

// An amount that lies or is bet, with no more decimals than it has.
export function amount(value, pot) {
  if (shownUnit() === "pot") return percent(pot > 0 ? value / pot : null, 0);
  const size = shownUnit() === "blinds" ? value / unit.blind : value;
  return size.toLocaleString("en", { maximumFractionDigits: 2 });
}

export const METRICS = {
  equity: (value) => percent(value),
  ev: money,
  eqr: (value) => percent(value, 0),
};
