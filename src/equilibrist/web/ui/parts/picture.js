// Save a drawing as a picture (SVG) that other programs open: with the colours that it has here.
const LOOKS = [
  "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity", "paint-order",
  "font-family", "font-size", "font-weight", "text-anchor",
];
const MARGIN = 16;
const ROW = 20; // pixels for the name of a curve

function copyOf(svg) {
  const copy = svg.cloneNode(true);
  const [from, to] = [svg, copy].map((one) => [one, ...one.querySelectorAll("*")]);
  from.forEach((one, k) => {
    const looks = getComputedStyle(one);
    for (const name of LOOKS) to[k].setAttribute(name, looks.getPropertyValue(name));
    for (const name of ["class", "style"]) to[k].removeAttribute(name);
  });
  return copy;
}

function ground(svg) {
  const place = svg.closest(".eq-panel") ?? document.body;
  return getComputedStyle(place).backgroundColor;
}

function element(svg, tag, properties, text = "") {
  const made = document.createElementNS(svg.namespaceURI, tag);
  for (const [name, value] of Object.entries(properties)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

// A row with the dashes and the name of a curve, beginning at a place.
function row(svg, name, curve, x, y) {
  const looks = getComputedStyle(curve);
  const dashes = { stroke: looks.stroke, "stroke-dasharray": looks.strokeDasharray, "stroke-width": 2.2 };
  const font = { fill: looks.color, "font-family": looks.fontFamily, "font-size": 13 };
  return [
    element(svg, "line", { x1: x, x2: x + 26, y1: y - 4, y2: y - 4, ...dashes }),
    element(svg, "text", { x: x + 34, y, ...font }, name),
  ];
}

// All that is drawn, also what lies outside of the window; below it `names`, those of its curves.
export function savePicture(svg, name, names = []) {
  const { x, y, width, height } = svg.getBBox();
  const box = [x - MARGIN, y - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN + ROW * names.length];
  const copy = copyOf(svg);
  const curves = svg.querySelectorAll("path[data-curve]");
  names.forEach((one, k) => copy.append(...row(svg, one, curves[k], x, y + height + ROW * (k + 1))));
  copy.prepend(element(svg, "rect", { x: box[0], y: box[1], width: box[2], height: box[3], fill: ground(svg) }));
  copy.setAttribute("viewBox", box.join(" "));
  copy.setAttribute("width", box[2]);
  copy.setAttribute("height", box[3]);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
  link.download = `${name}.svg`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
