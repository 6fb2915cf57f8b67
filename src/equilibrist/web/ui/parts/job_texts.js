// What pages say of jobs, from their numbers and codes.
import { place, word } from "../core/address.js";
import { html } from "../core/html.js";
import { bytes, count, measured, percent } from "../core/numbers.js";
import { hasText, t } from "../core/texts.js";
import { gameName } from "../poker/games.js";
import { handsText, spotText, titleText } from "../poker/titles.js";
import { isActive } from "./jobs.js";

// Kinds of jobs that solve spots, of two players or three.
export const SPOTS = ["spot", "three"];

// What a job does, as the text of a link; whether that is data, such as the name of a game.
export function jobTitle({ kind, game, title, keys }) {
  if (kind === "cards") return { text: t("job.title.cards", { buckets: keys.buckets }), isData: false };
  if (kind === "flops") return { text: reportTitle(title, keys), isData: false };
  if (keys) return { text: t(`job.title.${kind}`, { about: handsText(title, keys) }), isData: false };
  if (kind === "compare") return { text: t("job.title.race", { game: gameName(game) }), isData: false };
  if (kind === "review") return { text: t("job.title.review", { n: Number.parseInt(game, 10) || 1 }), isData: false };
  if (kind === "site") return { text: t("job.title.site", { names: game }), isData: false };
  if (SPOTS.includes(kind)) return { text: t("job.title.spot", { spot: titleText(title) }), isData: false };
  return { text: gameName(game), isData: gameName(game) === game };
}

// A report over boards: on 25 flops, pot 180, stack 910.
function reportTitle(title, { flops = "25", boards }) {
  const n = boards ? boards.split(/[,;\n]/).length : Number.parseInt(flops.replace("subset:", ""), 10) || 0;
  const where = n ? t("job.boards", { n, count: count(n) }) : t("job.boards.all");
  return t("job.title.flops", { where, spot: spotText(title) });
}

// Where a job is looked at.
const PAGES = { compare: "race", review: "review" };
export const jobPlace = ({ id, kind }) => (kind in PAGES ? place(PAGES[kind], { job: id }) : place(`runs/${word(id)}`));

// Where the archive of a site is; null while there is none, and for all other jobs.
export const archivePlace = ({ id, site }) => (site?.archive_bytes ? place(`api/jobs/${word(id)}/site`) : null);

// Where its solution is; null while there is none.
export function resultPlace(job) {
  const { kind, keys, is_saved: isSaved, solution, report } = job;
  if (kind === "site") return archivePlace(job);
  if (!isSaved) return null;
  if (report) return place(`reports/${word(report)}`);
  if (kind === "cards") return place("hands", { kind: "blueprint", cards: solution });
  return place(`${keys ? "charts" : SPOTS.includes(kind) ? "study" : "explore"}/${word(solution)}`);
}

export const stateText = ({ asked, state }) => (asked ? t(`job.asked.${asked}`) : t(`job.state.${state}`));

export const State = {
  props: { job: Object },
  setup: (props) => () => html`
    <span class=${["eq-state", `eq-state-${props.job.state}`]}>${stateText(props.job)}</span>`,
};

const WAITS = {
  queue: ({ ahead }) => ({ n: ahead }),
  running: ({ running }) => ({ n: running }),
  memory: ({ need_bytes: need, free_bytes: free }) => ({ need: bytes(need), free: bytes(free) }),
  starting: () => ({}),
};

// What a job does before it iterates, and how far it is with that.
function stageText({ stage_code: code, stage_done: done, stage_total: total }) {
  const stage = t(`job.stage.${code}`);
  if (done === null) return stage;
  const values = { stage, n: count(done), total: count(total) };
  return t(total === null ? "job.stage.so-far" : "job.stage.so-far.of", values);
}

// Why a job waits, what it does before it iterates, or what has ended it; empty where nothing is to be said.
export function whyText(job) {
  const { waiting } = job;
  if (waiting) return t(`job.waits.${waiting.code}`, WAITS[waiting.code](waiting));
  if (job.state === "running" && job.stage_code) return stageText(job);
  const key = `job.ending.${job.stopped_by}`;
  return job.state === "done" && hasText(key) ? t(key) : "";
}

// The progress of a job as a whole; that of a race is of one run of one entry, so none.
export const progressOf = ({ kind, progress }) => (kind === "compare" ? null : progress);

export const iterationText = (job) => count(progressOf(job)?.iteration);

// What is measured in a run or a solution of some kind: names of measures are codes with spaces in them.
// With three players it is the sum of what each gains.
export function measureName(name, kind = "") {
  if (kind === "three") return t("measure.of-three");
  const key = `measure.${(name ?? "exploitability").toLowerCase().replaceAll(" ", "-")}`;
  return hasText(key) ? t(key) : name;
}

// What was measured of whole hands: thousandths of a big blind, or with prizes a share of all of them.
const handMeasure = (measure, { payouts }) =>
  payouts ? t("job.of-prizes", { share: percent(measure) }) : t("job.mbb", { n: measured(1000 * measure) });

// The newest measurement, with its share of the pot. Of a run that has died it may be that of an
// earlier iteration than its last, which is named.
export function measureText(job) {
  const { measure, measure_percent: share, measured_at: at, iteration } = progressOf(job) ?? {};
  if (measure === null || measure === undefined) return "";
  const isNewest = at === null || at === undefined || at === iteration || isActive(job);
  const text = job.keys ? handMeasure(measure, job.title) : measured(measure);
  const isShared = share !== null && share !== undefined;
  const shared = isShared ? t("job.of-pot", { measure: text, share: percent(share / 100) }) : text;
  return isNewest ? shared : t("job.measured-at", { measure: shared, iteration: count(at) });
}
