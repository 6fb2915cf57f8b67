// What the algorithms of a race have measured, reached, and are doing.
import { number } from "../../core/numbers.js";
import { t } from "../../core/texts.js";
import { measureName } from "../../parts/job_texts.js";
import { isActive } from "../../parts/jobs.js";

const MOST_LEVELS = 8;
const SHARE = 0.97; // of the time that a run may take, after which it has met that limit
const UNLIMITED = 10; // seconds of a race without limits

const amount = (text) => Number(String(text ?? "").replaceAll(",", ""));

// The curve that is drawn: of several runs that of their medians.
export function lineOf({ curves, bands }, name) {
  return bands[name] ? bands[name].map((row) => [row[0], row[1], row[3]]) : (curves[name] ?? []);
}

export const hasSeeds = ({ bands, options }) => Object.keys(bands).length > 0 || amount(options.seeds) > 1;

// What is measured, once it is known.
export function measureOf({ comparison, progress, options }) {
  const name = comparison?.measure ?? progress?.measure_name;
  return measureName(name ?? (options.measure ? `${options.measure} gap` : "exploitability"));
}

export const targetsOf = ({ options }) => [amount(options.target)].filter((target) => target > 0);

// The levels of a table, from a text with commas: those above the target, and the target.
export function levelsOf(text, job) {
  const given = text.split(",").map(Number).filter((level) => level > 0);
  const [target] = targetsOf(job);
  const wanted = target ? [...given.filter((level) => level > target), target] : given;
  return [...new Set(wanted)].sort((a, b) => b - a).slice(0, MOST_LEVELS);
}

// A level as it is typed: 0.001, 1e-6.
export const levelText = (level) => number(level).replace(/\.?0+e/, "e");

// Whether a run that measured this last has met one of its limits.
function isOver([iteration, seconds, measure], { iterations, target, seconds: time }) {
  const most = amount(iterations);
  const limit = Number(time ?? (iterations || target ? 0 : UNLIMITED));
  return (most > 0 && iteration >= most) || measure <= amount(target) || (limit > 0 && seconds >= SHARE * limit);
}

// What an entry is doing: a code of the catalogue.
function stateOf(job, name, last) {
  const failed = job.comparison?.failed ?? [];
  if (!last) {
    if (isActive(job)) return "queued";
    return failed.some((one) => one.algorithm === name) ? "failed" : "not-run";
  }
  if (job.state === "running") {
    const atOnce = job.options.side_by_side === "true";
    const newest = job.algorithms.filter((one) => job.curves[one]?.length).at(-1);
    return (atOnce ? !isOver(last, job.options) : name === newest) ? "running" : "done";
  }
  return isActive(job) || job.state === "done" || isOver(last, job.options) ? "done" : "stopped";
}

// A row for each entry: what it measured last, and the first points at each level.
export function rowsOf(job, levels) {
  return job.algorithms.map((name) => {
    const points = lineOf(job, name);
    const last = points.at(-1);
    return {
      name,
      last,
      state: t(`race.state.${stateOf(job, name, last)}`),
      seeds: job.bands[name] ? job.options.seeds : "1",
      spread: job.bands[name]?.at(-1),
      reached: levels.map((level) => points.find((point) => point[2] <= level) ?? null),
    };
  });
}
