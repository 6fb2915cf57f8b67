// Save a drawing as a picture (SVG) that other programs open: with the colours that it has here.
const LOOKS = [
  "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity", "paint-order",
  "font-family", "font-size", "font-weight", "text-anchor",
];
const MARGIN = 16;

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

// All that is drawn, also what lies outside of the window.
export function savePicture(svg, name) {
  const { x, y, width, height } = svg.getBBox();
  const box = [x - MARGIN, y - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN];
  const copy = copyOf(svg);
  const paper = document.createElementNS(svg.namespaceURI, "rect");
  ["x", "y", "width", "height"].forEach((side, k) => paper.setAttribute(side, box[k]));
  paper.setAttribute("fill", ground(svg));
  copy.prepend(paper);
  copy.setAttribute("viewBox", box.join(" "));
  copy.setAttribute("width", box[2]);
  copy.setAttribute("height", box[3]);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
  link.download = `${name}.svg`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
