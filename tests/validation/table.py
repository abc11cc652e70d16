"""Print the validation of solids as Markdown, as measured here: `python -m tests.validation.table`."""

from __future__ import annotations

from tests.validation.test_fossil_solids import GRIDS, REFUSED, ROWS, orders, sphere_errors


def shown(error: float) -> str:
    """An error with two digits; 0 where every digit is right."""
    return f"{error:.1e}" if error else "0"


def table() -> str:
    """The table, with a line feed after each line."""
    lines = [("body", "quantity", "FOSSIL", "massprops"), ("---", "---", "---:", "---:")]
    lines += [(row.body, row.quantity, shown(row.fossil), shown(row.error())) for row in ROWS]
    found = sphere_errors()
    grids = ", ".join(f"{cells}³" for cells in GRIDS)
    body = f"unit sphere by marching tetrahedra on {grids} cells"
    lines.append((body, "observed order of the mean moment", "2.0", f"{orders(found)[-1]:.2f}"))
    lines += [(body, "verdict", "refused", f"`{status}`") for body, (status, _) in REFUSED.items()]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


if __name__ == "__main__":
    print(table(), end="")
