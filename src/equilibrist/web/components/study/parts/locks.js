// Locks at the node: which hands, how often they do what; then the spot is solved again.
import { computed, inject, onBeforeUnmount, reactive, ref, watch } from "vue";
import { CLASS, CLASS_NAMES } from "./cards.js";
import { rangeText, percent } from "./figures.js";
import { followed } from "./shares.js";
import { ask, colour, post, sentence } from "./store.js";

export default {
  template: `
    <button type="button" class="eq-button" @click="open">Lock…<span v-if="locks.length" class="eqs-badge">{{ locks.length }}</span></button>
    <dialog ref="dialog" class="eqs-dialog" aria-labelledby="eqs-lock-title" @close="watching = false">
      <div class="eqs-dialog-body"><h2 id="eqs-lock-title">Lock the strategy of {{ seat }}</h2>
      <p class="eq-muted">After {{ line || 'the root' }}. Locked hands play what you set here; everything else is solved again.</p>
      <fieldset><legend>For</legend>
        <label><input type="radio" value="all" v-model="form.what"> all hands</label>
        <label><input type="radio" value="hands" v-model="form.what"> some hands</label>
        <label><input type="radio" value="frequency" v-model="form.what"> the range as a whole (the solver chooses the hands)</label>
        <label><input type="radio" value="same" v-model="form.what"> all hands, as in this solution</label></fieldset>
      <label v-if="form.what === 'hands'" class="eqs-wide">Hands to lock <input class="eq-field" v-model="form.hands" spellcheck="false" placeholder="AA,KK"></label>
      <label v-if="hasCards && form.what !== 'same'"><input type="checkbox" v-model="form.every"> on every runout, not just this one</label>
      <div v-if="form.what !== 'same'" class="eqs-sliders">
        <template v-for="(action, a) in actions" :key="action.code">
          <label class="eqs-lock-on"><input type="checkbox" v-model="form.on[a]" :aria-label="'Lock ' + action.name"><i class="eqs-dot" :style="{ background: tint(action.role) }"></i>{{ action.name }}</label>
          <input type="range" min="0" max="100" step="1" v-model.number="form.shares[a]" :disabled="!form.on[a]" :aria-label="action.name + ' in percent'" @input="balance(a)">
          <span class="eqs-lock-share"><input class="eq-field" type="number" min="0" max="100" step="any" v-model.number="form.shares[a]" :disabled="!form.on[a]" :aria-label="action.name + ', percent'" @change="balance(a)">%</span>
        </template>
      </div>
      <p v-if="form.what !== 'same'" class="eq-muted">{{ note }}</p>
      <div class="eqs-buttons"><button type="button" class="eq-button" @click="add" :disabled="busy">Add the lock</button></div>
      <p v-if="problem" role="alert" class="eq-error">{{ problem }}</p>
      <h3>Locks</h3>
      <ul class="eqs-locks"><li v-for="(lock, k) in locks" :key="lock"><code>{{ textOf(lock).length > 160 ? textOf(lock).slice(0, 157) + '…' : textOf(lock) }}</code> <button type="button" class="eq-button" :aria-label="'Remove lock ' + (k + 1)" @click="remove(k)">Remove</button></li></ul>
      <p v-if="!locks.length" class="eq-muted">None.</p>
      <p v-if="job" role="status" class="eqs-job">{{ told }} <a v-if="job.state === 'done' || job.is_saved" :href="result">Old and new side by side</a> <a :href="'/runs/' + job.id">The run</a></p>
      <div class="eqs-buttons"><button type="button" class="eq-button eq-primary" @click="solve" :disabled="busy || !changed">Solve again</button>
        <button type="button" class="eq-button" @click="dialog.close()">Close</button></div></div>
    </dialog>`,
  setup() {
    const store = inject("study");
    const dialog = ref(null);
    const locks = ref([]);
    const had = ref([]);
    const shown = ref({});
    const textOf = (lock) => shown.value[lock] ?? lock;
    const busy = ref(false);
    const problem = ref("");
    const job = ref(null);
    const watching = ref(false);
    const form = reactive({ what: "all", hands: "", every: false, shares: [], on: [], touched: [] });
    const node = computed(() => store.node.value);
    const actions = computed(() => node.value.actions);
    const line = computed(() => node.value.line);
    const seat = computed(() => (node.value.player ? "IP" : "OOP"));
    const hasCards = computed(() => /\|[2-9TJQKA][cdhs]/.test(line.value));
    const changed = computed(() => locks.value.join("\n") !== had.value.join("\n"));
    const tint = (role) => (store.state.palette, colour(role));
    const sum = computed(() => form.shares.reduce((all, share, a) => all + (form.on[a] ? Number(share) || 0 : 0), 0));
    const note = computed(() => {
      const free = actions.value.filter((_, a) => !form.on[a]).length;
      const total = `${Number(sum.value.toFixed(4))} % locked`;
      return free ? `${total}; the other ${free === 1 ? "action is" : `${free} actions are`} solved.` : `${total}; the actions must add up to 100 %.`;
    });
    let loaded = false;

    async function open() {
      problem.value = "";
      fill();
      dialog.value.showModal();
      if (loaded) return;
      try {
        const found = await ask(store.nodes.of("lock", store.query()));
        if (!loaded) locks.value = [...(had.value = found.locks)];
        Object.assign(shown.value, found.shown);
        loaded = true;
      } catch (error) {
        problem.value = sentence(error);
      }
    }
    function fill() {
      const place = store.focus.pinned;
      const hands = node.value.hands[node.value.player];
      const mask = store.masks.value[node.value.player].map((one, k) => one && (place === null || CLASS[hands.combos[k]] === place));
      const narrowed = place !== null || store.isFiltered.value;
      form.what = narrowed ? "hands" : "all";
      form.hands = place !== null && !store.isFiltered.value ? CLASS_NAMES[place] : narrowed ? rangeText({ ...hands, weight: hands.weight.map(() => 1) }, mask) : "";
      const found = store.totals.value[node.value.player].frequency;
      form.shares = actions.value.map((_, a) => Number((100 * (found[a] ?? 1 / actions.value.length)).toFixed(1)));
      form.on = actions.value.map(() => true);
      form.touched = [];
      form.shares = followed(form.shares, [], 0);
    }
    // What was set stays; the others follow, as long as all are locked.
    function balance(moved) {
      if (form.on.every((on) => on)) form.shares = followed(form.shares, form.touched, moved);
      if (!form.touched.includes(moved)) form.touched.push(moved);
    }
    const place = () => (form.every ? line.value.replaceAll(/\|[2-9TJQKA][cdhs](\||$)/g, "|") : line.value);
    async function text() {
      if (form.what === "same") return (await ask(store.nodes.of("lock", store.query()))).lock;
      const empty = actions.value.find((_, a) => form.on[a] && !Number.isFinite(form.shares[a]));
      if (empty) throw new Error(`How often is ${empty.name} played? Give a percentage, or untick it.`);
      const shares = actions.value.flatMap((action, a) => (form.on[a] ? [`${action.name} ${form.shares[a]}%`] : [])).join(", ");
      const before = { all: "", hands: `${form.hands.trim().replace(/,$/, "")} = `, frequency: "frequency = " }[form.what];
      return `${place()}: ${before}${shares}`;
    }
    async function add() {
      problem.value = "";
      busy.value = true;
      try {
        const found = await post(store.nodes.of("locks"), { locks: [...locks.value, await text()] });
        locks.value = found.locks;
        Object.assign(shown.value, found.shown);
      } catch (error) {
        problem.value = sentence(error);
      } finally {
        busy.value = false;
      }
    }
    const remove = (k) => locks.value.splice(k, 1);
    async function solve() {
      problem.value = "";
      busy.value = true;
      try {
        job.value = await post(store.nodes.of("resolve"), { locks: locks.value });
        watching.value = true;
        follow();
      } catch (error) {
        problem.value = sentence(error);
      } finally {
        busy.value = false;
      }
    }
    let stream = null;
    function follow() {
      stream?.close();
      stream = new EventSource(`/api/jobs/${job.value.id}/events`);
      stream.onmessage = (event) => {
        job.value = JSON.parse(event.data);
        if (!["queued", "running"].includes(job.value.state)) stream.close();
      };
      stream.onerror = () => stream.close();
    }
    onBeforeUnmount(() => stream?.close());
    const told = computed(() => {
      const { state, stage, progress, error } = job.value;
      if (state === "failed") return error?.error ?? "The run has failed.";
      if (state === "done") return "Solved.";
      if (state === "running" && stage) return `Running: ${stage}.`;
      if (state === "running" && progress) {
        const at = progress.measure_percent;
        return `Iteration ${progress.iteration}${at === null ? "" : `, ${progress.measure_name} ${at.toPrecision(3)} % of the pot`}.`;
      }
      return { queued: "Queued.", running: "Running." }[state] ?? `The run is ${state}.`;
    });
    const result = computed(() => {
      const at = line.value ? `line=${encodeURIComponent(line.value)}&` : "";
      return `/study/${encodeURIComponent(job.value.solution)}?${at}versus=${encodeURIComponent(store.nodes.name)}`;
    });
    return { dialog, locks, textOf, busy, problem, job, watching, form, actions, line, seat, hasCards, changed, tint, note, open, balance, add, remove, solve, told, result, percent };
  },
};
