// Jobs as they go: all of them, or one with its curves, from the stream of the page.
import { word } from "../core/address.js";
import { onMounted, shallowRef, watch } from "../core/html.js";
import { listen } from "../core/live.js";
import { get, Refusal } from "../core/source.js";

const MOST_POINTS = 1000; // of a curve; of more every second one is left out

// Running ones first, then those that wait, in the order in which they start, then the newest.
const RANKS = { running: 0, queued: 1 };
const rank = ({ state }) => RANKS[state] ?? 2;
const inOrder = (a, b) =>
  rank(a) - rank(b) || (a.state === "queued" ? a.created - b.created : b.created - a.created);

export const isActive = (job) => job.state in RANKS;

// What is known of all jobs after an event of the stream.
function jobsAfter(known, { whole, jobs, removed }) {
  const gone = new Set([...removed, ...jobs.map(({ id }) => id)]);
  const kept = whole ? [] : known.filter(({ id }) => !gone.has(id));
  return [...jobs, ...kept].sort(inOrder);
}

// All jobs, in order, and how much runs: {jobs, counts}, null until they are known.
export function followJobs() {
  const [jobs, counts] = [shallowRef(null), shallowRef(null)];
  function hear(event) {
    jobs.value = jobsAfter(jobs.value ?? [], event);
    counts.value = event.counts;
  }
  listen(() => ["jobs"], { jobs: hear });
  return { jobs, counts };
}

// A curve, or the rows of a band, with what is new of it.
function joined(known, more) {
  const last = known.at(-1)?.[0] ?? -1;
  const all = [...known, ...more.filter(([iteration]) => iteration > last)];
  return all.length > MOST_POINTS ? all.filter((_, k) => (all.length - 1 - k) % 2 === 0) : all;
}

const joinedAll = (known, more) =>
  Object.fromEntries(
    [...new Set([...Object.keys(known), ...Object.keys(more)])].map((name) => [
      name, joined(known[name] ?? [], more[name] ?? []),
    ]),
  );

// A job after an event of the stream, which has all of its curves or what is new of them.
function jobAfter(known, { whole, job }) {
  if (whole || !known || !job) return job;
  return {
    ...job,
    points: joined(known.points, job.points),
    curves: joinedAll(known.curves, job.curves),
    bands: joinedAll(known.bands, job.bands),
  };
}

// The job with the id that `id` gives, empty for none: {job, error, isGone, show}. `show` takes a document that
// a request has answered.
export function followJob(id) {
  const [job, error, isGone] = [shallowRef(null), shallowRef(null), shallowRef(false)];

  async function load() {
    const wanted = id();
    if (!wanted) {
      job.value = null;
      return;
    }
    let [found, refusal] = [null, null];
    try {
      found = await get(`jobs/${word(wanted)}`);
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      refusal = problem;
    }
    if (wanted !== id()) return;
    [job.value, error.value] = [found, refusal];
  }

  function hear(event) {
    if (event.id !== id()) return;
    isGone.value = event.job === null;
    const wasActive = job.value && isActive(job.value);
    if (event.job) job.value = jobAfter(job.value, event);
    if (wasActive && !event.whole && !isActive(job.value)) load(); // bands have their last rows alone
  }

  listen(() => (job.value ? [`run:${job.value.id}`] : []), { run: hear });
  onMounted(load);
  watch(id, load);
  return { job, error, isGone, show: (found) => (job.value = found), load };
}
