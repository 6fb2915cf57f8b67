// Asking the server, and what the address says.

export class ApiError extends Error {
  constructor(document, status) {
    super(document.error ?? `the server answers ${status}`);
    Object.assign(this, { option: document.option, remedy: document.remedy, status });
  }
  get sentence() {
    return this.remedy && !this.message.includes(this.remedy)
      ? `${this.message}. ${this.remedy}`
      : this.message;
  }
}

// The document at a path of the API; throws an ApiError with the sentence of what is refused.
export async function api(path, { method = "GET", body, raw } = {}) {
  const headers = { "X-Refusals": "as-documents" }; // so that the browser does not log them as errors
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    answer = await fetch(`/api/${path}`, { method, headers, body: content });
  } catch {
    throw new ApiError({ error: "the server does not answer", remedy: "is it still running?" }, 0);
  }
  const document = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new ApiError(document, answer.status);
  if (typeof document.error === "string" && typeof document.status === "number") {
    throw new ApiError(document, document.status);
  }
  return document;
}

// `?move=a&move=b` and the like, from an object; lists are repeated, empty values left out.
export function query(values) {
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== "" && one !== false) found.append(name, one);
    }
  }
  const text = found.toString();
  return text ? `?${text}` : "";
}

export const word = (text) => encodeURIComponent(text);

// What the address of the page says behind its question mark.
export function said() {
  const found = new URLSearchParams(location.search);
  return {
    one: (name, otherwise = "") => found.get(name) ?? otherwise,
    number: (name, otherwise) => {
      const x = Number.parseInt(found.get(name), 10);
      return Number.isFinite(x) ? x : otherwise;
    },
    all: (name) => found.getAll(name),
  };
}

// Put values into the address; `push` makes a step that Back undoes.
export function say(values, push = false) {
  const address = `${location.pathname}${query(values)}`;
  if (address === `${location.pathname}${location.search}`) return;
  history[push ? "pushState" : "replaceState"]({}, "", address);
}
