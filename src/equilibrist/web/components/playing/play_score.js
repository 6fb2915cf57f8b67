// The score of a table or a drill: payoffs with intervals, AIVAT, grades, and the hands.
const play = window.equilibristPlay;

export default {
  props: { doc: Object, drill: Boolean, downloads: Array },
  template: `
    <aside class="eq-stack" :aria-label="drill ? 'Score of the drill' : 'Score'">
      <section class="eq-panel eq-stack">
        <h2>Score</h2>
        <dl v-if="!drill" class="pl-figures">
          <dt>Hands</dt><dd data-part="hands">{{ score.hands }}</dd>
          <dt>Won, in {{ doc.unit }}</dt><dd data-part="total">{{ payoff(score.total) }}</dd>
          <dt>Per hand</dt><dd data-part="mean">{{ mean(won) }}<small>{{ interval(won) }}</small></dd>
          <dt>Per 100 hands</dt><dd>{{ mean(won, 100) }}<small>{{ interval(won, 100) }}</small></dd>
          <template v-if="score.aivat">
            <dt>AIVAT, per hand</dt><dd data-part="aivat">{{ mean(aivat) }}<small>{{ interval(aivat) }}</small></dd>
            <dt>AIVAT, per 100 hands</dt><dd>{{ mean(aivat, 100) }}<small>{{ interval(aivat, 100) }}</small></dd>
          </template>
          <template v-if="score.revealed"><dt>With the AI's cards shown</dt><dd>{{ score.revealed }} hand{{ score.revealed === 1 ? "" : "s" }}</dd></template>
          <template v-if="score.expected != null"><dt>The solution in your seat</dt><dd>{{ mean({mean: score.expected}) }}</dd></template>
        </dl>
        <p v-if="!drill" class="eq-small eq-muted">Intervals are 95 % confidence intervals. <template v-if="score.aivat">AIVAT estimates the same mean with lower variance.</template></p>
        <dl v-else class="pl-figures">
          <dt>Answers</dt><dd data-part="hands">{{ score.answers }}</dd>
          <dt>Decisions drilled</dt><dd>{{ doc.infosets }} {{ doc.kind === "spot" ? "hands" : "infosets" }}</dd>
        </dl>
      </section>
      <section v-if="drill || (doc.has_coach && doc.kind !== 'hand')" class="eq-panel eq-stack">
        <h2>Choices</h2>
        <dl class="pl-figures">
          <dt>Best or correct</dt><dd data-part="right">{{ percent(score.right) }}</dd>
          <dt>Mean EV loss</dt><dd data-part="loss">{{ score.ev_loss ? value(score.ev_loss.mean) + " " + doc.unit : "–" }}<small>{{ score.share ? percent(score.share.mean, 2) + " of the " + doc.stake_name : "" }}</small></dd>
        </dl>
        <div class="pl-counts">
          <div v-for="row in doc.thresholds"><span class="pl-grade" :data-grade="row.grade"><span aria-hidden="true">{{ marks[row.grade] }}</span>{{ row.grade }}</span>
            <i :style="{width: width(row.grade)}" aria-hidden="true"></i><span :data-grade-count="row.grade">{{ score.grades[row.grade] }}</span></div>
        </div>
        <p class="eq-small eq-muted">By EV loss as a share of the {{ doc.stake_name }}: {{ limits }}. An inaccuracy that the solution plays at least {{ percent(doc.played, 0) }} of the time counts as correct<template v-if="doc.error > 0">, and so does any loss within the {{ doc.measure_name || "error" }} of the solution ({{ value(doc.error) }})</template>.</p>
      </section>
      <section v-if="!drill && doc.recent.length" class="eq-panel eq-stack">
        <h2>Hands</h2>
        <svg v-if="doc.recent.length > 1" class="pl-curve" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" :aria-label="'Won over the last ' + doc.recent.length + ' hands'">
          <line x1="0" x2="100" :y1="curve.zero" :y2="curve.zero" stroke="var(--eq-line)" vector-effect="non-scaling-stroke"></line>
          <polyline :points="curve.points" fill="none" stroke="var(--eq-accent)" stroke-width="2" vector-effect="non-scaling-stroke"></polyline>
        </svg>
        <ul class="pl-list"><li v-for="hand in doc.recent" :key="hand.hand">
          <button @click="open(hand.hand)" :aria-label="'Replay hand ' + hand.hand"><span class="eq-muted">{{ hand.hand }}</span>
            <span>{{ hand.worst || "" }}{{ hand.ev_loss ? ", EV loss " + value(hand.ev_loss) : "" }}{{ hand.revealed ? (hand.worst ? ", " : "") + "cards shown" : "" }}</span>
            <span :class="hand.payoff > 0 ? 'pl-win' : hand.payoff < 0 ? 'pl-lose' : ''">{{ payoff(hand.payoff) }}</span></button></li></ul>
        <div class="eq-row" v-if="downloads && downloads.length"><span class="eq-small eq-muted">Save all hands:</span>
          <a v-for="one in downloads" :href="one.href" download class="eq-small">{{ one.name }}</a></div>
      </section>
      <section v-if="drill && doc.worst.length" class="eq-panel eq-stack">
        <h2>Worst answers</h2>
        <ul class="pl-list"><li v-for="one in doc.worst" :key="one.number">
          <a :href="one.study"><span class="eq-mono">{{ hand(one) }}</span><span>{{ one.actions[one.chosen].word }}, not {{ one.actions[one.best].word }}</span><span class="pl-lose">{{ value(-one.ev_loss) }}</span></a></li></ul>
        <p class="eq-small eq-muted">Each leads to the decision in the solution.</p>
      </section>
    </aside>`,
  computed: {
    score() {
      return this.doc.score;
    },
    won() {
      return this.score.hands ? this.score.payoff : null;
    },
    aivat() {
      return this.score.hands ? this.score.aivat : null;
    },
    marks: () => play.MARKS,
    limits() {
      return this.doc.thresholds
        .map((row) => (row.most == null ? `${row.grade} beyond` : `${row.grade} to ${+(100 * row.most).toFixed(2)} %`))
        .join(", ");
    },
    curve() {
      const hands = [...this.doc.recent].reverse();
      let sum = 0;
      const sums = [0, ...hands.map((hand) => (sum += hand.payoff))];
      const low = Math.min(...sums), high = Math.max(...sums), span = high - low || 1;
      const y = (value) => (38 - (36 * (value - low)) / span).toFixed(2);
      const points = sums.map((value, k) => `${((100 * k) / (sums.length - 1)).toFixed(2)},${y(value)}`).join(" ");
      return { points, zero: y(0) };
    },
  },
  methods: {
    mean(m, factor = 1) {
      return play.mean(m, factor, this.doc.unit, this.doc.range);
    },
    interval(m, factor = 1) {
      return play.interval(m, factor, this.doc.unit, this.doc.range);
    },
    percent: play.percent,
    payoff(x) {
      return play.payoff(x, this.doc.unit, this.doc.range);
    },
    value(x) {
      return play.value(x, this.doc.unit, this.doc.range);
    },
    width(grade) {
      const most = Math.max(1, ...Object.values(this.score.grades));
      return `${(100 * this.score.grades[grade]) / most}%`;
    },
    hand(one) {
      return this.doc.kind === "spot" ? one.infoset.split(":")[0] : one.infoset;
    },
    open(hand) {
      window.dispatchEvent(new CustomEvent("replayhand", { detail: hand }));
      window.scrollTo({ top: 0 });
    },
  },
};
