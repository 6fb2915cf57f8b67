import { about, count, fraction, number, probability, share } from "/ui/core/numbers.js";
import { equal } from "./check.js";

export default {
  "six significant digits": () => {
    const pairs = [
      [1 / 18, "0.0555556"], [0, "0"], [-0, "0"], [1234567.8, "1,234,570"], [-2.5, "-2.5"], [100, "100"],
      [1e-5, "1.000e-5"], [2.5e12, "2.500e12"], [null, ""], [undefined, ""], [NaN, ""], [Infinity, ""],
    ];
    for (const [x, text] of pairs) equal(number(x), text);
    equal(number(2 / 3, 4), "0.6667");
  },
  "small fractions": () => {
    const pairs = [
      [1 / 18, "1/18"], [-2 / 3, "-2/3"], [0, "0"], [-0, "0"], [3, "3"], [999 / 1000, "999/1000"],
      [Math.PI, "3.14159"], [1e-9, "1.000e-9"], [null, ""], [1e6, "1000000"],
    ];
    for (const [x, text] of pairs) equal(fraction(x), text);
  },
  "probabilities have four digits": () => {
    equal([1 / 3, 1, 0, -0, null, undefined].map(probability), ["0.3333", "1.0000", "0.0000", "0.0000", "", ""]);
  },
  "counts and estimates": () => {
    equal([0, 12345, null].map(count), ["0", "12,345", ""]);
    equal([214567, 3.2e15].map(about), ["about 210,000", "about 3.2e15"]);
  },
  "shares have three digits": () => {
    equal([1 / 3, 0.5, 1, 0, -0, 0.0001].map(share), ["0.333", "0.5", "1", "0", "0", "0"]);
  },
};
