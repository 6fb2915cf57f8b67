import { formula } from "/ui/pages/learn/formulas.js";
import { lettersAt, noteAt, profileAt, sheetAt, STAGES, stageAt, turnAt } from "/ui/pages/learn/sheet.js";
import { drawn, equal } from "./check.js";

const turn = (player, infoset) => ({
  player, infoset, actions: ["p", "b"], strategy: [0.5, 0.5], own_reach: 1, instant: [-0.125, 0.125],
  regret: [0, 1], regret_after: [-0.125, 1.125], sums: [0, 0], sums_after: [0.5, 0.5], expected: [-1, 0],
  next_strategy: [0, 1],
  histories: [{
    history: [], chance_reach: 1 / 6, others_reach: 1, own_reach: 1, counterfactual_reach: 1 / 6,
    values: [-0.25, 0.5], value: 0.125, regrets: [-1 / 16, 1 / 16],
  }],
});
const LESSON = {
  game: "g", algorithm: "dcfr", iteration: 2, alternating: true, num_steps: 13,
  stages: ["reach", "values", "regrets", "cumulative", "sums", "next"],
  coefficients: { positive: 0.5, negative: 0.25, floor: null, lookahead: 1, prediction: 0, decay: 1, weight: 4 },
  turns: [turn(0, "x"), turn(1, "y")],
  ending: { average: { x: [0.25, 0.75], y: [1, 0] }, values: [-1 / 18, 1 / 18], nash_conv: 0.1 },
};
const works = (step, lesson = LESSON) =>
  sheetAt(lesson, step).rows.map(({ cells }) => cells.map(({ work }) => work).filter(Boolean));
const texts = (step) => sheetAt(LESSON, step).rows.map(({ name, cells }) => [name, ...cells.map(({ text }) => text)]);

export default {
  "each step has its infoset and its stage": () => {
    equal(STAGES, LESSON.stages.length);
    equal([0, 5, 6, 12].map((step) => turnAt(LESSON, step)?.infoset ?? null), ["x", "x", "y", null]);
    equal([0, 5, 6, 12].map((step) => stageAt(LESSON, step)), ["reach", "next", "reach", "ending"]);
  },
  "the tables of all stages": () => {
    equal(texts(0), [["(the start)", "1/6", "1", "1/6"]]);
    equal(texts(1), [["σ", "1/2", "1/2", ""], ["(the start)", "-1/4", "1/2", "1/8"]]);
    equal(texts(2), [["(the start)", "1/6", "-1/16", "1/16"], ["r", "", "-1/8", "1/8"]]);
    equal(texts(3), [["p", "0", "1/4", "-1/8", "-1/8"], ["b", "1", "1/2", "1/8", "9/8"]]);
    equal(texts(4), [["p", "0", "1", "1/2", "1/2"], ["b", "0", "1", "1/2", "1/2"]]);
    equal(texts(5), [["p", "-1", "1/2", "0"], ["b", "0", "1/2", "1"]]);
    equal(texts(12), [["x", "p 1/4, b 3/4"], ["y", "p 1, b 0"]]);
    for (let step = 0; step < 13; step += 1) {
      const { heads, rows } = sheetAt(LESSON, step);
      for (const { cells } of rows) equal(cells.length, heads.length - 1);
    }
    equal(sheetAt(LESSON, 0).rows[0].cells[0].title, String(1 / 6));
  },
  "how numbers come about": () => {
    equal(works(0), [["1/6 × 1"]]);
    equal(works(1), [[], ["1/2 × (-1/4) + 1/2 × 1/2"]]);
    equal(works(2), [["1/6 × (-1/4 − 1/8)", "1/6 × (1/2 − 1/8)"], []]);
    equal(works(3), [["1/4 × 0 + (-1/8)"], ["1/2 × 1 + 1/8"]]);
    const floor = { ...LESSON, coefficients: { ...LESSON.coefficients, floor: 0 } };
    equal(works(3, floor), [["max(1/4 × 0 + (-1/8), 0)"], ["max(1/2 × 1 + 1/8, 0)"]]);
    equal(works(4), [["1 × 0 + 4 × 1 × 1/2"], ["1 × 0 + 4 × 1 × 1/2"]]);
    equal(works(5), [["1 / 2"], ["1 / 2"]]);
    const won = { ...LESSON, turns: [{ ...turn(0, "x"), expected: [-1, 3] }] };
    equal(works(5, won), [["0 / (0 + 3)"], ["3 / (0 + 3)"]]);
  },
  "letters and notes": () => {
    equal(lettersAt(LESSON, 3), "In iteration 2 of dcfr: α = 1/2 for positive regrets, 1/4 for negative ones, no floor f.");
    const floor = { ...LESSON, coefficients: { ...LESSON.coefficients, floor: 0, prediction: 1 } };
    equal(lettersAt(floor, 3).endsWith("floor f = 0."), true);
    equal(lettersAt(LESSON, 4), "In iteration 2 of dcfr: δ = 1, w = 4.");
    equal([lettersAt(LESSON, 5), lettersAt(floor, 5)], ["X is R.", "X = 1 R + 1 r."]);
    equal([0, 1, 2, 12].map((step) => lettersAt(LESSON, step)), ["", "", "", ""]);
    equal(noteAt(LESSON, 5), "No regret is positive, so the strategy is uniform.");
    equal(noteAt(LESSON, 12).includes("-1/18, 1/18"), true);
    equal(noteAt(LESSON, 0), "");
  },
  "those who were updated before play their new strategy": () => {
    equal(profileAt(LESSON, LESSON.turns[1]), { x: { p: 0, b: 1 }, y: { p: 0.5, b: 0.5 } });
    equal(profileAt({ ...LESSON, alternating: false }, LESSON.turns[1]).x, { p: 0.5, b: 0.5 });
    equal(profileAt(LESSON, null), { x: { p: 0.25, b: 0.75 }, y: { p: 1, b: 0 } });
  },
  "every stage has a formula in MathML": async () => {
    for (const stage of [...LESSON.stages, "ending"]) {
      await drawn({ render: () => formula(stage) }, {}, (place) => {
        const parts = [...place.querySelectorAll("*")];
        equal(parts[0].localName, "math");
        equal(parts.every((one) => one.namespaceURI === "http://www.w3.org/1998/Math/MathML"), true);
        equal(parts.length > 10, true);
      });
    }
  },
};
