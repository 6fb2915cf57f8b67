// The trainer: what a session is to ask, the sessions so far, and spots to solve for it.
import { place, word } from "../core/address.js";
import { html, onMounted, reactive, ref, shallowRef } from "../core/html.js";
import { moment } from "../core/numbers.js";
import { get, Refusal, send } from "../core/source.js";
import { t } from "../core/texts.js";
import { keep, kept } from "../core/theme.js";
import { Question } from "../parts/dialog.js";
import { Examples, followExamples } from "../parts/examples.js";
import { ready, show } from "../parts/frame.js";
import { followJobs } from "../parts/jobs.js";
import { Notice } from "../parts/notice.js";
import { FIRST_FORM, requestOf } from "./trainer/fitting.js";
import { RandomFlops } from "./trainer/flops.js";
import { SessionForm } from "./trainer/form.js";
import { sessionTable } from "./trainer/sessions.js";

const FEW = 10; // sessions that are listed at first

// The form as it was sent last in this browser.
function lastForm() {
  try {
    const found = JSON.parse(kept("trainer", "{}"));
    const known = Object.entries(found).filter(([name, value]) => typeof value === typeof FIRST_FORM[name]);
    return { ...FIRST_FORM, ...Object.fromEntries(known), solutions: [] };
  } catch {
    return { ...FIRST_FORM };
  }
}

const Trainer = {
  setup() {
    const [overview, error] = [shallowRef(null), shallowRef(null)];
    const [isBusy, begun] = [ref(false), ref(0)];
    const most = ref(FEW);
    const deleted = shallowRef(null); // the session of which it is asked whether to delete it
    const form = reactive(lastForm());
    const { jobs } = followJobs();
    const found = followExamples(jobs, () => attempt(load));

    async function attempt(act) {
      [isBusy.value, error.value] = [true, null];
      try {
        await act();
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
      isBusy.value = false;
    }

    async function load() {
      overview.value = await get("trainer");
    }

    const begin = () => attempt(async () => {
      const request = requestOf(form);
      keep("trainer", JSON.stringify(form));
      const { id } = await send("POST", "trainer/sessions", request);
      location.assign(place(`trainer/${word(id)}`));
      await new Promise(() => {}); // it can be started once
    });

    const solveFlops = (name, count) => attempt(async () => {
      const { jobs: started } = await send("POST", `examples/${word(name)}/flops`, { count });
      begun.value = started.length;
    });

    async function remove(yes) {
      const { id } = deleted.value;
      deleted.value = null;
      if (yes) await attempt(async () => {
        await send("DELETE", `trainer/sessions/${word(id)}`);
        await load();
      });
    }

    onMounted(async () => {
      await attempt(() => Promise.all([load(), found.load()]));
      ready();
    });

    const sessions = () => sessionTable(
      overview.value.sessions, most.value, (one) => (deleted.value = one), () => (most.value = Infinity),
    );

    const body = () => html`
      <${SessionForm} form=${form} solutions=${overview.value.solutions} examples=${found.examples.value}
        isBusy=${isBusy.value} onChange=${(given) => Object.assign(form, given)} onStart=${begin} />
      ${overview.value.sessions.length > 0 && sessions()}
      <${RandomFlops} examples=${found.examples.value} isBusy=${isBusy.value} begun=${begun.value}
        onSolve=${solveFlops} />
      <${Examples} found=${found} kinds=${["spot"]}
        isOpen=${overview.value.solutions.every(({ spr }) => spr === null)} />`;

    return () => html`
      <p>${t("trainer.about")}</p>
      ${error.value && html`<${Notice} error=${error.value} />`}
      ${overview.value && found.examples.value && body()}
      ${deleted.value && html`
        <${Question} question=${t("trainer.session.delete", { when: moment(deleted.value.created) })}
          note=${t("trainer.session.delete.note")} action=${t("trainer.delete")} onAnswer=${remove} />`}`;
  },
};

show(Trainer, "play", t("trainer"));
