// What made hands, draws and hands of like equity do, and what single cards block.
import { computed, html, ref } from "../../core/html.js";
import { t } from "../../core/texts.js";
import { money, number, percent } from "../../poker/amounts.js";
import { blockers, byDraw, byEquity, byMadeHand } from "../../poker/breakdown.js";
import { cardName } from "../../poker/cards.js";
import { cards } from "../../parts/cards.js";
import { inOrder, sortButton, sortedBy, sortOf } from "../../parts/rows.js";
import { bar } from "./table.js";
import { kindName } from "./tools.js";

const signed = (share) => (share > 0.0005 ? `+${percent(share)}` : percent(share));

export const Breakdown = {
  props: { store: Object },
  setup({ store }) {
    const { node, player, masks, nameOf, seat, isOfThree } = store;
    const by = ref({ key: "card", down: true });
    const acts = computed(() => node.value.player === player.value);
    const actions = computed(() =>
      (acts.value ? node.value.actions.map((action, a) => ({ ...action, a })).reverse() : []));
    const of = (group) => group(node.value, player.value, masks.value[player.value]);
    const groups = computed(() => [
      ["made", of(byMadeHand).map((row) => ({ ...row, label: kindName("made", row.name) }))],
      ...(node.value.board.length === 10
        ? []
        : [["draws", of(byDraw).map((row) => ({ ...row, label: kindName("draws", row.name) }))]]),
      ...(isOfThree ? [] : [["buckets", of(byEquity).map((row) => ({
        ...row, label: t("breakdown.bucket", { from: percent(row.from, 0), to: percent(row.to, 0) }),
      }))]]),
    ]);
    const blocked = computed(() => of(blockers));

    const hasEv = () => !isOfThree || acts.value;
    const heads = () => html`
      <th scope="col" class="eq-right">${t("metric.combos")}</th>
      <th scope="col" class="eq-right">${t("breakdown.share")}</th>
      ${acts.value && html`<th scope="col" class="eqs-wide">${t("study.strategy")}</th>`}
      ${actions.value.map(({ code, a }) => html`
        <th scope="col" class="eq-right" key=${code}>${nameOf(node.value.actions[a])}</th>`)}
      ${!isOfThree && html`<th scope="col" class="eq-right">${t("metric.equity.brief")}</th>`}
      ${hasEv() && html`<th scope="col" class="eq-right">${t("metric.ev.brief")}</th>`}`;
    const row = ({ label, combos, share, frequency, equity, ev }) => html`
      <tr key=${label}>
        <th scope="row">${label}</th>
        <td class="eq-right">${number(combos, 1)}</td>
        <td class="eq-right">${percent(share)}</td>
        ${acts.value && html`<td>${bar(node.value.actions, frequency)}</td>`}
        ${actions.value.map(({ code, a }) => html`<td class="eq-right" key=${code}>${percent(frequency[a])}</td>`)}
        ${!isOfThree && html`<td class="eq-right">${percent(equity)}</td>`}
        ${hasEv() && html`<td class="eq-right">${money(ev, node.value.pot)}</td>`}
      </tr>`;
    const group = ([name, rows]) => html`
      <section key=${name}>
        <h3>${t(`breakdown.${name}`)}</h3>
        <div class="eq-scroll" tabindex="0" role="region" aria-label=${t(`breakdown.${name}`)}>
          <table class="eq-table eqs-breakdown">
            <thead><tr><th scope="col">${t(`breakdown.${name}.one`)}</th>${heads()}</tr></thead>
            <tbody>${rows.map(row)}</tbody>
          </table>
        </div>
      </section>`;

    const columns = computed(() => [
      ["card", t("breakdown.card")],
      ["combos", t("metric.combos")],
      ["blocked", t("breakdown.blocked")],
      ...actions.value.map(({ a }) => [`action${a}`, nameOf(node.value.actions[a])]),
    ]);
    function keyOf(one) {
      const { key } = by.value;
      return key.startsWith("action") ? one.change[Number(key.slice(6))] : one[key];
    }
    const head = ([key, label]) => html`
      <th key=${key} scope="col" class=${key === "card" ? null : "eq-right"} aria-sort=${sortOf(by.value, key)}>
        ${sortButton(by.value, key, label, () => (by.value = sortedBy(by.value, key)))}
      </th>`;
    const blocker = ({ card, combos, blocked: share, frequency, change }) => html`
      <tr key=${card}>
        <td>${cards([cardName(card)])}</td>
        <td class="eq-right">${number(combos, 1)}</td>
        <td class="eq-right">${percent(share)}</td>
        ${actions.value.map(({ code, a }) => html`
          <td class="eq-right" key=${code}>
            ${percent(frequency[a])} <span class="eq-muted">${change[a] === null ? "" : signed(change[a])}</span>
          </td>`)}
      </tr>`;
    return () => html`
      <div class="eqs-groups">
        ${groups.value.map(group)}
        <section>
          <h3>${t("breakdown.blockers")}</h3>
          <p class="eq-small eq-muted">
            ${isOfThree
              ? t("three.blockers", { seat: seat(player.value) })
              : t("breakdown.blockers.about", { seat: seat(player.value), other: seat(1 - player.value) })}
          </p>
          <div class="eq-scroll eqs-blockers" tabindex="0" role="region" aria-label=${t("breakdown.blockers")}>
            <table class="eq-table eqp-report">
              <thead><tr>${columns.value.map(head)}</tr></thead>
              <tbody>${inOrder(blocked.value, keyOf, by.value.down).map(blocker)}</tbody>
            </table>
          </div>
        </section>
      </div>`;
  },
};
