// Numbers as texts, in the reader's language.
import { language, t } from "./texts.js";

const tag = language === "en-XA" ? "en" : language;
const figures = new Map();

function format(digits) {
  if (!figures.has(digits)) figures.set(digits, new Intl.NumberFormat(tag, { maximumSignificantDigits: digits }));
  return figures.get(digits);
}

// Six significant digits, as the command line prints values.
export function number(x, digits = 6) {
  if (x === null || x === undefined || !Number.isFinite(x)) return "";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size < 1e-4 || size >= 1e9) return x.toExponential(3).replace("e+", "e");
  return format(digits).format(x);
}

// The small fraction that a number certainly is, if it is one, as the lesson of the command line has it.
export function fraction(x) {
  if (x === null || x === undefined) return "";
  const sign = x < 0 ? "-" : "";
  let rest = Math.abs(x);
  let [p0, q0, p1, q1] = [0, 1, 1, 0];
  for (let k = 0; k < 30; k += 1) {
    const whole = Math.floor(rest);
    const [p2, q2] = [whole * p1 + p0, whole * q1 + q0];
    if (q2 > 1000) break;
    [p0, q0, p1, q1] = [p1, q1, p2, q2];
    const isZero = p1 === 0; // of anything smaller than the tolerance, too
    if (isZero ? x === 0 : Math.abs(p1 / q1 - Math.abs(x)) < 1e-12) {
      if (isZero) return "0";
      // Beside a large number some fraction is always as near as doubles are to each other.
      const apart = Math.abs(x) * Number.EPSILON * 1000 * q1;
      if (apart >= 1e-6 && (q1 > 1 || p1 >= 1e15)) break;
      return q1 === 1 ? `${sign}${p1}` : `${sign}${p1}/${q1}`;
    }
    rest = 1 / (rest - whole);
    if (!Number.isFinite(rest)) break;
  }
  return number(x);
}

// A probability beside an edge: three digits behind the point.
const edge = new Intl.NumberFormat(tag, { maximumFractionDigits: 3 });
export const share = (p) => edge.format(Math.abs(p));

// A probability in a table: four digits behind the point.
const digits = new Intl.NumberFormat(tag, { minimumFractionDigits: 4, maximumFractionDigits: 4 });
export const probability = (p) => (p === null || p === undefined ? "" : digits.format(Math.abs(p)));

// With so many digits behind the point; `least` of them also where they are zeros. No zero has a minus.
const fixedFormats = new Map();
function fixedFormat(digits, least, look) {
  const key = `${digits} ${least} ${JSON.stringify(look)}`;
  if (!fixedFormats.has(key)) {
    const places = { minimumFractionDigits: least, maximumFractionDigits: digits, signDisplay: "negative" };
    fixedFormats.set(key, new Intl.NumberFormat(tag, { ...places, ...look }));
  }
  return fixedFormats.get(key);
}
export const fixed = (x, digits, least = digits) => fixedFormat(digits, least, {}).format(x);

// A share in percent, with so many digits behind the point.
export const percentage = (p, digits = 1) => fixedFormat(digits, digits, { style: "percent" }).format(p);

// How many there are.
const whole = new Intl.NumberFormat(tag, { maximumFractionDigits: 0 });
export const count = (n) => (n === null || n === undefined ? "" : whole.format(n));

// An estimate, with two digits.
export function about(n) {
  const number = n < 1e12 ? count(Number(n.toPrecision(2))) : n.toExponential(1).replace("e+", "e");
  return t("number.about", { number });
}

// A share of something in percent, with three digits.
const percents = new Intl.NumberFormat(tag, { style: "percent", maximumSignificantDigits: 3 });
export const percent = (p) => percents.format(p);

// What can be gained, NashConv or exploitability: 0.2345, 1.23e-5.
export function measured(x) {
  return x && Math.abs(x) < 0.01 ? x.toExponential(2).replace("e+", "e") : number(x, 4);
}

const SIZES = ["kB", "MB", "GB", "TB"];
const tenth = new Intl.NumberFormat(tag, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
export function bytes(n) {
  if (n < 1000) return t("unit.bytes", { n });
  const power = Math.min(SIZES.length, Math.floor((String(Math.round(n)).length - 1) / 3));
  return t(`unit.${SIZES[power - 1]}`, { n: tenth.format(n / 1000 ** power) });
}

const two = (n) => String(n).padStart(2, "0");

// A stretch of time: 0.013 s, 2:05, 1:02:05, 12 days.
export function duration(seconds) {
  if (seconds < 60) return t("unit.seconds", { n: number(seconds, 3) });
  const all = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  if (hours >= 100) return t("unit.days", { n: Math.round(hours / 24) });
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

// An estimate of time, with no more digits than it is good for.
export function roughly(seconds) {
  if (seconds < 1) return t("unit.about.moment");
  const rounded = seconds < 10 ? Math.round(seconds) : 5 * Math.round(seconds / 5);
  if (rounded < 60) return t("unit.about.seconds", { n: rounded });
  if (seconds < 3570) return t("unit.about.minutes", { n: Math.max(1, Math.round(seconds / 60)) });
  const hours = seconds / 3600;
  return t("unit.about.hours", { n: hours < 10 ? tenth.format(hours) : count(hours) });
}

// A day and a time of it, from seconds since 1970.
const moments = new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeStyle: "short" });
export const moment = (seconds) => moments.format(new Date(1000 * seconds));
