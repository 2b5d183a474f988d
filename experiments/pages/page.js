// Turns heads of tables into buttons that sort: ascending, descending, original order. Missing values stay last.
// Opens all details for printing.
for (const table of document.querySelectorAll("figure.table table")) {
  const body = table.tBodies[0], first = [...body.rows], heads = [...table.tHead.rows[0].cells];
  if (first.length < 2) continue;
  const value = (row, i) => { const c = row.cells[i]; return c ? (c.dataset.v ?? c.textContent) : "-"; };
  heads.forEach((head, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const next = { none: "ascending", ascending: "descending", descending: "none" }[head.ariaSort ?? "none"];
      for (const other of heads) other.removeAttribute("aria-sort");
      let rows = first;
      if (next !== "none") {
        head.setAttribute("aria-sort", next);
        const known = first.filter(r => value(r, i) !== "-"), missing = first.filter(r => value(r, i) === "-");
        const numbers = known.every(r => value(r, i).trim() !== "" && !isNaN(value(r, i)));
        const key = r => numbers ? Number(value(r, i)) : value(r, i), sign = next === "ascending" ? 1 : -1;
        known.sort((a, b) => sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
        rows = [...known, ...missing];
      }
      body.append(...rows);
    });
  });
}
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  for (const details of opened) details.open = true;
});
addEventListener("afterprint", () => { for (const details of opened) details.open = false; });
