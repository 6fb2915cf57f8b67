// The infosets of a solution: searched, sorted and cut into pages by the server.
import { query, word } from "./api.js";
import { loads } from "./loading.js";
import { count, number, playerColour, probability } from "./numbers.js";

const PAGE = 25;

export const InfosetTable = {
  mixins: [loads("found")],
  template: `
  <section class="eq-stack" aria-label="Infosets">
    <form class="eq-row" role="search" @submit.prevent="apply({start: 0, match: text})">
      <label class="eq-row">Search <input class="eq-field eq-mono" v-model="text" @input="later" type="search"
        placeholder="K*/?b*" aria-describedby="eqg-search"></label>
      <span id="eqg-search" class="eq-small eq-muted">* for any text, ? for one character</span>
      <label class="eq-row">Player
        <select class="eq-field" :value="state.player" @change="apply({start: 0, player: $event.target.value})">
          <option value="">all</option>
          <option v-for="p in facts.num_players" :key="p" :value="String(p - 1)">{{ p - 1 }}</option>
        </select></label>
      <span class="eq-grow"></span>
      <span class="eq-muted" role="status">{{ told }}</span>
    </form>
    <p v-if="error" class="eq-error" role="alert">{{ error }}</p>
    <div class="eq-scroll eqg-rows" role="region" tabindex="0" aria-label="Table of infosets">
      <table class="eq-table">
        <thead><tr>
          <th v-for="column in columns" :key="column.name" :class="{'eq-right': column.right}"
            :aria-sort="state.order === column.order && column.order ? (state.descending ? 'descending' : 'ascending') : null">
            <button v-if="column.order" class="eqg-sort" @click="sort(column)">{{ column.label }}<span aria-hidden="true">{{ arrow(column) }}</span></button>
            <template v-else>{{ column.label }}</template></th>
        </tr></thead>
        <tbody v-for="row in rows" :key="row.infoset" :class="{'eqg-lit': row.infoset === lit}">
          <tr v-for="(label, k) in Object.keys(row.strategy)" :key="label">
            <th v-if="k === 0" scope="rowgroup" class="eq-mono eqg-infoset" :rowspan="size(row)"><i class="eqg-dot"
              v-if="row.player !== null" :style="{background: colour(row.player)}"></i>{{ row.infoset }}</th>
            <td v-if="k === 0" :rowspan="size(row)" class="eq-right">{{ row.player }}</td>
            <td>{{ label }}</td>
            <td class="eq-right">{{ share(row.strategy[label]) }}<div class="eqg-bar" aria-hidden="true"><i :style="bar(row, label, k)"></i></div></td>
            <td v-if="facts.state_iteration !== null" class="eq-right">{{ row.current ? share(row.current[label]) : '' }}</td>
            <td v-if="facts.state_iteration !== null" class="eq-right">{{ row.regrets ? show(row.regrets[label]) : '' }}</td>
            <template v-if="facts.has_values">
              <td class="eq-right">{{ row.cf_action_values ? show(row.cf_action_values[label]) : '' }}</td>
              <template v-if="k === 0">
                <td v-for="name in ['cf_value', 'value', 'reach', 'counterfactual_reach']" :key="name" :rowspan="size(row)" class="eq-right">{{ show(row[name]) }}</td>
                <td :rowspan="size(row)" class="eq-right">{{ row.histories }}</td>
              </template>
            </template>
          </tr>
        </tbody>
      </table>
    </div>
    <nav class="eq-row" aria-label="Pages of the table">
      <button class="eq-button" :disabled="state.start === 0" @click="apply({start: Math.max(0, state.start - page)})">Previous</button>
      <button class="eq-button" :disabled="state.start + page >= total" @click="apply({start: state.start + page})">Next</button>
      <span class="eq-small eq-muted" v-if="facts.why_no_values">No values: {{ facts.why_no_values }}.</span>
      <span class="eq-small eq-muted" v-if="facts.why_no_state">No current strategy and regrets: {{ facts.why_no_state }}.</span>
    </nav>
  </section>`,
  props: { name: String, stamp: String, facts: Object, state: Object, lit: { type: String, default: "" } },
  emits: ["state"],
  data() {
    return { text: this.state.match, waiting: null, page: PAGE };
  },
  computed: {
    rows() {
      return this.found?.infosets ?? [];
    },
    total() {
      return this.found?.total ?? 0;
    },
    columns() {
      if (!this.facts.is_sortable) return this.all.map((one) => ({ ...one, order: null }));
      return this.all;
    },
    all() {
      const state = this.facts.state_iteration !== null;
      return [
        { name: "infoset", label: "Infoset", order: "infoset" },
        { name: "player", label: "Player", order: this.facts.num_players ? "player" : null, right: true },
        { name: "action", label: "Action" },
        { name: "average", label: "Average", order: "mixing", right: true },
        ...(state
          ? [
              { name: "current", label: "Current", right: true },
              { name: "regret", label: "Regret", order: "regret", right: true },
            ]
          : []),
        ...(this.facts.has_values
          ? [
              { name: "cf_action", label: "Cf value of action", right: true },
              { name: "cf_value", label: "Cf value", order: "cf_value", right: true },
              { name: "value", label: "Value", order: "value", right: true },
              { name: "reach", label: "Reach", order: "reach", right: true },
              { name: "cf_reach", label: "Cf reach", order: "counterfactual_reach", right: true },
              { name: "histories", label: "Histories", order: "histories", right: true },
            ]
          : []),
      ];
    },
    told() {
      if (!this.found) return this.error ? "" : "loading";
      if (!this.total) return "no matching infosets";
      const last = Math.min(this.state.start + PAGE, this.total);
      return `${count(this.state.start + 1)} to ${count(last)} of ${count(this.total)}`;
    },
    address() {
      const { match, player, order, descending, start } = this.state;
      const glob = match && !/[*?]/.test(match) ? `*${match}*` : match;
      const exact = this.lit !== "" && match === this.lit; // an infoset that was linked to
      const asked = { ...(exact ? { key: match } : { match: glob }), player, order, descending, start, count: PAGE, values: true, state: true, stamp: this.stamp };
      return `solutions/${word(this.name)}/infosets${query(asked)}`;
    },
  },
  watch: {
    "state.match"(value) {
      this.text = value;
    },
  },
  beforeUnmount() {
    clearTimeout(this.waiting);
  },
  methods: {
    apply(change) {
      clearTimeout(this.waiting);
      this.$emit("state", { ...this.state, ...change });
    },
    later() {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.apply({ start: 0, match: this.text }), 250);
    },
    sort(column) {
      const again = this.state.order === column.order;
      const first = column.order !== "infoset" && column.order !== "player"; // the largest numbers first
      const descending = again ? !this.state.descending : first;
      this.apply({ start: 0, order: column.order, descending });
    },
    arrow(column) {
      if (this.state.order !== column.order) return "";
      return this.state.descending ? " ↓" : " ↑";
    },
    bar(row, label, k) {
      const colour = window.equilibrist.actionColour(`game:${k}/${this.size(row)}`);
      return { width: `${100 * row.strategy[label]}%`, background: colour };
    },
    size: (row) => Object.keys(row.strategy).length,
    share: probability,
    show: number,
    colour: playerColour,
  },
};
