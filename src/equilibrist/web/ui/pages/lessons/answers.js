// Whether an answer to a lesson is right.
const NUMBER = /^([+-]?\d+(?:[.,]\d*)?|[+-]?[.,]\d+)(?:\s*\/\s*(\d+(?:[.,]\d*)?))?\s*(%?)$/;

// The number of a text such as -1, 0,5, 1/3 or 50 %; null where it is none.
function numberOf(text) {
  const found = NUMBER.exec(text.trim().replace(/[\u2212\u2013]/g, "-"));
  if (!found) return null;
  const [above, below = 1] = found.slice(1, 3).map((part) => part && Number(part.replace(",", ".")));
  const x = above / below / (found[3] ? 100 : 1);
  return Number.isFinite(x) ? x : null;
}

// "right", "wrong", or "no-number" for a text that is none.
export function judge({ kind, answer, tolerance }, text) {
  const x = kind === "choice" ? Number(text) : numberOf(text);
  if (x === null) return "no-number";
  const isRight = (y) => Math.abs(y - answer) <= tolerance;
  return isRight(x) || (kind === "share" && x > 1 && isRight(x / 100)) ? "right" : "wrong";
}
