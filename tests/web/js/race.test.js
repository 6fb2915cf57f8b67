import { reactive } from "/ui/core/html.js";
import { entryOf, entryText, isTrained, learnerOf, withLearner } from "/ui/pages/race/entries.js";
import { hasSeeds, levelText, levelsOf, lineOf, measureOf, rowsOf, targetsOf } from "/ui/pages/race/results.js";
import { Setup, optionsOf, proposals } from "/ui/pages/race/setup.js";
import { drawn, equal, served, settled } from "./check.js";

const RACE = {
  algorithms: ["cfr", "lcfr@external", "lp"], options: { iterations: "1,000", side_by_side: "true", seeds: "3" },
  curves: { cfr: [[1, 0.1, 0.5], [10, 0.2, 0.05]], "lcfr@external": [[1, 0.1, 0.9]] }, state: "running",
  bands: { "lcfr@external": [[1, 0.1, 0.4, 0.6, 0.9], [8, 0.3, 0.1, 0.2, 0.3]] }, comparison: null, progress: null,
};
const race = (changes) => ({ ...RACE, ...changes });
const states = (job) => rowsOf(job, []).map((row) => row.state);

export default {
  "entries are texts": () => {
    const texts = ["lcfr", "lcfr@external", "@external", "dcfr(gamma=3)", "x@outcome(epsilon=0.4)", ""];
    for (const text of texts) equal(entryText(entryOf(text)), text);
    equal(entryText({ algorithm: " cfr+ ", sampler: "  " }), "cfr+");
  },
  "an algorithm that trains learns by a network or a table": () => {
    const entry = entryOf("SD_CFR( walks = 40 , batch=2)");
    equal(isTrained(entry, [{ name: "sd-cfr" }]), true);
    equal(isTrained(entryOf("cfr"), [{ name: "sd-cfr" }]), false);
    equal(learnerOf(entry), "network");
    entry.algorithm = withLearner(entry, "table");
    equal(entry.algorithm, "SD_CFR(walks = 40,batch=2,learner=table)");
    equal([learnerOf(entry), withLearner(entry, "network")], ["table", "SD_CFR(walks = 40,batch=2)"]);
    equal(withLearner(entryOf("nfsp(learner = table)"), "network"), "nfsp");
    equal(learnerOf(entryOf("nfsp(")), "network"); // while it is typed
  },
  "levels and targets": () => {
    equal(levelsOf("0.01, 1e-4, x, -1, 0.01, 0.1", RACE), [0.1, 0.01, 1e-4]);
    const aimed = race({ options: { target: "0.001" } });
    equal([targetsOf(aimed), targetsOf(RACE)], [[0.001], []]);
    equal(levelsOf("0.01, 1e-4", aimed), [0.01, 0.001]); // below the target nothing is run
    equal([0.1, 1e-4, 1e-6, 2.5e-7].map(levelText), ["0.1", "0.0001", "1e-6", "2.5e-7"]);
    equal(levelsOf(Array.from({ length: 20 }, (_, k) => k + 1).join(), RACE).length, 8);
  },
  "several seeds are drawn by their medians": () => {
    equal(lineOf(RACE, "lcfr@external"), [[1, 0.1, 0.6], [8, 0.3, 0.2]]);
    equal([lineOf(RACE, "cfr").length, lineOf(RACE, "lp")], [2, []]);
    const seeds = (number) => hasSeeds(race({ bands: {}, options: { seeds: number } }));
    equal([hasSeeds(RACE), seeds("3"), seeds("1"), seeds("")], [true, true, false, false]);
    const [first, second, third] = rowsOf(RACE, [0.5, 0.1]);
    equal([first.seeds, second.seeds, third.last ?? null], ["1", "3", null]);
    equal(first.reached, [[1, 0.1, 0.5], [10, 0.2, 0.05]]);
    equal(second.reached, [[8, 0.3, 0.2], null]);
  },
  "what each is doing": () => {
    equal(states(RACE), ["running", "running", "queued"]);
    const limited = { iterations: "10", side_by_side: "true" };
    equal(states(race({ options: limited })), ["done", "running", "queued"]);
    equal(states(race({ options: { seconds: "0.1", side_by_side: "true" } })), ["done", "done", "queued"]);
    equal(states(race({ options: { side_by_side: "false" } })), ["done", "running", "queued"]); // the newest runs
    equal(states(race({ state: "stopped", options: limited })), ["done", "stopped", "not run"]);
    const failed = { failed: [{ algorithm: "lp", error: "x" }] };
    equal(states(race({ state: "done", comparison: failed })), ["done", "done", "failed"]);
    equal(states(race({ state: "queued", curves: {}, bands: {} })), ["queued", "queued", "queued"]);
  },
  "what is measured": () => {
    equal(measureOf(RACE), "Exploitability");
    equal(measureOf(race({ options: { measure: "efce" } })), "EFCE gap");
    equal(measureOf(race({ progress: { measure_name: "NashConv" } })), "NashConv");
    equal(measureOf(race({ comparison: { measure: "something new" } })), "something new");
  },
  "a race is started with what was typed, and what is refused is marked": async () => {
    const sent = [];
    const answer = (address, request) => {
      const name = address.split("/").at(-1);
      if (name === "networks") return { algorithms: [{ name: "sd-cfr", summary: "" }], missing: "needs PyTorch" };
      if (name !== "jobs") return [];
      sent.push(JSON.parse(request.body));
      return sent.length === 1 ? { id: "a" } : { error: "no", kind: "ConfigError", option: "target", status: 422 };
    };
    const form = reactive({
      game: " kuhn ", entries: ["sd-cfr", ""].map(entryOf), options: { ...optionsOf(() => ""), iterations: "9" },
    });
    let started = null;
    const look = async (place) => {
      await settled();
      equal(place.querySelector(".eq-error p").textContent, "needs PyTorch");
      equal(place.querySelectorAll(".rc-entry input:disabled").length, 1);
      const submit = async () => {
        place.querySelector(".eq-primary").click();
        await settled();
      };
      await submit();
      equal([started, sent[0]], ["a", { game: "kuhn", algorithms: ["sd-cfr"], options: { iterations: "9" } }]);
      await submit();
      equal(place.querySelector("#race-target").getAttribute("aria-invalid"), "true");
      equal(place.querySelectorAll("[role=alert]").length, 1);
      place.querySelector("[aria-label='Remove algorithm 1']").click();
      await settled();
      equal([form.entries.length, place.querySelector("[aria-label='Remove algorithm 1']").disabled], [1, true]);
    };
    await served(answer, async () => {
      const known = await proposals();
      await drawn(Setup, { form, known, onStart: (job) => (started = job.id) }, look);
    });
  },
};
