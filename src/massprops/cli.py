"""The command line: flags become a plan, the plan is run, the results become an exit code.

Everything heavy is imported inside functions: a usage error or ``--help`` must not wait for NumPy.
"""

# No annotations from __future__: Typer would have to work each of some fifty out from its text, three times.
import gc
import os
import sys
from typing import TYPE_CHECKING

gc.set_threshold(100_000)  # what is imported stays: to look through it for garbage takes a tenth of the start

try:
    import typer

    from massprops import flags
    from massprops.arguments import arguments
    from massprops.command import PlainCommand
    from massprops.errors import DEBUG, MassPropsError, PlanError, Unwritable
    from massprops.flags import Triple
    from massprops.leaving import INTERRUPTED, end_in_order, fill_gaps, forget_output, leave
    from massprops.report.escaped import escaped
except KeyboardInterrupt:  # a tenth of a second, in which nobody else would catch it
    sys.exit(130)

if TYPE_CHECKING:
    from massprops.plan import Plan

NOT_MEASURED, USAGE_ERROR, CLOSED_PIPE = 1, 2, 141

_HELP = """Mass, centre of mass and inertia tensor of closed bodies.

[bold]massprops -i part.stl --mass_properties --density 7850[/bold]
[bold]massprops *.stl --units mm --mass_properties --density 7850 --json[/bold]
[bold]massprops part.obj --translate_z -0.1 --mass_properties --about 0 0 0[/bold]
[bold]cat part.stl | massprops -[/bold]

Without --mass_properties the statistics of each input are printed. \
A surface that is open, wound inconsistently or inside-out is told and not measured.
"""

_EPILOG = (
    "The chain has one order, whatever the order of the flags: load, clip, merge, connect_nearby, sanitize, "
    "fill_holes, mirror, resize, rotate, translate, write the output, measure. "
    "Exit code 0: every input was measured; 1: at least one was not; 2: the command line is wrong."
)

app = typer.Typer(
    add_completion=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


@app.command(cls=PlainCommand, help=_HELP, epilog=_EPILOG)
def command(
    files: flags.Files = None,
    input: flags.Input = None,
    files_from: flags.FilesFrom = None,
    format: flags.Format = None,
    units: flags.Units = None,
    clip: flags.Clip = None,
    merge: flags.Merge = None,
    connect_nearby: flags.ConnectNearby = False,
    weld_tolerance: flags.WeldTolerance = 1e-5,
    sanitize: flags.Sanitize = False,
    fill_holes: flags.FillHoles = False,
    max_hole_edges: flags.MaxHoleEdges = None,
    mirror_normal: flags.MirrorNormal = None,
    resize_factor: flags.ResizeFactor = None,
    resize_x: flags.ResizeX = None,
    resize_y: flags.ResizeY = None,
    resize_z: flags.ResizeZ = None,
    rotate_axis: flags.RotateAxis = None,
    rotate_angle: flags.RotateAngle = None,
    translate_delta: flags.TranslateDelta = None,
    translate_x: flags.TranslateX = None,
    translate_y: flags.TranslateY = None,
    translate_z: flags.TranslateZ = None,
    layer: flags.Layer = None,
    winding: flags.Winding = "nesting",
    fill: flags.Fill = None,
    mass_properties: flags.MassProperties = False,
    density: flags.Density = 1.0,
    about: flags.About = None,
    about_uv: flags.AboutUV = None,
    exact: flags.Exact = False,
    check_lines: flags.CheckLines = None,
    verify: flags.Verify = False,
    bounds: flags.Bounds = False,
    spin: flags.Spin = None,
    duration: flags.Duration = 1.0,
    step: flags.Step = 1e-3,
    spin_method: flags.SpinMethod = "rk4",
    spin_csv: flags.SpinCsv = None,
    figure: flags.Figure = None,
    animate: flags.Animate = None,
    html: flags.Html = None,
    json: flags.Json = False,
    output: flags.Output = None,
    overwrite: flags.Overwrite = False,
    strict: flags.Strict = False,
    quiet: flags.Quiet = False,
    jobs: flags.Jobs = None,
    version: flags.Version = False,
) -> None:
    """Measure what is named; the flags are those of `massprops.flags`."""
    from massprops.motion import motion, only_along_z
    from massprops.plan import Plan, SpinPlan, unit_symbol

    if jobs == 0:
        raise PlanError("--jobs 0: at least one input is measured at a time")
    if spin is None and (duration, step, spin_method, spin_csv) != (1.0, 1e-3, "rk4", None):
        raise PlanError("--duration, --step, --spin_method and --spin_csv need --spin")
    if files_from == "-" and "-" in (*(files or []), merge):
        raise PlanError("standard input can be read only once")
    resize_parts, translate_parts = (resize_x, resize_y, resize_z), (translate_x, translate_y, translate_z)
    plan = Plan(
        inputs=(*(files or []), *_listed(files_from)),
        mass_properties=mass_properties,
        density=density,
        about=about or about_uv,
        exact=exact,
        units=None if units is None else unit_symbol(units),
        format=None if format is None else format.lower().removeprefix("."),
        clip=clip,
        merge=merge,
        connect_nearby=connect_nearby,
        weld_tolerance=weld_tolerance,
        sanitize=sanitize,
        fill_holes=fill_holes,
        max_hole_edges=max_hole_edges,
        figure=figure,
        animate=animate,
        html=html,
        watched=not quiet,
        layers=tuple(layer) if layer else None,
        winding=winding,
        fill=fill,
        files_from=files_from,
        output=output,
        overwrite=overwrite,
        check_lines=check_lines,
        verify=verify,
        bounds=bounds,
        spin=None if spin is None else SpinPlan(spin, duration, step, spin_method, spin_csv),
        affine=motion(
            mirror_normal,
            _triple("resize", "factor", resize_factor, resize_parts, 1.0),
            rotate_axis,
            rotate_angle,
            _triple("translate", "delta", translate_delta, translate_parts, 0.0),
        ),
        along_z=(
            *only_along_z("mirror_normal", mirror_normal),
            *only_along_z("resize_factor", resize_factor, resize_parts, 1.0),
            *only_along_z("translate_delta", translate_delta, translate_parts),
        ),
    )
    if not mass_properties:
        _refuse_alone(density=density != 1.0, about=about or about_uv, check_lines=check_lines, bounds=bounds)
    if figure is not None or animate is not None:
        _require_pictures(plan)
    from massprops.reporting import report

    try:
        is_ok = report(plan, json, strict, quiet, jobs)
    except BrokenPipeError:  # of which Typer would make the exit code of an input that is not measured
        forget_output()
        raise typer.Exit(CLOSED_PIPE) from None
    raise typer.Exit(0 if is_ok else NOT_MEASURED)


def _require_pictures(plan: "Plan") -> None:
    """Refuse pictures at once where what draws them is not installed."""
    from massprops.pictures import require_packages
    from massprops.report.extras import MissingExtra

    try:
        require_packages(plan)
    except MissingExtra as error:
        raise PlanError(str(error)) from None


def _triple(name: str, whole: str, vector: Triple | None, parts: tuple[float | None, ...], neutral: float) -> Triple:
    """``--resize_factor`` or ``--resize_x`` and its like, whichever were given."""
    if vector is None:
        x, y, z = (neutral if part is None else part for part in parts)
        return x, y, z
    if any(part is not None for part in parts):
        raise PlanError(f"--{name}_{whole} and --{name}_x, _y or _z say the same thing: give one")
    return vector


def _refuse_alone(**given: object) -> None:
    """Refuse flags that are given and would do nothing to statistics."""
    for name in (name for name, value in given.items() if value):
        raise PlanError(f"--{name} needs --mass_properties")


def _listed(path: str | None) -> list[str]:
    """Names of inputs from a list."""
    if path is None:
        return []
    from massprops.readers.name_list import read_names  # only for runs that have a list

    try:
        return read_names(path)
    except MassPropsError as error:
        raise PlanError(f"--files_from {path}: {error.message}") from None


def main(given: list[str] | None = None) -> None:
    """Run the command line and leave the process with its exit code."""
    if given is not None:
        sys.exit(_exit_code(given))
    end_in_order()
    leave(_exit_code(sys.argv[1:]))


def _exit_code(given: list[str]) -> int:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads that would only cost their start
    if sys.stdout is None or sys.stderr is None:
        fill_gaps()
    if sys.stdout is None:  # closed by who started this
        sys.stderr.write("massprops: standard output is closed: the report cannot be written\n")
        return NOT_MEASURED
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # names of files may be in any encoding
    try:
        if not given:
            raise PlanError("no input; name a file, or see massprops --help")
        code = app(arguments(given), standalone_mode=False, prog_name="massprops")
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except BrokenPipeError:
        forget_output()
        return CLOSED_PIPE
    except Unwritable as error:
        sys.stderr.write(f"massprops: {escaped(error.message)}\n")
        return NOT_MEASURED
    except OSError as error:  # errors of inputs are verdicts; this one is of the output
        forget_output()
        sys.stderr.write(f"massprops: the report cannot be written: {(error.strerror or str(error)).lower()}\n")
        return NOT_MEASURED
    except (KeyboardInterrupt, typer.Abort, SystemExit) as stop:
        return _stopped(stop)
    except PlanError as error:
        return _refused(str(error))
    except Exception as error:
        if isinstance(error.__cause__, (KeyboardInterrupt, SystemExit)):  # while Python made a class
            return _stopped(error.__cause__)
        if hasattr(error, "format_message"):  # Typer's own usage errors have it; their class is not public
            return _refused(error.format_message())
        if os.environ.get(DEBUG):
            raise
        _refused(f"an error of massprops itself: {type(error).__name__}: {error}; please report it")
        return NOT_MEASURED


def _stopped(stop: BaseException) -> int:
    """The exit code after a signal."""
    if not isinstance(stop, SystemExit):
        return INTERRUPTED
    return stop.code if isinstance(stop.code, int) else NOT_MEASURED


def _refused(message: str) -> int:
    sys.stderr.write(f"massprops: {escaped(' '.join(message.split()))}\n")
    return USAGE_ERROR
