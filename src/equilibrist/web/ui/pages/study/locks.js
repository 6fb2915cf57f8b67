// Locks at the node: which hands, how often they do what; then the spot is solved again.
import { computed, html, reactive, ref } from "../../core/html.js";
import { t } from "../../core/texts.js";
import { CLASS, CLASS_NAMES } from "../../poker/cards.js";
import { rangeText } from "../../poker/figures.js";
import { Notice } from "../../parts/notice.js";
import { Undoing } from "../../parts/undoing.js";
import { Outcome } from "./resolving.js";
import { evenShares, lackingOf, Shares } from "./shares.js";

const LONGEST = 160;
const shortened = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 3)}…` : text);

// `relocking` has all locks, and solves.
export const Locks = {
  props: { store: Object, relocking: Object },
  setup({ store, relocking }) {
    const { node, nodes, focus, masks, totals, isFiltered, nameOf, seat } = store;
    const { locks, shown, isBusy, problem, job, isChanged, attempt } = relocking;
    const dialog = ref(null);
    const lacking = ref(""); // the action that has no share
    const form = reactive({ what: "all", hands: "", every: false, shares: [], on: [], touched: [] });
    const actions = computed(() => node.value.actions);
    const hasCards = computed(() => /\|[2-9TJQKA][cdhs]/.test(node.value.line));
    const textOf = (lock) => shown.value[lock] ?? lock;

    async function open() {
      fill();
      dialog.value.showModal();
      await attempt(relocking.load);
    }
    function paint() {
      dialog.value.close();
      store.painting.begin();
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
      Object.assign(form, evenShares(shares));
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
      const empty = lackingOf(form, actions.value);
      problem.value = null;
      lacking.value = empty && form.what !== "same" ? nameOf(empty) : "";
      if (!lacking.value) attempt(async () => relocking.check([...locks.value, await newLock()]));
    }
    const solve = () => attempt(relocking.solve);

    const what = (value) => html`
      <label key=${value}>
        <input type="radio" name="what" value=${value} checked=${form.what === value}
          onChange=${() => (form.what = value)} /> ${t(`lock.what.${value}`)}
      </label>`;
    const list = () => html`
      <h3>${t("lock.list")}</h3>
      <ul class="eqs-locks">
        ${locks.value.map((lock, k) => html`
          <li key=${lock}>
            <code translate="no">${shortened(textOf(lock))}</code>
            <button type="button" class="eq-button" aria-label=${t("lock.remove.one", { number: k + 1 })}
              onClick=${() => relocking.remove(k)}>${t("lock.remove")}</button>
          </li>`)}
      </ul>
      ${locks.value.length === 0 && html`<p class="eq-muted">${t("lock.none")}</p>`}
      <div class="eqs-buttons"><${Undoing} history=${relocking.history} /></div>`;
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
          <${Shares} form=${form} actions=${actions.value} nameOf=${nameOf} lacking=${lacking.value} />`}
        <div class="eqs-buttons">
          <button type="button" class="eq-button" disabled=${isBusy.value} onClick=${add}>${t("lock.add")}</button>
          <button type="button" class="eq-button" onClick=${paint}>${t("lock.paint")}</button>
        </div>
        ${problem.value && html`<${Notice} error=${problem.value} otherwise=${"lock.refused"} />`}
        ${lacking.value && html`<p role="alert" class="eq-error">${t("lock.lacking", { action: lacking.value })}</p>`}
        ${list()}
        ${job.value && html`<${Outcome} store=${store} job=${job.value} />`}
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
