// The formulas of the lesson, in MathML.
import { html } from "../../core/html.js";

const mi = (name) => html`<mi>${name}</mi>`;
const mo = (sign) => html`<mo>${sign}</mo>`;
const row = (...inner) => html`<mrow>${inner}</mrow>`;
const fraction = (above, below) => html`<mfrac>${above}${below}</mfrac>`;
const under = (sign, range) => html`<munder>${mo(sign)}${range}</munder>`;
const sub = (base, index) => html`<msub>${base}${index}</msub>`;

// name(a, b)
const of = (name, ...values) =>
  row(name, mo("("), ...values.flatMap((value, k) => (k ? [mo(","), value] : [value])), mo(")"));
const reach = (player, history) => of(sub(mi("π"), player), history);
const counterfactual = () => reach(row(mo("−"), mi("i")), mi("h"));
const [h, a, b] = ["h", "a", "b"].map((name) => () => mi(name));
const after = () => row(h(), a());
const positive = (action) => row(mi("max"), mo("("), of(mi("X"), action()), mo(","), html`<mn>0</mn>`, mo(")"));
const average = () => html`<mover>${mi("σ")}${mo("¯")}</mover>`;

const FORMULAS = {
  reach: () => [
    counterfactual(), mo("="), reach(mi("c"), h()),
    under("∏", row(mi("j"), mo("≠"), mi("i"))), reach(mi("j"), h()),
  ],
  values: () => [of(mi("v"), h()), mo("="), under("∑", a()), of(mi("σ"), a()), of(mi("v"), after())],
  regrets: () => [
    of(mi("r"), a()), mo("="), under("∑", row(h(), mo("∈"), mi("I"))), counterfactual(),
    mo("("), of(mi("v"), after()), mo("−"), of(mi("v"), h()), mo(")"),
  ],
  cumulative: () => [
    of(mi("R"), a()), mo("←"), mi("max"), mo("("), mi("α"), of(mi("R"), a()), mo("+"),
    of(mi("r"), a()), mo(","), mi("f"), mo(")"),
  ],
  sums: () => [
    of(mi("S"), a()), mo("←"), mi("δ"), of(mi("S"), a()), mo("+"), mi("w"), reach(mi("i"), mi("I")),
    of(mi("σ"), a()),
  ],
  next: () => [of(mi("σ"), a()), mo("="), fraction(positive(a), row(under("∑", b()), positive(b)))],
  ending: () => [
    of(average(), a()), mo("="), fraction(of(mi("S"), a()), row(under("∑", b()), of(mi("S"), b()))),
  ],
};

// The formula of a stage of the lesson.
export const formula = (stage) => html`<math display="block">${FORMULAS[stage]()}</math>`;
