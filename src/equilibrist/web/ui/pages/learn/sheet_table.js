// A table of numbers, each with how it comes about.
import { html } from "../../core/html.js";

export const Sheet = {
  props: { sheet: Object, label: String },
  setup: (props) => () => html`
    <div class="eq-scroll" role="region" tabindex="0" aria-label=${props.label}>
      <table class="eq-table" translate="no">
        <thead><tr>
          ${props.sheet.heads.map((head, k) => html`<th scope="col" class=${{ "eq-right": k > 0 }}>${head}</th>`)}
        </tr></thead>
        <tbody>
          ${props.sheet.rows.map(({ name, cells, isSum }) => html`
            <tr class=${{ "eqg-sum": isSum }}>
              <th scope="row" class="eq-mono">${name}</th>
              ${cells.map(({ text, title, work }) => html`
                <td class="eq-right" title=${title}>
                  ${work && html`<span class="eqg-work eq-small eq-muted">${work}${" ="}</span>`}
                  <span class="eqg-result">${text}</span>
                </td>`)}
            </tr>`)}
        </tbody>
      </table>
    </div>`,
};
