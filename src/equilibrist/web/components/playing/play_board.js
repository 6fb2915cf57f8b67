// A table or a drill: the scene, the actions, what the coach says, and the replay of a hand.
const play = window.equilibristPlay;

export default {
  components: { PlayCard: play.Card, PlayCoach: play.Coach, PlayScene: play.Scene },
  props: { doc: Object, quote: Object, ranges: Object, replay: Object, reply: Number, drill: Boolean, address: String },
  emits: ["choose", "bet", "next", "quote", "ranges", "reveal", "replay"],
  template: `
    <div class="pl-board">
      <template v-if="replay">
        <h2>Hand {{ replay.hand }}, move by move</h2>
        <play-scene v-if="replay.scenes" :scene="replayScene"></play-scene>
        <div class="pl-steps">
          <button class="eq-button" :disabled="step === first" @click="step--" aria-keyshortcuts="ArrowLeft">Back</button>
          <button class="eq-button" :disabled="step === replay.moves.length - 1" @click="step++" aria-keyshortcuts="ArrowRight">Forward</button>
          <button class="eq-button" @click="show(null)" aria-keyshortcuts="Escape">Close the replay</button>
          <span class="eq-num" role="status">Move {{ step + 1 }} of {{ replay.moves.length }}: {{ replayed.who }} {{ replayed.word }}</span>
        </div>
        <section class="eq-panel pl-coach">
          <play-coach v-if="replayed.decision" :said="replayed.decision" :unit="doc.unit" :range="doc.range"></play-coach>
          <template v-else-if="replayed.mixture">
            <div>The solution drew {{ replayed.word }} from:</div>
            <ul class="eq-small"><li v-for="row in replayed.mixture">{{ row.word }} {{ percent(row.frequency) }}</li></ul>
          </template>
          <div v-else class="eq-muted">Chance: {{ replayed.word }}</div>
          <div v-if="step === replay.moves.length - 1" class="pl-result" :class="tone(replay.payoff)">{{ result(replay) }}</div>
        </section>
      </template>
      <template v-else>
        <play-scene :scene="scene"></play-scene>
        <div v-if="turn" class="pl-actions" role="group" aria-label="Actions">
          <button v-for="(action, k) in turn.actions" :key="k" class="pl-action" :disabled="busy" @click="choose(k)"
            :style="{background: colour(action.role), color: ink(action.role)}" :aria-keyshortcuts="k < 9 ? String(k + 1) : null"
            >{{ named(action) }}<kbd v-if="k < 9" aria-hidden="true">{{ k + 1 }}</kbd></button>
        </div>
        <div v-else class="pl-actions">
          <button class="eq-button eq-primary pl-next" :disabled="busy" @click="next" ref="next" aria-keyshortcuts="Enter">{{ drill ? "Next question" : "Next hand" }}<kbd aria-hidden="true">Enter</kbd></button>
          <span v-if="over" class="pl-result" :class="tone(over.payoff)" data-part="result" role="status">{{ result(over) }}</span>
        </div>
        <div v-if="canBet" class="pl-bets">
          <div v-if="turn && turn.bets">
            <input type="range" aria-label="Size of the bet" :min="turn.bets.least" :max="turn.bets.most" :step="turn.bets.step" v-model.number="size">
            <input type="number" class="eq-field" aria-label="Bet in chips" :min="turn.bets.least" :max="turn.bets.most" :step="turn.bets.step" v-model.number="size" @keydown.enter.prevent="bet">
            <button v-for="share in shares" class="eq-button" @click="size = share.amount">{{ share.name }}</button>
            <button class="eq-button" :disabled="busy || !fits" @click="bet">{{ verb }} {{ fits ? amount(size) : "" }}</button>
          </div>
          <div v-if="turn && turn.bets" class="pl-quote" data-part="quote" role="status">{{ quoted }}</div>
          <div v-else-if="turn" class="pl-quote">No bet is possible here.</div>
        </div>
        <section class="eq-panel pl-coach" aria-label="Coach" aria-live="polite">
          <template v-if="coach">
            <play-coach v-if="said" :said="said" :unit="doc.unit" :range="doc.range" :drill="drill"></play-coach>
            <div v-else class="eq-muted">{{ hint }}</div>
          </template>
          <div v-else class="eq-muted">The coach is off. Grades are shown in the replay of each hand.</div>
        </section>
        <details v-if="!drill" class="eq-panel pl-ai" :open="asked" @toggle="ask($event.target.open)">
          <summary>The AI's mixture</summary>
          <template v-if="asked">
            <div class="pl-said">
              <span class="eq-small eq-muted">{{ aiSays }}</span>
              <button v-if="turn" class="eq-button" :aria-pressed="String(doc.revealed)" :disabled="busy" @click="reveal">{{ doc.revealed ? "Hide the AI's cards" : "Show the AI's cards" }}</button>
            </div>
            <table v-if="aiRows.length" class="pl-table" data-part="mixture"><tbody>
              <tr v-for="(row, k) in aiRows" :key="k"><td>{{ row.at }}</td>
                <td><template v-for="(one, j) in row.actions">{{ j ? ", " : "" }}<span :style="{fontWeight: one.taken ? 650 : 400}">{{ one.word }}{{ one.frequency == null ? "" : " " + percent(one.frequency) }}</span></template></td></tr>
            </tbody></table>
          </template>
        </details>
      </template>
    </div>`,
  data: () => ({ busy: false, size: 0, step: 0, painted: 0, coach: true, asked: false }),
  computed: {
    // Which decision this is: every update brings new objects, even if nothing in them is new.
    moment() {
      return this.turn ? `${this.turn.hand}:${this.turn.move}:${this.turn.number}` : "over";
    },
    replayedHand() {
      return this.replay?.hand;
    },
    turn() {
      return this.drill ? this.doc.question : this.doc.turn;
    },
    over() {
      return this.drill ? null : this.doc.over;
    },
    said() {
      if (this.drill) return this.turn ? null : this.doc.answer;
      return this.doc.decisions[this.doc.decisions.length - 1];
    },
    scene() {
      if (this.turn) return this.turn.scene;
      if (this.drill) return this.doc.answer.scene;
      if (this.over.scenes) return this.over.scenes[this.over.scenes.length - 1];
      const facts = this.over.moves.map((move) => [move.who, move.word]);
      return { kind: "game", you: `player ${this.over.player}`, cards: [], board: [], facts };
    },
    first() {
      return this.replay.scenes ? this.replay.moves.length - this.replay.scenes.length : 0;
    },
    replayed() {
      return this.replay.moves[this.step] ?? this.replay.moves[this.replay.moves.length - 1];
    },
    replayScene() {
      return this.replay.scenes[Math.max(this.step, this.first) - this.first];
    },
    // The moves of the AI with the probabilities that they were drawn from, where they may be seen.
    exact() {
      const moves = this.turn ? this.turn.moves : this.over.moves;
      return moves && moves.filter((move) => move.mixture || (this.turn && move.player === null && this.doc.kind === "game"));
    },
    known() {
      const { ranges, turn } = this;
      return turn && ranges && ranges.hand === turn.hand && ranges.move === turn.move ? ranges.decisions : null;
    },
    aiRows() {
      if (this.exact) {
        return this.exact.map((move) => ({
          at: move.mixture ? `${move.who}, ${move.infoset}` : move.who,
          actions: move.mixture ? move.mixture.map((row) => ({ ...row, taken: row.word === move.word })) : [{ word: move.word }],
        }));
      }
      return (this.known ?? []).map((one) => ({ at: this.placed(one), actions: one.actions }));
    },
    aiSays() {
      if (this.exact) return this.aiRows.length ? "The probabilities from which its actions were drawn, with the hand that it holds:" : "The AI has not acted.";
      if (!this.doc.has_ranges) return "This solution has no game tree: only the AI's own probabilities can be shown.";
      if (!this.known) return "…";
      if (!this.known.length) return "The AI has not acted yet in this hand.";
      return "How often it takes each action with its whole range, given what you see:";
    },
    hint() {
      if (this.drill) return "Choose: the answer is graded against the solution.";
      return this.doc.kind === "hand" ? "After each choice, its EV loss is shown here; where it is an estimate, this is said." : this.doc.has_coach ? "After each choice, its EV loss is shown here." : "This solution has no game tree, so there is no coach.";
    },
    canBet() {
      return !this.drill && this.doc.kind !== "game";
    },
    fits() {
      const { least, most, step } = this.turn.bets;
      const steps = this.size / step;
      return this.size >= least && this.size <= most && Math.abs(steps - Math.round(steps)) < 1e-9;
    },
    verb() {
      if (this.size === this.turn.bets.most) return "All-in";
      return this.turn.bets.facing ? "Raise to" : "Bet";
    },
    shares() {
      const { facing, pot, least, most, step } = this.turn.bets;
      const sizes = [["⅓ pot", 1 / 3], ["½ pot", 1 / 2], ["¾ pot", 3 / 4], ["Pot", 1]];
      return sizes
        .map(([name, share]) => ({ name, amount: step * Math.round((facing + share * pot) / step) }))
        .filter((size) => size.amount >= least && size.amount <= most);
    },
    quoted() {
      const { least, most } = this.turn.bets;
      if (!this.fits) return `A bet is from ${play.amount(least)} to ${play.amount(most)} chips.`;
      return this.quote && this.quote.amount === this.size ? play.mappedText(this.quote) : "";
    },
  },
  watch: {
    reply() {
      this.busy = false;
    },
    moment() {
      this.look();
      if (this.turn) this.reset();
      else this.$nextTick(() => document.activeElement === document.body && this.$refs.next?.focus({ preventScroll: true }));
    },
    "doc.revealed"() {
      this.look();
    },
    replayedHand() {
      if (this.replay) this.step = this.first;
    },
    size(now) {
      clearTimeout(this.waiting);
      if (this.turn?.bets && this.fits) this.waiting = setTimeout(() => this.$emit("quote", now), 60);
    },
  },
  mounted() {
    window.history.replaceState(null, "", this.address);
    this.reset();
    if (this.replay) this.step = this.first;
    this.coach = this.drill || readCoach();
    this.onKey = (event) => this.key(event);
    this.onPop = () => this.$emit("replay", handInAddress());
    this.repaint = () => this.painted++;
    this.onCoach = (event) => (this.coach = this.drill || event.detail);
    window.addEventListener("keydown", this.onKey);
    window.addEventListener("popstate", this.onPop);
    window.addEventListener("palette", this.repaint);
    window.addEventListener("coach", this.onCoach);
    this.onShow = (event) => this.show(event.detail);
    window.addEventListener("replayhand", this.onShow);
  },
  unmounted() {
    clearTimeout(this.waiting);
    window.removeEventListener("keydown", this.onKey);
    window.removeEventListener("popstate", this.onPop);
    window.removeEventListener("palette", this.repaint);
    window.removeEventListener("coach", this.onCoach);
    window.removeEventListener("replayhand", this.onShow);
  },
  methods: {
    percent: play.percent,
    amount: play.amount,
    colour(role) {
      void this.painted;
      return window.equilibrist.actionColour(role);
    },
    ink(role) {
      return window.equilibrist.ink(this.colour(role));
    },
    named(action) {
      return action.word === action.label || this.doc.kind !== "game" ? action.word : `${action.word} (${action.label})`;
    },
    placed(one) {
      const many = `${one.holdings.toLocaleString("en-US")} ${this.doc.kind !== "game" ? "hands" : "infosets"}`;
      if (one.line === null) return `${one.who}, ${many}`;
      return `${one.who}, ${one.line ? `after ${one.line}` : "at the root"}, ${many}`;
    },
    ask(open) {
      if (open === this.asked) return;
      this.asked = open;
      this.look();
    },
    look() {
      if (this.asked && this.turn && !this.exact && this.doc.has_ranges) this.$emit("ranges");
    },
    reveal() {
      if (this.busy) return;
      this.busy = true;
      this.$emit("reveal", !this.doc.revealed);
    },
    tone(payoff) {
      return payoff > 0 ? "pl-win" : payoff < 0 ? "pl-lose" : "";
    },
    result(hand) {
      const size = play.won(Math.abs(hand.payoff), this.doc.unit, this.doc.range);
      return `You ${hand.payoff < 0 ? "lose" : "win"} ${size} ${this.doc.unit}`;
    },
    reset() {
      const bets = this.turn?.bets;
      if (!bets) return;
      const half = bets.step * Math.round((bets.facing + bets.pot / 2) / bets.step);
      this.size = Math.min(Math.max(half, bets.least), bets.most);
      this.$emit("quote", this.size);
    },
    choose(k) {
      if (this.busy || !this.turn) return;
      this.busy = true;
      const at = this.drill ? { number: this.turn.number } : { hand: this.turn.hand, move: this.turn.move };
      this.$emit("choose", { ...at, action: k });
    },
    bet() {
      if (this.busy || !this.turn || !this.fits) return;
      this.busy = true;
      this.$emit("bet", { hand: this.turn.hand, move: this.turn.move, amount: this.size });
    },
    next() {
      if (this.busy || this.turn) return;
      this.busy = true;
      this.$emit("next");
    },
    show(hand) {
      const address = new URL(window.location);
      if (hand == null) address.searchParams.delete("hand");
      else address.searchParams.set("hand", hand);
      window.history.pushState(null, "", address);
      this.$emit("replay", hand);
    },
    key(event) {
      if (play.isTyping(event)) return;
      if (this.replay) {
        if (event.key === "ArrowLeft" && this.step > this.first) this.step--;
        else if (event.key === "ArrowRight" && this.step < this.replay.moves.length - 1) this.step++;
        else if (event.key === "Escape") this.show(null);
        else return;
        event.preventDefault();
      } else if (/^[1-9]$/.test(event.key)) {
        if (this.turn && Number(event.key) <= this.turn.actions.length) this.choose(Number(event.key) - 1);
      } else if (event.key === "Enter" && !play.isControl(event)) {
        this.next();
      }
    },
  },
};

function handInAddress() {
  const text = new URL(window.location).searchParams.get("hand");
  return text && /^\d+$/.test(text) ? Number(text) : null;
}

function readCoach() {
  try {
    return localStorage.getItem("equilibrist.coach") !== "off";
  } catch {
    return true;
  }
}
