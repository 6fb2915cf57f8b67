// The way to the node: a card for each decision, deal and end. Clicking an action walks on.
import { html, onMounted, ref, watch } from "../../core/html.js";
import { pieces, t } from "../../core/texts.js";
import { amount, money, percent } from "../../poker/amounts.js";
import { cardsOf, RANKS_DOWN, signOf, SUITS_DOWN } from "../../poker/cards.js";
import { actionColour } from "../../poker/colours.js";
import { cards } from "../../parts/cards.js";
import { reachedText } from "./three.js";

const PADLOCK = "M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 0 0-4 0z";
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const stops = (card) => [...(card?.querySelectorAll("button,select") ?? [])];
const taken = (place, card) => cardsOf(place.board).includes(cardsOf(card)[0]);

export const Strip = {
  props: { store: Object },
  setup({ store }) {
    const { node, nodes, seat, nameOf } = store;
    const root = ref(null);

    function frequency(place, a) {
      const found = place.line === node.value.line ? node.value : nodes.kept.get(place.line);
      const share = found?.frequency?.[a];
      return share === null || share === undefined ? "" : percent(share);
    }
    // Another card in place of one that was dealt: what was played after it stays.
    function deal(k, card) {
      const { way, line } = node.value;
      const place = way[k];
      const rest = line.slice(`${place.line}|${place.card}`.length);
      const later = cardsOf(way[way.length - 1].board.slice(place.board.length + 2));
      store.go(`${place.line}|${card}${later.includes(cardsOf(card)[0]) ? "" : rest}`);
    }
    // After the frame, so that no second layout is forced. Who walks with the keyboard goes along.
    function follow() {
      const goes = root.value?.contains(document.activeElement) && document.activeElement.matches("button");
      requestAnimationFrame(() =>
        setTimeout(() => {
          if (goes) stops(root.value?.querySelector(".eqs-here"))[0]?.focus({ preventScroll: true });
          root.value?.scrollTo({ left: 1e6 });
        }));
    }
    onMounted(follow);
    watch(() => node.value, follow);

    // Arrows go from card to card, and within one.
    function key(event) {
      if (event.target.matches("select") || !(event.key in STEPS)) return;
      const [across, along] = STEPS[event.key];
      const spots = [...root.value.children].filter((card) => stops(card).length);
      const here = spots.indexOf(event.target.closest(".eqs-spot"));
      const at = stops(spots[here]).indexOf(event.target);
      const next = stops(spots[here + across]);
      next[Math.min(Math.max(at + along, 0), next.length - 1)]?.focus();
      event.preventDefault();
      event.stopPropagation();
    }

    const padlock = (what) => {
      const said = t("study.locked", { what: t(`study.locked.${what.replaceAll(" ", "-")}`) });
      return html`
        <svg class="eqs-padlock" viewBox="0 0 16 16" role="img" aria-label=${said}>
          <title>${said}</title><path d=${PADLOCK}></path>
        </svg>`;
    };
    const decision = (place, k, isHere) => html`
      <button class="eqs-spot-title" type="button" tabindex=${isHere ? 0 : -1} onClick=${() => store.go(place.line)}>
        <span>${seat(place.player)} ${place.locked && padlock(place.locked)}</span>
        <span class="eqs-pot" title=${t("study.pot")}>${amount(place.pot, node.value.way[0].pot)}</span>
      </button>
      ${place.actions.map((action, a) => html`
        <button key=${action.code} type="button" class=${{ "eqs-action": true, "eqs-chosen": place.chosen === a }}
          tabindex="-1" aria-pressed=${String(place.chosen === a)} onClick=${() => store.go(action.line)}
          onPointerenter=${() => store.ahead(action.line)} onFocus=${() => store.ahead(action.line)}>
          <i style=${{ background: actionColour(action) }}></i>
          <span>${nameOf(action, k)}</span><em>${frequency(place, a)}</em>
        </button>`).reverse()}`;
    const rankChoice = (place, k) => html`
      <select aria-label=${t("study.rank")} value=${place.card[0]} translate="no"
        onChange=${(event) => deal(k, event.target.value + place.card[1])}>
        ${RANKS_DOWN.map((rank) => html`
          <option key=${rank} value=${rank} disabled=${taken(place, rank + place.card[1])}>${rank}</option>`)}
      </select>`;
    const suitChoice = (place, k) => html`
      <select class=${`eq-${place.card[1]}`} aria-label=${t("study.suit")} value=${place.card[1]}
        onChange=${(event) => deal(k, place.card[0] + event.target.value)}>
        ${SUITS_DOWN.map((suit) => html`
          <option key=${suit} value=${suit} disabled=${taken(place, place.card[0] + suit)}>${signOf(suit)}</option>`)}
      </select>`;
    const chance = (place, k, isHere) => html`
      <button class="eqs-spot-title" type="button" tabindex=${isHere ? 0 : -1} onClick=${() => store.go(place.line)}>
        ${t(place.street === "flop" ? "street.turn" : "street.river")}
      </button>
      ${place.card
        ? html`<div class="eqs-deal">${rankChoice(place, k)}${suitChoice(place, k)}</div>`
        : html`<div class="eq-muted">${t("study.choose")}</div>`}`;
    // Of three, who is left: one who wins the pot, or those who show their hands.
    function endOfThree({ live }) {
      const left = live.flatMap((isLeft, who) => (isLeft ? [who] : []));
      return html`
        <div class="eqs-spot-title">${t("study.end")}</div>
        ${left.length === 1
          ? html`<div>${t("study.wins", { seat: seat(left[0]) })}</div>`
          : [html`<div>${t("study.showdown")}</div>`, ...left.map((who) => html`<div key=${who}>${seat(who)}</div>`)]}`;
    }
    function end(place) {
      if (place.live) return endOfThree(place);
      const fold = /^(OOP|IP) /.exec(place.what);
      return html`
        <div class="eqs-spot-title">${t("study.end")}</div>
        <div>${fold ? t("study.folded", { seat: seat(fold[1] === "IP" ? 1 : 0) }) : t("study.showdown")}</div>
        ${!fold && [0, 1].map((who) => html`
          <div key=${who}>${t("study.share", { seat: seat(who), share: percent(node.value.equity[who]) })}</div>`)}`;
    }
    function spot(place, k) {
      const isHere = k === node.value.way.length - 1;
      const draw = place.player !== null ? decision : place.deals_a_card ? chance : end;
      const marks = { "eqs-spot": true, "eqs-here": isHere, "eqs-chance": place.deals_a_card };
      return html`
        <div key=${`${k} ${place.line}`} class=${marks} aria-current=${isHere ? "step" : null}>
          ${draw(place, k, isHere)}
        </div>`;
    }
    function stacksOf({ behind, pot }) {
      const all = store.isOfThree && new Set(behind).size > 1 ? behind : [Math.max(...behind)];
      return all.map((chips) => amount(chips, pot)).join(" / ");
    }
    const start = (place) => html`
      <div class="eqs-spot eqs-root">
        <button class="eqs-spot-title" type="button" onClick=${() => store.go("")}>
          ${t(`street.${place.street}`)}
        </button>
        <div class="eqs-board">${cards(place.board.match(/../g))}</div>
        <div>${t("study.pot.of", { amount: amount(place.pot, place.pot) })}</div>
        <div>${t("study.stack.of", { amount: stacksOf(place) })}</div>
      </div>`;
    return () => html`
      <nav class="eqs-strip" aria-label=${t("study.way")} ref=${root} onKeydown=${key}>
        ${start(node.value.way[0])}
        ${node.value.way.map(spot)}
      </nav>`;
  },
};

// What lies at the node: board, pot, stacks, what must be called; and what both players have.
export const Facts = {
  props: { store: Object, resolved: Number },
  setup: (props) => () => {
    const { node, seat } = props.store;
    const { board, pot, behind, to_call: call, equity, ev, eqr } = node.value;
    const called = { amount: amount(call, pot), share: percent(call / (pot + call)) };
    const fact = (name, value) => html`<div key=${name}><dt>${t(name)}</dt><dd>${value}</dd></div>`;
    return html`
      <dl class="eqs-facts">
        <div><dt>${t("study.board")}</dt><dd class="eqs-board-now">${cards(board.match(/../g))}</dd></div>
        ${fact("study.pot", amount(pot, pot))}
        ${!props.store.isOfThree && fact("study.behind", behind.map((chips) => amount(chips, pot)).join(" / "))}
        ${props.store.isOfThree && reachedText(node.value) && fact("three.reached", reachedText(node.value))}
        ${fact("study.call", call > 0 ? t("study.call.of", called) : "–")}
        ${!props.store.isOfThree && [0, 1].map((who) => html`
          <div key=${who}>
            <dt>${seat(who)}</dt>
            <dd>${pieces("study.totals", {
              equity: percent(equity[who]),
              ev: html`<span class="eqs-ev" title=${ev[who]}>${money(ev[who], pot)}</span>`,
              eqr: percent(eqr[who], 0),
            })}</dd>
          </div>`)}
        ${props.resolved !== null && html`
          <div class="eq-warn">${t("study.resolved", { amount: money(props.resolved, pot) })}</div>`}
      </dl>`;
  },
};
