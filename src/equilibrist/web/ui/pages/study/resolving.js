// The locks with which the spot of a solution is solved again, and that solve.
import { place, word } from "../../core/address.js";
import { computed, html, ref, shallowRef } from "../../core/html.js";
import { Refusal } from "../../core/source.js";
import { hasText, t } from "../../core/texts.js";
import { openHistory } from "../../core/undo.js";
import { percent } from "../../poker/amounts.js";
import { followJob } from "../../parts/jobs.js";

// What the run of a new solve says of itself.
function told({ state, progress }) {
  if (state !== "running" || !progress) {
    return t(hasText(`lock.run.${state}`) ? `lock.run.${state}` : "lock.run.ended");
  }
  const share = progress.measure_percent;
  const { iteration } = progress;
  if (share === null) return t("lock.run.iteration", { iteration });
  return t("lock.run.at", { iteration, share: percent(share / 100, share < 1 ? 2 : 1) });
}

// All locks that hold, first those that the solution has: of two that meet, the earlier one wins.
export function openLocks(store) {
  const { nodes } = store;
  const [locks, before] = [ref([]), ref([])];
  const shown = ref({});
  const isBusy = ref(false);
  const problem = shallowRef(null);
  const run = ref(""); // the id of the new solve
  const { job } = followJob(() => run.value);
  let isLoaded = false;
  let painted = 0; // how many of the locks, the first ones, were painted
  const history = openHistory({ all: [], painted }, (value) => ([locks.value, painted] = [value.all, value.painted]));
  function put(all, first = painted) {
    [locks.value, painted] = [all, first];
    history.push({ all, painted });
  }

  // Do what the server may refuse; whether it was done.
  async function attempt(work) {
    [problem.value, isBusy.value] = [null, true];
    try {
      await work();
      return true;
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      problem.value = refusal;
      return false;
    } finally {
      isBusy.value = false;
    }
  }
  async function load() {
    if (isLoaded) return;
    const found = await nodes.ask("lock", store.query());
    Object.assign(shown.value, found.shown);
    if (isLoaded) return;
    [locks.value, before.value, isLoaded] = [found.locks, found.locks, true];
    history.amend({ all: found.locks, painted });
  }
  async function check(wanted, first = painted) {
    const found = await nodes.send("locks", { locks: wanted });
    Object.assign(shown.value, found.shown);
    put(found.locks, first);
  }
  // Put those that are painted in place of those that were.
  async function paint(texts) {
    await load();
    await check([...texts, ...locks.value.slice(painted)], texts.length);
  }
  const remove = (k) => put(locks.value.filter((_, at) => at !== k), k < painted ? painted - 1 : painted);
  async function solve() {
    run.value = (await nodes.send("resolve", { locks: locks.value })).id;
  }
  const isChanged = computed(() => locks.value.join("\n") !== before.value.join("\n"));
  return { locks, shown, isBusy, problem, job, isChanged, history, attempt, load, check, paint, remove, solve };
}

// What has become of the solve, with links to the new solution beside the old one, and to the run.
export const Outcome = {
  props: { store: Object, job: Object },
  setup: (props) => () => {
    const { id, state, is_saved: isSaved, solution } = props.job;
    const { node, nodes } = props.store;
    const found = place(`study/${word(solution)}`, { line: node.value.line, versus: nodes.name });
    return html`
      <p role="status" class="eqs-job">
        ${told(props.job)}
        ${(state === "done" || isSaved) && html` <a href=${found}>${t("lock.result")}</a>`}
        ${" "}<a href=${place(`runs/${word(id)}`)}>${t("lock.run")}</a>
      </p>`;
  },
};
