// The study page: one place of the tree, and everything about the hands there.
import { computed, inject, onBeforeUnmount, onMounted, provide } from "vue";
import Compare from "./compare.js";
import Downloads from "./downloads.js";
import Filters from "./filters.js";
import Graphs from "./graphs.js";
import Grid from "./grid.js";
import Locks from "./locks.js";
import Runouts from "./runouts.js";
import SideBySide from "./side_by_side.js";
import Strip from "./strip.js";
import Table from "./table.js";
import Tiles from "./tiles.js";
import { CLASS, comboNumber } from "./cards.js";
import { chips, percent } from "./figures.js";
import { createStore } from "./store.js";

export { CLASS_NAMES } from "./cards.js";
export { ask } from "./store.js";

const FIGURES = { equity: "Equity", ev: "EV", eqr: "EQR" };
const CHOICES = {
  player: ["Player", { auto: "To act", 0: "OOP", 1: "IP" }],
  display: ["Show", { strategy: "Strategy", weight: "Weight", ...FIGURES }],
  metric: ["Figures in cells", { none: "None", ...FIGURES, evs: "EV of bet and check" }],
  heights: ["Height of bars", { normalized: "Normalized", absolute: "Absolute", full: "Full" }],
  suits: ["Suits", { grouped: "Grouped", individual: "Individual" }],
  columns: ["Actions in the table", { frequency: "Frequency", ev: "EV" }],
};

// Kept while another view is shown: to make its 169 cells takes longer than to draw them again.
const Hands = {
  components: { Grid, Tiles, HandTable: Table },
  template: `
    <div class="eqs-hands">
      <div class="eqs-left"><grid /></div>
      <div class="eqs-right"><tiles v-if="store.node.value.player !== null" /><hand-table /></div>
    </div>`,
  setup: () => ({ store: inject("study") }),
};

export default {
  props: { name: String, line: String, stamp: String, isOwner: Boolean, other: String, otherStamp: String, tab: String, cards: Number, hand: String },
  components: { Compare, Downloads, Filters, Graphs, Hands, Locks, Runouts, SideBySide, Strip },
  template: `
    <div class="eqs" :aria-busy="store.state.busy ? 'true' : 'false'" :data-line="node ? node.line : null">
      <div v-if="store.state.error" class="eq-panel eqs-problem" role="alert">{{ store.state.error }}
        <template v-if="store.state.isGone">
          <button type="button" class="eq-button" @click="reload">Open what has its name now</button>
          <a class="eq-button" href="/">Back to the library</a>
        </template>
        <button v-else type="button" class="eq-button" @click="store.go('')">Back to the root</button></div>
      <div v-if="store.state.unkept !== null" class="eq-panel eqs-problem" role="alert">
        <span>The file does not keep this street.</span>
        <button v-if="isOwner" type="button" class="eq-button eq-primary" :disabled="store.state.busy" @click="store.go(store.state.unkept, { resolve: true })">{{ store.state.busy ? 'Re-solving…' : 'Re-solve it' }}</button>
        <span v-else>The owner of this server can re-solve it.</span>
      </div>
      <div v-if="!node" class="eqs-wait" role="status">{{ store.state.error || store.state.unkept !== null ? '' : 'Opening the solution…' }}</div>
      <template v-else>
        <strip />
        <div class="eqs-facts"><span v-for="who in [0, 1]" :key="who"><b>{{ who ? 'IP' : 'OOP' }}</b> EQ {{ percent(node.equity[who]) }} · EV <span class="eqs-ev" :title="node.ev[who]">{{ chips(node.ev[who], node.pot) }}</span> · EQR {{ percent(node.eqr[who], 0) }}</span>
          <span v-if="resolved" class="eq-warn">re-solved to {{ chips(resolved, node.pot) }} chips</span></div>
        <div class="eqs-tabs"><div role="tablist" aria-label="Views" @keydown="tabKey">
          <button v-for="(label, key) in tabs" :key="key" type="button" role="tab" :id="'eqs-tab-' + key" :aria-selected="shown === key ? 'true' : 'false'" :tabindex="shown === key ? 0 : -1" aria-controls="eqs-view" @click="store.view.tab = key">{{ label }}</button></div>
          <span class="eq-grow"></span>
          <locks v-if="isOwner && node.player !== null" /><downloads />
        </div>
        <div class="eqs-tools">
          <label v-for="(choice, key) in choices" :key="key">{{ choice[0] }} <select class="eq-field" :aria-label="choice[0]" v-model="store.view[key]"><option v-for="(text, value) in choice[1]" :key="value" :value="value">{{ text }}</option></select></label>
          <filters />
        </div>
        <div id="eqs-view" role="tabpanel" :aria-labelledby="'eqs-tab-' + shown">
          <keep-alive><hands v-if="shown === 'hands'" /></keep-alive>
          <graphs v-if="shown === 'graphs'" />
          <compare v-else-if="shown === 'compare'" />
          <runouts v-else-if="shown === 'runouts'" />
          <side-by-side v-else-if="shown === 'other'" :name="other" :stamp="otherStamp" />
        </div>
      </template>
    </div>`,
  setup(props) {
    const store = createStore(props);
    provide("study", store);
    const node = store.node;
    const tabs = computed(() => ({
      hands: "Hands",
      graphs: "Graphs",
      compare: "Both players",
      ...(node.value.deals_a_card ? { runouts: node.value.street === "flop" ? "Turn" : "River" } : {}),
      ...(props.other ? { other: "Old and new" } : {}),
    }));
    const shown = computed(() => {
      const { tab } = store.view;
      if (node.value.deals_a_card && tab === "hands") return "runouts";
      return tab in tabs.value ? tab : "hands";
    });
    const resolved = computed(() => Object.entries(node.value).find(([key, value]) => key.startsWith("resolved_") && value !== null)?.[1] ?? null);
    const held = /^([2-9TJQKA][cdhs]){2}$/.test(props.hand ?? "") ? comboNumber(props.hand) : null;
    if (held !== null) store.focus.pinned = CLASS[held];
    if (props.tab) store.view.tab = props.tab;
    else if (props.other) store.view.tab = "other";

    function tabKey(event) {
      const keys = Object.keys(tabs.value);
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by || event.target.getAttribute("role") !== "tab") return;
      const next = keys[(keys.indexOf(shown.value) + by + keys.length) % keys.length];
      store.view.tab = next;
      event.preventDefault();
      event.stopPropagation();
      requestAnimationFrame(() => document.getElementById(`eqs-tab-${next}`)?.focus());
    }
    // Left and right choose an action, Enter takes it, Backspace goes back, Escape releases the hand.
    function key(event) {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.target.closest("input, select, textarea, dialog, [contenteditable]")) return;
      const onButton = event.target.closest("button, a, summary");
      const count = node.value?.actions.length ?? 0;
      if (event.key === "Escape") store.focus.pinned = store.focus.hover = null;
      else if (event.key === "Backspace") store.back();
      else if (count && event.key === "ArrowLeft") store.state.selected = Math.min(store.state.selected + 1, count - 1);
      else if (count && event.key === "ArrowRight") store.state.selected = Math.max(store.state.selected - 1, 0);
      else if (count && event.key === "Enter" && !onButton) store.play(store.state.selected);
      else if (node.value?.deals_a_card && event.key.startsWith("Arrow")) document.querySelector(".eqs-cards button:enabled")?.focus();
      else return;
      event.preventDefault();
    }
    const popped = () => store.go(new URL(window.location.href).searchParams.get("line") ?? "", { push: false });
    const repaint = () => store.state.palette++;
    onMounted(() => {
      document.addEventListener("keydown", key);
      window.addEventListener("popstate", popped);
      window.addEventListener("palette", repaint);
      store.go(props.line ?? "", { push: false });
    });
    onBeforeUnmount(() => {
      document.removeEventListener("keydown", key);
      window.removeEventListener("popstate", popped);
      window.removeEventListener("palette", repaint);
    });
    return { store, node, tabs, shown, choices: CHOICES, resolved, tabKey, percent, chips, reload: () => window.location.reload() };
  },
};
