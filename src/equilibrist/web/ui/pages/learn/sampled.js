// What a step of a sampled iteration shows: which moves were drawn, weights, and what is added.
import { fraction } from "../../core/numbers.js";
import { t } from "../../core/texts.js";
import { shownName, shownWay } from "../../parts/labels.js";
import { product, sum, table, term, worked } from "./sheet.js";

// A number inside a quotient, in brackets if it is one itself or has a sign.
function part(x) {
  const text = fraction(x);
  return /^\d[\d.,]*$/.test(text) ? text : `(${text})`;
}
const quotient = (above, below) => `${part(above)} / ${part(below)}`;
const isPlayed = (step) => step.kind === "chance" || step.kind === "decision";

// How the value of an action came about, where that is more than a number from below.
function valueWork(step, k, lesson) {
  const isOfTrajectory = lesson.estimate === "exact" || lesson.estimate === "textbook";
  const isFromBelow = step.chances[k] === 1 || (lesson.estimate === "probed" && step.is_own);
  if (isOfTrajectory || isFromBelow || step.probed.includes(k) || step.below[k] === null) return "";
  return quotient(step.below[k], step.chances[k]);
}

function drawn(step, k) {
  if (step.probed.includes(k)) return t("sampled.probed");
  return t(step.walked.includes(k) ? "sampled.walked" : "sampled.not-walked");
}

// The parts of a step that have a number for each action: heads, and the cells of action `k`.
function columns(step, lesson) {
  const parts = [
    [step.kind === "chance" ? "p" : "σ", (k) => step.strategy[k]],
    ["q", (k) => step.chances[k]],
    [t("sampled.drawn"), (k) => drawn(step, k)],
  ];
  const isValued = step.values.length > 0 && (step.is_own || step.traverser === null);
  if (isValued) {
    parts.push(["u(a)", (k) => worked(step.values[k], valueWork(step, k, lesson))]);
  } else if (step.values.length > 0) {
    parts.push(["u(h a)", (k) => (step.below[k] === null ? "" : step.below[k])]);
  }
  if (step.regret.length > 0) {
    const gain = (k) => `(${fraction(step.values[k])} − ${term(step.value)})`;
    const work = (k) => (step.weight === null ? gain(k) : `${term(step.weight)} × ${gain(k)}`);
    parts.push(["r(a)", (k) => worked(step.regret[k], work(k))]);
  }
  if (step.average.length > 0) {
    const work = (k) => (step.average_weight === null ? "" : product(step.average_weight, step.strategy[k]));
    parts.push(["s(a)", (k) => worked(step.average[k], work(k))]);
  }
  return parts;
}

const changed = (old, change, k) =>
  (change === null ? old[k] : worked(old[k] + change[k], sum([old[k], change[k]].map(term))));

function updatesSheet({ infosets }, names) {
  const rows = infosets.flatMap((one) => one.actions.map((action, k) => [
    `${shownName(names, one.infoset)} ${action}`,
    [
      changed(one.regret, one.regret_change, k), changed(one.sums, one.sums_change, k),
      one.next_strategy === null ? "" : one.next_strategy[k],
    ],
  ]));
  return table([t("sampled.infoset-action"), "R", "S", t("lesson.next-strategy")], rows);
}

// The table of a step; null where there is none.
export function sampledSheet(step, lesson) {
  if (step.kind === "updates") return updatesSheet(step, lesson.shown_names);
  if (step.kind === "terminal") {
    const rows = step.payoffs.map((payoff, p) => [t("game.player", { player: p }), [payoff]]);
    return table([t("games.players"), t("sampled.payoff")], rows);
  }
  const parts = columns(step, lesson);
  return table(
    [t("lesson.action"), ...parts.map(([head]) => head)],
    step.actions.map((action, k) => [shownName(lesson.shown_names, action), parts.map(([, cell]) => cell(k))]),
  );
}

// The value of a history by what was walked.
function valueOf(step, lesson) {
  const { actions, strategy, chances, values, below, walked, compared, value } = step;
  if (compared !== null) return `u(${actions[compared]}) = ${fraction(value)}`;
  const isWhole = step.is_own || step.traverser === null || lesson.estimate === "exact";
  const terms = isWhole
    ? strategy.map((share, k) => product(share, values[k]))
    : walked.map((k) => `${quotient(strategy[k], chances[k])} × ${term(below[k])}`);
  return `${sum(terms) || 0} = ${fraction(value)}`;
}

const SHARES = {
  own: () => "π_i(h)",
  others: (step) => `π_−i(h) / q(h) = ${quotient(step.others_reach, step.sample_reach)}`,
  chance: ({ own_reach: own, chance_reach: chance, sample_reach: sampled }) =>
    `π_i(h) × π_c(h) / q(h) = ${product(own, chance)} / ${part(sampled)}`,
};

function averageShare(step, lesson) {
  const share = lesson.average_share === "others" && step.is_own ? "chance" : lesson.average_share;
  return (SHARES[share] ?? SHARES.chance)(step);
}

// Lines of a formula, its numbers and its result: [name, text].
export function sampledFacts(step, lesson) {
  if (!isPlayed(step)) return [];
  const facts = [];
  if (step.weight !== null) {
    const work = quotient(step.others_reach, step.sample_reach);
    facts.push(["w(h)", `π_−i(h) / q(h) = ${work} = ${fraction(step.weight)}`]);
  }
  if (step.values.length > 0) facts.push(["u(h)", valueOf(step, lesson)]);
  if (step.trajectory) {
    const { payoff, others, sampled, weight, tail, tail_after: after } = step.trajectory;
    const work = `${product(payoff, others)} / ${part(sampled)}`;
    facts.push(["w_I", `u(z) × π_−i(h) / q(z) = ${work} = ${fraction(weight)}`]);
    const drawnGain = `w_I × (π(h a, z) − π(h, z)) = ${term(weight)} × (${fraction(after)} − ${fraction(tail)})`;
    const otherGain = `−w_I × π(h, z) = ${product(-weight, tail)}`;
    step.actions.forEach((action, k) => {
      const gain = step.walked.includes(k) ? drawnGain : otherGain;
      facts.push([`r(${action})`, `${gain} = ${fraction(step.regret[k])}`]);
    });
  }
  if (step.average_weight !== null) {
    facts.push([t("sampled.average-weight"), `${averageShare(step, lesson)} = ${fraction(step.average_weight)}`]);
  }
  return facts;
}

// The first step of each traversal, and the ending.
export function traversalStarts({ steps }) {
  const starts = [0];
  steps.forEach((step, k) => step.kind === "updates" && starts.push(k + 1));
  return starts;
}

// The traversal of a step, as the places of its steps.
export function traversalAt(lesson, place) {
  const starts = traversalStarts(lesson);
  const first = starts.findLast((start) => start <= place);
  const end = starts.find((start) => start > place) ?? lesson.steps.length;
  return Array.from({ length: end - first }, (_, k) => first + k);
}

// What a step is called in the list of its traversal.
export const stepName = (step, names) =>
  (step.kind === "updates" ? t("sampled.updates.short") : shownWay(names, step.history));

// What everybody plays at a step, {infoset: {action: probability}}; at the end, the average.
export function sampledProfile({ actions, steps, ending }, place) {
  const updates = steps.slice(place).find((step) => step.kind === "updates");
  const rows = updates ? updates.profile : ending.average;
  return Object.fromEntries(
    Object.entries(rows).map(([infoset, row]) => [
      infoset, Object.fromEntries(actions[infoset].map((action, k) => [action, row[k]])),
    ]),
  );
}
