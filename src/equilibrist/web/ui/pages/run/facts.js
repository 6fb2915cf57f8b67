// The facts of a run, as pairs of a name and a text.
import { bytes, count, duration, measured, number, roughly } from "../../core/numbers.js";
import { t } from "../../core/texts.js";
import { seatName } from "../../poker/actions.js";
import { entryShare } from "../../parts/entry_texts.js";
import {
  iterationText, measureName, measureText, progressOf, SPOTS, stateText, whyText,
} from "../../parts/job_texts.js";
import { optionName, optionText } from "../../parts/options.js";

function state(job) {
  const why = whyText(job);
  return why ? t("run.state-why", { state: stateText(job), why }) : stateText(job);
}

function checkpoint({ checkpoint: facts, checkpoint_bytes: size, has_parts: hasParts }) {
  if (!hasParts) return ""; // what is done is kept piece by piece
  if (!facts) return size ? bytes(size) : "";
  const age = duration(Math.round(facts.age_seconds));
  return t("run.checkpoint.facts", { iteration: count(facts.iteration), age, size: bytes(size) });
}

const rate = (speed) => (speed >= 100 ? count(speed) : number(speed, 3));

function speedText({ iterations_per_second: speed, deals_per_second: deals }) {
  if (deals) return t("run.speed.deals", { rate: rate(deals) });
  return speed ? t("run.speed", { rate: rate(speed) }) : "";
}

// What each of three players gains by a best response to the two others.
function gainsOf({ title }, { gains, measure, measure_percent: share }) {
  if (!gains) return [];
  const pot = measure && share ? (100 * measure) / share : null;
  return gains.map((gain, who) => {
    const name = t("run.fact.gain", { seat: seatName(title, who) });
    const chips = measured(gain);
    return [name, pot === null ? chips : t("job.of-pot", { measure: chips, share: entryShare(gain / pot) })];
  });
}

const HIDDEN = ["memory", "spot"]; // limits of the server, and whole files

function optionsText(job) {
  const options = Object.entries({ ...job.keys, ...job.options }).filter(([name]) => !HIDDEN.includes(name));
  const said = ([name, value]) => t("run.fact.option", { name: optionName(name, job), value: optionText(name, value) });
  return options.map(said).join("; ");
}

// [name, text], without those that do not apply now.
export function factsOf(job) {
  const progress = progressOf(job) ?? {};
  const { eta_seconds: left } = progress;
  const isRunning = job.state === "running";
  const isTimed = left !== null && left !== undefined;
  return [
    [t("run.fact.state"), state(job)],
    [t("run.fact.boards"), job.report ? count(progress.iteration) : ""],
    [t("run.fact.iteration"), progress.iteration && job.has_parts ? iterationText(job) : ""],
    [t(job.kind === "blueprint" ? "run.fact.sampled" : "run.fact.deals"), count(progress.deals)],
    [t("run.fact.regret"), progress.average_regret ? t("job.mbb", { n: number(progress.average_regret, 3) }) : ""],
    [measureName(progress.measure_name, job.kind), measureText(job)],
    ...gainsOf(job, progress),
    [t("run.fact.time"), job.seconds ? duration(job.seconds) : ""],
    [t("run.fact.speed"), isRunning ? speedText(progress) : ""],
    [t("run.fact.left"), isRunning && isTimed ? roughly(left) : ""],
    [t(SPOTS.includes(job.kind) || job.keys ? "run.fact.memory" : "run.fact.memory-limit"), bytes(job.memory_bytes)],
    [t("run.fact.checkpoint"), checkpoint(job)],
    [t("run.fact.record"), job.unwritten ? t("run.unwritten") : ""],
    [t("run.fact.options"), optionsText(job)],
  ].filter(([, text]) => text);
}
