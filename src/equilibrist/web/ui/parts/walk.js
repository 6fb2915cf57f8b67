// A walk through the histories of a game, chance included: choose what happens, see who moves.
import { html, nextTick, ref } from "../core/html.js";
import { number, probability } from "../core/numbers.js";
import { follow } from "../core/source.js";
import { pieces, t } from "../core/texts.js";
import { actionColour, playerColour } from "../core/theme.js";
import { shownName } from "./labels.js";
import { Notice } from "./notice.js";
import { ofPlayer, playerName } from "./players.js";
import { saveTable } from "./saving.js";

export const dot = (colour) => html`<i class="eqg-dot" style=${{ background: colour }}></i>`;
const CHANCE = "var(--eq-muted)";

// Of `source`, `games/kuhn` or `solutions/NAME`, whose file has the stamp `stamp`. An infoset is a
// link, which `infoset` is told, if `linked`.
export const Walk = {
  props: {
    source: String,
    stamp: { type: String, default: "" },
    moves: { type: Array, default: () => [] },
    names: { type: Array, default: () => [] },
    linked: Boolean,
  },
  emits: ["go", "infoset"],
  setup(props, { emit }) {
    const place = ref(null);
    let isInside = false; // whether the keyboard is used in here, where buttons come and go
    const ways = () => [...place.value.querySelectorAll("[data-way]")];
    const { document: view, error } = follow(
      () => [`${props.source}/walk`, { move: props.moves, stamp: props.stamp }],
      () => nextTick(() => isInside && document.activeElement === document.body && ways()[0]?.focus()),
    );

    const shown = (text) => shownName(view.value?.shown_names, text);

    function go(moves) {
      isInside = place.value.contains(document.activeElement);
      emit("go", moves);
    }

    function press(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const at = ways().indexOf(document.activeElement);
      if (event.key === "Backspace" && props.moves.length) go(props.moves.slice(0, -1));
      else if (event.key === "ArrowDown") ways()[at + 1]?.focus();
      else if (event.key === "ArrowUp") ways()[at - 1]?.focus();
      else return;
      event.preventDefault();
    }

    function passed({ kind, player, infoset, label, probability: p }, k) {
      const isChance = kind === "chance";
      const at = { player: playerName(props.names, player), infoset: shown(infoset) };
      const title = isChance ? t("game.chance") : t("walk.at", at);
      return html`
        <button class="eq-button" type="button" title=${title} translate="no"
          onClick=${() => go(props.moves.slice(0, k + 1))}>
          ${dot(isChance ? CHANCE : playerColour(player))}${shown(label)}
          ${p !== null && html`<span class="eq-num eq-small">${" "}${probability(p)}</span>`}
        </button>`;
    }

    const way = () => html`
      <nav class="eq-row eqg-way" aria-label=${t("walk.way")}>
        <button class="eq-button" type="button" disabled=${!props.moves.length} onClick=${() => go([])}>
          ${t("walk.start")}
        </button>
        ${view.value?.passed.map(passed)}
        ${props.moves.length > 0 && html`
          <button class="eq-button" type="button" onClick=${() => go(props.moves.slice(0, -1))}>
            ${t("walk.back")}
          </button>`}
      </nav>`;

    function turn({ kind, player }) {
      if (kind === "terminal") return t("walk.over");
      if (kind === "chance") return t("walk.chance");
      const named = () => pieces("walk.moves.named", { player: ofPlayer(props.names, player) });
      return props.names[player] ? named() : t("walk.moves", { player });
    }

    function infoset(key) {
      if (!props.linked) return html`<span class="eq-mono" translate="no">${shown(key)}</span>`;
      return html`
        <button class="eqg-link eq-mono" type="button" translate="no" onClick=${() => emit("infoset", key)}>
          ${shown(key)}
        </button>`;
    }

    const facts = ({ kind, infoset: key, reach, chance_reach: chance, values }) => html`
      <dl class="eqg-facts">
        ${kind === "decision" && html`<dt>${t("infosets.infoset")}</dt><dd>${infoset(key)}</dd>`}
        <dt>${t("walk.reach")}</dt>
        <dd class="eq-num">${reach === null ? t("walk.reach.unknown") : number(reach)}</dd>
        <dt>${t("walk.reach.chance")}</dt><dd class="eq-num">${number(chance)}</dd>
        ${values && html`
          <dt>${t(kind === "terminal" ? "walk.payoffs" : "walk.values")}</dt>
          <dd class="eq-num">
            ${values.map((x, p) => html`
              <span class="eqg-payoffs">${dot(playerColour(p))}${ofPlayer(props.names, p)}: ${number(x)}</span>`)}
          </dd>`}
      </dl>`;

    function step({ label, probability: p, values }, k, { kind }) {
      const bar = { width: `${100 * (p ?? 0)}%`, background: kind === "chance" ? CHANCE : actionColour(k) };
      return html`
        <tr key=${label}>
          <td>
            <button class="eq-button" type="button" data-way translate="no"
              onClick=${() => go([...props.moves, label])}>
              ${shown(label)}
            </button>
          </td>
          <td class="eq-right">${probability(p)}</td>
          <td aria-hidden="true"><div class="eqg-bar"><i style=${bar}></i></div></td>
          ${values?.map((x) => html`<td class="eq-right">${number(x)}</td>`)}
        </tr>`;
    }

    function save({ steps: all }) {
      const values = all[0].values?.map((_, p) => `value_${p}`) ?? [];
      const rows = all.map(({ label, probability: p, values: worth }) => [label, p, ...(worth ?? [])]);
      saveTable([["action", "probability", ...values], ...rows], `${["walk", ...props.moves].join("-")}.csv`);
    }

    const steps = (here) => html`
      <div><button class="eqg-link eq-small" type="button" onClick=${() => save(here)}>${t("file.csv")}</button></div>
      <div class="eq-scroll" role="region" tabindex="0" aria-label=${t("walk.steps")}>
        <table class="eq-table eqg-steps">
          <thead><tr>
            <th scope="col">${t(here.kind === "chance" ? "walk.outcome" : "walk.action")}</th>
            <th scope="col" class="eq-right">${t("walk.probability")}</th>
            <td aria-hidden="true" class="eqg-wide"></td>
            ${here.steps[0].values?.map((_, p) => html`
              <th scope="col" class="eq-right">${pieces("walk.value", { player: ofPlayer(props.names, p) })}</th>`)}
          </tr></thead>
          <tbody>${here.steps.map((one, k) => step(one, k, here))}</tbody>
        </table>
      </div>
      ${here.num_steps > here.steps.length && html`
        <p class="eq-muted">${t("walk.first", { shown: here.steps.length, all: here.num_steps })}</p>`}`;

    return () => html`
      <section class="eq-stack" ref=${place} data-keys aria-label=${t("walk")} onKeydown=${press}>
        ${way()}
        ${error.value && html`<${Notice} error=${error.value} />`}
        ${view.value && html`
          <div class="eq-stack" aria-live="polite">
            <h3>${turn(view.value)}</h3>
            ${facts(view.value)}
            ${!view.value.values && view.value.why_no_values && html`
              <p class="eq-muted">
                ${t("solution.no-values")} <span lang="en" translate="no">${view.value.why_no_values}</span>
              </p>`}
            ${view.value.steps.length > 0 && steps(view.value)}
          </div>`}
      </section>`;
  },
};
