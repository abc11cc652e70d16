"""The library's function for plane sections: arguments that would be misread are refused by name."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from massprops import MassPropsWarning, section_properties
from massprops.core.curve import Curve, Loop
from massprops.errors import Empty, Unsupported

U, V = [0, 4, 4, 0, 1, 1, 2, 2], [0, 0, 4, 4, 1, 2, 2, 1]
PLATE = U, V, [4, 4]
SAMPLES = Path(__file__).parent.parent / "sample_meshes"
POINTS = np.array([[0, 0], [4, 0], [4, 4], [0, 4.0]])


@pytest.fixture
def open_square(tmp_path: Path) -> Path:
    """Four sides that end 0.1 apart."""
    (tmp_path / "open.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><path fill="none" d="M0 0H4V3H0V.1"/></svg>'
    )
    return tmp_path / "open.svg"


@pytest.mark.parametrize("tolerance", [0.2, Fraction(1, 5), Decimal("0.2"), np.float32(0.2), np.array(0.2), 1])
def test_a_tolerance_of_any_kind_joins(open_square: Path, tolerance: Any) -> None:
    with pytest.warns(MassPropsWarning, match="joined"):
        assert section_properties(open_square, join_tolerance=tolerance).area == pytest.approx(12)


@pytest.mark.parametrize("tolerance", [0, 0.0, None, 1e-12])
def test_a_tolerance_is_never_less_than_that_of_round_off(tolerance: Any) -> None:
    assert section_properties(PLATE, join_tolerance=tolerance).area == 15


@pytest.mark.parametrize(
    ("tolerance", "error"),
    [
        (-1, ValueError), (-1e-300, ValueError), (math.nan, ValueError), (math.inf, ValueError), (10**400, ValueError),
        (Decimal("NaN"), ValueError), ("1", TypeError), ([1], TypeError), (True, TypeError), (1j, TypeError),
        (np.array([1.0]), TypeError),
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("section", [PLATE, SAMPLES / "channel.dxf", "none.dxf"], ids=["arrays", "file", "no file"])
def test_tolerances_refused(section: Any, tolerance: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"^join_tolerance[^\n]{5,60}$"):
        section_properties(section, join_tolerance=tolerance)


@pytest.fixture
def layered(tmp_path: Path) -> Path:
    """A square of side 4 on the layer ``walls``, one of side 1 beside it on ``w``."""
    ezdxf = pytest.importorskip("ezdxf")
    drawing = ezdxf.new()
    for name, (x, side) in {"walls": (0, 4), "w": (10, 1)}.items():
        corners = [(x, 0), (x + side, 0), (x + side, side), (x, side)]
        drawing.modelspace().add_lwpolyline(corners, close=True, dxfattribs={"layer": name})
    drawing.saveas(tmp_path / "layered.dxf")
    return tmp_path / "layered.dxf"


@pytest.mark.parametrize(("layers", "area"), [
    (None, 17), ("walls", 16), (["walls"], 16), (("walls", "w"), 17), ({"w"}, 1), (np.array(["w", "x"]), 1),
    ((name for name in ["w", "walls"]), 17), ({"w": 1}.keys(), 1),
])  # fmt: skip
def test_layers_by_name(layered: Path, layers: Any, area: float) -> None:
    """A single name is one layer, not one for each of its letters."""
    assert section_properties(layered, layers=layers).area == area


@pytest.mark.parametrize("layers", [[], ["nowhere"], ""])
def test_layers_with_nothing_on_them(layered: Path, layers: Any) -> None:
    with pytest.raises(Empty, match="layers in use: w, walls"):
        section_properties(layered, layers=layers)


@pytest.mark.parametrize("layers", [3, [3], b"0", [b"0"], True, ["0", None], 1.5], ids=str)
@pytest.mark.parametrize("section", [PLATE, SAMPLES / "channel.dxf"], ids=["arrays", "file"])
def test_what_is_no_name_is_no_layer(section: Any, layers: Any) -> None:
    with pytest.raises(TypeError, match=r"^layers: names are wanted, as text, not a value of type \w+$"):
        section_properties(section, layers=layers)


@pytest.mark.parametrize("section", [PLATE, PLATE[:2], Curve.from_loops(*PLATE)], ids=["sizes", "one", "curve"])
@pytest.mark.parametrize("layers", ["0", ["0"], []], ids=str)
def test_arrays_have_no_layers(section: Any, layers: Any) -> None:
    with pytest.raises(ValueError, match=r"^layers: only DXF files have some; leave them out$"):
        section_properties(section, layers=layers)


def test_nor_have_other_files() -> None:
    with pytest.raises(Unsupported, match="svg files have no layers"):
        section_properties(SAMPLES / "bracket.svg", layers="0")


@pytest.mark.parametrize("options", [
    {"winding": None}, {"winding": 0}, {"winding": np.array(["nesting", "as_drawn"])}, {"fill": False},
    {"fill": ["evenodd"]}, {"fill": np.array(["a", "b"])}, {"fill": b"evenodd"},
], ids=str)  # fmt: skip
def test_what_is_no_word_is_no_rule(options: Any) -> None:
    with pytest.raises(TypeError, match=r"^winding and fill: words are wanted"):
        section_properties(PLATE, **options)


@pytest.mark.parametrize("section", [
    (np.array([U]), np.array([V]), [4, 4]), (np.array([U]).T, np.array([V]).T, [4, 4]), (U, np.array([V]), [4, 4]),
    (tuple(U), np.float32(V), (4, 4)),
], ids=["rows", "columns", "mixed", "tuple"])  # fmt: skip
def test_rows_and_columns_are_rows(section: Any) -> None:
    assert section_properties(section).area == 15


@pytest.mark.parametrize("section", [
    (POINTS, POINTS / 4 + 1), [POINTS.tolist(), (POINTS / 4 + 1).tolist()], (POINTS, POINTS + 9, POINTS + 20),
    (np.reshape(U, (2, 4)), np.reshape(V, (2, 4))), (np.reshape(U, (2, 4)), V), (POINTS[:3], POINTS[:3] / 4 + 1),
], ids=["pair", "lists", "three", "folded", "one folded", "triangles"])  # fmt: skip
def test_polygons_of_points_are_not_taken_for_coordinates(section: Any) -> None:
    told = r"u of shape \(.*\) and v of shape \(.*\), where each is a row of numbers; of points, give the columns"
    with pytest.raises(ValueError, match=f"^coordinates of polygons: {told}"):
        section_properties(section)


@pytest.mark.parametrize("section", [(0, 1), (3.0, [1, 2, 3]), ((x for x in U), V)])
def test_what_is_no_row_is_told(section: Any) -> None:
    with pytest.raises(ValueError, match=r"where each is a row of numbers$"):
        section_properties(section)


@pytest.mark.parametrize(("more", "told"), [
    ([1], "1 loop of one corner encloses"), ([1, 0, 1], "2 loops of one corner enclose"),
])  # fmt: skip
def test_loops_of_one_corner_are_told(more: list[int], told: str) -> None:
    spare = [9] * sum(more)
    with pytest.warns(MassPropsWarning, match=f"^degenerate: {told} nothing; are loop_sizes right"):
        found = section_properties((U + spare, V + spare, [4, 4, *more]))
    assert (found.area, found.warnings[0].details) == (15, {"loops": sum(more)})


def test_sizes_under_a_mask_are_none() -> None:
    with pytest.raises(ValueError, match="loop_sizes: some are masked"):
        section_properties((U, V, np.ma.array([4, 4, 4], mask=[0, 0, 1])))
    assert section_properties((U, V, np.ma.array([4, 4]))).area == 15


def test_a_body_is_sent_to_its_own_function() -> None:
    with pytest.raises(Unsupported, match=r"this is no section .* measure a body with massprops\.mass_properties$"):
        section_properties(SAMPLES / "cube.stl")


def test_loops_of_nothing_are_left_out() -> None:
    plate = Curve.from_loops(*PLATE)
    assert section_properties(Curve((Loop(()), *plate.loops))).area == 15
    with pytest.raises(Empty):
        section_properties(Curve((Loop(()),)))


def test_the_argument_is_refused_before_the_file_is_read() -> None:
    for options in ({"layers": 3}, {"join_tolerance": -1}, {"fill": 0}, {"density": 0}, {"about": [0]}):
        with pytest.raises((TypeError, ValueError), match=re.escape(next(iter(options)))):
            section_properties("there is no such file.dxf", **options)
