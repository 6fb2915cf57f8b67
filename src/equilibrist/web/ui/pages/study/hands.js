// The grid, the actions as tiles, and the table of hands: what is played at a node.
import { computed, html } from "../../core/html.js";
import { t } from "../../core/texts.js";
import { money, number, percent } from "../../poker/amounts.js";
import { actionColour, ink } from "../../poker/colours.js";
import { twoEvActions } from "../../poker/figures.js";
import { Grid } from "../../parts/grid.js";
import { Brush } from "./brush.js";
import { arriving, cellsOf } from "./cells.js";
import { paintedCells } from "./painting.js";
import { HandTable } from "./table.js";
import { Tools } from "./tools.js";

// A sentence on what the cells show, where that is not plain.
function noteOf({ isOfThree, node, seats, view, nameOf, seat }, who) {
  const notes = [];
  const { absent, hands } = node.value;
  const away = isOfThree ? [] : seats.map((_, k) => k).filter((k) => absent.includes(seats[k]));
  const isTold = isOfThree && absent.length > 0; // above the hands
  if (away.length) notes.push(t("grid.absent", { seats: away.map(seat).join(", ") }));
  else if (!isTold && arriving(hands[who]).includes(false)) notes.push(t("grid.unreached.note"));
  if (view.suits === "individual") notes.push(t("grid.suits"));
  if (view.metric === "evs" && view.display === "strategy" && node.value.player === who) {
    const [above, below] = twoEvActions(node.value.actions)
      .map((action) => (action ? nameOf(action) : t("grid.best")));
    notes.push(below ? t("grid.evs", { above, below }) : t("grid.ev", { above }));
  }
  return notes.join(" ");
}

// The grid of a player of a store, with the note below.
export const HandGrid = {
  props: { store: Object, who: Number, isShown: { type: Boolean, default: true }, isPaintable: Boolean },
  setup(props) {
    const cells = computed(() => {
      const { node, cells: classes, masks, view, nameOf } = props.store;
      if (!props.isShown) return null;
      const mask = masks.value[props.who];
      const found = cellsOf(node.value, props.who, classes.value[props.who], mask, { ...view }, nameOf);
      if (!isPainted()) return found;
      const { actions, hands } = node.value;
      const { combos } = hands[props.who];
      return paintedCells(found, combos, painting.here(), actions.map(actionColour), spoken);
    });
    const { focus, pin, seat, painting, node: shown } = props.store;
    const isPainted = () => painting.isOn.value && shown.value.player === props.who && props.isPaintable;
    const spoken = (hand, { painted: n, all }) => t("paint.cell", { hand, n, all });
    return () => {
      const note = noteOf(props.store, props.who);
      const isAway = shown.value.absent?.length > 0; // as play never gets here
      return html`
        <div class=${{ "eqs-grid-and-note": true, "eqs-away": isAway }}>
          <${Grid} cells=${cells.value} label=${t("grid.of", { seat: seat(props.who) })} hover=${focus.hover}
            pinned=${focus.pinned} onHover=${(place) => (focus.hover = place)} onPin=${pin}
            isPainted=${isPainted()} onStroke=${painting.stroke} onOpen=${pin} />
          ${note && html`<p class="eq-muted eq-small">${note}</p>`}
        </div>`;
    };
  },
};

// Actions as large buttons, from the most aggressive on: how often, how many combos, what they win.
const Tiles = {
  props: { store: Object },
  setup({ store }) {
    const { node, totals, isFiltered, state, nameOf } = store;
    const about = () => t(store.isOfThree ? "three.tile.about" : "study.tile.about");
    function tile(action, a) {
      const found = totals.value[node.value.player];
      const isWhole = !isFiltered.value;
      const colour = actionColour(action);
      const share = isWhole ? node.value.frequency[a] : found.frequency[a];
      const ev = isWhole ? node.value.action_ev[a] : found.actionEv[a];
      return html`
        <button key=${action.code} type="button" class=${{ "eqs-tile": true, "eqs-selected": a === state.selected }}
          style=${{ background: colour, color: ink(colour) }} title=${about()}
          onClick=${() => store.play(a)} onPointerenter=${() => store.ahead(action.line)}
          onFocus=${() => store.ahead(action.line)}>
          <strong>${nameOf(action)}</strong>
          <strong>${percent(share)}</strong>
          <span>${t("study.combos", { number: number(found.taken[a], 1) })}</span>
          <span>${t("metric.ev.of", { ev: money(ev, node.value.pot) })}</span>
        </button>`;
    }
    return () => html`
      <div class="eqs-tiles" role="group" aria-label=${t("study.actions")}>
        ${node.value.actions.map(tile).reverse()}
      </div>`;
  },
};

export const Hands = {
  props: { store: Object, relocking: Object, isShown: Boolean },
  setup: (props) => () => {
    const { store } = props;
    return html`
      <div class="eqs-hands">
        <${HandGrid} store=${store} who=${store.player.value} isShown=${props.isShown} isPaintable />
        <div class="eqs-right">
          ${store.painting.isOn.value && html`<${Brush} store=${store} relocking=${props.relocking} />`}
          ${store.node.value.player !== null && html`<${Tiles} store=${store} />`}
          <${Tools} store=${store} names=${["player", "display", "metric", "heights", "suits", "columns"]} />
          <${HandTable} store=${store} />
        </div>
      </div>`;
  },
};
