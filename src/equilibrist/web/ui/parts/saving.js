// What is seen as a file or in the clipboard.

// Save a text as a file.
export const saveText = (text, name, type) => saveFile(new Blob([text], { type }), name);

// Save what is in memory as a file.
export function saveFile(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// What spreadsheets take for a formula, unless it is a number, as the server's tables have it.
const FORMULA = /^'*[=+\-@\t\r]./s;
const NUMBER = /^([-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?%?|[-+]inf)$/i;

// A cell of CSV; names of users that begin as formulas do stay texts, behind an apostrophe.
function cell(value) {
  const known = String(value ?? "");
  const text = FORMULA.test(known) && !NUMBER.test(known) ? `'${known}` : known;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// Save what the server has at an address, as the server calls it.
export function saveFrom(address) {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}

// Rows of cells as a table that other programs open; what is not known is empty.
export function saveTable(rows, name) {
  saveText(rows.map((row) => `${row.map(cell).join(",")}\n`).join(""), name, "text/csv");
}

// Copy a text, over plain http too, where browsers have no clipboard for scripts; false where that is
// not allowed. What is copied is selected inside the dialog that is open, if any.
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const before = document.activeElement;
    const field = document.createElement("textarea");
    field.value = text;
    field.readOnly = true;
    field.className = "eq-hidden";
    (before?.closest?.("dialog") ?? document.body).append(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    before?.focus?.();
    return isCopied;
  }
}
