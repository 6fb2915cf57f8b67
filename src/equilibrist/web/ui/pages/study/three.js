// Of three players: who sits where, what each wins and could win more, and what that measure means.
import { html } from "../../core/html.js";
import { measured } from "../../core/numbers.js";
import { t } from "../../core/texts.js";
import { amount, money, number, percent } from "../../poker/amounts.js";
import { entryShare } from "../../parts/entry_texts.js";

// An amount of chips of the spot, with its share of the pot there.
function chips(value, pot) {
  return html`${money(value, pot)} <span class="eq-muted">${entryShare(value / pot)}</span>`;
}

// The three seats at the node: hands and stacks there, and value and gain of the spot as a whole.
export const Seats = {
  props: { store: Object },
  setup({ store }) {
    const { node, seat, seats, solution } = store;
    function does(who) {
      const { live, player, behind } = node.value;
      if (!live[who]) return t("three.folded");
      if (player === who) return t("three.acts");
      return behind[who] > 0 ? "" : t("three.all-in");
    }
    const row = (name, who) => {
      const { pot, behind, hands, live, player } = node.value;
      const combos = hands[who].weight.reduce((sum, weight) => sum + weight, 0);
      return html`
        <tr key=${name} class=${{ "eqs-acts": player === who, "eq-muted": !live[who] }}>
          <th scope="row">${seat(who)} <span class="eq-muted">${does(who)}</span></th>
          <td class="eq-right">${amount(behind[who], pot)}</td>
          <td class="eq-right eqs-combos">${number(combos, 1)}</td>
          <td class="eq-right">${chips(solution.values[who], solution.pot)}</td>
          <td class="eq-right">${chips(solution.gains[who], solution.pot)}</td>
        </tr>`;
    };
    const heads = ["behind", "combos", "value", "gain"];
    return () => html`
      <div class="eq-scroll eqs-seats" tabindex="0" role="region" aria-label=${t("three.seats")}>
        <table class="eq-table">
          <thead><tr>
            <th scope="col">${t("three.seat")}</th>
            ${heads.map((head) => html`
              <th key=${head} scope="col" class=${`eq-right eqs-${head}`}>${t(`three.${head}`)}</th>`)}
          </tr></thead>
          <tbody>${seats.map(row)}</tbody>
        </table>
      </div>`;
  },
};

// That play does not get to the node, and whose hands do not.
export function offPath({ node, seats, seat }) {
  const { absent } = node.value;
  if (!absent?.length) return null;
  const names = absent.map((name) => seat(seats.indexOf(name))).join(", ");
  return html`<p class="eq-warn eq-small" role="status">${t("three.off-path", { seats: names })}</p>`;
}

// How often play gets to the node, if it does.
export function reachedText({ reached, absent }) {
  return reached === null || absent.length ? "" : percent(reached, 2);
}

// How good the solution is, what that means, and what there is not for three players.
export const Guarantee = {
  props: { solution: Object },
  setup: (props) => () => {
    const { gains, pot } = props.solution;
    const sum = gains.reduce((all, gain) => all + gain, 0);
    const values = { most: measured(Math.max(...gains)), sum: measured(sum), share: entryShare(sum / pot) };
    return html`
      <details class="eqs-guarantee">
        <summary class="eq-muted eq-small">${t("three.measure", values)}</summary>
        <p class="eq-small">${t("three.guarantee", values)}</p>
        <p class="eq-small">${t("three.lacks")}</p>
      </details>`;
  },
};
