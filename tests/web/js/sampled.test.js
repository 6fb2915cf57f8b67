import {
  sampledFacts, sampledProfile, sampledSheet, stepName, traversalAt, traversalStarts,
} from "/ui/pages/learn/sampled.js";
import { SampledStep } from "/ui/pages/learn/sampled_step.js";
import { drawn, equal } from "./check.js";

const step = (changes) => ({
  kind: "decision", traverser: 0, player: 0, infoset: "x", history: ["1", "3"], actions: ["p", "b"], payoffs: [],
  is_own: true, strategy: [0.5, 0.5], choice: "one", chances: [0.5, 0.5], walked: [0], probed: [], compared: null,
  chance_reach: 1 / 6, own_reach: 1, others_reach: 1 / 6, sample_reach: 1 / 6, own_sample_reach: 1, weight: 1,
  below: [-2, null], values: [-4, 0], value: -2, regret: [-2, 2], average: [], average_weight: null,
  trajectory: { payoff: -2, others: 1 / 6, sampled: 1 / 48, weight: -16, tail: 1 / 8, tail_after: 1 / 4 },
  ...changes,
});
const updates = (player) => ({
  kind: "updates", traverser: player, profile: { x: [0.5, 0.5], y: [0.25, 0.75] },
  infosets: [{
    infoset: "x", actions: ["p", "b"], regret: [1, 0], regret_change: [-2, 2], sums: [0, 1], sums_change: null,
    next_strategy: [0, 1],
  }],
});
const other = step({
  traverser: 1, is_own: false, infoset: "y", values: [1, 0], below: [1, null], value: 1, regret: [], weight: null,
  trajectory: null, average: [1, 1], average_weight: 2, sample_reach: 1 / 12,
});
const LESSON = {
  game: "g", sampler: "outcome", iteration: 1, seed: 3, estimate: "weighted", average_share: "others",
  formulas: { own: "a", others: "b", weight: "c", estimate: "d", regret: "e", average: "f" }, biased_average: false,
  steps: [step({}), updates(0), other, updates(1)], num_steps: 5, is_drawn: true,
  actions: { x: ["p", "b"], y: ["p", "b"] },
  ending: { average: { x: [0.25, 0.75], y: [1, 0] }, values: [0, 0], nash_conv: 0.1 },
};
const cells = (sheet) => sheet.rows.map(({ cells: row }) => row.map(({ text, work }) => (work ? `${work} = ${text}` : text)));

export default {
  "what was drawn, with its weights": () => {
    const sheet = sampledSheet(step({}), LESSON);
    equal(sheet.heads.slice(1), ["σ", "q", "drawn", "u(a)", "r(a)"]);
    equal(cells(sheet), [
      ["1/2", "1/2", "yes", "(-2) / (1/2) = -4", "1 × (-4 − (-2)) = -2"],
      ["1/2", "1/2", "no", "0", "1 × (0 − (-2)) = 2"],
    ]);
    equal(sampledFacts(step({}), LESSON), [
      ["w(h)", "π_−i(h) / q(h) = (1/6) / (1/6) = 1"],
      ["u(h)", "1/2 × (-4) + 1/2 × 0 = -2"],
      ["w_I", "u(z) × π_−i(h) / q(z) = (-2) × 1/6 / (1/48) = -16"],
      ["r(p)", "w_I × (π(h a, z) − π(h, z)) = (-16) × (1/4 − 1/8) = -2"],
      ["r(b)", "−w_I × π(h, z) = 16 × 1/8 = 2"],
    ]);
  },
  "where another player moves": () => {
    equal(cells(sampledSheet(other, LESSON)), [
      ["1/2", "1/2", "yes", "1", "2 × 1/2 = 1"], ["1/2", "1/2", "no", "", "2 × 1/2 = 1"],
    ]);
    equal(sampledFacts(other, LESSON), [
      ["u(h)", "(1/2) / (1/2) × 1 = 1"],
      ["weight in the average", "π_−i(h) / q(h) = (1/6) / (1/12) = 2"],
    ]);
  },
  "the tables change after a traversal": () => {
    equal(cells(sampledSheet(updates(0), LESSON)), [["1 + (-2) = -1", "0", "0"], ["0 + 2 = 2", "1", "1"]]);
    equal(sampledFacts(updates(0), LESSON), []);
    equal(cells(sampledSheet(step({ kind: "terminal", payoffs: [-2, 2], actions: [] }), LESSON)), [["-2"], ["2"]]);
  },
  "traversals and their steps": () => {
    equal(traversalStarts(LESSON), [0, 2, 4]);
    equal([0, 1, 2, 3].map((place) => traversalAt(LESSON, place)), [[0, 1], [0, 1], [2, 3], [2, 3]]);
    equal(LESSON.steps.map(stepName), ["1 3", "R, S, σ", "1 3", "R, S, σ"]);
    equal(sampledProfile(LESSON, 2).y, { p: 0.25, b: 0.75 });
    equal(sampledProfile(LESSON, 4).x, { p: 0.25, b: 0.75 });
  },
  "each step is drawn": async () => {
    for (let place = 0; place < 4; place += 1) {
      await drawn(SampledStep, { lesson: LESSON, place }, (page) => {
        equal(page.querySelectorAll(".eqg-walked [aria-current]").length, 1);
        equal(page.querySelectorAll("h2").length, 1);
      });
    }
  },
};
