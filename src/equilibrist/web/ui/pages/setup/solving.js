// How the spot is solved, what that takes, and the button that starts it.
import { go, word } from "../../core/address.js";
import { html, nextTick, onBeforeUnmount, ref, shallowRef, watch } from "../../core/html.js";
import { onKeys } from "../../core/keys.js";
import { bytes, count, percent, roughly } from "../../core/numbers.js";
import { isOwner, lines, Refusal, send } from "../../core/source.js";
import { t } from "../../core/texts.js";
import { Notice } from "../../parts/notice.js";
import { Undoing } from "../../parts/undoing.js";
import { faultText } from "./faults.js";
import { choiceField, idOf, SpotField, wordsOf } from "./field.js";

const STORAGES = ["float32", "int16", "float64"];
const RUN = ["target", "iterations", "seconds", "threads"];
const PERTURBED = ["tremble", "quantal"];
const WHOLE = ["iterations", "threads"];
const TOO_LARGE = "MemoryBudgetError"; // of a tree, which is not even counted
const MOST = 8; // changes that are shown where a spot does not fit

// Look for changes that make the spot fit, from each answer of the server on: {found, end, isSought}.
export function openFitting(store) {
  const [found, end, isSought] = [shallowRef([]), shallowRef(null), ref(false)];
  let aborting = null;

  async function search({ form }) {
    aborting = new AbortController();
    const { signal } = aborting;
    isSought.value = true;
    function hear(line) {
      if (signal.aborted) return;
      if (line.end) end.value = { end: line.end, error: line.end === "error" ? new Refusal(line, 0) : null };
      else if (found.value.length < MOST) found.value = [...found.value, line];
      if (found.value.length >= MOST) aborting.abort();
    }
    try {
      await lines("setup/fitting", { form }, hear, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refusal)) throw error;
      end.value = { end: "error", error };
    } finally {
      if (aborting?.signal === signal) isSought.value = false;
    }
  }
  watch(store.checked, (now) => {
    aborting?.abort();
    [found.value, end.value, isSought.value, aborting] = [[], null, false, null];
    if (now.estimate && !now.estimate.fits && now.form.players === "2") search(now);
  });
  onBeforeUnmount(() => aborting?.abort());
  return { found, end, isSought };
}

// A change that makes a spot smaller; that of one player has a text of its own.
function stepText({ code, seat, size, street, figure }) {
  const values = { n: figure, share: percent(figure ?? 0), size, street: street && t(`street.${street}`) };
  return t(seat ? `spot.fit.step.${code}.${seat}` : `spot.fit.step.${code}`, values);
}

// The options of the run, and what would make a spot fit that needs too much.
export const Solving = {
  props: { store: Object, fitting: Object },
  setup({ store, fitting }) {
    const isOfGains = (name) => name === "target" && store.isOfThree.value;
    const helpOf = (name) => t(isOfGains(name) ? "spot.help.target.three" : `spot.help.${name}`);
    const field = (name) => html`
      <${SpotField} key=${name} store=${store} name=${name} label=${wordsOf(name)} help=${helpOf(name)}
        placeholder=${t(`spot.default.${name}`)} isNumber=${WHOLE.includes(name)} />`;
    const storages = STORAGES.map((name) => [name, t(`spot.storage.${name}`)]);

    const reduction = ({ reduction: { steps, num_bytes: size }, form }, k) => html`
      <button class="eq-button su-fit" type="button" key=${k} onClick=${() => store.replace(form)}>
        ${steps.map(stepText).join(", ")}: ${bytes(size)}
      </button>`;
    function outcome() {
      const { found, end, isSought } = fitting;
      if (isSought.value) return html`<p class="eq-muted">${t("spot.fit.searching")}</p>`;
      if (end.value?.error) return html`<${Notice} error=${end.value.error} otherwise=${"spot.fit.failed"} />`;
      return !found.value.length && (end.value || store.isOfThree.value) && html`<p>${t("spot.fit.none")}</p>`;
    }
    function fits() {
      const estimate = store.checked.value?.estimate;
      if (!estimate || estimate.fits) return null;
      return html`
        <h3>${t("spot.fit")}</h3>
        <p class="eq-error">${t("spot.fit.not", { limit: bytes(estimate.limit_bytes) })}</p>
        ${fitting.found.value.map(reduction)}${outcome()}`;
    }
    return () => html`
      <section class="eq-panel eq-stack" id="solve" aria-label=${t("spot.solve")}>
        <h2>${t("spot.solve")}</h2>
        <div class="su-fields">
          ${RUN.filter(store.has).map(field)}
          ${store.has("storage") && choiceField(store, "storage", wordsOf("storage"), storages)}
          <${SpotField} store=${store} name="algorithm" label=${wordsOf("algorithm")} help=${t("spot.help.algorithm")}
            placeholder=${t("spot.default.algorithm")} />
          ${PERTURBED.filter(store.has).map(field)}
        </div>
        <div class="eq-stack su-fits" aria-live="polite">${fits()}</div>
      </section>`;
  },
};

// What is always in sight: what the spot needs, steps back and forward, and Solve.
export const Bar = {
  props: { store: Object },
  setup({ store }) {
    const [isBusy, error] = [ref(false), shallowRef(null)];
    watch(store.form, () => (error.value = null));

    // Go to the first field in which something is wrong.
    async function toFault() {
      await nextTick();
      const field = document.querySelector("#content [aria-invalid=true]");
      const details = field?.closest("details");
      if (details) details.open = true;
      field?.focus();
      field?.scrollIntoView({ block: "center" });
    }

    async function solve() {
      [isBusy.value, error.value] = [true, null];
      try {
        const toml = await store.spot();
        const { checked: { value: checked }, form: { value: form } } = store;
        if (toml === null || checked.errors.length) await toFault();
        else {
          const names = Object.keys(store.kinds).filter((name) => store.kinds[name] === "run" && store.has(name));
          const options = Object.fromEntries(names.map((name) => [name, form[name].trim()]).filter(([, text]) => text));
          const { id } = await send("POST", "jobs", { spot: { toml }, options });
          go(`runs/${word(id)}`);
          await new Promise(() => {}); // it is started once
        }
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
      isBusy.value = false;
    }

    if (isOwner) onKeys({ "Ctrl+enter": () => !isBusy.value && solve() });

    const fact = (name, value) => html`<div key=${name}><dt>${t(`spot.fact.${name}`)}</dt><dd>${value}</dd></div>`;
    // Of three players there are no storages, and decisions of each.
    function estimate({ memory_bytes: memory, storage, target, hands, action_nodes: nodes, decisions, ...run }) {
      const time = { time: roughly(run.seconds + (run.folded_seconds ?? 0)), target };
      const [oop, ip] = [count(hands[0]), count(hands.at(-1))];
      const held = hands.length === 2
        ? t("spot.hands", { oop, ip })
        : t("spot.hands.three", { oop, middle: count(hands[1]), ip });
      return html`
        <dl class="su-facts">
          ${fact("memory", t("spot.memory", { size: bytes(storage ? memory[storage] : memory) }))}
          ${fact("time", t("spot.time", time))}
          ${fact("hands", held)}
          ${fact("decisions", count(nodes ?? decisions.reduce((sum, own) => sum + own, 0)))}
        </dl>`;
    }

    const notice = ({ kind, option, text }, otherwise) =>
      html`<${Notice} error=${{ kind, option, sentence: text }} otherwise=${otherwise} />`;
    // What is wrong with no single field.
    function wholeNote(fault) {
      const text = faultText(fault, null, null);
      return text ? html`<p class="eq-error">${text}</p>` : notice(fault, "spot.fault.whole");
    }
    const toField = (name) => html`
      <a key=${name} href=${`#${idOf(name)}`}>${wordsOf(name)}</a>`;
    // What is still to be given, until something that is there is wrong.
    function lacking(faults) {
      const empty = faults.filter((name) => store.form.value[name] === "");
      if (empty.length === faults.length && !store.isAsked.value) {
        return html`<p>${t("spot.lacking")}${" "}${empty.map((name, k) => html`${k > 0 && ", "}${toField(name)}`)}</p>`;
      }
      return html`
        <p class="eq-error">
          ${t("spot.faults", { n: faults.length })}${" "}
          <button class="eqg-link" type="button" onClick=${() => { store.isAsked.value = true; toFault(); }}>
            ${t("spot.faults.show")}
          </button>
        </p>`;
    }
    function state() {
      const { problem, checked } = store;
      if (error.value) return html`<${Notice} error=${error.value} />`;
      if (problem.value) return html`<${Notice} error=${problem.value} />`;
      if (!checked.value) return html`<p class="eq-muted">${t("spot.estimating")}</p>`;
      const { errors, estimate: found, estimate_error: unknown } = checked.value;
      const whole = errors.find(({ field }) => field === "");
      if (whole) return wholeNote(whole);
      if (errors.length) return lacking([...new Set(errors.map(({ field }) => field))]);
      if (unknown) return notice(unknown, unknown.kind === TOO_LARGE ? "spot.unknown.large" : "spot.unknown");
      return html`
        ${found && estimate(found)}
        ${found && !found.fits && html`
          <p class="eq-error">${t("spot.fit.short")}${" "}<a href="#solve">${t("spot.fit.see")}</a></p>`}`;
    }

    return () => html`
      <div class="su-bar" role="region" aria-label=${t("spot.bar")}>
        <div class="su-said" aria-live="polite">${state()}</div>
        <div class="eq-row su-buttons">
          <${Undoing} history=${store.history} />
          ${isOwner
            ? html`
              <button class="eq-button eq-primary" type="button" disabled=${isBusy.value} onClick=${solve}
                title=${t("spot.solve.key")}>
                ${t("spot.solve")}
              </button>`
            : html`<span class="eq-small">${t("spot.guests")}</span>`}
        </div>
      </div>`;
  },
};
