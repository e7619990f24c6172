// The picker shows the pages of one device; a click on a column's title sorts its table. Without this all pages show, in order.
"use strict";

const UNITS = {
  ns: 1e-9, "µs": 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, d: 86400, years: 365.25 * 86400,
  kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40,
};
const FIGURE = /^(?:boost |< )?\(?([+-]?[\d,]*\.?\d+(?:e[+-]?\d+)?)(?: ([a-zµ]+)\b)?/i;
const POWER = /× 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/;

// The number that a cell begins with, in the base unit; null if it begins with none.
function numberIn(text) {
  if (text === "never") return Infinity;
  text = text.replace(/^10(?=[⁻⁰¹²³⁴⁵⁶⁷⁸⁹])/, "1 × 10");
  const figure = FIGURE.exec(text);
  if (!figure) return null;
  const power = POWER.exec(text)?.[1].replace(/./g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(digit)).replace(/^-1/, "-") ?? 0;
  return Number(figure[1].replaceAll(",", "")) * Number(`1e${power}`) * (UNITS[figure[2]] ?? 1);
}

// Rows of a table. One whose first cell is empty goes on with the row above, and moves with it.
function blocksOf(body) {
  const blocks = [];
  for (const row of body.rows) {
    if (row.cells[0].textContent || !blocks.length) blocks.push([]);
    blocks.at(-1).push(row);
  }
  return blocks;
}

const byText = new Intl.Collator("en", { numeric: true }).compare;

// What orders blocks by a column. What is no number comes last.
function comparison(column, isFigures, isDescending) {
  const text = (block) => block[0].cells[column].textContent;
  const sign = isDescending ? -1 : 1;
  if (!isFigures) return (a, b) => sign * byText(text(a), text(b));
  return (a, b) => {
    const [x, y] = [numberIn(text(a)), numberIn(text(b))];
    return x === null || y === null ? (x === null) - (y === null) : sign * ((x > y) - (x < y));
  };
}

// Titles become buttons: the largest figure or the first text first, then the other way round, then as it was.
function makeSortable(table) {
  const body = table.tBodies[0];
  const blocks = blocksOf(body);
  const titles = [...table.tHead.rows[0].cells];
  titles.forEach((title, column) => {
    const isFigures = title.style.textAlign === "right";
    const orders = isFigures ? ["descending", "ascending", null] : ["ascending", "descending", null];
    const button = document.createElement("button");
    button.append(...title.childNodes);
    button.title = "Sort";
    title.append(button);
    button.onclick = () => {
      const order = orders[(orders.indexOf(title.ariaSort) + 1) % orders.length];
      titles.forEach((other) => (other.ariaSort = null));
      title.ariaSort = order;
      const sorted = order ? blocks.toSorted(comparison(column, isFigures, order === "descending")) : blocks;
      body.append(...sorted.flat());
    };
  });
}

const picker = document.querySelector("select");
const groups = [...document.querySelectorAll(".group")];

// Show the pages of the device to which the address leads, the first if it leads nowhere.
function follow() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const chosen = target?.closest(".group") ?? groups[0];
  groups.forEach((group) => (group.hidden = group !== chosen));
  picker.value = chosen?.id;
  target?.scrollIntoView();
}

document.querySelectorAll("tbody").forEach((body) => makeSortable(body.parentElement));
picker.onchange = () => (location.hash = picker.value);
addEventListener("hashchange", follow);
follow();
