// Amounts as tables and drills show them: chips, payoffs of games, means of hands.
import { fixed } from "../../core/numbers.js";
import { t } from "../../core/texts.js";

const DIGITS = { chips: 2, "big-blinds": 3 };
const BEHIND = 6; // digits of payoffs of other games, as the command line prints them

export const unitName = ({ unit }) => unit.replace(" ", "-");

// Amounts of one place: of the unit `unit`, which are large or small by `range`.
export function amountsOf({ unit, range }) {
  // Where payoffs differ by less than this, so many decimals hide digits that matter.
  const isSmall = range > 0 && range < (unit === "chips" ? 1 : 0.1);
  const digits = DIGITS[unitName({ unit })] ?? BEHIND;

  function significant(x) {
    if (Math.abs(x) <= 1e-9 * range) return "0";
    const size = Math.abs(x);
    if (size < 1e-6) return String(Number(x.toPrecision(6)));
    return fixed(x, Math.min(20, Math.max(0, 5 - Math.floor(Math.log10(size)))), 0);
  }

  const signed = (x, text) => (x > 0 ? `+${text}` : text);
  // A payoff, without zeros at its end.
  const won = (x) => (isSmall ? significant(x) : fixed(x, digits, 0));
  // A mean of hands, or of so many hands together.
  const mean = (x, factor) => (isSmall ? significant(factor * x) : fixed(factor * x, factor > 1 ? 4 : 6));

  return {
    // An EV, or a loss of EV.
    value(x) {
      if (x === null || x === undefined) return t("play.unknown");
      return isSmall ? significant(x) : fixed(x, digits);
    },
    // `text` is one of these amounts; only a whole one is a single unit.
    withUnit: (text) => t(`play.unit.${unitName({ unit })}`, { amount: text, n: text === "1" ? 1 : 0 }),
    won,
    payoff: (x) => signed(x, won(x)),
    mean: (one, factor = 1) => (one ? signed(one.mean, mean(one.mean, factor)) : t("play.unknown")),
    interval(one, factor = 1) {
      if (!one || one.low === null) return t("score.no-interval");
      return t("score.interval", { low: mean(one.low, factor), high: mean(one.high, factor) });
    },
  };
}

// Chips on the table: whole ones without a point.
export const chips = (x) => fixed(x, Number.isInteger(x) ? 0 : 2);
