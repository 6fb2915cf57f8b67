import { Plot } from "/ui/parts/plot.js";
import { scaleOf, spanOf, ticksOf } from "/ui/parts/scale.js";
import { drawn, equal, settled } from "./check.js";

const SERIES = [
  { name: "cfr", points: [[1, 1], [10, 0.1], [100, 0]] },
  { name: "@external", points: [[1, 2], [20, 0.5]], band: [[1, 1, 3], [20, 0.25, 1], [40, 0, 1]] },
];

export default {
  "axes end a little beyond what is drawn": () => {
    const [low, high] = spanOf([1, 100], 1, 10);
    equal([low < 1, low > 0.8, high > 100, high < 125], [true, true, true, true]);
    equal(spanOf([], 1, 1000), [1, 1000]);
    const [a, b] = spanOf([5], 1, 10); // a single number stands in the middle
    equal(Math.round(Math.sqrt(a * b) * 1e6) / 1e6, 5);
    const many = spanOf(Array.from({ length: 500_000 }, (_, k) => k + 1), 1, 10);
    equal(many[1] > 500_000, true);
  },
  "numbers stand where their logarithms do": () => {
    const at = scaleOf([1, 100], 0, 200);
    equal([1, 10, 100].map((v) => Math.round(at(v))), [0, 100, 200]);
  },
  "ticks are round": () => {
    equal(ticksOf([0.9, 110], 10), [1, 2, 5, 10, 20, 50, 100]);
    equal(ticksOf([0.5, 20_000], 10), [1, 10, 100, 1000, 10_000]);
    equal(ticksOf([1e-12, 1e12], 8).length, 9);
    equal(ticksOf([3.5, 7], 10), [4, 5, 6]);
    for (const middle of [1e-9, 0.7, 1, 3.3, 99_999, 1e8]) equal(ticksOf(spanOf([middle], 1, 1), 10).length > 1, true);
  },
  "curves, bands, targets and levels": () =>
    drawn(Plot, {
      series: SERIES, targets: [0.05, 0], levels: [0.2, 1e-9], xLabel: "iterations", yLabel: "gain", label: "Plot",
    }, async (place) => {
      await settled();
      const count = (what) => place.querySelectorAll(what).length;
      equal([count("path.eqp-curve"), count(".eqp-band"), count(".eqp-target"), count(".eqp-level"), count(".eqp-end")],
        [2, 1, 1, 1, 2]);
      const [first] = place.querySelectorAll("path.eqp-curve");
      equal(first.getAttribute("d").split("L").length, 2); // a logarithm of 0 is nowhere
      equal(place.querySelector("svg").getAttribute("aria-label"), "Plot");
      const svg = place.querySelector("svg");
      const box = svg.getBoundingClientRect();
      const end = place.querySelector(".eqp-end");
      const at = { clientX: box.left + Number(end.getAttribute("cx")), clientY: box.top + Number(end.getAttribute("cy")) };
      svg.dispatchEvent(new PointerEvent("pointermove", at));
      await settled();
      equal(place.querySelector(".eqp-told").textContent, "cfr: 0.1 at 10 iterations");
      svg.dispatchEvent(new PointerEvent("pointerleave"));
      await settled();
      equal([count(".eqp-tip"), place.querySelector(".eqp-told").textContent.trim()], [0, ""]);
    }),
  "numbers below a narrow axis do not touch": () =>
    drawn(Plot, {
      series: [{ name: "cfr", points: [[1, 1], [2_000_000, 1e-6]] }], xLabel: "x", yLabel: "y", label: "Plot",
    }, async (place) => {
      place.style.width = "340px";
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      await settled();
      const boxes = [...place.querySelectorAll(".eqp-tick[text-anchor=middle]")]
        .filter((one) => /^[\d,]+$/.test(one.textContent))
        .map((one) => one.getBoundingClientRect());
      equal(boxes.length > 2, true);
      equal(boxes.slice(1).every((box, k) => box.left > boxes[k].right + 4), true);
    }),
  "small numbers stand beside the name of their axis": () =>
    drawn(Plot, {
      series: [{ name: "cfr", points: [[1, 1], [100, 1e-8]] }], targets: [1e-9], yLabel: "Exploitability", label: "Plot",
    }, async (place) => {
      place.style.fontSize = "12px"; // as the style sheet has it
      await settled();
      const texts = [...place.querySelectorAll(".eqp-tick")];
      const numbers = texts.filter((one) => /^[\de.-]+$/.test(one.textContent) && one.getAttribute("x") < 100);
      const { right } = texts.find((one) => one.textContent === "Exploitability").getBoundingClientRect();
      equal(numbers.some((one) => one.textContent === "1e-8"), true);
      equal(numbers.every((one) => one.getBoundingClientRect().left > right), true);
      equal(texts.some((one) => one.textContent.includes("1e-9")), true);
    }),
  "a picture has its styles and the names of its curves": () =>
    drawn(Plot, { series: SERIES, xLabel: "x", yLabel: "y", label: "Plot", file: "race" }, async (place) => {
      const kept = [];
      const { createObjectURL } = URL;
      URL.createObjectURL = (blob) => {
        kept.push(blob);
        return createObjectURL(blob);
      };
      try {
        place.querySelector("figcaption button").click();
      } finally {
        URL.createObjectURL = createObjectURL;
      }
      equal(kept[0].type, "image/svg+xml");
      const text = await kept[0].text();
      for (const part of ["xmlns=", "@external", "stroke=", "viewBox=", "nowhere"]) equal(text.includes(part), part !== "nowhere");
      equal(/ class=|NaN|undefined/.test(text), false);
    }),
  "nothing measured yet": () =>
    drawn(Plot, { series: [{ name: "x", points: [] }], xLabel: "x", yLabel: "y", label: "Plot" }, (place) => {
      equal([...place.querySelectorAll(".eqp-tick")].some((one) => one.textContent === "nothing measured yet"), true);
    }),
};
