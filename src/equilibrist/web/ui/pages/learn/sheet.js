// What a step of the lesson shows: a table of numbers, and what is said about them.
import { fraction } from "../../core/numbers.js";
import { t } from "../../core/texts.js";
import { shownName, shownWay } from "../../parts/labels.js";

export const STAGES = 6; // of each infoset

// A number, or one with how it comes about: worked(x, "1/2 × 3").
export const worked = (x, work) => ({ text: fraction(x), title: String(x), work });
const cell = (x) => (typeof x === "number" ? { text: fraction(x), title: String(x) } : x.text ? x : { text: x });
// A number inside a term, in brackets if it has a sign.
export const term = (x) => (x < 0 ? `(${fraction(x)})` : fraction(x));
export const product = (...factors) => factors.map(term).join(" × ");
export const sum = (terms) => terms.join(" + ");
export const table = (heads, rows) => ({
  heads,
  rows: rows.map(([name, cells, isSum = false]) => ({ name, cells: cells.map(cell), isSum })),
});

const SHEETS = {
  reach: ({ histories }, _, names) => table(
    [t("lesson.history"), t("lesson.by-chance"), t("lesson.others"), t("lesson.stage.reach")],
    histories.map(({ history, chance_reach: chance, others_reach: others, counterfactual_reach: both }) => [
      shownWay(names, history), [chance, others, worked(both, product(chance, others))],
    ]),
  ),
  values: ({ actions, histories, strategy }, _, names) => table(
    [t("lesson.history"), ...actions.map((a) => `v(h ${a})`), "v(h)"],
    [
      ["σ", [...strategy, ""]],
      ...histories.map(({ history, values, value }) => [
        shownWay(names, history),
        [...values, worked(value, sum(strategy.map((share, k) => product(share, values[k]))))],
      ]),
    ],
  ),
  regrets: ({ actions, histories, instant }, _, names) => table(
    [t("lesson.history"), t("lesson.reach"), ...actions.map((action) => t("lesson.weighted", { action }))],
    [
      ...histories.map(({ history, counterfactual_reach: reach, regrets, values, value }) => [
        shownWay(names, history),
        [
          reach,
          ...regrets.map((x, k) => worked(x, `${fraction(reach)} × (${fraction(values[k])} − ${term(value)})`)),
        ],
      ]),
      ["r", ["", ...instant], true],
    ],
  ),
  cumulative: ({ actions, regret, instant, regret_after: after }, { positive, negative, floor }) => table(
    [t("lesson.action"), t("lesson.before", { name: "R" }), "α", "r", t("lesson.after", { name: "R" })],
    actions.map((a, k) => {
      const scale = regret[k] > 0 ? positive : negative;
      const work = sum([product(scale, regret[k]), term(instant[k])]);
      const bounded = floor === null ? work : `max(${work}, ${fraction(floor)})`;
      return [a, [regret[k], scale, instant[k], worked(after[k], bounded)]];
    }),
  ),
  sums: ({ actions, sums, strategy, own_reach: own, sums_after: after }, { decay, weight }) => table(
    [
      t("lesson.action"), t("lesson.before", { name: "S" }), t("lesson.own-reach"), "σ",
      t("lesson.after", { name: "S" }),
    ],
    actions.map((a, k) => {
      const work = sum([product(decay, sums[k]), product(weight, own, strategy[k])]);
      return [a, [sums[k], own, strategy[k], worked(after[k], work)]];
    }),
  ),
  next: ({ actions, expected, strategy, next_strategy: next }) => table(
    [t("lesson.action"), "X", t("lesson.so-far"), t("lesson.next-strategy")],
    actions.map((a, k) => {
      const gains = expected.map((x) => Math.max(x, 0));
      const isUniform = gains.every((x) => x === 0);
      const work = isUniform ? `1 / ${actions.length}` : `${fraction(gains[k])} / (${sum(gains.map(fraction))})`;
      return [a, [expected[k], strategy[k], worked(next[k], work)]];
    }),
  ),
};

// The average strategy; `actions` are those of each infoset.
export function endingSheet({ ending, shown_names: names }, actions) {
  const rows = Object.entries(ending.average).map(([infoset, row]) => [
    shownName(names, infoset),
    [row.map((x, k) => `${actions[infoset][k]} ${fraction(x)}`).join(", ")],
  ]);
  return table([t("lesson.infoset"), t("lesson.average")], rows);
}

const actionsOf = ({ turns }) => Object.fromEntries(turns.map(({ infoset, actions }) => [infoset, actions]));

// The infoset that a step of the lesson is about; null behind the last one.
export const turnAt = (lesson, step) => lesson.turns[Math.floor(step / STAGES)] ?? null;

export const stageAt = (lesson, step) => (turnAt(lesson, step) ? lesson.stages[step % STAGES] : "ending");

// The numbers of a step: {heads, rows: [{name, cells: [{text, title, work}], isSum}]}; `work` says how a
// number comes about.
export function sheetAt(lesson, step) {
  const turn = turnAt(lesson, step);
  if (!turn) return endingSheet(lesson, actionsOf(lesson));
  return SHEETS[stageAt(lesson, step)](turn, lesson.coefficients, lesson.shown_names);
}

// What the letters of the formula stand for in this iteration; empty where there are none.
export function lettersAt(lesson, step) {
  const { coefficients: c, iteration, algorithm } = lesson;
  const here = { iteration, algorithm };
  const numbers = Object.fromEntries(Object.entries(c).map(([name, x]) => [name, fraction(x)]));
  switch (stageAt(lesson, step)) {
    case "cumulative":
      return t(c.floor === null ? "lesson.letters.no-floor" : "lesson.letters.floor", { ...here, ...numbers });
    case "sums":
      return t("lesson.letters.sums", { ...here, ...numbers });
    case "next":
      if (c.prediction === 0 && c.lookahead === 1) return t("lesson.letters.plain");
      return t("lesson.letters.predicted", numbers);
    default:
      return "";
  }
}

// What is remarkable at a step; empty where nothing is.
export function noteAt(lesson, step) {
  const stage = stageAt(lesson, step);
  if (stage === "next" && turnAt(lesson, step).expected.every((x) => x <= 0)) return t("lesson.uniform");
  return stage === "ending" ? endingNote(lesson) : "";
}

export function endingNote({ ending: { values, nash_conv: conv } }) {
  return t("lesson.ending", { values: values.map(fraction).join(", "), conv: fraction(conv) });
}

// What all players play at a step, {infoset: {action: probability}}: with updates in turn, those who
// were updated before play their new strategy already.
export function profileAt({ turns, ending, alternating }, turn) {
  const row = (one) => {
    if (!turn) return ending.average[one.infoset];
    return alternating && one.player < turn.player ? one.next_strategy : one.strategy;
  };
  return Object.fromEntries(
    turns.map((one) => [one.infoset, Object.fromEntries(one.actions.map((a, k) => [a, row(one)[k]]))]),
  );
}
