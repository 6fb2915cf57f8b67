// The same node in two solutions: before a lock and after it.
import { computed, inject, provide, ref, shallowRef, watch } from "vue";
import { differences } from "./comparing.js";
import { byClass, chips, chosen, percent } from "./figures.js";
import Grid from "./grid.js";
import { Nodes, colour, sentence } from "./store.js";

const Other = {
  props: { node: Object },
  components: { Grid },
  template: `<grid :who="who" />`,
  setup(props) {
    const store = inject("study");
    const node = computed(() => props.node);
    const masks = computed(() => props.node.hands.map((hands) => chosen(hands, store.filters)));
    const cells = computed(() => [0, 1].map((who) => byClass(props.node, who, masks.value[who])));
    provide("study", { ...store, node, masks, cells });
    return { who: computed(() => store.player.value) };
  },
};

export default {
  props: { name: String, stamp: String },
  components: { Grid, Other },
  template: `
    <div class="eqs-two">
      <p v-if="problem" role="alert" class="eq-error">{{ problem }}</p>
      <div class="eqs-two-grids" v-if="other">
        <section><h3>New: {{ store.nodes.name }}</h3><grid :who="store.player.value" /></section>
        <section><h3>Old: {{ name }}</h3><other :node="other" /></section>
      </div>
      <div class="eq-scroll" v-if="other" tabindex="0" role="region" aria-label="Differences"><table class="eq-table"><thead><tr><th></th><th class="eq-right">New: {{ store.nodes.name }}</th><th class="eq-right">Old: {{ name }}</th><th class="eq-right">New less old</th></tr></thead>
        <tbody><tr v-for="row in rows" :key="row.label"><th scope="row"><i v-if="row.role" class="eqs-dot" :style="{ background: tint(row.role) }"></i>{{ row.label }}</th><td class="eq-right">{{ text(row, row.here) }}</td><td class="eq-right">{{ text(row, row.there) }}</td><td class="eq-right">{{ text(row, row.difference) }}</td></tr></tbody></table></div>
    </div>`,
  setup(props) {
    const store = inject("study");
    const nodes = new Nodes(props.name, props.stamp);
    const other = shallowRef(null);
    const problem = ref("");
    watch(
      () => store.node.value,
      async (node) => {
        try {
          const found = await nodes.get(node.line);
          if (store.node.value === node) [other.value, problem.value] = [found, ""];
        } catch (error) {
          if (store.node.value === node) [other.value, problem.value] = [null, sentence(error)];
        }
      },
      { immediate: true },
    );
    const rows = computed(() => differences(store.node.value, other.value));
    const text = (row, value) => (row.kind === "chips" ? chips(value, store.node.value.pot) : percent(value));
    const tint = (role) => (store.state.palette, colour(role));
    return { store, other, problem, rows, text, tint };
  },
};
