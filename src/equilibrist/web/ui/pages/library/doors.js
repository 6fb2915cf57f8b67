// Where one begins who has solved nothing yet: a door each for those who play, teach and study games.
import { place } from "../../core/address.js";
import { html } from "../../core/html.js";
import { t } from "../../core/texts.js";

const DOORS = [
  ["player", [["spot", place("spot")], ["play", place("play")], ["train", place("trainer")]]],
  ["teacher", [
    ["lessons", place("lessons")], ["learn", place("learn")], ["walk", place("games/kuhn", { view: "walk" })],
    ["payoffs", place("payoffs")],
  ]],
  ["researcher", [["games", place("games")], ["race", place("race")], ["api", place("api/docs")]]],
];

export const doors = () => html`
  <div class="lb-doors">
    ${DOORS.map(([name, links]) => html`
      <section key=${name} class="eq-panel eq-stack lb-door" aria-label=${t(`library.door.${name}`)}>
        <h3>${t(`library.door.${name}`)}</h3>
        <p class="eq-muted">${t(`library.door.${name}.about`)}</p>
        <div class="eq-row">
          ${links.map(([what, address]) => html`<a key=${what} href=${address}>${t(`library.door.to.${what}`)}</a>`)}
        </div>
      </section>`)}
  </div>`;
