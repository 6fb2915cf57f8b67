// What can be done with a job, as far as its state and the visitor's rights allow, and its buttons.
import { word } from "../core/address.js";
import { html, ref, shallowRef } from "../core/html.js";
import { get, isOwner, Refusal, send } from "../core/source.js";
import { count } from "../core/numbers.js";
import { t } from "../core/texts.js";
import { Question } from "./dialog.js";
import { jobTitle } from "./job_texts.js";
import { isActive } from "./jobs.js";
import { Notice } from "./notice.js";

const RESUMABLE = ["paused", "stopped", "interrupted", "failed"];
const ENDED = ["done", "stopped", "failed"];
const ASKED = ["delete", "forget"]; // what is done after a question
const MAIN = ["resume", "again"];

// The actions that a job offers, in the order of their buttons.
function offered(job) {
  if (!isOwner || job.asked) return [];
  const { state, can_resume: canResume, has_checkpoints: saves, has_parts: hasParts } = job;
  const isRunning = state === "running";
  return [
    isRunning && saves && "pause",
    isRunning && "stop",
    isRunning && saves && hasParts && (canResume || job.progress) && "save",
    state === "queued" && "cancel",
    RESUMABLE.includes(state) && (canResume ? "resume" : "again"),
    !isActive(job) && "delete",
    ENDED.includes(state) && canResume && "forget",
  ].filter(Boolean);
}

// The iterations of the solution that was saved; empty where it has none.
async function savedAt({ solution }) {
  return count((await get(`solutions/${word(solution)}`).catch(() => ({}))).iterations);
}

const DO = {
  pause: (path) => send("POST", `${path}/pause`),
  stop: (path) => send("POST", `${path}/stop`),
  cancel: (path) => send("POST", `${path}/stop`),
  save: (path) => send("POST", `${path}/save`),
  resume: (path) => send("POST", `${path}/resume`),
  again: (path) => send("POST", `${path}/resume`),
  delete: (path) => send("DELETE", path),
  forget: (path) => send("DELETE", `${path}/checkpoint`),
};

// The buttons of a job, of these `kinds` if any are given; in a list each names its job, too. `done` tells
// the document of the answer, and what was done.
export const Actions = {
  props: { job: Object, kinds: Array, isListed: Boolean },
  emits: ["done"],
  setup(props, { emit }) {
    const [asking, busy, told] = [ref(""), ref(""), ref("")];
    const error = shallowRef(null);

    async function act(what) {
      const { job } = props;
      [busy.value, error.value, told.value] = [what, null, what === "save" ? t("job.saving") : ""];
      try {
        const found = await DO[what](`jobs/${word(job.id)}`);
        if (what === "save") told.value = await savedText(found);
        emit("done", found, what);
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        [error.value, told.value] = [refusal, ""];
      }
      busy.value = "";
    }

    async function savedText(job) {
      const iteration = await savedAt(job);
      const how = job.state === "running" ? "goes-on" : "ended";
      return iteration ? t(`job.saved.${how}.at`, { iteration }) : t(`job.saved.${how}`);
    }

    function answer(isMeant) {
      const what = asking.value;
      asking.value = "";
      if (isMeant) act(what);
    }

    const button = (what) => html`
      <button key=${what} class=${["eq-button", { "eq-primary": !props.isListed && MAIN.includes(what) }]} type="button"
        disabled=${busy.value !== ""} aria-label=${named(what)} title=${named(what)}
        onClick=${() => (ASKED.includes(what) ? (asking.value = what) : act(what))}>${t(`job.do.${what}`)}</button>`;
    const named = (what) =>
      props.isListed ? t("job.do-with", { what: t(`job.do.${what}`), job: jobTitle(props.job).text }) : null;

    return () => html`
      ${offered(props.job).filter((what) => props.kinds?.includes(what) ?? true).map(button)}
      ${told.value && html`<span class="eq-small eq-muted" role="status">${told.value}</span>`}
      ${error.value && html`<${Notice} error=${error.value} />`}
      ${asking.value && html`
        <${Question} question=${t(`job.ask.${asking.value}`)} note=${t(`job.ask.${asking.value}.note`)}
          action=${t(`job.ask.${asking.value}.yes`)} onAnswer=${answer} />`}`;
  },
};
