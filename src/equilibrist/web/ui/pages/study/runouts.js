// What every next card does: as a grid of cards, as a chart, and as a table. A click deals the card.
import { computed, html, onBeforeUnmount, onMounted, ref, shallowRef, watch } from "../../core/html.js";
import { Refusal } from "../../core/source.js";
import { t } from "../../core/texts.js";
import { actionName, actionsOf, METRIC_NAMES } from "../../poker/actions.js";
import { METRICS, money, percent } from "../../poker/amounts.js";
import { cardText, RANKS_DOWN, SUITS_DOWN } from "../../poker/cards.js";
import { actionColour, heatColour, ink, inkOn, stacked, stopsOf } from "../../poker/colours.js";
import { cards } from "../../parts/cards.js";
import { Notice } from "../../parts/notice.js";
import { inOrder, sortButton, sortedBy, sortOf } from "../../parts/rows.js";

const CARDS = SUITS_DOWN.flatMap((suit) => RANKS_DOWN.map((rank) => rank + suit));
const SHADES = [0, 0.25, 0.5, 0.75, 1]; // of the legend
const STEPS = { ArrowUp: -13, ArrowDown: 13, ArrowLeft: -1, ArrowRight: 1 };

export const Runouts = {
  props: { store: Object },
  setup({ store }) {
    const { node, nodes, seat, seats, isOfThree } = store;
    const what = ref("ev");
    const chosen = ref(0);
    const rows = shallowRef([]);
    const isBusy = ref(false);
    const problem = shallowRef(null);
    const by = ref({ key: "card", down: true });
    const isKept = computed(() => {
      const { way, line } = node.value;
      return store.isKept(way.filter((place) => place.card).length + 1, line);
    });
    let latest = 0;

    async function load() {
      nodes.leaveRunouts();
      latest += 1;
      const mine = latest;
      [rows.value, problem.value] = [[], null];
      if (!node.value.deals_a_card || !isKept.value) return;
      isBusy.value = true;
      try {
        const found = await nodes.runouts(node.value.line);
        if (mine === latest) rows.value = found.runouts;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (mine === latest) problem.value = error;
      } finally {
        if (mine === latest) isBusy.value = false;
      }
    }
    onMounted(load);
    watch(() => node.value.line, load);
    onBeforeUnmount(() => nodes.leaveRunouts());

    // Of three players there is what the one does and wins who acts after the card.
    const metrics = isOfThree ? ["ev"] : METRIC_NAMES;
    const acting = () => Math.max(seats.indexOf(rows.value[0]?.player), 0);
    const shownSeats = () => (isOfThree ? [acting()] : [0, 1]);
    const who = computed(() => (isOfThree ? acting() : chosen.value));
    const byCard = computed(() => new Map(rows.value.map((row) => [row.card, row])));
    const actions = computed(() => actionsOf(Object.keys(rows.value[0] ?? {})));
    const nameOf = (action) => actionName(action, node.value);
    const frequency = (row, action) => row[`${action.name} freq`] ?? 0;
    const label = () =>
      (what.value === "strategy"
        ? t("runouts.first")
        : t("runouts.of", { metric: t(`metric.${what.value}`), seat: seat(who.value) }));
    const figure = (row) => (what.value === "strategy" ? null : row?.[`${what.value}_${seats[who.value]}`] ?? null);
    const text = (value, pot, digits) => (value === null ? "" : METRICS[what.value](value, pot, digits));
    const figures = computed(() => rows.value.map(figure).filter((value) => value !== null));
    // The least and the most that is shown: colours are told apart though all cards are much alike.
    const span = computed(() => [Math.min(...figures.value), Math.max(...figures.value)]);
    const most = computed(() => {
      const { pot } = node.value;
      return Math.max({ equity: 1, ev: pot, eqr: 1.5 }[what.value] ?? 1, span.value[1]);
    });
    const parts = (row) => stacked(actions.value.map(actionColour), (a) => frequency(row, actions.value[a]));
    const mixture = (row) =>
      actions.value.map((action) => `${nameOf(action)} ${percent(frequency(row, action))}`).reverse().join(", ");

    function styleOf(row) {
      if (!row) return {};
      if (what.value === "strategy") {
        const shares = parts(row);
        return { background: `linear-gradient(90deg,${stopsOf(shares).join(",")})`, color: inkOn(shares) || null };
      }
      const value = figure(row);
      if (value === null) return {};
      const [low, high] = span.value;
      const colour = heatColour(high > low ? (value - low) / (high - low) : 0.5);
      return { background: colour, color: ink(colour) };
    }
    const chooseSeat = (event) => (chosen.value = seats.indexOf(event.target.value));
    const after = (card) => `${node.value.line}|${card}`;
    function key(event) {
      const step = STEPS[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const buttons = [...event.currentTarget.querySelectorAll("button")];
      let at = buttons.indexOf(event.target) + step;
      while (buttons[at]?.disabled) at += step;
      buttons[at]?.focus();
    }

    function card(name) {
      const row = byCard.value.get(name);
      const isDead = node.value.board.includes(name);
      const value = text(figure(row), node.value.pot, 3);
      const style = styleOf(row);
      const said = isDead ? t("runouts.dead", { card: name }) : value ? `${name}, ${label()} ${value}` : name;
      return html`
        <button key=${name} type="button" disabled=${isDead} style=${style} aria-label=${said}
          class=${{ "eqs-haloed": style.background && !style.color }}
          onClick=${() => store.go(after(name))} onPointerenter=${() => store.ahead(after(name))}
          onFocus=${() => store.ahead(after(name))}>
          <span class=${style.background ? null : `eq-${name[1]}`}>${cardText(name)}</span><small>${value}</small>
        </button>`;
    }
    function column(name) {
      const row = byCard.value.get(name);
      if (!row) return html`<span key=${name} class="eqs-column"></span>`;
      const isMixed = what.value === "strategy";
      const title = `${name}: ${isMixed ? mixture(row) : text(figure(row), row.pot)}`;
      const bars = isMixed
        ? parts(row).map(({ colour, from, to }) => ({ height: `${to - from}%`, background: colour }))
        : [{ height: `${Math.max((100 * figure(row)) / most.value, 0)}%`, background: styleOf(row).background }];
      return html`
        <span key=${name} class="eqs-column" title=${title}>
          ${bars.map((style) => html`<i style=${style}></i>`)}
        </span>`;
    }
    function legend() {
      const [low, high] = span.value.map((value) => text(value, node.value.pot, 3));
      const stops = SHADES.map((share) => `${heatColour(share)} ${100 * share}%`).join(",");
      return html`
        <div class="eqs-scale eq-small">
          <span>${t("runouts.scale", { label: label() })}</span>
          <span class="eqs-shades eq-num">
            ${low}<i style=${{ background: `linear-gradient(90deg,${stops})` }} aria-hidden="true"></i>${high}
          </span>
        </div>`;
    }
    const chart = () => html`
      <div class="eqs-chart" role="img" translate="no" aria-label=${t("runouts.by-card", { label: label() })}>
        ${RANKS_DOWN.map((rank) => html`
          <div key=${rank} class="eqs-columns">
            <div>${SUITS_DOWN.map((suit) => column(rank + suit))}</div><em>${rank}</em>
          </div>`)}
      </div>`;

    const heads = computed(() => {
      const { pot } = node.value;
      const brief = (metric, seatAt) =>
        t("runouts.brief", { metric: t(`metric.${metric}.brief`), seat: seat(seatAt) });
      return [
        { key: "card", label: t("breakdown.card") },
        ...metrics.flatMap((metric) => shownSeats().map((seatAt) => ({
          key: `${metric}_${seats[seatAt]}`,
          label: brief(metric, seatAt),
          text: (value) => METRICS[metric](value, pot),
        }))),
        ...[...actions.value].reverse().map((action) =>
          ({ key: `${action.name} freq`, label: nameOf(action), text: (value) => percent(value) })),
        ...[...actions.value].reverse().map((action) => ({
          key: `${action.name} ev`,
          label: t("runouts.action-ev", { action: nameOf(action) }),
          text: (value) => money(value, pot),
        })),
      ];
    });
    const ordered = computed(() => {
      const { key: name, down } = by.value;
      return inOrder(rows.value, (row, at) => (name === "card" ? -at : row[name]), down);
    });
    const head = ({ key: name, label: said }) => html`
      <th key=${name} scope="col" aria-sort=${sortOf(by.value, name)}>
        ${sortButton(by.value, name, said, () => (by.value = sortedBy(by.value, name)))}
      </th>`;
    const cell = (row, { key: name, text: textOf }) =>
      (name === "card"
        ? html`<td key=${name}>
            <button type="button" class="eqg-link" onClick=${() => store.go(after(row.card))}>
              ${cards([row.card])}
            </button>
          </td>`
        : html`<td key=${name} class="eq-right">${textOf(row[name])}</td>`);
    const table = () => html`
      <div class="eq-scroll eqs-all-cards" tabindex="0" role="region" aria-label=${t("runouts.table")}>
        <table class="eq-table eqp-report">
          <thead><tr>${heads.value.map(head)}</tr></thead>
          <tbody>
            ${ordered.value.map((row) => html`<tr key=${row.card}>${heads.value.map((one) => cell(row, one))}</tr>`)}
          </tbody>
        </table>
      </div>`;

    return () => html`
      <div class="eqs-runouts">
        <div class="eqs-tools">
          <label>${t("runouts.colour")}
            <select class="eq-field" value=${what.value} onChange=${(event) => (what.value = event.target.value)}>
              ${metrics.map((metric) => html`<option value=${metric}>${t(`metric.${metric}`)}</option>`)}
              <option value="strategy" disabled=${!actions.value.length}>${t("study.strategy")}</option>
            </select>
          </label>
          ${!isOfThree && html`
            <label>${t("runouts.seat")}
              <select class="eq-field" value=${seats[who.value]} onChange=${chooseSeat}>
                ${seats.map((code, seatAt) => html`<option value=${code}>${seat(seatAt)}</option>`)}
              </select>
            </label>`}
          ${isBusy.value && html`<span role="status">${t("runouts.busy")}</span>`}
          ${!isKept.value && html`
            <span class="eq-muted">${t(store.run ? "runouts.running" : "runouts.unkept")}</span>`}
        </div>
        ${problem.value && html`<${Notice} error=${problem.value} />`}
        <div class="eqs-cards" role="group" translate="no" aria-label=${t("runouts.next")} onKeydown=${key}>
          ${CARDS.map(card)}
        </div>
        ${figures.value.length > 0 && legend()}
        ${rows.value.length > 0 && chart()}
        ${rows.value.length > 0 && table()}
      </div>`;
  },
};
