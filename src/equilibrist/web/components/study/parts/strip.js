// The way to the node: a card for each decision, deal and end. Clicking an action walks on.
import { computed, inject, ref, watch } from "vue";
import { RANKS, SUITS, cardsOf, signOf } from "./cards.js";
import { amount, percent } from "./figures.js";
import { colour } from "./store.js";

const SEATS = ["OOP", "IP"];
const PADLOCK = "M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 0 0-4 0z";

export default {
  template: `
    <nav class="eqs-strip" aria-label="Way through the tree" ref="root" @keydown="key">
      <div class="eqs-spot eqs-root">
        <button class="eqs-spot-title" type="button" @click="store.go('')">{{ root0.street }}</button>
        <div class="eqs-board"><span v-for="card in board0" :class="'eqs-card eq-' + card[1]">{{ card[0] }}{{ sign(card) }}</span></div>
        <div>Pot {{ amount(root0.pot) }}</div><div>Stack {{ amount(Math.max(...root0.behind)) }}</div>
      </div>
      <div v-for="(place, k) in way" :key="place.line + k" class="eqs-spot" :class="{ 'eqs-here': k === way.length - 1, 'eqs-chance': place.deals_a_card }"
           :aria-current="k === way.length - 1 ? 'step' : null">
        <template v-if="place.player !== null">
          <button class="eqs-spot-title" type="button" :tabindex="k === way.length - 1 ? 0 : -1" @click="store.go(place.line)"><span>{{ SEATS[place.player] }} <svg v-if="place.locked" class="eqs-padlock" viewBox="0 0 16 16" role="img" :aria-label="'locked: ' + place.locked"><title>Locked: {{ place.locked }}</title><path :d="padlock"></path></svg></span><span class="eqs-pot">{{ amount(place.pot) }}</span></button>
          <button v-for="(action, a) in place.actions" :key="action.code" type="button" class="eqs-action" tabindex="-1"
                  :class="{ 'eqs-chosen': place.chosen === a }" :aria-pressed="place.chosen === a ? 'true' : 'false'" @click="store.go(action.line)" @pointerenter="store.ahead(action.line)" @focus="store.ahead(action.line)">
            <i :style="{ background: tint(action.role) }"></i><span>{{ action.name }}</span><em>{{ frequency(place, a) }}</em>
          </button>
        </template>
        <template v-else-if="place.deals_a_card">
          <button class="eqs-spot-title" type="button" :tabindex="k === way.length - 1 ? 0 : -1" @click="store.go(place.line)">{{ place.street === 'flop' ? 'Turn' : 'River' }}</button>
          <div v-if="place.card" class="eqs-deal">
            <select class="eqs-rank" aria-label="Rank of the card" :value="place.card[0]" @change="deal(k, $event.target.value + place.card[1])">
              <option v-for="rank in ranks" :key="rank" :disabled="taken(place, rank + place.card[1])">{{ rank }}</option></select>
            <select class="eqs-suit" :class="'eq-' + place.card[1]" aria-label="Suit of the card" :value="place.card[1]" @change="deal(k, place.card[0] + $event.target.value)">
              <option v-for="suit in suits" :key="suit" :value="suit" :disabled="taken(place, place.card[0] + suit)">{{ sign('_' + suit) }}</option></select>
          </div>
          <div v-else class="eqs-note">choose a card below</div>
        </template>
        <template v-else>
          <div class="eqs-spot-title">End</div>
          <div>{{ place.what }}</div><div>Pot {{ amount(place.pot) }}</div>
          <template v-if="place.what === 'showdown'"><div>OOP {{ share(0) }}</div><div>IP {{ share(1) }}</div></template>
        </template>
      </div>
    </nav>`,
  setup() {
    const store = inject("study");
    const root = ref(null);
    const way = computed(() => store.node.value.way);
    const root0 = computed(() => way.value[0]);
    const board0 = computed(() => root0.value.board.match(/../g));
    const tint = (role) => (store.state.palette, colour(role));
    function frequency(place, a) {
      const node = place.line === store.node.value.line ? store.node.value : store.nodes.kept.get(place.line);
      const found = node?.frequency?.[a];
      return found == null ? "" : percent(found);
    }
    const taken = (place, card) => cardsOf(place.board).includes(cardsOf(card)[0]);
    function deal(k, card) {
      const place = way.value[k];
      const before = `${place.line}|${place.card}`;
      const rest = store.node.value.line.slice(before.length);
      const later = cardsOf(way.value[way.value.length - 1].board.slice(place.board.length + 2));
      const keeps = !later.includes(cardsOf(card)[0]);
      store.go(`${place.line}|${card}${keeps ? rest : ""}`);
    }
    // After the frame, so that no second layout is forced. Who walks with the keyboard goes along.
    watch(
      () => store.node.value,
      () => {
        const goes = root.value?.contains(document.activeElement) && document.activeElement.matches("button");
        requestAnimationFrame(() =>
          setTimeout(() => {
            if (goes) stops(root.value?.querySelector(".eqs-here"))[0]?.focus({ preventScroll: true });
            root.value?.scrollTo({ left: 1e6 });
          }),
        );
      },
      { immediate: true },
    );
    const stops = (card) => [...(card?.querySelectorAll("button, select") ?? [])];
    // Arrows go from card to card, and within one.
    function key(event) {
      if (event.target.matches("select")) return;
      const [across, along] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
      if (!across && !along) return;
      const cards = [...root.value.children].filter((card) => stops(card).length);
      const here = cards.indexOf(event.target.closest(".eqs-spot"));
      const at = stops(cards[here]).indexOf(event.target);
      const next = across ? stops(cards[here + across]) : stops(cards[here]);
      next[Math.min(Math.max(at + along, 0), next.length - 1)]?.focus();
      event.preventDefault();
      event.stopPropagation();
    }
    const share = (who) => percent(store.node.value.equity[who]);
    return { store, root, way, root0, board0, SEATS, ranks: [...RANKS].reverse(), suits: [...SUITS].reverse(), amount, tint, frequency, deal, taken, share, key, padlock: PADLOCK, sign: (card) => signOf(card[1]) };
  },
};
