// The study page: one place of the tree, and everything about the hands there.
import { onReturn, place, said, topic, word } from "../core/address.js";
import { html, onMounted, ref, shallowRef } from "../core/html.js";
import { onKeys } from "../core/keys.js";
import { count } from "../core/numbers.js";
import { can, get, holds, isOwner, Refusal } from "../core/source.js";
import { t } from "../core/texts.js";
import { setBlind, setUnit, unit, UNITS } from "../poker/amounts.js";
import { titleText } from "../poker/titles.js";
import { measureOf, runStateText } from "../parts/entry_texts.js";
import { ready, show } from "../parts/frame.js";
import { Notice } from "../parts/notice.js";
import { Tabs } from "../parts/tabs.js";
import { Breakdown } from "./study/breakdown.js";
import { BothPlayers, OldAndNew } from "./study/compare.js";
import { Downloads } from "./study/downloads.js";
import { Graphs } from "./study/graphs.js";
import { Hands } from "./study/hands.js";
import { Live } from "./study/live.js";
import { Locks } from "./study/locks.js";
import { openLocks } from "./study/resolving.js";
import { Runouts } from "./study/runouts.js";
import { createStore, resolvedTo } from "./study/store.js";
import { Facts, Strip } from "./study/strip.js";
import { Guarantee, offPath, Seats } from "./study/three.js";
import { Tools } from "./study/tools.js";

const TOOLS = {
  graphs: ["player"],
  breakdown: ["player"],
  compare: ["display", "metric", "heights", "suits"],
  other: ["player", "display", "metric", "heights", "suits"],
};
const OVER = [404, 409]; // what a run answers that does not run any more
const title = ref(topic());

// Chips, big blinds or percent of the pot.
function units() {
  return html`
    <label class="eqs-unit">${t("unit")}
      <select class="eq-field" value=${unit.name} onChange=${(event) => setUnit(event.target.value)}>
        ${UNITS.map((name) => html`<option value=${name}>${t(`unit.${name}`)}</option>`)}
      </select>
    </label>
    ${unit.name === "blinds" && html`
      <label class="eqs-unit">${t("unit.blind")}
        <input class="eq-field" inputmode="decimal" size="5" value=${unit.blind ?? ""}
          onChange=${(event) => setBlind(event.target.value)} />
      </label>`}`;
}

// That the solution is not the last of its run, which goes on.
function behind({ run, iterations }) {
  const state = runStateText(run);
  const values = { iterations: count(iterations), state, now: count(run.iteration) };
  return t(run.iteration === null || run.iteration === iterations ? "explore.behind" : "explore.behind.now", values);
}

// Of three players what lies at the node, who has what, and what was measured.
const placeOfThree = (store) => html`
  <div class="eqs-place">
    <div class="eq-stack">
      <${Facts} store=${store} resolved=${null} />${offPath(store)}<${Guarantee} solution=${store.solution} />
    </div>
    <${Seats} store=${store} />
  </div>`;

// A node, once the first one is there.
const Node = {
  props: { store: Object, other: Object },
  setup(props) {
    const { store, other } = props;
    const { node, state, view } = store;
    const relocking = isOwner && !store.run && !store.isOfThree ? openLocks(store) : null;

    function views() {
      const found = store.isOfThree ? ["hands", "breakdown"] : ["hands", "breakdown", "graphs", "compare"];
      if (node.value.deals_a_card) found.push("runouts");
      return other ? [...found, "other"] : found;
    }
    function shown() {
      if (node.value.deals_a_card && view.tab === "hands") return "runouts";
      return views().includes(view.tab) ? view.tab : "hands";
    }
    function viewName(name) {
      if (name !== "runouts") return t(`study.view.${name}`);
      return t(node.value.street === "flop" ? "street.turn" : "street.river");
    }
    // Left and right choose an action, Enter takes it, Backspace goes back, Escape releases the hand.
    function select(step) {
      const n = node.value.actions.length;
      if (!n) return deal();
      state.selected = Math.min(Math.max(state.selected + step, 0), n - 1);
      return true;
    }
    function deal() {
      const card = node.value.deals_a_card && document.querySelector(".eqs-cards button:enabled");
      card?.focus?.();
      return Boolean(card);
    }
    onKeys({
      Escape() {
        store.focus.hover = null;
        if (store.focus.pinned !== null) store.pin(store.focus.pinned);
      },
      Backspace: store.back,
      ArrowLeft: () => select(1),
      ArrowRight: () => select(-1),
      ArrowDown: deal,
      ArrowUp: deal,
      Enter: () => store.play(state.selected),
      "Ctrl+z": () => store.edits.canUndo.value && store.edits.undo(),
      "Ctrl+y": () => store.edits.canRedo.value && store.edits.redo(),
      "Ctrl+Shift+z": () => store.edits.canRedo.value && store.edits.redo(),
    });

    function panel(name) {
      if (name === "graphs") return html`<${Graphs} store=${store} />`;
      if (name === "breakdown") return html`<${Breakdown} store=${store} />`;
      if (name === "compare") return html`<${BothPlayers} store=${store} />`;
      if (name === "runouts") return html`<${Runouts} store=${store} />`;
      if (name === "other") return html`<${OldAndNew} store=${store} name=${other.name} stamp=${other.stamp} />`;
      return null;
    }
    return () => {
      const name = shown();
      return html`
        <${Strip} store=${store} />
        ${store.isOfThree ? placeOfThree(store) : html`<${Facts} store=${store} resolved=${resolvedTo(node.value)} />`}
        <div class="eqs-tabs">
          <${Tabs} names=${views()} chosen=${name} text=${viewName} label=${t("study.views")} panel="eqs-view"
            onChoose=${store.choose} />
          <span class="eq-grow"></span>
          ${relocking && node.value.player !== null && html`<${Locks} store=${store} relocking=${relocking} />`}
          <${Downloads} store=${store} />
        </div>
        <div id="eqs-view" role="tabpanel" aria-labelledby=${`tab-${name}`}>
          ${name in TOOLS && html`<${Tools} store=${store} names=${TOOLS[name]} />`}
          <div hidden=${name !== "hands"}>
            <${Hands} store=${store} relocking=${relocking} isShown=${name === "hands"} />
          </div>
          ${panel(name)}
        </div>`;
    };
  },
};

const Study = {
  setup() {
    const error = shallowRef(null);
    const store = shallowRef(null);
    const other = shallowRef(null);

    // The document of a run that the address means; null where it does not run any more.
    async function running(run) {
      try {
        return await get(`jobs/${word(run)}/spot`);
      } catch (refusal) {
        if (refusal instanceof Refusal && OVER.includes(refusal.status)) return null;
        throw refusal;
      }
    }
    // The solution that the address means, which may have another name now, or the run that makes it.
    async function open() {
      const asked = said();
      const live = asked.one("run") && (await running(asked.one("run")));
      const found = live || (await get(`solutions/${word(topic())}/spot`, { stamp: asked.one("stamp") }));
      if (found.name !== topic()) history.replaceState({}, "", place(`study/${word(found.name)}`) + location.search);
      title.value = titleText(found.title);
      const versus = asked.one("versus");
      if (versus) {
        const known = get(`solutions/${word(versus)}/spot`);
        other.value = await known.catch(() => ({ name: versus, stamp: "" })); // whose view says why
      }
      const made = createStore(found, live ? found.run.job : "");
      if (other.value && !asked.one("tab")) made.view.tab = "other";
      await made.go(asked.one("line"), { push: false });
      made.readAddress();
      store.value = made;
    }
    onReturn(async () => {
      await store.value?.go(said().one("line"), { push: false });
      store.value?.readAddress();
    });
    onMounted(async () => {
      try {
        await open();
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
      ready();
    });

    // A site of files has drills of some nodes; on a server the drill itself asks for another one.
    function drilled(name) {
      const line = store.value.node.value?.line;
      return holds(`solutions/${word(name)}/drill`, { line }) ? { line } : {};
    }
    // What there is for two players alone is not offered for three.
    const links = ({ name }) => (store.value.isOfThree ? edit(name) : linksOfTwo(name));
    const edit = (name) => isOwner && html`<a href=${place("spot", { solution: name })}>${t("study.edit")}</a>`;
    const linksOfTwo = (name) => html`
      ${can("play") && html`<a href=${place(`play/${word(name)}`)}>${t("study.play")}</a>`}
      ${can(`solutions/${word(name)}/drill`) && html`
        <a href=${place(`drill/${word(name)}`, drilled(name))}>${t("study.drill")}</a>`}
      ${edit(name)}
      ${isOwner && html`<a href=${place("reports", { of: `solution:${name}` })}>${t("study.report")}</a>`}`;
    function head() {
      const { solution, run } = store.value;
      const measure = measureOf(solution);
      return html`
        <div class="eqs-title">
          <h1 translate="no">${title.value}</h1>
          <div class="eqs-about">
            <span class="eq-muted eq-small" translate="no">${solution.name}</span>
            ${!run && links(solution)}
            ${measure && !store.value.isOfThree && html`
              <span class="eq-muted eq-small">${t("library.figure", measure)}</span>`}
            <span class="eq-grow"></span>
            ${units()}
          </div>
        </div>
        ${solution.is_later && html`<p class="eq-muted eq-small">${t("explore.later")}</p>`}
        ${run && html`<${Live} store=${store.value} />`}
        ${!run && solution.run && html`
          <p class="eq-muted eq-small">
            ${behind(solution)}
            ${solution.run.state === "running" && html`
              <a href=${place(`study/${word(solution.name)}`, { run: solution.run.job })}>${t("study.live")}</a>`}
          </p>`}`;
    }
    function problem() {
      const { state, go } = store.value;
      const isGone = state.error.status === 404;
      return html`
        <div class="eq-panel eqs-problem">
          <${Notice} error=${state.error} otherwise=${"study.refused"} />
          ${isGone
            ? html`
              <button type="button" class="eq-button" onClick=${() => location.reload()}>${t("study.reopen")}</button>
              <a class="eq-button" href=${place("")}>${t("study.library")}</a>`
            : html`<button type="button" class="eq-button" onClick=${() => go("")}>${t("study.to-root")}</button>`}
        </div>`;
    }
    function unkept() {
      const { state, go } = store.value;
      return html`
        <div class="eq-panel eqs-problem" role="alert">
          <span>${t(can("questions") ? "study.unkept" : "error.NotStored")}</span>
          ${!can("questions") ? null : isOwner
            ? html`
              <button type="button" class="eq-button eq-primary" disabled=${state.isBusy}
                onClick=${() => go(state.unkept, { resolve: true })}>
                ${t(state.isBusy ? "study.resolving" : "study.resolve")}
              </button>`
            : html`<span>${t("study.resolve.owner")}</span>`}
        </div>`;
    }
    function opened() {
      const { node, state } = store.value;
      return html`
        ${head()}
        ${state.error && problem()}
        ${state.unkept !== null && unkept()}
        ${node.value && html`<${Node} store=${store.value} other=${other.value} />`}`;
    }
    const closed = () => html`
      <h1 translate="no">${title.value}</h1>
      ${error.value
        ? html`<${Notice} error=${error.value} /><p><a href=${place("")}>${t("study.library")}</a></p>`
        : html`<p role="status">${t("study.opening")}</p>`}`;
    return () => html`
      <div class=${{ eqs: true, "eqs-of-three": store.value?.isOfThree }}
        aria-busy=${String(store.value?.state.isBusy ?? true)}
        data-line=${store.value?.node.value?.line ?? null}>
        ${store.value ? opened() : closed()}
      </div>`;
  },
};

show(Study, "library", title, true, true);
