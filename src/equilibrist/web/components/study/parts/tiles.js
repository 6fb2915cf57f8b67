// The actions at the node as large buttons: how often, how many combos, and what they win.
import { computed, inject } from "vue";
import { chips, number, percent } from "./figures.js";
import { colour } from "./store.js";

export default {
  template: `
    <div class="eqs-tiles" role="group" aria-label="Actions">
      <button v-for="tile in tiles" :key="tile.action.code" type="button" class="eqs-tile" :class="{ 'eqs-selected': tile.index === store.state.selected }"
              :style="{ background: tile.colour, color: tile.ink }" @click="store.play(tile.index)" @pointerenter="store.ahead(tile.action.line)" @focus="store.ahead(tile.action.line)">
        <strong>{{ tile.action.name }}</strong>
        <span class="eqs-tile-share">{{ percent(tile.share) }}</span>
        <span>{{ number(tile.combos, 1) }} combos</span>
        <span>EV {{ chips(tile.ev, store.node.value.pot) }}</span>
      </button>
    </div>
    <p v-if="tiles.length" class="eq-muted eq-small eqs-tiles-note">Combos are those of the range that take the action. The percentage counts each of them by how often it is held when play comes here, given the hands of the other player.</p>`,
  setup() {
    const store = inject("study");
    const tiles = computed(() => {
      const node = store.node.value;
      store.state.palette;
      if (node.player === null) return [];
      const found = store.totals.value[node.player];
      const filtered = store.isFiltered.value;
      return node.actions
        .map((action, index) => {
          const tint = colour(action.role);
          return {
            action,
            index,
            colour: tint,
            ink: window.equilibrist.ink(tint),
            share: filtered ? found.frequency[index] : node.frequency[index],
            combos: found.taken[index],
            ev: filtered ? found.actionEv[index] : node.action_ev[index],
          };
        })
        .reverse();
    });
    return { store, tiles, percent, number, chips };
  },
};
