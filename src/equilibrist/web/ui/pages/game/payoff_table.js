// The payoffs of a matrix game, with average strategies on the margins and what actions earn against them.
import { computed, html } from "../../core/html.js";
import { number, probability } from "../../core/numbers.js";
import { t } from "../../core/texts.js";
import { playerName } from "../../parts/players.js";
import { earningsOf } from "./simplex.js";

// `average` are the strategies of both players.
export const PayoffTable = {
  props: { game: Object, average: Array, names: Array },
  setup(props) {
    const earns = computed(() => earningsOf(props.game, props.average));
    const isBest = (player, k) => earns.value[player][k].isBest;
    const best = (player, k) => ["eq-right", { "eqg-best-cell": isBest(player, k) }];
    const name = (player) => playerName(props.names, player);
    const earned = (player, k) => {
      const { value } = earns.value[player][k];
      return isBest(player, k) ? `${number(value)} ${t("matrix.best")}` : number(value);
    };
    return () => {
      const { rows, columns, payoffs } = props.game;
      const [own, other] = props.average;
      return html`
        <div class="eq-stack eqg-paid">
          <p class="eq-small eq-muted">${t("matrix.about", { rows: name(0), columns: name(1) })}</p>
          <div class="eq-scroll" role="region" tabindex="0" aria-label=${t("matrix.payoffs")}>
            <table class="eq-table eqg-payoff-table">
              <thead>
                <tr>
                  <td colspan="3"></td>
                  ${columns.map((label) => html`<th scope="col" class="eq-right" translate="no">${label}</th>`)}
                </tr>
                <tr>
                  <td></td>
                  <th scope="col" class="eq-right">${t("matrix.average")}</th>
                  <th scope="col" class="eq-right">${t("matrix.earns")}</th>
                  ${columns.map((_, k) => html`
                    <td class=${best(1, k)}>
                      <b>${probability(other[k])}</b><br /><span class="eq-muted">${earned(1, k)}</span>
                    </td>`)}
                </tr>
              </thead>
              <tbody>
                ${rows.map((label, i) => html`
                  <tr>
                    <th scope="row" translate="no">${label}</th>
                    <td class=${best(0, i)}><b>${probability(own[i])}</b></td>
                    <td class=${best(0, i)}>${earned(0, i)}</td>
                    ${payoffs[i].map((cell) => html`
                      <td class="eq-right eqg-cell">
                        <span class="eqg-first">${number(cell[0])}</span>${", "}
                        <span class="eqg-second">${number(cell[1])}</span>
                      </td>`)}
                  </tr>`)}
              </tbody>
            </table>
          </div>
        </div>`;
    };
  },
};
