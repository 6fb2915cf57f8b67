// How often a locked hand takes each action: a slider and a number for each, which add up.
import { html } from "../../core/html.js";
import { t } from "../../core/texts.js";
import { actionColour } from "../../poker/colours.js";
import { followed } from "../../poker/shares.js";

const CLOSE = 1e-4; // percent

// What is set: shares in percent, which actions are locked (`on`), and those that were set by hand.
export const evenShares = (shares) =>
  ({ on: shares.map(() => true), touched: [], shares: followed(shares, [], 0) });

const sumOf = ({ shares, on }) => shares.reduce((all, share, a) => all + (on[a] ? Number(share) || 0 : 0), 0);

// The action that has no share though it is locked, or null.
export const lackingOf = ({ shares, on }, actions) =>
  actions.find((_, a) => on[a] && !Number.isFinite(shares[a])) ?? null;

// Whether the shares can be played: they add up to 100, or to less where an action is free.
export function isPlayable(form) {
  const sum = sumOf(form);
  const isWhole = form.on.every((on) => on);
  const isGiven = form.shares.every((share, a) => !form.on[a] || Number.isFinite(share));
  return isGiven && form.on.some((on) => on) && (isWhole ? Math.abs(sum - 100) < CLOSE : sum < 100 + CLOSE);
}

// Of `form`, which changes in place; `nameOf` gives what an action is called, `lacking` is the name of
// the action that has no share.
export const Shares = {
  props: { form: Object, actions: Array, nameOf: null, lacking: String },
  setup(props) {
    // What was set stays; the others follow, as long as all are locked.
    function set(a, value) {
      props.form.shares[a] = value === "" ? Number.NaN : Number(value);
    }
    function balance(a) {
      const { form } = props;
      if (form.on.every((on) => on)) form.shares = followed(form.shares, form.touched, a);
      if (!form.touched.includes(a)) form.touched.push(a);
    }
    function slider(action, a) {
      const { form, nameOf, lacking } = props;
      return html`
        <label class="eqs-lock-on" key=${`on ${action.code}`}>
          <input type="checkbox" checked=${form.on[a]} aria-label=${t("lock.on", { action: nameOf(action) })}
            onChange=${(event) => (form.on[a] = event.target.checked)} />
          <i class="eqs-dot" style=${{ background: actionColour(action) }}></i>${nameOf(action)}
        </label>
        <input key=${`by ${action.code}`} type="range" min="0" max="100" step="1" value=${form.shares[a]}
          disabled=${!form.on[a]} aria-label=${t("lock.slider", { action: nameOf(action) })}
          onInput=${(event) => { set(a, event.target.value); balance(a); }} />
        <span class="eqs-lock-share" key=${`share ${action.code}`}>
          <input class="eq-field" type="number" min="0" max="100" step="any" disabled=${!form.on[a]}
            value=${Number.isFinite(form.shares[a]) ? form.shares[a] : ""}
            aria-label=${t("lock.share", { action: nameOf(action) })}
            aria-invalid=${lacking === nameOf(action) ? "true" : null}
            onInput=${(event) => set(a, event.target.value)} onChange=${() => balance(a)} />${"%"}
        </span>`;
    }
    function note() {
      const total = Number(sumOf(props.form).toFixed(4));
      const n = props.form.on.filter((on) => !on).length;
      return n ? t("lock.free", { total, n }) : t("lock.whole", { total });
    }
    return () => html`
      <div class="eqs-sliders">${props.actions.map(slider).reverse()}</div><p class="eq-muted">${note()}</p>`;
  },
};
