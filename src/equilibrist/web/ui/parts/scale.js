// Logarithmic axes: their ends, their ticks, and where numbers stand on them.

const LEAST = 0.3; // decades that an axis has at least
const EDGE = 0.03; // of its length, that an axis leaves free at each end
const CLOSE = [[2.2, [1, 2, 5]], [0.8, [1, 1.5, 2, 3, 4, 5, 6, 8]]]; // steps within a decade, for few decades

// The ends of an axis for some numbers; `low` and `high` where there are none.
export function spanOf(values, low, high) {
  if (!values.length) return [low, high];
  let [first, last] = [Infinity, -Infinity]; // Math.min takes no half a million numbers
  for (const log of values.map(Math.log10)) [first, last] = [Math.min(first, log), Math.max(last, log)];
  const middle = (first + last) / 2;
  const half = Math.max((last - first) / 2, LEAST / 2) * (1 + 2 * EDGE);
  return [10 ** (middle - half), 10 ** (middle + half)];
}

// Where a number stands between two places.
export function scaleOf([low, high], from, to) {
  const [a, b] = [Math.log10(low), Math.log10(high)];
  return (value) => from + ((Math.log10(value) - a) / (b - a)) * (to - from);
}

// Round numbers on an axis, about so many at most.
export function ticksOf([low, high], most) {
  const decades = Math.log10(high / low);
  const steps = CLOSE.findLast(([up]) => decades <= up)?.[1] ?? [1];
  const every = Math.max(1, Math.ceil(decades / most));
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const powers = Array.from({ length: last - first + 1 }, (_, k) => first + k).filter((e) => e % every === 0);
  return powers
    .flatMap((e) => steps.map((step) => Number(`${step}e${e}`)))
    .filter((v) => v >= low && v <= high);
}
