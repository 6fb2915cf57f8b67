// Pictures that other programs open: drawings with the colours that they have here, and tables.
const LOOKS = [
  "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity", "paint-order",
  "font-family", "font-size", "font-weight", "text-anchor",
];
const MARGIN = 16;
const ROW = 20; // pixels for the name of a curve

const SPACE = "http://www.w3.org/2000/svg";
const [GROUND, INK, MUTED, LINE] = ["#ffffff", "#0f172a", "#475569", "#cbd5e1"];
const SCALE = 2; // pixels of a picture in points for each of a drawing

// An element of a drawing, with its text.
export function shape(tag, properties, text = "") {
  const made = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(properties)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

// A drawing as the text of a file.
export const pictureText = (picture) => new XMLSerializer().serializeToString(picture);

// The same in points, as a file that everything shows.
export async function picturePoints(picture) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([pictureText(picture)], { type: "image/svg+xml" }));
  try {
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width * SCALE, image.height * SCALE];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

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

// A row with the dashes and the name of a curve, beginning at a place.
function row(name, curve, x, y) {
  const looks = getComputedStyle(curve);
  const dashes = { stroke: looks.stroke, "stroke-dasharray": looks.strokeDasharray, "stroke-width": 2.2 };
  const font = { fill: looks.color, "font-family": looks.fontFamily, "font-size": 13 };
  return [
    shape("line", { x1: x, x2: x + 26, y1: y - 4, y2: y - 4, ...dashes }),
    shape("text", { x: x + 34, y, ...font }, name),
  ];
}

const SIZE = 13; // pixels of the letters of a table
const [TALL, GAP] = [26, 20]; // pixels of a row, and between columns

// A table as a drawing: `columns` are {label, isText}, `rows` lists of a cell {text, share, colour} for each,
// or null; `share` is drawn as a bar. A row with a first cell begins below a line.
export function tablePicture(title, columns, rows) {
  const { fontFamily } = getComputedStyle(document.body);
  const measure = document.createElement("canvas").getContext("2d");
  const widthOf = (text, weight, size) => {
    measure.font = `${weight} ${size}px ${fontFamily}`;
    return measure.measureText(text).width;
  };
  const widths = columns.map(({ label }, k) =>
    Math.max(widthOf(label, 600, SIZE), ...rows.map((cells) => widthOf(cells[k]?.text ?? "", 400, SIZE))));
  const places = widths.map((_, k) => MARGIN + widths.slice(0, k).reduce((sum, x) => sum + x + GAP, 0));
  const whole = places.at(-1) + widths.at(-1) + MARGIN;
  const width = Math.ceil(Math.max(whole, widthOf(title, 700, SIZE + 3) + 2 * MARGIN));
  const head = MARGIN + TALL;
  const height = head + TALL * (rows.length + 1) + MARGIN;
  const picture = shape("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "font-family": fontFamily });
  const write = (text, k, y, weight, fill) => {
    const { isText } = columns[k];
    const x = places[k] + (isText ? 0 : widths[k]);
    const look = { "font-size": SIZE, "font-weight": weight, fill, "text-anchor": isText ? "start" : "end" };
    picture.append(shape("text", { x, y, ...look }, text));
  };
  picture.append(shape("rect", { width, height, fill: GROUND }));
  const heading = { x: MARGIN, y: MARGIN + SIZE, "font-size": SIZE + 3, "font-weight": 700, fill: INK };
  picture.append(shape("text", heading, title));
  columns.forEach(({ label }, k) => write(label, k, head + 17, 600, MUTED));
  rows.forEach((cells, j) => {
    const y = head + TALL * (j + 1);
    if (cells[0]) picture.append(shape("line", { x1: MARGIN, x2: width - MARGIN, y1: y, y2: y, stroke: LINE }));
    cells.forEach((one, k) => {
      if (!one) return;
      write(one.text, k, y + 16, 400, INK);
      if (one.share === undefined) return;
      const bar = { x: places[k], y: y + 20, height: 3, fill: one.colour };
      picture.append(shape("rect", { ...bar, width: widths[k], fill: LINE }));
      picture.append(shape("rect", { ...bar, width: widths[k] * one.share }));
    });
  });
  return picture;
}

// All that is drawn, also what lies outside of the window; below it `names`, those of its curves.
export function savePicture(svg, name, names = []) {
  const { x, y, width, height } = svg.getBBox();
  const box = [x - MARGIN, y - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN + ROW * names.length];
  const copy = copyOf(svg);
  const curves = svg.querySelectorAll("path[data-curve]");
  names.forEach((one, k) => copy.append(...row(one, curves[k], x, y + height + ROW * (k + 1))));
  copy.prepend(shape("rect", { x: box[0], y: box[1], width: box[2], height: box[3], fill: ground(svg) }));
  copy.setAttribute("viewBox", box.join(" "));
  copy.setAttribute("width", box[2]);
  copy.setAttribute("height", box[3]);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
  link.download = `${name}.svg`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
