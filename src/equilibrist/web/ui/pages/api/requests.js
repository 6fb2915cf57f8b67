// The requests of the API, from its description in OpenAPI, and a search among them.

// Every request of the description: {id, method, path, tag, about, ...}.
export const requestsOf = ({ paths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId: id, tags = [""], ...request }]) =>
      ({ id, method: method.toUpperCase(), path, tag: tags[0], parameters: [], description: "", ...request })));

// Requests in which all words occur, of their path, method or description.
export function found(requests, search) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const text = ({ method, path, tag, description }) => `${method} ${path} ${tag} ${description}`.toLowerCase();
  return requests.filter((request) => words.every((one) => text(request).includes(one)));
}

// The path of a request and its other values, from what the fields have.
export function questionOf(path, parameters, values) {
  const given = (one) => values[one.name]?.trim() ?? "";
  const filled = parameters
    .filter((one) => one.in === "path")
    .reduce((text, one) => text.replace(`{${one.name}}`, encodeURIComponent(given(one))), path);
  const named = parameters
    .filter((one) => one.in === "query" && given(one) !== "")
    .map((one) => [one.name, one.schema.type === "array" ? given(one).split(/\s*\n\s*|\s*,\s*/) : given(one)]);
  return [filled, Object.fromEntries(named)];
}
