// Which hands are looked at: by made hand, by draw, by suit, by name.
import { computed, inject } from "vue";
import { number, percent } from "./figures.js";
import { signOf } from "./cards.js";

// What words of players mean, in full.
const WORDS = {
  "combo draw": "combo draw: flush and straight draw",
  "open-ended": "open-ended straight draw, or double gutshot",
  gutshot: "gutshot straight draw",
  nothing: "nothing: queen high or lower",
};

export default {
  template: `
    <details class="eqs-filters">
      <summary>Filters<span v-if="store.isFiltered.value" class="eqs-badge">on</span></summary>
      <div class="eqs-filter-body">
        <label class="eqs-find">Find hands <input class="eq-field" type="search" v-model="store.filters.text" placeholder="AK, QhJh, 7" autocomplete="off" spellcheck="false"></label>
        <fieldset v-for="group in groups" :key="group.key"><legend>{{ group.label }}</legend>
          <label v-for="one in group.items" :key="one.index" v-show="one.combos || store.filters[group.key].includes(one.index)">
            <input type="checkbox" :value="one.index" v-model="store.filters[group.key]"> {{ words[one.name] ?? one.name }}
            <em>{{ number(one.combos, 1) }} combos, {{ percent(one.share) }}</em></label>
        </fieldset>
        <fieldset><legend>Both cards of these suits</legend>
          <label v-for="suit in [3, 2, 1, 0]" :key="suit"><input type="checkbox" :value="suit" v-model="store.filters.suits"> <span :class="'eq-' + 'cdhs'[suit]" aria-hidden="true">{{ sign('cdhs'[suit]) }}</span> {{ names[suit] }}</label></fieldset>
        <button class="eq-button" type="button" @click="clear" :disabled="!store.isFiltered.value">Clear filters</button>
      </div>
    </details>`,
  setup() {
    const store = inject("study");
    const count = (key, names) => {
      const hands = store.node.value.hands[store.player.value];
      const sums = names.map(() => 0);
      let all = 0;
      hands[key].forEach((kind, k) => {
        sums[kind] += hands.weight[k];
        all += hands.weight[k];
      });
      return names.map((name, index) => ({ name, index, combos: sums[index], share: all ? sums[index] / all : null }));
    };
    const groups = computed(() => {
      const node = store.node.value;
      const river = node.board.length === 10;
      return [
        { key: "made", label: "Made hands", items: count("made", node.made_hands) },
        ...(river ? [] : [{ key: "draws", label: "Draws", items: count("draw", node.draws) }]),
      ];
    });
    const clear = () => Object.assign(store.filters, { made: [], draws: [], suits: [], text: "" });
    return { store, groups, clear, number, percent, sign: signOf, words: WORDS, names: ["clubs", "diamonds", "hearts", "spades"] };
  },
};
