// Cards: as they are read in texts, and as they lie on a table.
import { html } from "../core/html.js";
import { hasText, t } from "../core/texts.js";
import { cardText } from "../poker/cards.js";

// Rank and sign of each, coloured by suit.
export const cards = (names) => names.map((name) => html`
  <span key=${name} translate="no" class=${`eqp-card eq-${name[1]}`}>${cardText(name)}</span>`);

// In a box of 24 x 24.
const PATHS = {
  s: [
    "M12 1.5C19 8 22 11 22 15a5 5 0 0 1-8.6 3.4c.2 2 .9 3.2 2.4 4.1H8.2",
    "c1.5-.9 2.2-2.1 2.4-4.1A5 5 0 0 1 2 15c0-4 3-7 10-13.5z",
  ],
  h: ["M12 22C5 15.5 2 12 2 7.8A5.3 5.3 0 0 1 12 5.2", "A5.3 5.3 0 0 1 22 7.8c0 4.2-3 7.7-10 14.2z"],
  d: ["M12 1.5 20.5 12 12 22.5 3.5 12z"],
  c: [
    "M12 1.8a4.9 4.9 0 0 1 4.3 7.3 4.9 4.9 0 1 1-2.9 8.6c.2 2.2.9 3.6 2.4 4.5H8.2",
    "c1.5-.9 2.2-2.3 2.4-4.5a4.9 4.9 0 1 1-2.9-8.6A4.9 4.9 0 0 1 12 1.8z",
  ],
};

// Rank and suit of `Ts`; a card of a game may have a rank alone.
function parts(code) {
  const last = code.slice(-1);
  const suit = code.length > 1 && last in PATHS ? last : null;
  const rank = suit ? code.slice(0, -1) : code;
  return { suit, rank: rank === "T" ? "10" : rank };
}

function nameOf({ suit, rank }) {
  const named = hasText(`card.rank.${rank}`) ? t(`card.rank.${rank}`) : rank;
  return suit ? t("card.name", { rank: named, suit: t(`suit.${suit}`) }) : named;
}

// A playing card; without a code it lies face down.
export const Card = {
  props: { code: String, isSmall: Boolean },
  setup(props) {
    function up() {
      const { suit, rank } = parts(props.code);
      const look = { "eq-card": true, "eq-card-small": props.isSmall, "eq-card-rank": !suit };
      return html`
        <span class=${[look, suit && `eq-${suit}`]} role="img" aria-label=${nameOf({ suit, rank })}
          translate=${suit ? null : "no"}>
          <b aria-hidden="true">${rank}</b>
          ${suit && html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[suit].join("")} /></svg>`}
        </span>`;
    }
    const down = () => html`
      <span class=${{ "eq-card": true, "eq-card-small": props.isSmall, "eq-card-back": true }} role="img"
        aria-label=${t("card.down")}></span>`;
    return () => (props.code ? up() : down());
  },
};
