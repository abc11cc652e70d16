"""The flags of the command line: names, panels and help."""

from __future__ import annotations

from typing import Annotated, Any

import typer

Triple = tuple[float, float, float]
Box = tuple[float, float, float, float, float, float]


def _panel(title: str) -> Any:
    def option(*names: str, help: str, metavar: str = "", **more: Any) -> Any:
        return typer.Option(*names, help=help, metavar=metavar, rich_help_panel=title, show_default=False, **more)

    return option


_in, _repair, _move, _section, _measure, _motion, _picture, _report = map(
    _panel, ("Input", "Repair", "Resize and move", "Sections", "Measure", "Motion", "Pictures", "Report")
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from massprops.report.version import version

        typer.echo(f"massprops {version()}")
        raise typer.Exit


Files = Annotated[
    list[str] | None,
    typer.Argument(metavar="FILE", help="Meshes and plane sections; - is standard input.", show_default=False),
]
Input = Annotated[
    list[str] | None, _in("-i", "--input", metavar="FILE...", help="The same behind a flag: -i a.stl b.stl.")
]
FilesFrom = Annotated[
    str | None, _in("--files_from", metavar="LIST", help="Read names of inputs from a file, one a line.")
]
Format = Annotated[
    str | None,
    _in("--format", metavar="SUFFIX", help="Format of the inputs, where name and contents do not tell."),
]
Units = Annotated[
    str | None,
    _in(
        "--units",
        metavar="UNIT",
        help="Unit of the coordinates: um, mm, cm, m, in, ft, or file for the one declared there. Results are in SI; "
        "--clip, --translate_delta and --about stay in this unit.",
    ),
]

Clip = Annotated[
    Box | None,
    _repair("--clip", metavar="X0 Y0 Z0 X1 Y1 Z1", help="Drop facets that do not touch this box."),
]
Merge = Annotated[str | None, _repair("--merge", metavar="FILE", help="Add the facets of this file to each input.")]
ConnectNearby = Annotated[bool, _repair("--connect_nearby", help="Weld vertices of cracks that lie close together.")]
WeldTolerance = Annotated[
    float,
    _repair("--weld_tolerance", metavar="PART", help="Widest crack, as a part of the box diagonal; 1e-5 unless given."),
]
Sanitize = Annotated[
    bool,
    _repair(
        "--sanitize",
        help="Drop degenerate facets and stray copies, weld cracks, turn facets outwards and cavities inwards.",
    ),
]
FillHoles = Annotated[bool, _repair("--fill_holes", help="Close holes with new facets.")]
MaxHoleEdges = Annotated[
    int | None, _repair("--max_hole_edges", metavar="N", help="Leave holes with more edges open.")
]

MirrorNormal = Annotated[
    Triple | None,
    _move("--mirror_normal", metavar="X Y Z", help="Mirror at the plane through the origin with this normal."),
]
ResizeFactor = Annotated[Triple | None, _move("--resize_factor", metavar="X Y Z", help="Factors along the axes.")]
ResizeX = Annotated[float | None, _move("--resize_x", metavar="X", help="Factor along x.")]
ResizeY = Annotated[float | None, _move("--resize_y", metavar="Y", help="Factor along y.")]
ResizeZ = Annotated[float | None, _move("--resize_z", metavar="Z", help="Factor along z.")]
RotateAxis = Annotated[Triple | None, _move("--rotate_axis", metavar="X Y Z", help="Axis through the origin.")]
RotateAngle = Annotated[float | None, _move("--rotate_angle", metavar="ANGLE", help="Angle about it, radians.")]
TranslateDelta = Annotated[
    Triple | None,
    _move("--translate_delta", metavar="X Y Z", help="Shift along the axes, in the unit of the coordinates."),
]
TranslateX = Annotated[float | None, _move("--translate_x", metavar="X", help="Shift along x, likewise.")]
TranslateY = Annotated[float | None, _move("--translate_y", metavar="Y", help="Shift along y, likewise.")]
TranslateZ = Annotated[float | None, _move("--translate_z", metavar="Z", help="Shift along z, likewise.")]

Layer = Annotated[
    list[str] | None,
    _section("--layer", metavar="NAME", help="Read only this layer of a DXF drawing; may be repeated."),
]
Winding = Annotated[
    str,
    _section("--winding", metavar="RULE", help="nesting: a loop in a loop is a hole; as_drawn: a clockwise one is."),
]
Fill = Annotated[
    str | None, _section("--fill", metavar="RULE", help="Measure what evenodd or nonzero fills, where loops cross.")
]

MassProperties = Annotated[
    bool,
    _measure("--mass_properties", help="Mass, centre of mass, inertia tensor, principal moments and axes."),
]
Density = Annotated[
    float, _measure("--density", metavar="RHO", help="Uniform density; 1 unless given. kg/m^3 with --units.")
]
About = Annotated[
    Triple | None, _measure(
        "--about",
        metavar="X Y Z",
        help="Give the tensor about this point too, in the unit of the coordinates; U V for a section.",
    ),
]
AboutUV = Annotated[tuple[float, float] | None, typer.Option("--about_uv", hidden=True)]
"""``--about`` with two numbers, which the command line is rewritten to: a point in the plane of sections."""

Exact = Annotated[bool, _measure("--exact", help="Refuse hairline cracks, which are otherwise closed and told.")]
CheckLines = Annotated[
    int | None,
    _measure("--check_lines", metavar="N", help="Lines a side of the cross-check; 96 unless given, 0 for none."),
]
Verify = Annotated[
    bool, _measure("--verify", help="Count volume, centre and tensor along lines, and print the differences.")
]
Bounds = Annotated[bool, _measure("--bounds", help="Print how right each number is: bounds of its round-off.")]

Json = Annotated[bool, _report("--json", help="One JSON document instead of text.")]
Spin = Annotated[
    Triple | None,
    _motion("--spin", metavar="WX WY WZ", help="Spin the body freely, from this angular velocity on; radians / time."),
]
Duration = Annotated[float, _motion("--duration", metavar="T", help="How long; 1 unless given.")]
Step = Annotated[float, _motion("--step", metavar="DT", help="Time between samples; 0.001 unless given.")]
SpinMethod = Annotated[
    str, _motion("--spin_method", metavar="NAME", help="rk4, with a fixed step, or dop853, with its own steps.")
]
SpinCsv = Annotated[str | None, _motion("--spin_csv", metavar="FILE", help="Write the samples of the motion.")]

Figure = Annotated[
    str | None, _picture("--figure", metavar="FILE", help="Draw the body, its axes and inertia ellipsoid: .png, .svg.")
]
Animate = Annotated[str | None, _picture("--animate", metavar="FILE", help="Film the --spin: .gif or .mp4.")]
Html = Annotated[
    str | None, _picture("--html", metavar="FILE", help="One page about all inputs, with bodies that can be turned.")
]

Output = Annotated[
    str | None,
    _report(
        "--output",
        metavar="FILE",
        help="Write the mesh as changed: .stl, .obj, .ply, .off or .glb; {stem} stands for the name of the input.",
    ),
]
Overwrite = Annotated[bool, _report("--overwrite", help="Let files that are written replace others.")]
Strict = Annotated[bool, _report("--strict", help="Let a warning fail the run.")]
Quiet = Annotated[bool, _report("--quiet", help="No warnings and summaries on standard error.")]
Jobs = Annotated[int | None, _report("--jobs", metavar="N", help="Inputs measured at a time.")]
Version = Annotated[
    bool, _report("--version", help="Print the version.", callback=_show_version, is_eager=True)
]
