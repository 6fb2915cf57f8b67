// What paints locks on the grid: the shares of the brush, what is painted, and solving again.
import { html, watch } from "../../core/html.js";
import { t } from "../../core/texts.js";
import { Notice } from "../../parts/notice.js";
import { Undoing } from "../../parts/undoing.js";
import { lockTexts } from "./painting.js";
import { Outcome } from "./resolving.js";
import { isPlayable, lackingOf, Shares } from "./shares.js";

export const Brush = {
  props: { store: Object, relocking: Object },
  setup({ store, relocking }) {
    const { node, nameOf, painting, painted, edits } = store;
    const { attempt, isBusy, problem, job } = relocking;
    const here = () => Object.keys(painting.here()).length;
    const all = () => lockTexts(painted.value);
    watch(() => node.value.line, () => (node.value.player === null ? painting.end() : painting.begin()));
    const solve = () => attempt(async () => {
      await relocking.paint(all());
      await relocking.solve();
    });
    function lacking() {
      const empty = lackingOf(painting.brush, node.value.actions);
      return empty ? nameOf(empty) : "";
    }
    return () => html`
      <section class="eqs-brush" aria-label=${t("paint")}>
        <${Shares} form=${painting.brush} actions=${node.value.actions} nameOf=${nameOf} lacking=${lacking()} />
        <p class="eq-muted">${t(isPlayable(painting.brush) ? "paint.about" : "paint.unplayable")}</p>
        <div class="eqs-buttons">
          <${Undoing} history=${edits} />
          <button type="button" class="eq-button" disabled=${!here()}
            onClick=${painting.clear}>${t("paint.clear")}</button>
          <button type="button" class="eq-button eq-primary" disabled=${isBusy.value || !all().length}
            onClick=${solve}>${t("lock.solve")}</button>
          <button type="button" class="eq-button" onClick=${painting.end}>${t("paint.end")}</button>
          <span role="status">${t("paint.painted", { n: here() })}</span>
        </div>
        ${problem.value && html`<${Notice} error=${problem.value} otherwise=${"lock.refused"} />`}
        ${job.value && html`<${Outcome} store=${store} job=${job.value} />`}
      </section>`;
  },
};
