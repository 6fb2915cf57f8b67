// What the components of tables and drills share: cards, numbers, the coach's words.
window.equilibristPlay = (() => {
  const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
  const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten" };
  const PATHS = {
    s: "M12 1.5C19 8 22 11 22 15a5 5 0 0 1-8.6 3.4c.2 2 .9 3.2 2.4 4.1H8.2c1.5-.9 2.2-2.1 2.4-4.1A5 5 0 0 1 2 15c0-4 3-7 10-13.5z",
    h: "M12 22C5 15.5 2 12 2 7.8A5.3 5.3 0 0 1 12 5.2 5.3 5.3 0 0 1 22 7.8c0 4.2-3 7.7-10 14.2z",
    d: "M12 1.5 20.5 12 12 22.5 3.5 12z",
    c: "M12 1.8a4.9 4.9 0 0 1 4.3 7.3 4.9 4.9 0 1 1-2.9 8.6c.2 2.2.9 3.6 2.4 4.5H8.2c1.5-.9 2.2-2.3 2.4-4.5a4.9 4.9 0 1 1-2.9-8.6A4.9 4.9 0 0 1 12 1.8z",
  };

  const Card = {
    props: { code: String, small: Boolean },
    template: `
      <span v-if="!code" class="pl-card pl-back" :class="{'pl-small': small}" role="img" aria-label="face down"></span>
      <span v-else class="pl-card" :class="[{'pl-small': small, 'pl-rank': !suit}, suit && 'eq-' + suit]" role="img" :aria-label="name">
        <b aria-hidden="true">{{ rank }}</b>
        <svg v-if="suit" viewBox="0 0 24 24" aria-hidden="true"><path :d="path"></path></svg>
      </span>`,
    computed: {
      suit() {
        const last = this.code.slice(-1);
        return this.code.length > 1 && last in SUITS ? last : null;
      },
      rank() {
        const rank = this.suit ? this.code.slice(0, -1) : this.code;
        return rank === "T" ? "10" : rank;
      },
      path() {
        return PATHS[this.suit];
      },
      name() {
        const rank = RANKS[this.rank] ?? this.rank;
        return this.suit ? `${rank} of ${SUITS[this.suit]}` : rank;
      },
    },
  };

  const zero = (text) => (/^-[0.,]*$/.test(text) ? text.slice(1) : text);
  const grouped = (x, digits) =>
    x.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  // Where payoffs differ by less than this, six decimals hide digits that matter; of chips two do.
  const isSmall = (range, unit) => range > 0 && range < (unit === "chips" ? 1 : 0.1);
  const significant = (x, range, digits) => (Math.abs(x) <= 1e-9 * range ? "0" : String(Number(x.toPrecision(digits))));
  // EVs: chips with two decimals, payoffs of other games with six, as the command line prints them;
  // six significant digits where the range of the game's payoffs is small.
  const value = (x, unit, range) => {
    if (x == null) return "–";
    if (isSmall(range, unit)) return significant(x, range, 6);
    return zero(unit === "chips" ? grouped(x, 2) : x.toFixed(unit === "big blinds" ? 3 : 6));
  };
  const amount = (x) => grouped(x, Number.isInteger(x) ? 0 : 2);
  const signed = (x, text) => (x > 0 ? "+" : "") + text;
  // Payoffs of hands, without the zeros that `value` keeps.
  const won = (x, unit, range) => {
    if (isSmall(range, unit)) return significant(x, range, 6);
    const maximumFractionDigits = { chips: 2, "big blinds": 3 }[unit] ?? 6;
    return x.toLocaleString("en-US", { maximumFractionDigits });
  };
  const payoff = (x, unit, range) => signed(x, won(x, unit, range));
  const percent = (x, digits = 1) => (x == null ? "–" : zero((100 * x).toFixed(digits)) + " %");
  // Means of hands, as the command line prints them; `factor` is for how many hands they are.
  const meanText = (x, factor, unit, range) =>
    isSmall(range, unit) ? significant(factor * x, range, 6) : zero((factor * x).toFixed(factor > 1 ? 4 : 6));
  const mean = (m, factor, unit, range) => (m == null ? "–" : signed(m.mean, meanText(m.mean, factor, unit, range)));
  const interval = (m, factor, unit, range) =>
    m == null || m.low == null
      ? "no interval yet"
      : `${meanText(m.low, factor, unit, range)} to ${meanText(m.high, factor, unit, range)}`;
  const MARKS = { best: "✓", correct: "✓", inaccuracy: "≈", mistake: "✗", blunder: "✗✗" };

  // The table of a decision: what each action is worth, and how often the solution takes it.
  const Coach = {
    props: { said: Object, unit: String, range: Number, drill: Boolean },
    template: `
      <div class="pl-said" data-part="said">
        <span v-if="said.grade" class="pl-grade" :data-grade="said.grade"><span aria-hidden="true">{{ mark }}</span>{{ said.grade }}</span>
        <span>{{ sentence }}</span>
        <a v-if="said.study" :href="said.study">Study this decision</a>
        <a v-if="said.drill && !drill" :href="said.drill">Drill it</a>
      </div>
      <div v-if="said.mapped && !said.mapped.exact" class="eq-small" data-part="mapped">{{ mapped }}</div>
      <table v-if="known" class="pl-table">
        <thead><tr><th scope="col">Action</th><th scope="col" class="pl-n">EV</th><th scope="col" class="pl-n">Solution</th><th scope="col"><span class="eq-hidden">Share</span></th></tr></thead>
        <tbody>
          <tr v-for="(row, k) in said.actions" :data-chosen="k === said.chosen">
            <td>{{ row.word }}{{ k === said.chosen ? " (you)" : "" }}</td>
            <td class="pl-n">{{ value(row.ev) }}{{ row.error > 0 ? " ± " + value(row.error) : "" }}</td>
            <td class="pl-n">{{ percent(row.frequency) }}</td>
            <td class="pl-share"><span :style="{width: 100 * (row.frequency || 0) + '%', background: colour(row.role)}"></span></td>
          </tr>
        </tbody>
      </table>`,
    data: () => ({ painted: 0 }),
    mounted() {
      this.repaint = () => this.painted++;
      window.addEventListener("palette", this.repaint);
    },
    unmounted() {
      window.removeEventListener("palette", this.repaint);
    },
    computed: {
      mark() {
        return MARKS[this.said.grade];
      },
      known() {
        return this.said.actions.some((row) => row.ev != null || row.frequency != null);
      },
      sentence() {
        const said = this.said;
        const word = said.actions[said.chosen].word;
        if (said.estimated) return `${word} has an estimated EV loss of ${this.value(said.ev_loss)} ${this.unit}, with 95 % intervals below.`;
        if (said.ev_loss == null) return `${word}: no EVs, since the solution never reaches this point.`;
        const share = said.share == null ? "" : `, ${percent(said.share, 2)} of the ${said.stake_name}`;
        if (this.value(said.ev_loss) === this.value(0)) return `${word} has no EV loss.`;
        const most = said.grade === "best" ? "." : `; ${said.actions[said.best].word} has the highest EV.`;
        return `${word} has an EV loss of ${this.value(said.ev_loss)} ${this.unit}${share}${most}`;
      },
      mapped() {
        const word = this.said.actions[this.said.chosen].word;
        const graded = this.said.ev_loss == null ? "The hand goes on with" : "The coach judges";
        return `${mappedText(this.said.mapped)} ${graded} ${word}, not the bet of ${amount(this.said.mapped.amount)}.`;
      },
    },
    methods: {
      percent,
      value(x) {
        return value(x, this.unit, this.range);
      },
      colour(role) {
        void this.painted;
        return window.equilibrist.actionColour(role);
      },
    },
  };

  function mappedText(mapped) {
    if (mapped.exact) return `The solution has this bet.`;
    const parts = mapped.shares.map((s) => `${s.word} (${percent(s.probability)})`);
    return `Bet of ${amount(mapped.amount)}, ${percent(mapped.share)} of the pot: mapped to ${parts.join(" or ")}.`;
  }

  // What lies on the table, with the cards that may be seen.
  const Scene = {
    components: { PlayCard: Card },
    props: { scene: Object },
    template: `
      <div v-if="scene.kind === 'spot'" class="pl-felt" :data-infoset="scene.infoset">
        <div v-if="others.length > 1" class="pl-others" role="list" aria-label="Opponents, from your left">
          <div v-for="one in others" :key="one.seat" class="pl-place" role="listitem" :data-folded="one.folded">
            <span class="pl-who"><b>{{ one.name }} ({{ one.seat }})</b><span class="eq-small eq-num">{{ one.folded ? "folded" : amount(one.behind) + " behind" }}</span></span>
            <span class="pl-cards" v-if="one.cards || !one.folded"><play-card v-for="(card, k) in one.cards || [null, null]" :key="k" :code="card" small></play-card></span>
            <span class="pl-bet" :data-none="!one.bet">{{ amount(one.bet) }}</span>
          </div>
        </div>
        <div v-else class="pl-seat" :data-folded="other.folded">
          <span class="pl-who"><b>AI ({{ other.seat }})</b><span class="eq-small eq-num">{{ amount(other.behind) }} behind</span></span>
          <span class="pl-cards"><play-card v-for="(card, k) in other.cards || [null, null]" :key="k" :code="card" small></play-card></span>
        </div>
        <div class="pl-middle">
          <span v-if="others.length === 1" class="pl-bet" :data-none="!other.bet">{{ amount(other.bet) }}</span>
          <span class="pl-cards" aria-label="Board" role="group"><play-card v-for="card in scene.board" :key="card" :code="card"></play-card></span>
          <span class="pl-pot">Pot <b data-part="pot">{{ amount(scene.total) }}</b><template v-if="scene.to_call"> · to call {{ amount(scene.to_call) }}</template></span>
          <span class="pl-bet" :data-none="!mine.bet">{{ amount(mine.bet) }}</span>
        </div>
        <div class="pl-seat" :data-folded="mine.folded">
          <span class="pl-who"><b>You ({{ mine.seat }})</b><span class="eq-small eq-num">{{ amount(mine.behind) }} behind</span></span>
          <span class="pl-cards" aria-label="Your cards" role="group"><play-card v-for="card in mine.cards" :key="card" :code="card"></play-card></span>
        </div>
        <div class="pl-moves"><span v-for="street in scene.moves"><b>{{ street.street }}</b>{{ street.card ? " " + street.card : "" }}: {{ spoken(street) }}</span></div>
      </div>
      <div v-else class="pl-felt pl-plain" :data-infoset="scene.infoset">
        <div v-if="scene.cards.length" class="pl-middle"><span class="eq-small eq-muted">You ({{ scene.you }})</span>
          <span class="pl-cards" aria-label="Your cards" role="group"><play-card v-for="(card, k) in scene.cards" :key="k" :code="card"></play-card></span></div>
        <div v-else class="eq-muted">You ({{ scene.you }})</div>
        <div v-if="scene.board.length" class="pl-middle"><span class="eq-small eq-muted">Board</span>
          <span class="pl-cards"><play-card v-for="card in scene.board" :key="card" :code="card"></play-card></span></div>
        <dl class="pl-facts"><template v-for="[name, text] in scene.facts"><dt>{{ name }}</dt><dd>{{ text }}</dd></template></dl>
      </div>`,
    computed: {
      mine() {
        return this.scene.players.find((p) => p.you);
      },
      other() {
        return this.others[0];
      },
      // In the order in which they post and act, from the person's left on.
      others() {
        const { players } = this.scene;
        const me = players.findIndex((p) => p.you);
        return [...players.slice(me + 1), ...players.slice(0, me)];
      },
    },
    methods: {
      amount,
      spoken(street) {
        return street.moves.map(([who, what]) => `${who} ${what}`).join(", ") || "no action yet";
      },
    },
  };

  // Keys for all of the page, unless somebody writes into a field.
  function isTyping(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return true;
    return /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "range";
  }
  const isControl = (event) => /^(BUTTON|A|SUMMARY|INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);

  return { Card, Coach, Scene, value, amount, won, payoff, percent, mean, interval, mappedText, isTyping, isControl, MARKS };
})();
