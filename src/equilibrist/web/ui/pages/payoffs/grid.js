// The table itself: a field for each label and each payoff, and what is wrong beside its field.
import { html, nextTick } from "../../core/html.js";
import { t } from "../../core/texts.js";
import { playerName } from "../../parts/players.js";
import { cellId, MOST } from "./draft.js";

// `faults` are those that are shown. `change` is told a part of the draft, its place and the new text;
// `add` and `remove` the side and, what is removed, its number; `leave` the field that was left; `paste`
// a text of several cells.
export const Grid = {
  props: { draft: Object, faults: Object },
  emits: ["change", "add", "remove", "leave", "paste"],
  setup(props, { emit }) {
    const player = (p) => playerName(props.draft.players, p);

    function pasted(event) {
      const text = event.clipboardData.getData("text");
      if (!/[\t\n]/.test(text.trim())) return;
      event.preventDefault();
      emit("paste", text);
    }

    // As in a spreadsheet, Enter goes to the cell below.
    function below(event, i, k, p) {
      if (event.key !== "Enter") return;
      event.preventDefault();
      nextTick(() => document.getElementById(cellId(i + 1, k, p))?.focus());
    }

    const fault = (id) => props.faults[id]
      && html`<span class="eq-small eq-error" id=${`${id}-fault`}>${t(props.faults[id])}</span>`;
    const marks = (id) => ({
      id,
      autocomplete: "off",
      "aria-invalid": props.faults[id] ? "true" : null,
      "aria-describedby": props.faults[id] ? `${id}-fault` : null,
      onBlur: () => emit("leave", id),
      onPaste: pasted,
    });

    const removing = (side, k, label) => props.draft[side].length > 1 && html`
      <button class="eqg-link eq-small" type="button" aria-label=${t("payoffs.remove.name", { label })}
        onClick=${() => emit("remove", side, k)}>${t("payoffs.remove")}</button>`;

    const labelled = (side, one, k) => html`
      <span class="eqy-label">
        <input class="eq-field eqy-name" value=${props.draft[side][k]} ...${marks(`${one}-${k}`)}
          aria-label=${t(`payoffs.label.${one}`, { n: k + 1 })}
          onInput=${(event) => emit("change", side, [k], event.target.value)} />
        ${removing(side, k, props.draft[side][k])}
        ${fault(`${one}-${k}`)}
      </span>`;

    function payoff(i, k, p) {
      const id = cellId(i, k, p);
      const values = { player: player(p), row: props.draft.rows[i], column: props.draft.columns[k] };
      return html`
        <span class="eqy-payoff">
          <input class=${["eq-field eq-num eqy-number", p ? "eqg-second" : "eqg-first"]} inputmode="text"
            value=${props.draft.cells[i][k][p]} ...${marks(id)} aria-label=${t("payoffs.cell", values)}
            onInput=${(event) => emit("change", "cells", [i, k, p], event.target.value)}
            onKeydown=${(event) => below(event, i, k, p)} />
          ${fault(id)}
        </span>`;
    }

    const players = () => (props.draft.isZeroSum ? [0] : [0, 1]);
    const adding = (side) => html`
      <button class="eq-button" type="button" disabled=${props.draft[side].length >= MOST}
        onClick=${() => emit("add", side)}>${t(`payoffs.add.${side}`)}</button>`;

    return () => html`
      <div class="eq-scroll" role="region" tabindex="0" aria-label=${t("payoffs.table")}>
        <table class="eq-table eqy-table">
          <thead><tr>
            <td></td>
            ${props.draft.columns.map((_, k) => html`
              <th key=${k} scope="col">${labelled("columns", "column", k)}</th>`)}
          </tr></thead>
          <tbody>
            ${props.draft.rows.map((_, i) => html`
              <tr key=${i}>
                <th scope="row">${labelled("rows", "row", i)}</th>
                ${props.draft.columns.map((__, k) => html`
                  <td key=${k}><span class="eqy-cell">${players().map((p) => payoff(i, k, p))}</span></td>`)}
              </tr>`)}
          </tbody>
        </table>
      </div>
      <div class="eq-row">${adding("rows")}${adding("columns")}</div>`;
  },
};
