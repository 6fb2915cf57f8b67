import {
  about, bytes, count, duration, fixed, fraction, measured, number, percent, percentage, probability, roughly, share,
} from "/ui/core/numbers.js";
import { equal } from "./check.js";

export default {
  "digits behind the point, and percent": () => {
    const texts = [[1234.5, 2, undefined, "1,234.50"], [2, 3, 0, "2"], [-0.001, 2, undefined, "0.00"], [-1.5, 0, 0, "-2"]];
    for (const [x, digits, least, text] of texts) equal(fixed(x, digits, least), text);
    equal([percentage(0.3), percentage(0.12345, 2), percentage(-1e-9), percentage(1)], ["30.0%", "12.35%", "0.0%", "100.0%"]);
  },
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
      [1e-13, "1.000e-13"], [-2.5e-300, "-2.500e-300"],
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
  "whole numbers, percent and what is measured": () => {
    equal([1234567, 0, null, undefined].map(count), ["1,234,567", "0", "", ""]);
    equal([1, 0.5, 0.00012345, 0.0336].map(percent), ["100%", "50%", "0.0123%", "3.36%"]);
    equal([1.23456, 0.00123, 1.5e-7, 0, 0.01, 12_345.678, null].map(measured),
      ["1.235", "1.23e-3", "1.50e-7", "0", "0.01", "12,350", ""]);
  },
  "bytes": () => {
    const pairs = [
      [1, "1 byte"], [812, "812 bytes"], [0, "0 bytes"], [3.4e6, "3.4 MB"], [1000, "1.0 kB"], [5e9, "5.0 GB"],
      [7.25e15, "7,250.0 TB"],
    ];
    for (const [n, text] of pairs) equal(bytes(n), text);
  },
  "stretches of time": () => {
    const pairs = [
      [0.00241, "0.00241 s"], [0.013, "0.013 s"], [59, "59 s"], [60, "1:00"], [125.4, "2:05"], [3725, "1:02:05"],
      [12 * 86_400, "12 days"],
    ];
    for (const [seconds, text] of pairs) equal(duration(seconds), text);
  },
  "estimates are rough": () => {
    const pairs = [
      [0, "less than 1 s"], [0.0642, "less than 1 s"], [1.2, "about 1 s"], [9.4, "about 9 s"], [12.8, "about 15 s"],
      [57, "about 55 s"], [59, "about 1 min"], [95, "about 2 min"], [3569, "about 59 min"], [3590, "about 1.0 h"],
      [1e5, "about 28 h"],
    ];
    for (const [seconds, text] of pairs) equal(roughly(seconds), text);
  },
};
