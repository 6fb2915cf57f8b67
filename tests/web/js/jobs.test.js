import { html } from "/ui/core/html.js";
import { Actions } from "/ui/parts/job_actions.js";
import { iterationText, jobPlace, jobTitle, measureName, measureText, resultPlace, whyText } from "/ui/parts/job_texts.js";
import { followJob, followJobs } from "/ui/parts/jobs.js";
import { SiteSaving } from "/ui/parts/site_saving.js";
import { factsOf } from "/ui/pages/run/facts.js";
import { drawn, equal, served, settled, until } from "./check.js";

const JOB = {
  id: "a", kind: "game", game: "kuhn", title: { text: "kuhn", game: "kuhn" }, state: "running", asked: null, created: 1,
  progress: { iteration: 1031, measure: 0.5, measured_at: 1024 }, points: [], curves: {}, bands: {}, waiting: null,
  stage_code: null, stage_done: null, stage_total: null, stopped_by: null, can_resume: true, has_checkpoints: true, has_parts: true, is_saved: false, solution: "kuhn-a",
};
const job = (changes) => ({ ...JOB, ...changes });

// A stream that tests speak through.
class Stream extends EventTarget {
  static CLOSED = 2;
  constructor() {
    super();
    Stream.last = this;
  }
  close() {}
  tell(kind, document) {
    this.dispatchEvent(Object.assign(new Event(kind), { data: JSON.stringify(document), lastEventId: "p" }));
  }
}

async function streaming(act) {
  const { EventSource } = window;
  window.EventSource = Stream;
  try {
    await act();
  } finally {
    window.EventSource = EventSource;
  }
}

const buttons = (place) => [...place.querySelectorAll("button")].map((one) => one.textContent);

export default {
  "titles and places": () => {
    equal(jobTitle(JOB), { text: "Kuhn poker", isData: false });
    equal(jobTitle(job({ game: "library:mine" })), { text: "library:mine", isData: true });
    equal(jobTitle(job({ kind: "compare" })), { text: "Race on Kuhn poker", isData: false });
    equal(["1 hand", "12 hands"].map((game) => jobTitle(job({ kind: "review", game })).text), [
      "Review of 1 hand", "Review of 12 hands",
    ]);
    const title = {
      text: "", game: null, board: "QsJh2h", pot: 180, stack: 910, bets: [0.52, 1], oop: "BB", ip: "BTN",
      pot_type: "3-bet", has_locks: true, has_folded: true, rake: 0.05,
    };
    const spot = job({ kind: "spot", game: "QsJh2h", title });
    equal(jobTitle(spot).text, "Spot BTN against BB, 3-bet pot, QsJh2h, pot 180, stack 910, bets 52% 100%, rake 5%, "
      + "with folded ranges, with locks");
    const plain = { ...title, oop: null, pot_type: null, bets: [], rake: 0, has_locks: false, has_folded: false };
    equal(jobTitle(job({ kind: "spot", title: plain })).text, "Spot QsJh2h, pot 180, stack 910");
    const site = job({ kind: "site", game: "kuhn, flop", site: { archive_bytes: null } });
    equal([jobTitle(site).text, jobPlace(site), resultPlace(site)], ["Site of files: kuhn, flop", "./runs/a", null]);
    equal(resultPlace({ ...site, site: { archive_bytes: 5 } }), "./api/jobs/a/site");
    equal(jobPlace(JOB), "./runs/a");
    equal(jobPlace(job({ kind: "compare" })), "./race?job=a");
    equal([resultPlace(JOB), resultPlace(job({ is_saved: true })), resultPlace(job({ is_saved: true, kind: "spot" }))], [
      null, "./explore/kuhn-a", "./study/kuhn-a",
    ]);
  },

  "titles and places of runs on whole hands": () => {
    const stacks = { text: "p", board: null, stacks: [8, 15, 25], payouts: [50, 30], ante: 0.1 };
    const charts = job({ kind: "push-fold", keys: { stacks: "8,15,25" }, title: stacks, is_saved: true });
    equal(jobTitle(charts).text, "Push or fold: 3 seats, 8 / 15 / 25 bb, ante 0.1, payouts 50 / 30");
    const chips = { text: "p", board: null, stacks: [1200, 1200], payouts: null };
    equal(jobTitle(job({ kind: "preflop", keys: { blinds: "50/100", bets: "2x,a" }, title: chips })).text,
      "Exact hand: 2 seats, stacks 1,200, bets 2x,a");
    equal(resultPlace(charts), "./charts/kuhn-a");
    const of = { text: "r", board: null, pot: 180, stack: 910, bets: [0.5] };
    const report = job({ kind: "flops", keys: { flops: "subset:49" }, title: of, report: "r-1", is_saved: true });
    equal(jobTitle(report).text, "Report over 49 boards: pot 180, stack 910, bets 50%");
    equal(["all", "ALL"].map((flops) => jobTitle(job({ ...report, keys: { flops } })).text.slice(0, 23)), [
      "Report over all flops: ", "Report over all flops: ",
    ]);
    equal(jobTitle(job({ ...report, keys: { boards: "AhKd2c, QsJs4h\nTc9d2h" } })).text.slice(0, 22), "Report over 3 boards: ");
    equal(resultPlace(report), "./reports/r-1");
    const cards = job({ kind: "cards", keys: { buckets: "1/2/3/4" }, title: of, is_saved: true });
    equal([jobTitle(cards).text, resultPlace(cards)], [
      "Card buckets 1/2/3/4", "./hands?kind=blueprint&cards=kuhn-a",
    ]);
  },

  "what was measured of whole hands has its unit": () => {
    const measured = (title) => measureText(job({ keys: {}, title, progress: { measure: 0.0125, measured_at: 1 } }));
    equal([measured({ payouts: null }), measured({ payouts: [3, 2] })], ["12.5 mbb", "1.25% of the prizes"]);
  },

  "only what has parts can be saved while it runs": async () => {
    await drawn(Actions, { job: job({ kind: "flops", has_parts: false }) }, (place) => {
      equal(buttons(place), ["Pause", "Stop"]);
    });
  },
  "why a job waits, and what ended it": () => {
    const waiting = (code, more) => whyText(job({ state: "queued", waiting: { code, ...more } }));
    equal(waiting("queue", { ahead: 1 }), "1 run ahead of it in the queue");
    equal(waiting("queue", { ahead: 3 }), "3 runs ahead of it in the queue");
    equal(waiting("running", { running: 2 }), "2 runs in progress, which is the limit");
    equal(waiting("memory", { need_bytes: 5e9, free_bytes: 812 }), "it needs 5.0 GB; 812 bytes is free now");
    equal(waiting("starting"), "it is about to start");
    equal(whyText(job({ stage_code: "walking" })), "walking the rules");
    equal(whyText(job({ stage_code: "walking", stage_done: 12345 })), "walking the rules: 12,345");
    equal(whyText(job({ stage_code: "reviewing", stage_done: 3, stage_total: 40 })), "reviewing hands: 3 of 40");
    equal(whyText(JOB), "");
    equal(whyText(job({ state: "done", stopped_by: "target" })), "target reached");
    equal(whyText(job({ state: "done", stopped_by: "something new" })), "");
    equal(whyText(job({ state: "stopped", stopped_by: "target" })), "");
  },
  "a measure of an earlier iteration says so": () => {
    const ended = (progress) => measureText(job({ state: "interrupted", progress: { ...JOB.progress, ...progress } }));
    equal(ended({}), "0.5, measured at iteration 1,024");
    equal(ended({ measured_at: 1031 }), "0.5");
    equal(measureText(JOB), "0.5"); // whose line keeps its height
    equal(ended({ measured_at: 1031, measure: 0.00123, measure_percent: 0.0123 }), "1.23e-3 (0.0123% of the pot)");
    equal(ended({ measure: null }), "");
    equal([iterationText(JOB), iterationText(job({ progress: null }))], ["1,031", ""]);
    const race = job({ kind: "compare", state: "done" }); // each entry has its own
    equal([iterationText(race), measureText(race)], ["", ""]);
    equal(["NashConv", "EFCE gap", null, "regret"].map(measureName), ["NashConv", "EFCE gap", "Exploitability", "regret"]);
  },
  "the memory of a game is a limit; how old a checkpoint is, and what is left, are told": () => {
    const facts = (changes) => Object.fromEntries(factsOf(job({ memory_bytes: 6.3e9, options: {}, ...changes })));
    const checkpoint = { iteration: 41, age_seconds: 67.2 };
    const run = { progress: { ...JOB.progress, eta_seconds: 95 }, checkpoint, checkpoint_bytes: 766e6 };
    const game = facts(run);
    equal([game["Memory limit"], game.Memory], ["6.3 GB", undefined]);
    equal([facts({ kind: "spot" }).Memory, facts({ kind: "spot" })["Memory limit"]], ["6.3 GB", undefined]);
    equal([game.Checkpoint, game["Time left"]], ["iteration 41, 1:07 ago, 766.0 MB", "about 2 min"]);
    equal(facts({ ...run, state: "paused" })["Time left"], undefined);
    const before = facts({ progress: null, stage_code: "walking", stage_done: 12345 });
    equal([before.State, before.Iteration], ["running: walking the rules: 12,345", undefined]);
  },
  "options are told in words": () => {
    const said = (changes) => Object.fromEntries(factsOf(job({ memory_bytes: 1, ...changes }))).Options;
    equal(said({ kind: "spot", options: { iterations: "2000000", target: "0.3%", seconds: "10m", memory: "5" } }),
      "Max iterations: 2,000,000; Target: 0.3% of the pot; Max time: 10:00");
    equal(said({ options: { algorithm: "dcfr", iterations: "2e6", target: "1e-09", alternating: "false" } }),
      "Algorithm: dcfr; Iterations: 2,000,000; Target: 1e-9 payoff units; Update in turn: no");
    equal(said({ options: { seconds: "90", side_by_side: "true", measure: "efce", target: "0.5c" } }),
      "Time: 1:30; Order: side by side; Measure: extensive-form (EFCE); Target: 0.5 chips");
    const keys = { stack: "20", last_street: "flop", ante_kind: "big-blind", bets: "2.5x, a" };
    equal(said({ kind: "preflop", keys, title: {}, options: { target: "5mbb", flops: "1755" } }),
      "Stack of every seat: 20; Last street with betting: flop; Who posts the ante: the big blind, for all; "
      + "Bets and first raises: 2.5x, a; Target: 5 mbb a hand; Flops: 1,755");
    equal(said({ options: { iterations: "1e99x", unheard_of: "7" } }), "Iterations: 1e99x; unheard of: 7");
  },
  "what can be done goes by the state": async () => {
    const cases = [
      [{}, ["Pause", "Stop", "Save the solution so far"]],
      [{ can_resume: false, progress: null }, ["Pause", "Stop"]],
      [{ has_checkpoints: false }, ["Stop"]],
      [{ has_parts: false }, ["Pause", "Stop"]],
      [{ asked: "stop" }, []],
      [{ state: "queued" }, ["Cancel"]],
      [{ state: "paused" }, ["Resume", "Delete"]],
      [{ state: "interrupted", can_resume: false }, ["Start again", "Delete"]],
      [{ state: "failed" }, ["Resume", "Delete", "Remove the checkpoint"]],
      [{ state: "done", can_resume: false }, ["Delete"]],
    ];
    for (const [changes, expected] of cases) {
      await drawn(Actions, { job: job(changes) }, (place) => equal(buttons(place), expected));
    }
    await drawn(Actions, { job: job({ state: "failed" }), kinds: ["delete"], isListed: true }, (place) => {
      equal(place.querySelector("button").getAttribute("aria-label"), "Delete: Kuhn poker");
      equal(buttons(place), ["Delete"]);
    });
  },
  "nothing is deleted without a question": async () => {
    const asked = [];
    await served((address) => {
      asked.push(address);
      return { deleted: "a" };
    }, () => drawn(Actions, { job: job({ state: "done", can_resume: false }) }, async (place) => {
      for (const [answer, count] of [["Cancel", 0], ["Delete", 1]]) {
        place.querySelector("button").click();
        await settled();
        const dialog = place.querySelector("dialog");
        equal(dialog.open, true);
        [...dialog.querySelectorAll("button")].find((one) => one.textContent.trim() === answer).click();
        await until(() => place.querySelector("dialog") === null);
        await settled();
        equal(asked.length, count);
      }
    }));
  },
  "jobs stand in order, and follow what changes": () => streaming(async () => {
    const Page = {
      setup() {
        const { jobs, counts } = followJobs();
        return () => html`<p>${jobs.value?.map(({ id, state }) => `${id} ${state}`).join()}; ${counts.value?.running}</p>`;
      },
    };
    await drawn(Page, {}, async (place) => {
      const known = [
        job({ id: "d", created: 4, state: "queued" }), job({ id: "c", created: 3, state: "queued" }),
        job({ id: "b", created: 2, state: "done" }), job({ id: "a", created: 1 }),
      ];
      Stream.last.tell("jobs", { whole: true, jobs: known, removed: [], counts: { running: 1 } });
      await settled();
      equal(place.textContent, "a running,c queued,d queued,b done; 1");
      const changed = [job({ id: "a", created: 1, state: "stopped" }), job({ id: "c", created: 3 })];
      Stream.last.tell("jobs", { whole: false, jobs: changed, removed: ["d"], counts: { running: 2 } });
      await settled();
      equal(place.textContent, "c running,b done,a stopped; 2");
      Stream.last.tell("jobs", { whole: true, jobs: [], removed: [], counts: { running: 0 } });
      await settled();
      equal(place.textContent, "; 0");
    });
  }),
  "a site is written by a run, which can be cancelled, and its archive is saved": () => streaming(async () => {
    const [asked, saved] = [[], []];
    const site = (changes) => job({ id: "s", kind: "site", state: "running", site: { archive_bytes: null }, stage_code: "writing", stage_done: 7, ...changes });
    const { click } = HTMLAnchorElement.prototype;
    HTMLAnchorElement.prototype.click = function clicked() { saved.push(this.getAttribute("href")); };
    const answer = (address, { method = "GET", body } = {}) => {
      asked.push([method, address.replace(/^.*api\//, ""), body && JSON.parse(body)]);
      return address.endsWith("/stop") ? site({ asked: "stop" }) : site({});
    };
    try {
      await served(answer, () => drawn(SiteSaving, { games: ["kuhn"] }, async (place) => {
        place.querySelector("button").click();
        await until(() => place.textContent.includes("writing documents: 7"));
        equal(asked[0], ["POST", "site", { games: ["kuhn"], solutions: [] }]);
        equal(buttons(place).map((text) => text.trim()), ["Writing the site…", "Cancel"]);
        place.querySelectorAll("button")[1].click();
        await until(() => asked.some(([method, path]) => method === "POST" && path === "jobs/s/stop"));
        await settled();
        Stream.last.tell("run", { id: "s", whole: true, job: site({ state: "done", stage_code: null, site: { archive_bytes: 5 } }) });
        await until(() => saved.length);
        equal(saved, ["./api/jobs/s/site"]);
        equal(buttons(place).map((text) => text.trim()), ["Save as a site"]);
      }));
    } finally {
      HTMLAnchorElement.prototype.click = click;
    }
  }),
  "a curve goes on, or begins anew": () => streaming(() => served(() => job({ points: [[1, 0, 1]] }), async () => {
    const Page = {
      setup() {
        const { job: followed, isGone } = followJob(() => "a");
        return () => html`<p>${JSON.stringify([followed.value?.points, followed.value?.bands, isGone.value])}</p>`;
      },
    };
    await drawn(Page, {}, async (place) => {
      await settled();
      const tell = async (event) => {
        Stream.last.tell("run", { id: "a", whole: false, ...event });
        await settled();
        return place.textContent;
      };
      equal(place.textContent, "[[[1,0,1]],{},false]");
      const more = job({ points: [[1, 0, 1], [2, 0, 0.5]], bands: { x: [[2, 0, 1, 1, 1]] } });
      equal(await tell({ job: more }), '[[[1,0,1],[2,0,0.5]],{"x":[[2,0,1,1,1]]},false]');
      equal(await tell({ id: "b", job: job({ points: [[9, 0, 1]] }) }), '[[[1,0,1],[2,0,0.5]],{"x":[[2,0,1,1,1]]},false]');
      equal(await tell({ job: job({ points: [[1, 0, 0.75]] }), whole: true }), "[[[1,0,0.75]],{},false]");
      const many = Array.from({ length: 1500 }, (_, k) => [k + 2, 0, 1]);
      const kept = JSON.parse(await tell({ job: job({ points: many }) }))[0];
      equal([kept.length, kept.at(-1)[0]], [751, 1501]);
      equal((await tell({ job: null, whole: true })).endsWith(",true]"), true);
    });
  })),
};
