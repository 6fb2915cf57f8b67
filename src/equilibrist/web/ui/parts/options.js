// What options of runs are called, and their values in words: numbers with separators, amounts with units.
import { count, duration, number } from "../core/numbers.js";
import { hasText, t } from "../core/texts.js";

const COUNTS = [
  "iterations", "deals", "seeds", "flops", "threads", "max_histories", "max_depth", "averaging_every", "period",
  "batch", "sample",
];
const UNITS = { "": "payoffs", "%": "pot", c: "chips", mbb: "mbb" };
const SECONDS = { "": 1, s: 1, m: 60, min: 60, h: 3600, d: 86400 };
const AMOUNT = /^([\d_]*\.?\d+(?:e[-+]?\d+)?)\s*([a-z%]*)$/i;

// The catalogue has names where an option is asked for: of spots, of whole hands, of games.
function keysOf(name, { kind, keys }) {
  if (kind === "spot") return [`spot.name.${name}`];
  return keys ? [`make.field.${name}`] : [`solve.${name}`, `race.${name}`, `option.${name}`];
}

// What an option of a job is called.
export function optionName(name, job) {
  const key = keysOf(name, job).find(hasText);
  return key ? t(key) : name.replaceAll("_", " ");
}

// A choice of an option, or a switch, in words where there are any.
export function choiceText(name, value) {
  const key = [`option-choice.${name}.${value}`, `option-choice.${value}`].find(hasText);
  return key ? t(key) : value;
}

// The value of an option as it was typed: 2000000, 1e-09, 10m, 0.3%.
export function optionText(name, value) {
  const [, digits, unit] = AMOUNT.exec(value.trim()) ?? [];
  const amount = Number(digits?.replaceAll("_", ""));
  if (digits === undefined || !Number.isFinite(amount)) {
    return choiceText(name, value);
  }
  if (COUNTS.includes(name) && unit === "") return count(amount);
  if (name === "seconds" && unit.toLowerCase() in SECONDS) return duration(amount * SECONDS[unit.toLowerCase()]);
  if (name === "target" && unit.toLowerCase() in UNITS) {
    return t(`option-unit.${UNITS[unit.toLowerCase()]}`, { n: amount < 1e-4 ? String(amount) : number(amount) });
  }
  return choiceText(name, value);
}
