// What the address of a page says, and the addresses of other pages.
import { onBeforeUnmount, onMounted } from "./html.js";

// From the page to the beginning of the site, which may lie below any path.
const { root: ROOT = "./", source } = document.documentElement.dataset;

// Whether the site is files alone, each page a folder with an index, and no server answers.
export const isOfFiles = source === "files";

export const word = (text) => encodeURIComponent(text);

// `?move=a&move=b` and the like, from an object; lists are repeated, empty values left out.
function query(values) {
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== "" && one !== false) found.append(name, one);
    }
  }
  const text = found.toString();
  return text ? `?${text}` : "";
}

// The address of a file, by its path from the beginning of the site.
export const file = (path) => `${ROOT}${path}`;

// The address of a page or document, by its path from the beginning of the site.
export function place(path, values = {}) {
  const folder = isOfFiles && path ? `${path.replace(/\/$/, "")}/` : path;
  return `${file(folder)}${query(values)}`;
}

// What a page is about: the part of its path behind the first folder below the beginning of the site.
export function topic() {
  const start = new URL(ROOT, location).pathname.length;
  const below = location.pathname.slice(start);
  const path = isOfFiles ? below.replace(/\/(index\.html)?$/, "") : below;
  try {
    return decodeURIComponent(path.slice(path.indexOf("/") + 1));
  } catch {
    return path.slice(path.indexOf("/") + 1); // signs that no browser would write so
  }
}

// Go to another page of the site.
export const go = (path) => location.assign(place(path));

// What the address of this page says behind its question mark.
export function said() {
  const found = new URLSearchParams(location.search);
  return {
    one: (name, otherwise = "") => found.get(name) ?? otherwise,
    all: (name) => found.getAll(name),
    number: (name, otherwise) => {
      const x = Number.parseInt(found.get(name), 10);
      return Number.isFinite(x) ? x : otherwise;
    },
  };
}

// Where one signs in, and comes back to this page.
export const entry = () => place("enter", { to: `${location.pathname}${location.search}` });

// Put values into the address; `push` makes a step that Back undoes, and `path` is another page.
export function say(values, push = false, path = null) {
  const pathname = path === null ? location.pathname : new URL(place(path), location).pathname;
  const address = `${pathname}${query(values)}`;
  if (address === `${location.pathname}${location.search}`) return;
  history[push ? "pushState" : "replaceState"]({}, "", address);
}

// Call `read` whenever the reader goes back or forward, while the component is there.
export function onReturn(read) {
  onMounted(() => window.addEventListener("popstate", read));
  onBeforeUnmount(() => window.removeEventListener("popstate", read));
}
