// Sorts tables.
"use strict";

(() => {
  /** Returns the sort key of a cell: its `data-value` or else its text, as a number if the column is numeric. */
  const key = (cell, numeric) => {
    const text = cell.dataset.value ?? cell.textContent.trim().replace("−", "-");
    const number = Number.parseFloat(text);
    if (!numeric) return text;
    return Number.isFinite(number) ? number : null;
  };

  /** Sorts by the column of a header, in reverse at the second click. Missing values come last in both directions. */
  const sort = (header, column, body) => {
    const down = header.getAttribute("aria-sort") === "ascending";
    const numeric = header.dataset.sort === "number";
    const compare = (a, b) => (numeric ? a - b : a.localeCompare(b, undefined, { numeric: true }));
    const rows = [...body.rows].map((row) => [key(row.cells[column], numeric), row]);
    rows.sort(([a], [b]) => {
      if (a === null || b === null) return (a === null) - (b === null);
      return down ? compare(b, a) : compare(a, b);
    });
    body.append(...rows.map(([, row]) => row));
    for (const other of header.parentElement.cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", down ? "descending" : "ascending");
  };

  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((header, column) => {
      if (!header.dataset.sort) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      button.addEventListener("click", () => sort(header, column, table.tBodies[0]));
      header.append(button);
    });
  }
})();
