// The trainer: what a session is to ask, the sessions so far, and spots to solve for it.
import { place, word } from "../core/address.js";
import { html, onMounted, reactive, ref, shallowRef, watch } from "../core/html.js";
import { moment } from "../core/numbers.js";
import { get, Refusal, send } from "../core/source.js";
import { t } from "../core/texts.js";
import { keep, kept } from "../core/theme.js";
import { Question } from "../parts/dialog.js";
import { ready, show } from "../parts/frame.js";
import { followJobs } from "../parts/jobs.js";
import { Notice } from "../parts/notice.js";
import { Examples, nextOnes } from "./trainer/examples.js";
import { FIRST_FORM, requestOf } from "./trainer/fitting.js";
import { SessionForm } from "./trainer/form.js";
import { sessionTable } from "./trainer/sessions.js";

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
    const [overview, examples, error] = [shallowRef(null), shallowRef(null), shallowRef(null)];
    const [isBusy, isAll] = [ref(false), ref(false)];
    const deleted = shallowRef(null); // the session of which it is asked whether to delete it
    const form = reactive(lastForm());
    const { jobs } = followJobs();

    async function attempt(act) {
      [isBusy.value, error.value] = [true, null];
      try {
        await act();
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
        isAll.value = false;
      }
      isBusy.value = false;
    }

    async function load() {
      const [found, listed] = await Promise.all([get("trainer"), get("examples")]);
      [overview.value, examples.value] = [found, listed.examples];
    }

    async function solve(name) {
      await send("POST", `examples/${word(name)}`);
    }

    // Solve what is next while all examples are wanted.
    async function goOn() {
      const names = isAll.value ? nextOnes(examples.value) : [];
      for (const name of names) await solve(name);
      if (names.length) await load();
      if (examples.value.every(({ solution }) => solution)) isAll.value = false;
    }

    const begin = () => attempt(async () => {
      const request = requestOf(form);
      keep("trainer", JSON.stringify(form));
      const { id } = await send("POST", "trainer/sessions", request);
      location.assign(place(`trainer/${word(id)}`));
      await new Promise(() => {}); // it can be started once
    });

    async function remove(yes) {
      const { id } = deleted.value;
      deleted.value = null;
      if (yes) await attempt(async () => {
        await send("DELETE", `trainer/sessions/${word(id)}`);
        await load();
      });
    }

    const changed = () => (jobs.value ?? []).map(({ id, state, is_saved: saved }) => [id, state, saved]).join();
    watch(changed, () => overview.value && attempt(async () => {
      await load();
      await goOn();
    }));

    onMounted(async () => {
      await attempt(load);
      ready();
    });

    const body = () => html`
      <${SessionForm} form=${form} solutions=${overview.value.solutions} examples=${examples.value}
        isBusy=${isBusy.value} onChange=${(given) => Object.assign(form, given)} onStart=${begin} />
      ${overview.value.sessions.length > 0 && sessionTable(overview.value.sessions, (one) => (deleted.value = one))}
      <${Examples} examples=${examples.value} isBusy=${isBusy.value} isAll=${isAll.value}
        onSolve=${(name) => attempt(async () => { await solve(name); await load(); })}
        onAll=${() => { isAll.value = true; attempt(goOn); }} />`;

    return () => html`
      <p>${t("trainer.about")}</p>
      ${error.value && html`<${Notice} error=${error.value} />`}
      ${overview.value && body()}
      ${deleted.value && html`
        <${Question} question=${t("trainer.session.delete", { when: moment(deleted.value.created) })}
          note=${t("trainer.session.delete.note")} action=${t("trainer.delete")} onAnswer=${remove} />`}`;
  },
};

show(Trainer, "play", t("trainer"));
