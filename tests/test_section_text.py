"""The report of a section, read back."""

import math

import numpy as np
import pytest

from massprops.core.curve import Curve, Loop
from massprops.core.raster import count_squares
from massprops.core.segments import Arc
from massprops.report.section_text import REMINDER_COLUMN, section_count_lines, section_lines
from massprops.sections import section_properties

Z = np.array([(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (-3, 3), (-3, 2), (0, 2)], float)

GOLDEN = """\
section properties, density   2.000000000000000E+00
  mass                  1.800000000000000E+01                         density times area: per unit depth
  area                  9.000000000000000E+00                         of the region, holes taken away
  perimeter             2.000000000000000E+01                         of all loops, holes too
  centroid              5.000000000000000E-01  1.500000000000000E+00  u, v
  second moments about the centroid:
  I_uu                  5.750000000000000E+01                         density times int u^2 dA: bending about the v axis
  I_vv                  1.750000000000000E+01                         density times int v^2 dA: bending about the u axis, a beam engineer's I
  I_uv                 -2.400000000000000E+01                         density times int u v dA: 0 where u or v is an axis of symmetry
  polar                 7.500000000000000E+01                         I_uu + I_vv: inertia against rotation in the plane
"""  # noqa: E501


def numbers(lines):
    """Label to numbers, of lines as they are printed."""
    found = {}
    for line in lines:
        words = line[22:REMINDER_COLUMN].split()
        if line.startswith("  ") and not line.endswith(":") and words:
            found[line[:22].strip()] = [float(word) for word in words]
    return found


def test_the_report_is_fixed():
    lines = list(section_lines(section_properties(tuple(Z.T), density=2)))
    assert "\n".join(lines[:10]) + "\n" == GOLDEN


def test_the_report_reads_back():
    found = section_properties(tuple(Z.T), density=2, about=(1, 2))
    lines = list(section_lines(found))
    at = lines.index("  second moments about the point:")
    first, second = numbers(lines[:at]), numbers(lines[at:])
    assert first["centroid"] == found.center.tolist()
    assert first["I_uv"] == [found.second_moments[2]]
    assert second["point"] == [1, 2]
    assert second["I_uv"] == [found.second_moments_about[2]]
    assert second["polar"] == [found.polar_moment_about]
    assert second["principal"] == pytest.approx(found.principal_moments.tolist(), rel=1e-15)
    assert second["angle"] == pytest.approx([found.principal_angle], rel=1e-15)
    assert "-25.10 degrees" in next(line for line in lines if line.startswith("  angle"))
    assert second["about short"] == pytest.approx(found.section_moduli.about_short.tolist(), rel=1e-15)


def test_units_and_equal_moments_are_told():
    disc = section_properties(Curve((Loop((Arc.circle([0, 0], 1),)),)))
    lines = list(section_lines(disc, si=True))
    assert lines[0].startswith("section properties, density [kg/m^3]")
    assert "  equal moments: every axis is a principal one" in lines
    assert any(line.startswith("  area [m^2]            3.14") for line in lines)
    assert all(line[21] == " " for line in lines if line[24:25].isdigit())


def test_counted_against_computed():
    disc = Curve((Loop((Arc.circle([0, 0], 1),)),))
    found = section_properties(disc, density=3)
    lines = list(section_count_lines(count_squares(disc, 256, density=3), found))
    rows = {line[:22].strip(): [float(word) for word in line[22:].split()] for line in lines[2:]}
    assert list(rows) == ["area", "centroid u", "centroid v", "polar moment"]
    counted, computed, difference = rows["polar moment"]
    assert computed == pytest.approx(3 * math.pi / 2, rel=1e-14)
    assert counted - computed == pytest.approx(difference)
    assert abs(difference) < 3e-2
