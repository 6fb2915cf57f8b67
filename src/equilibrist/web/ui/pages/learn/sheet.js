// What a step of the lesson shows: a table of numbers, and what is said about them.
import { fraction } from "../../core/numbers.js";
import { t } from "../../core/texts.js";

export const STAGES = 6; // of each infoset

export const way = (history) => history.join(" ") || t("game.start");

const cell = (x) => (typeof x === "number" ? { text: fraction(x), title: String(x) } : { text: x });
const table = (heads, rows) => ({
  heads,
  rows: rows.map(([name, cells, isSum = false]) => ({ name, cells: cells.map(cell), isSum })),
});

const SHEETS = {
  reach: ({ histories }) => table(
    [t("lesson.history"), t("lesson.by-chance"), t("lesson.others"), t("lesson.stage.reach")],
    histories.map((one) => [way(one.history), [one.chance_reach, one.others_reach, one.counterfactual_reach]]),
  ),
  values: ({ actions, histories, strategy }) => table(
    [t("lesson.history"), ...actions.map((a) => `v(h ${a})`), "v(h)"],
    [["σ", [...strategy, ""]], ...histories.map((one) => [way(one.history), [...one.values, one.value]])],
  ),
  regrets: ({ actions, histories, instant }) => table(
    [t("lesson.history"), t("lesson.reach"), ...actions.map((action) => t("lesson.weighted", { action }))],
    [
      ...histories.map((one) => [way(one.history), [one.counterfactual_reach, ...one.regrets]]),
      ["r", ["", ...instant], true],
    ],
  ),
  cumulative: ({ actions, regret, instant, regret_after: after }, { positive, negative }) => table(
    [t("lesson.action"), t("lesson.before", { name: "R" }), "α", "r", t("lesson.after", { name: "R" })],
    actions.map((a, k) => [a, [regret[k], regret[k] > 0 ? positive : negative, instant[k], after[k]]]),
  ),
  sums: ({ actions, sums, strategy, own_reach: own, sums_after: after }) => table(
    [
      t("lesson.action"), t("lesson.before", { name: "S" }), t("lesson.own-reach"), "σ",
      t("lesson.after", { name: "S" }),
    ],
    actions.map((a, k) => [a, [sums[k], own, strategy[k], after[k]]]),
  ),
  next: ({ actions, expected, strategy, next_strategy: next }) => table(
    [t("lesson.action"), "X", t("lesson.so-far"), t("lesson.next-strategy")],
    actions.map((a, k) => [a, [expected[k], strategy[k], next[k]]]),
  ),
};

function endingSheet({ turns, ending }) {
  const labels = Object.fromEntries(turns.map((turn) => [turn.infoset, turn.actions]));
  const rows = Object.entries(ending.average).map(([infoset, row]) => [
    infoset,
    [row.map((x, k) => `${labels[infoset][k]} ${fraction(x)}`).join(", ")],
  ]);
  return table([t("lesson.infoset"), t("lesson.average")], rows);
}

// The infoset that a step of the lesson is about; null behind the last one.
export const turnAt = (lesson, step) => lesson.turns[Math.floor(step / STAGES)] ?? null;

export const stageAt = (lesson, step) => (turnAt(lesson, step) ? lesson.stages[step % STAGES] : "ending");

// The numbers of a step: {heads, rows: [{name, cells: [{text, title}], isSum}]}.
export function sheetAt(lesson, step) {
  const turn = turnAt(lesson, step);
  return turn ? SHEETS[stageAt(lesson, step)](turn, lesson.coefficients) : endingSheet(lesson);
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
  if (stage !== "ending") return "";
  const { values, nash_conv: conv } = lesson.ending;
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
