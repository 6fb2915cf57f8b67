// What documents have, from the schemas of OpenAPI: fields with their types, deeper ones opened at will.
import { html, ref } from "../../core/html.js";
import { t } from "../../core/texts.js";

const REF = "#/components/schemas/";
const nameOf = (schema) => schema.$ref?.slice(REF.length);
const json = (value) => JSON.stringify(value);

// The type in a few words: `string`, `list of LessonTurn`, `number or null`.
export function typeText(schema) {
  if (schema.$ref) return nameOf(schema);
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeText))].reduce((a, b) => t("api.type.or", { a, b }));
  if (schema.const !== undefined) return json(schema.const);
  if (schema.enum) return schema.enum.map(json).join(" | ");
  if (schema.prefixItems) return t("api.type.row", { types: schema.prefixItems.map(typeText).join(", ") });
  if (schema.type === "array") return t("api.type.list", { type: typeText(schema.items ?? {}) });
  const { additionalProperties: values } = schema;
  if (values && typeof values === "object") return t("api.type.map", { type: typeText(values) });
  return schema.type ?? t("api.type.any");
}

// The documents with names that a type has in it.
export function partsOf(schema) {
  if (schema.$ref) return [nameOf(schema)];
  const { anyOf = [], prefixItems = [], items, additionalProperties: values } = schema;
  const inner = [...anyOf, ...prefixItems, items, values].filter((one) => one && typeof one === "object");
  return [...new Set(inner.flatMap(partsOf))];
}

// The limits of a value: what is not given is not limited.
export function limitsText({ minimum, maximum, maxLength, default: value }) {
  const hasDefault = ![undefined, null, ""].includes(value);
  return [
    minimum !== undefined && t("api.limit.least", { limit: minimum }),
    maximum !== undefined && t("api.limit.most", { limit: maximum }),
    maxLength !== undefined && t("api.limit.length", { n: maxLength }),
    hasDefault && t("api.limit.default", { value: json(value) }),
  ].filter(Boolean).join("; ");
}

// A description in English: what stands between backquotes is code.
export const english = (text) => html`
  <span lang="en" translate="no">
    ${text.split("`").map((part, k) => (k % 2 ? html`<code>${part}</code>` : part))}
  </span>`;
const code = (text) => html`<span class="eq-mono" translate="no">${text}</span>`;

// The fields of a document with a name, once somebody has opened it.
export const Fields = {
  props: { name: String, schemas: Object },
  setup(props) {
    const isOpen = ref(false);
    const row = (name, schema, isNeeded) => html`
      <tr key=${name}>
        <th scope="row">${code(name)}</th>
        <td>
          <span translate="no">${typeText(schema)}</span>
          ${!isNeeded && html`${" "}<span class="eq-muted">${t("api.optional")}</span>`}
        </td>
        <td>
          ${schema.description && english(schema.description)}
          ${partsOf(schema).map((part) => html`<${Fields} key=${part} name=${part} schemas=${props.schemas} />`)}
        </td>
      </tr>`;

    function fields() {
      const schema = props.schemas[props.name] ?? {};
      const needed = schema.required ?? [];
      const entries = Object.entries(schema.properties ?? {});
      if (!entries.length) {
        const parts = partsOf(schema);
        return html`
          <p translate="no">${typeText(schema)}</p>
          ${parts.map((part) => html`<${Fields} key=${part} name=${part} schemas=${props.schemas} />`)}`;
      }
      return html`
        ${schema.description && html`<p class="eq-small api-text">${english(schema.description)}</p>`}
        <div class="eq-scroll" role="region" tabindex="0" aria-label=${t("api.fields", { name: props.name })}>
          <table class="eq-table">
            <thead><tr>
              <th scope="col">${t("api.field")}</th>
              <th scope="col">${t("api.type")}</th>
              <th scope="col" class="api-wide">${t("api.meaning")}</th>
            </tr></thead>
            <tbody>${entries.map(([name, schema]) => row(name, schema, needed.includes(name)))}</tbody>
          </table>
        </div>`;
    }

    return () => html`
      <details class="api-fields" onToggle=${(event) => (isOpen.value = event.target.open || isOpen.value)}>
        <summary>${code(props.name)}</summary>
        ${isOpen.value && fields()}
      </details>`;
  },
};
