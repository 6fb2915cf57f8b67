// Charts before the flop: the way to a decision, and what each of the 169 classes does there.
import { computed, nextTick, onBeforeUnmount, onMounted, reactive, shallowRef } from "vue";
import { CLASS_NAMES, ask } from "equilibrist-study";

const percent = (share, digits = 1) => (share === null || share === undefined ? "" : `${(100 * share).toFixed(digits)} %`);
// With a sign, unless it rounds to zero.
function signed(value, digits = 2) {
  if (value === null || value === undefined) return "";
  const size = Math.abs(value).toFixed(digits);
  return `${Number(size) === 0 ? "" : value < 0 ? "−" : "+"}${size}`;
}
const STEPS = { ArrowUp: -13, ArrowDown: 13, ArrowLeft: -1, ArrowRight: 1 };
const CARDS = { preflop: 0, flop: 3, turn: 4, river: 5 };

export default {
  props: { name: String, line: String, stamp: String, board: String, ev: String, takesBoard: Boolean },
  template: `
    <div class="eqs eqc" :aria-busy="state.busy ? 'true' : 'false'" :data-line="node ? node.line : null">
      <div v-if="state.error" class="eq-panel eqs-problem" role="alert">{{ state.error }} <button v-if="state.wanted" type="button" class="eq-button" @click="go('')">Back to the first decision</button></div>
      <form v-if="takesBoard" class="eq-row" @submit.prevent="go(state.wanted ?? '')">
        <label class="eq-row">Board <input class="eq-field" v-model="state.board" size="12" placeholder="Td9d6h" aria-describedby="eqc-board"></label>
        <button type="submit" class="eq-button">Show</button>
        <span id="eqc-board" class="eq-muted eq-small">for decisions after the flop</span>
      </form>
      <div v-if="!node" class="eqs-wait" role="status">{{ state.error ? '' : 'Opening the charts…' }}</div>
      <template v-else>
        <div class="eqs-strip eqc-strip" role="group" aria-label="The way to this decision" tabindex="0">
          <div v-for="(place, k) in node.way" :key="place.line" class="eqs-spot" :class="{ 'eqs-here': k === node.way.length - 1 }">
            <button type="button" class="eqs-spot-title" :aria-current="k === node.way.length - 1 ? 'step' : null" @click="go(place.line)">{{ place.seat }} <span v-if="place.street !== 'preflop'" class="eqs-pot">{{ place.street }}</span></button>
            <component v-for="(action, a) in place.actions" :key="action.code" :is="action.line === null ? 'div' : 'button'" :type="action.line === null ? null : 'button'" class="eqs-action" :class="{ 'eqs-chosen': place.chosen === a, 'eqc-end': action.line === null }" @click="action.line !== null && go(action.line)">
              <i :style="{ background: paint(action.role) }"></i><span>{{ action.name }}</span><em>{{ percent(action.frequency) }}</em>
            </component>
          </div>
        </div>
        <div class="eqs-tools">
          <label>Show <select class="eq-field" v-model="state.display"><option value="strategy">Strategy</option><option v-if="hasEv" value="ev">EV</option></select></label>
          <label>Height of bars <select class="eq-field" v-model="state.heights"><option value="reach">Share that gets here</option><option value="full">Full</option></select></label>
          <span class="eq-muted eq-small">EV: {{ ev }}</span>
        </div>
        <div class="eqs-hands">
          <div class="eqs-left"><div ref="root" class="eqs-grid" role="grid" :aria-label="'Hands of ' + node.seat" @keydown="key" @pointerleave="state.hover = null">
            <div v-for="row in 13" :key="row" role="row" class="eqs-grid-row">
              <div v-for="column in 13" :key="column" role="gridcell" class="eqs-cell" :class="cells[13 * (row - 1) + column - 1].classes" :style="cells[13 * (row - 1) + column - 1].style" :tabindex="state.reached === 13 * (row - 1) + column - 1 ? 0 : -1" :data-place="13 * (row - 1) + column - 1" :aria-label="cells[13 * (row - 1) + column - 1].said" @pointerenter="state.hover = 13 * (row - 1) + column - 1" @focus="state.hover = 13 * (row - 1) + column - 1" @click="pin(13 * (row - 1) + column - 1)"><span>{{ names[13 * (row - 1) + column - 1] }}</span><small>{{ cells[13 * (row - 1) + column - 1].text }}</small></div>
            </div>
          </div></div>
          <div class="eqs-right">
            <table class="eq-table eqc-actions"><caption class="eq-hidden">Actions of {{ node.seat }}</caption>
              <thead><tr><th scope="col">Action</th><th scope="col" class="eq-right">All hands</th><th scope="col" class="eq-right">Combos</th><th scope="col" class="eq-right">{{ looked ? names[state.hover ?? state.pinned] : 'Hand' }}</th><th v-if="hasActionEv" scope="col" class="eq-right">Its EV</th></tr></thead>
              <tbody><tr v-for="(action, a) in here.actions" :key="action.code">
                <th scope="row"><i class="eqs-dot" :style="{ background: paint(action.role) }"></i> {{ action.name }}</th>
                <td class="eq-right">{{ percent(action.frequency) }}</td>
                <td class="eq-right">{{ combos[a].toFixed(1) }}</td>
                <td class="eq-right">{{ looked ? percent(looked.strategy[a]) : '–' }}</td>
                <td v-if="hasActionEv" class="eq-right">{{ looked && looked.action_ev ? signed(looked.action_ev[a], 3) : '–' }}</td>
              </tr></tbody>
            </table>
            <p class="eqs-note" aria-live="polite">{{ about }}</p>
            <div v-for="(action, a) in here.actions" :key="action.code" class="eqc-range" v-show="action.role !== 'fold'">
              <h3>{{ action.name }}</h3><p class="eq-mono eq-small" role="group" :aria-label="'Range of ' + action.name">{{ ranges[a] || 'no hand' }}</p>
            </div>
          </div>
        </div>
      </template>
    </div>`,
  setup(props) {
    const node = shallowRef(null);
    const root = shallowRef(null);
    const state = reactive({ busy: false, error: "", wanted: null, board: props.board ?? "", display: "strategy", heights: "reach", hover: null, pinned: null, reached: 0, palette: 0 });
    let asked = 0;

    async function go(line, { keep = true } = {}) {
      const number = ++asked;
      Object.assign(state, { busy: true, error: "", wanted: line });
      try {
        const query = new URLSearchParams({ line, board: state.board.trim(), stamp: props.stamp });
        const found = await ask(`/api/solutions/${encodeURIComponent(props.name)}/chart?${query}`);
        if (number !== asked) return;
        node.value = found;
        if (state.display === "ev" && !hasEv.value) state.display = "strategy";
        if (keep) history.replaceState(history.state, "", address(found.line));
        await nextTick();
        root.value?.closest(".eqc")?.querySelector(".eqs-here")?.scrollIntoView({ block: "nearest", inline: "nearest" });
      } catch (error) {
        if (number === asked) state.error = error.message;
      } finally {
        if (number === asked) state.busy = false;
      }
    }
    function address(line) {
      const query = new URLSearchParams();
      if (line) query.set("line", line);
      if (state.board.trim()) query.set("board", state.board.trim());
      return `${location.pathname}${query.size ? `?${query}` : ""}`;
    }
    const paint = (role) => (state.palette, window.equilibrist.actionColour(role));
    const here = computed(() => node.value.way[node.value.way.length - 1]);
    const all = computed(() => CLASS_NAMES.map((name) => node.value.classes[name] ?? null));
    const hasEv = computed(() => all.value.some((one) => one && one.ev !== null));
    const hasActionEv = computed(() => all.value.some((one) => one?.action_ev));
    const looked = computed(() => {
      const place = state.hover ?? state.pinned;
      return place === null ? null : all.value[place];
    });
    const combos = computed(() => here.value.actions.map((_, a) => all.value.reduce((sum, one) => sum + (one ? one.combos * one.reach * one.strategy[a] : 0), 0)));
    const ranges = computed(() => node.value.ranges);
    const about = computed(() => {
      const place = state.hover ?? state.pinned;
      const one = looked.value;
      if (place === null) return "Point at a hand, or choose one, to see its figures.";
      if (!one) return `${CLASS_NAMES[place]}: not in the deck`;
      return `${CLASS_NAMES[place]}: ${percent(one.reach)} of its combos get here${one.ev === null ? "" : `, EV ${signed(one.ev, 3)}`}`;
    });
    const scale = computed(() => Math.max(...all.value.map((one) => Math.abs(one?.ev ?? 0)), 1e-9));

    function stops(one) {
      if (state.display === "ev") {
        if (one.ev === null) return [];
        return [[window.equilibrist.heatColour(0.5 + (0.5 * Math.sign(one.ev) * Math.sqrt(Math.abs(one.ev) / scale.value))), 0, 100]];
      }
      const found = [];
      let from = 0;
      for (let a = one.strategy.length - 1; a >= 0; a--) {
        const to = from + 100 * one.strategy[a];
        if (to > from + 0.01) found.push([paint(here.value.actions[a].role), from, to]);
        from = to;
      }
      return found;
    }
    const cells = computed(() =>
      CLASS_NAMES.map((name, place) => {
        const one = all.value[place];
        const marks = { "eqs-hover": state.hover === place, "eqs-pinned": state.pinned === place };
        if (!one || one.reach < 0.001) return { classes: { "eqs-empty": true, ...marks }, style: {}, text: "", said: `${name}: does not get here` };
        const bars = (state.palette, stops(one));
        const tall = state.heights === "full" ? 1 : Math.min(one.reach, 1);
        const widest = bars.reduce((most, stop) => (stop[2] - stop[1] > most[2] - most[1] ? stop : most), ["", 0, 0]);
        const ink = tall > 0.85 && widest[0].startsWith("#") ? window.equilibrist.ink(widest[0]) : "";
        const mixture = here.value.actions.map((action, a) => `${action.name} ${percent(one.strategy[a])}`).reverse().join(", ");
        return {
          classes: { "eqs-black": ink === "#000000", "eqs-white": ink === "#ffffff", ...marks },
          style: {
            backgroundImage: bars.length ? `linear-gradient(to right, ${bars.map(([tint, from, to]) => `${tint} ${from.toFixed(2)}% ${to.toFixed(2)}%`).join(",")})` : "none",
            backgroundSize: `100% ${(100 * tall).toFixed(1)}%`,
          },
          text: state.display === "ev" ? signed(one.ev) : "",
          said: `${name}: ${mixture}${one.ev === null ? "" : `, EV ${signed(one.ev)}`}`,
        };
      }),
    );
    function pin(place) {
      state.reached = place;
      state.pinned = state.pinned === place ? null : place;
    }
    function key(event) {
      const by = STEPS[event.key];
      if (by !== undefined) {
        const to = state.reached + by;
        const fits = Math.abs(by) === 1 ? Math.floor(to / 13) === Math.floor(state.reached / 13) : true;
        if (fits && to >= 0 && to < 169) {
          state.reached = to;
          root.value.querySelector(`[data-place="${to}"]`)?.focus({ preventScroll: true });
        }
      } else if (event.key === "Enter" || event.key === " ") pin(state.reached);
      else if (event.key === "Escape") state.pinned = null;
      else return;
      event.preventDefault();
    }
    const repaint = () => state.palette++;
    onMounted(() => {
      window.addEventListener("palette", repaint);
      go(props.line ?? "", { keep: false });
    });
    onBeforeUnmount(() => window.removeEventListener("palette", repaint));
    return { about, cells, combos, go, hasActionEv, hasEv, here, key, looked, names: CLASS_NAMES, node, paint, percent, pin, ranges, root, signed, state };
  },
};
