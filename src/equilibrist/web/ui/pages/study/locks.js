// Locks at the node: which hands, how often they do what; then the spot is solved again.
import { place, word } from "../../core/address.js";
import { computed, html, reactive, ref } from "../../core/html.js";
import { Refusal } from "../../core/source.js";
import { hasText, t } from "../../core/texts.js";
import { percent } from "../../poker/amounts.js";
import { CLASS, CLASS_NAMES } from "../../poker/cards.js";
import { actionColour } from "../../poker/colours.js";
import { rangeText } from "../../poker/figures.js";
import { followed } from "../../poker/shares.js";
import { followJob } from "../../parts/jobs.js";
import { Notice } from "../../parts/notice.js";

const LONGEST = 160;
const shortened = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 3)}…` : text);

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

export const Locks = {
  props: { store: Object },
  setup({ store }) {
    const { node, nodes, focus, masks, totals, isFiltered, nameOf, seat } = store;
    const dialog = ref(null);
    const locks = ref([]);
    const before = ref([]);
    const shown = ref({});
    const isBusy = ref(false);
    const problem = ref(null);
    const lacking = ref(""); // the action that has no share
    const run = ref(""); // the id of the new solve
    const { job } = followJob(() => run.value);
    const form = reactive({ what: "all", hands: "", every: false, shares: [], on: [], touched: [] });
    const actions = computed(() => node.value.actions);
    const hasCards = computed(() => /\|[2-9TJQKA][cdhs]/.test(node.value.line));
    const isChanged = computed(() => locks.value.join("\n") !== before.value.join("\n"));
    const textOf = (lock) => shown.value[lock] ?? lock;
    let isLoaded = false;

    async function attempt(work) {
      [problem.value, lacking.value, isBusy.value] = [null, "", true];
      try {
        await work();
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        problem.value = refusal;
      } finally {
        isBusy.value = false;
      }
    }
    async function open() {
      fill();
      dialog.value.showModal();
      if (isLoaded) return;
      await attempt(async () => {
        const found = await nodes.ask("lock", store.query());
        if (!isLoaded) [locks.value, before.value] = [[...found.locks], found.locks];
        Object.assign(shown.value, found.shown);
        isLoaded = true;
      });
    }
    // The hands that are looked at, and what they do now.
    function fill() {
      const at = focus.pinned;
      const who = node.value.player;
      const hands = node.value.hands[who];
      const mask = masks.value[who].map((one, k) => one && (at === null || CLASS[hands.combos[k]] === at));
      const isNarrowed = at !== null || isFiltered.value;
      const whole = { ...hands, weight: hands.weight.map(() => 1) };
      form.what = isNarrowed ? "hands" : "all";
      form.hands = at !== null && !isFiltered.value ? CLASS_NAMES[at] : isNarrowed ? rangeText(whole, mask) : "";
      const found = totals.value[who].frequency;
      const shares = actions.value.map((_, a) => Number((100 * (found[a] ?? 1 / actions.value.length)).toFixed(1)));
      [form.on, form.touched, form.shares] = [actions.value.map(() => true), [], followed(shares, [], 0)];
    }
    // What was set stays; the others follow, as long as all are locked.
    function set(a, value) {
      form.shares[a] = value === "" ? Number.NaN : Number(value);
    }
    function balance(a) {
      if (form.on.every((on) => on)) form.shares = followed(form.shares, form.touched, a);
      if (!form.touched.includes(a)) form.touched.push(a);
    }
    const line = () =>
      (form.every ? node.value.line.replaceAll(/\|[2-9TJQKA][cdhs](\||$)/g, "|") : node.value.line);
    async function newLock() {
      if (form.what === "same") return (await nodes.ask("lock", store.query())).lock;
      const locked = actions.value.map(({ name }, a) => ({ name, share: form.shares[a], on: form.on[a] }));
      const shares = locked.filter(({ on }) => on).map(({ name, share }) => `${name} ${share}%`).join(", ");
      const hands = { all: "", hands: `${form.hands.trim().replace(/,$/, "")} = `, frequency: "frequency = " };
      return `${line()}: ${hands[form.what]}${shares}`;
    }
    function add() {
      const empty = actions.value.find((_, a) => form.on[a] && !Number.isFinite(form.shares[a]));
      if (empty && form.what !== "same") {
        [problem.value, lacking.value] = [null, nameOf(empty)];
        return;
      }
      attempt(async () => {
        const wanted = [...locks.value, await newLock()];
        const found = await nodes.send("locks", { locks: wanted });
        locks.value = found.locks;
        Object.assign(shown.value, found.shown);
      });
    }
    const remove = (k) => (locks.value = locks.value.filter((_, at) => at !== k));
    const solve = () => attempt(async () => {
      run.value = (await nodes.send("resolve", { locks: locks.value })).id;
    });

    const what = (value) => html`
      <label key=${value}>
        <input type="radio" name="what" value=${value} checked=${form.what === value}
          onChange=${() => (form.what = value)} /> ${t(`lock.what.${value}`)}
      </label>`;
    const slider = (action, a) => html`
      <label class="eqs-lock-on" key=${`on ${action.code}`}>
        <input type="checkbox" checked=${form.on[a]} aria-label=${t("lock.on", { action: nameOf(action) })}
          onChange=${(event) => (form.on[a] = event.target.checked)} />
        <i class="eqs-dot" style=${{ background: actionColour(action) }}></i>${nameOf(action)}
      </label>
      <input key=${`by ${action.code}`} type="range" min="0" max="100" step="1" value=${form.shares[a]}
        disabled=${!form.on[a]} aria-label=${t("lock.slider", { action: nameOf(action) })}
        onInput=${(event) => { set(a, event.target.value); balance(a); }} />
      <span class="eqs-lock-share" key=${`share ${action.code}`}>
        <input class="eq-field" type="number" min="0" max="100" step="any" disabled=${!form.on[a]}
          value=${Number.isFinite(form.shares[a]) ? form.shares[a] : ""}
          aria-label=${t("lock.share", { action: nameOf(action) })}
          aria-invalid=${lacking.value === nameOf(action) ? "true" : null}
          onInput=${(event) => set(a, event.target.value)} onChange=${() => balance(a)} />${"%"}
      </span>`;
    function note() {
      const sum = form.shares.reduce((all, share, a) => all + (form.on[a] ? Number(share) || 0 : 0), 0);
      const total = Number(sum.toFixed(4));
      const n = form.on.filter((on) => !on).length;
      return n ? t("lock.free", { total, n }) : t("lock.whole", { total });
    }
    function outcome() {
      const { id, state, is_saved: isSaved, solution } = job.value;
      const found = place(`study/${word(solution)}`, { line: node.value.line, versus: nodes.name });
      return html`
        <p role="status" class="eqs-job">
          ${told(job.value)}
          ${(state === "done" || isSaved) && html` <a href=${found}>${t("lock.result")}</a>`}
          ${" "}<a href=${place(`runs/${word(id)}`)}>${t("lock.run")}</a>
        </p>`;
    }
    const list = () => html`
      <h3>${t("lock.list")}</h3>
      <ul class="eqs-locks">
        ${locks.value.map((lock, k) => html`
          <li key=${lock}>
            <code translate="no">${shortened(textOf(lock))}</code>
            <button type="button" class="eq-button" aria-label=${t("lock.remove.one", { number: k + 1 })}
              onClick=${() => remove(k)}>${t("lock.remove")}</button>
          </li>`)}
      </ul>
      ${locks.value.length === 0 && html`<p class="eq-muted">${t("lock.none")}</p>`}`;
    const body = () => html`
      <div class="eqs-dialog-body">
        <h2 id="eqs-lock-title">${t("lock.title", { seat: seat(node.value.player) })}</h2>
        <p class="eq-muted">
          ${node.value.line ? t("lock.after", { line: node.value.line }) : t("lock.root")} ${t("lock.about")}
        </p>
        <fieldset>
          <legend>${t("lock.for")}</legend>
          ${["all", "hands", "frequency", "same"].map(what)}
        </fieldset>
        ${form.what === "hands" && html`
          <label class="eqs-lock-hands">${t("lock.hands")}
            <input class="eq-field" value=${form.hands} spellcheck="false"
              onInput=${(event) => (form.hands = event.target.value)} />
          </label>`}
        ${hasCards.value && form.what !== "same" && html`
          <label>
            <input type="checkbox" checked=${form.every} onChange=${(event) => (form.every = event.target.checked)} />
            ${t("lock.every")}
          </label>`}
        ${form.what !== "same" && html`
          <div class="eqs-sliders">${actions.value.map(slider).reverse()}</div><p class="eq-muted">${note()}</p>`}
        <div class="eqs-buttons">
          <button type="button" class="eq-button" disabled=${isBusy.value} onClick=${add}>${t("lock.add")}</button>
        </div>
        ${problem.value && html`<${Notice} error=${problem.value} otherwise=${"lock.refused"} />`}
        ${lacking.value && html`<p role="alert" class="eq-error">${t("lock.lacking", { action: lacking.value })}</p>`}
        ${list()}
        ${job.value && outcome()}
        <div class="eqs-buttons">
          <button type="button" class="eq-button eq-primary" disabled=${isBusy.value || !isChanged.value}
            onClick=${solve}>${t("lock.solve")}</button>
          <button type="button" class="eq-button" onClick=${() => dialog.value.close()}>${t("lock.close")}</button>
        </div>
      </div>`;
    return () => html`
      <button type="button" class="eq-button" onClick=${open}>
        ${t("lock")}${locks.value.length > 0 && html`<span class="eqs-badge">${locks.value.length}</span>`}
      </button>
      <dialog ref=${dialog} class="eqs-dialog" aria-labelledby="eqs-lock-title">${body()}</dialog>`;
  },
};
