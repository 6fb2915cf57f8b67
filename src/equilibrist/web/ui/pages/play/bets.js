// Bets of any size: a slider, a field, shares of the pot, and to what a bet will be mapped.
import { computed, html, onBeforeUnmount, onMounted, ref, shallowRef, watch } from "../../core/html.js";
import { get, Refusal } from "../../core/source.js";
import { t } from "../../core/texts.js";
import { chips } from "./amounts.js";
import { mappedWords } from "./coach.js";

const SHARES = [["third", 1 / 3], ["half", 1 / 2], ["three-quarters", 3 / 4], ["whole", 1]];
const PAUSE = 60; // milliseconds after a change, before the server is asked

// Within `bets`, the limits of a turn at the table with the name `table`.
export const Bets = {
  props: { bets: Object, table: String, isBusy: Boolean },
  emits: ["bet"],
  setup(props, { emit }) {
    const size = ref(0); // NaN while the field has no number
    const text = ref(""); // as the field has it
    const quote = shallowRef(null);
    let waiting = null;
    const inSteps = (amount) => props.bets.step * Math.round(amount / props.bets.step);
    const isWithin = (amount) => amount >= props.bets.least && amount <= props.bets.most;
    const fits = computed(() => isWithin(size.value) && Math.abs(size.value - inSteps(size.value)) < 1e-9);
    const ofPot = (share) => inSteps(props.bets.facing + share * props.bets.pot);

    async function ask() {
      const amount = size.value;
      try {
        const found = await get(`${props.table}/bet`, { amount: String(amount) });
        if (size.value === amount) quote.value = found;
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal; // the turn is over
      }
    }

    function change(amount, given = String(amount)) {
      [size.value, text.value] = [amount, given];
      clearTimeout(waiting);
      if (fits.value) waiting = setTimeout(ask, PAUSE);
    }

    const reset = () => change(Math.min(Math.max(ofPot(1 / 2), props.bets.least), props.bets.most));
    onMounted(reset);
    watch(() => JSON.stringify(props.bets), reset);
    onBeforeUnmount(() => clearTimeout(waiting));

    const bet = () => !props.isBusy && fits.value && emit("bet", size.value);

    function press(event) {
      if (event.key !== "Enter") return;
      event.preventDefault();
      bet();
    }

    function label() {
      if (!fits.value) return t(props.bets.facing ? "bet.raise" : "bet.bet");
      const key = size.value === props.bets.most ? "bet.all-in" : props.bets.facing ? "bet.raise.to" : "bet.bet.of";
      return t(key, { amount: chips(size.value) });
    }

    function said() {
      if (!fits.value) return t("bet.limits", { least: chips(props.bets.least), most: chips(props.bets.most) });
      return quote.value?.amount === size.value ? mappedWords(quote.value) : "";
    }

    const limits = () => ({ min: props.bets.least, max: props.bets.most, step: props.bets.step });
    const give = (event) => change(event.target.valueAsNumber, event.target.value);
    const share = ([name, part]) => html`
      <button class="eq-button" type="button" key=${name} onClick=${() => change(ofPot(part))}>
        ${t(`bet.pot.${name}`)}
      </button>`;

    return () => html`
      <div class="pl-bets">
        <div>
          <input type="range" aria-label=${t("bet.size")} ...${limits()} value=${size.value || props.bets.least}
            onInput=${give} />
          <input type="number" class="eq-field" aria-label=${t("bet.chips")} ...${limits()} value=${text.value}
            onInput=${give} onKeydown=${press} />
          ${SHARES.filter(([, part]) => isWithin(ofPot(part))).map(share)}
          <button class="eq-button" type="button" disabled=${props.isBusy || !fits.value} onClick=${bet}>
            ${label()}
          </button>
        </div>
        <div class="pl-quote" data-part="quote" role="status">${said()}</div>
      </div>`;
  },
};
