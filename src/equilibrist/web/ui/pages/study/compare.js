// Two ranges side by side: both players at a node, or one player in two solutions.
import { computed, html, onMounted, shallowRef, watch } from "../../core/html.js";
import { Refusal } from "../../core/source.js";
import { t } from "../../core/texts.js";
import { actionName } from "../../poker/actions.js";
import { money, number, percent } from "../../poker/amounts.js";
import { actionColour, SEAT_COLOURS } from "../../poker/colours.js";
import { differences } from "../../poker/comparing.js";
import { byClass, chosen } from "../../poker/figures.js";
import { Notice } from "../../parts/notice.js";
import { HandGrid } from "./hands.js";
import { Nodes } from "./store.js";

const within = (value, most) => Math.min(Math.max((100 * (value ?? 0)) / (most || 1), 0), 100);

export const BothPlayers = {
  props: { store: Object },
  setup({ store }) {
    const { totals, node, seat } = store;
    const rows = computed(() => {
      const [oop, ip] = totals.value;
      const { pot } = node.value;
      const row = (name, text, most) => {
        const values = [oop[name], ip[name]];
        return { name, texts: values.map(text), shares: values.map((value) => within(value, most)) };
      };
      return [
        row("combos", (value) => number(value, 1), Math.max(oop.combos, ip.combos)),
        row("equity", (value) => percent(value), 1),
        row("ev", (value) => money(value, pot), pot),
        row("eqr", (value) => percent(value, 0), Math.max(oop.eqr, ip.eqr, 1)),
      ];
    });
    const measure = ({ texts, shares }, who) => html`
      <div key=${who} class="eqs-measure">
        <span>${seat(who)}</span>
        <i><b style=${{ width: `${shares[who]}%`, background: SEAT_COLOURS[who] }}></b></i>
        <span>${texts[who]}</span>
      </div>`;
    const range = (who) => html`<section><h3>${seat(who)}</h3><${HandGrid} store=${store} who=${who} /></section>`;
    return () => html`
      <div class="eqs-compare">
        ${range(0)}
        <section class="eqs-between" aria-label=${t("compare.totals")}>
          ${rows.value.map((row) => html`
            <div key=${row.name}><h3>${t(`metric.${row.name}`)}</h3>${[0, 1].map((who) => measure(row, who))}</div>`)}
        </section>
        ${range(1)}
      </div>`;
  },
};

// The node in an older solution, `name`: before a lock and after it.
export const OldAndNew = {
  props: { store: Object, name: String, stamp: String },
  setup({ store, name, stamp }) {
    const nodes = new Nodes(name, stamp);
    const [other, problem] = [shallowRef(null), shallowRef(null)];
    async function load() {
      const node = store.node.value;
      let [found, refusal] = [null, null];
      try {
        found = await nodes.get(node.line);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refusal = error;
      }
      if (store.node.value === node) [other.value, problem.value] = [found, refusal];
    }
    onMounted(load);
    watch(() => store.node.value, load);

    const masks = computed(() => other.value.hands.map((hands) => chosen(hands, store.filters)));
    const cells = computed(() => [0, 1].map((who) => byClass(other.value, who, masks.value[who])));
    const there = { ...store, node: other, masks, cells, nameOf: (action) => actionName(action, other.value) };
    const rows = computed(() => differences(store.node.value, other.value));
    const { pot } = store.node.value;
    const text = ({ kind }, value) => (kind === "chips" ? money(value, pot) : percent(value));
    const heading = ({ what, who, action }) =>
      t(`compare.${what}`, { seat: action ? "" : store.seat(who), action: action ? store.nameOf(action) : "" });
    const row = (one) => html`
      <tr>
        <th scope="row">
          ${one.what === "frequency" && html`<i class="eqs-dot" style=${{ background: actionColour(one.action) }}></i>`}
          ${heading(one)}
        </th>
        ${[one.here, one.there, one.difference].map((value) => html`<td class="eq-right">${text(one, value)}</td>`)}
      </tr>`;
    const column = (key, of) => html`<th class="eq-right" scope="col" translate="no">${t(key, { name: of })}</th>`;
    const shown = () => html`
      <div class="eqs-two-grids">
        <section>
          <h3 translate="no">${t("compare.new", { name: store.nodes.name })}</h3>
          <${HandGrid} store=${store} who=${store.player.value} />
        </section>
        <section>
          <h3 translate="no">${t("compare.old", { name })}</h3>
          <${HandGrid} store=${there} who=${store.player.value} />
        </section>
      </div>
      <div class="eq-scroll" tabindex="0" role="region" aria-label=${t("compare.differences")}>
        <table class="eq-table">
          <thead><tr>
            <td></td>
            ${column("compare.new", store.nodes.name)}
            ${column("compare.old", name)}
            <th class="eq-right" scope="col">${t("compare.difference")}</th>
          </tr></thead>
          <tbody>${rows.value.map(row)}</tbody>
        </table>
      </div>`;
    return () => html`
      <div class="eq-stack">
        ${problem.value && html`<${Notice} error=${problem.value} of=${name} />`}
        ${other.value && shown()}
      </div>`;
  },
};
