"""SVG: all basic shapes and paths, transforms, use, nested views, and style as far as it says what is filled.

Coordinates are user units of the outermost view box, with v = -y, as SVG's y points down. The physical size of such a
unit follows from width, height and view box, and is stated apart. Strokes have no area here: a section is what its
outline encloses.

Source: Scalable Vector Graphics (SVG) 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import compress
from xml.etree.ElementTree import Element

import numpy as np

from massprops.core.curve import Shape
from massprops.core.notice import Notice
from massprops.errors import Empty, MassPropsError, NonFinite, Unreadable, Unsupported
from massprops.readers.section_reading import SectionReading
from massprops.readers.svg_clip import Clip, clip_of
from massprops.readers.svg_conditions import chosen, draws, is_shown
from massprops.readers.svg_document import svg_tree
from massprops.readers.svg_paint import PLAIN, Paint
from massprops.readers.svg_shapes import SHAPES, paths_of
from massprops.readers.svg_style import GEOMETRY, PLACED, StyleSheet, sheet_text
from massprops.readers.svg_values import Transform, fitted, numbers, origin, transform, user_units
from massprops.readers.svg_view import root_view

_CONTAINERS = ("g", "a", "svg", "switch")
_GRAPHICS = (*SHAPES, "use")
_DRAWN = (*_GRAPHICS, *_CONTAINERS)
_TOLD = ("text", "image", "foreignObject", "video", "canvas", "audio")
_NESTING = 64
_MOST_REPEATED = 200_000
"""Elements that may be drawn again by ``use``: a few lines could ask for any number of them."""

_MOST_STYLING = 10**8
"""Rules and declarations of style sheets, times elements that they may apply to."""

_FLIP = np.diag([1.0, -1.0])
_UPWARDS = Transform(_FLIP, np.zeros(2))


@dataclass(frozen=True)
class _Context:
    """What an element inherits."""

    transform: Transform
    width: float
    height: float
    paint: Paint = PLAIN
    rule: str | None = None
    visible: bool = True
    clips: tuple[Clip, ...] = ()
    depth: int = 0


@dataclass
class _Drawing:
    """What has been found so far, and what is needed to find more."""

    by_id: dict[str, Element]
    sheet: StyleSheet
    allowed: int
    """Elements that may still be visited."""

    shapes: list[Shape] = field(default_factory=list)
    seen: list[bool] = field(default_factory=list)
    """Whether anything of each of them is painted."""

    cutting: dict[int, Clip] = field(default_factory=dict)
    """Clips that cut something off, by their identity."""

    ignored: Counter[str] = field(default_factory=Counter)


def read_svg(data: bytes) -> SectionReading:
    """Read an SVG document.

    Parameters
    ----------
    data : bytes
        The file; gzipped ones (.svgz) too.

    Raises
    ------
    Unreadable
        It is no well-formed SVG.
    NonFinite
        A number is too large.
    Empty
        It draws no shape.

    Examples
    --------
    >>> found = read_svg(b'<svg xmlns="http://www.w3.org/2000/svg"><circle cx="3" cy="4" r="1"/></svg>')
    >>> found.shapes[0].paths[0].pieces[0].center.tolist()
    [3.0, -4.0]
    """
    root = svg_tree(data)
    if _name(root) != "svg":
        raise Unreadable(f"the root element is <{_name(root)[:40]}>, not <svg>")
    elements = list(root.iter())
    by_id = {element.attrib["id"]: element for element in reversed(elements) if "id" in element.attrib}
    sheets = [sheet_text(element) for element in elements if _name(element) == "style"]
    sheet = StyleSheet.of(sheets)
    if sheet.size * len(elements) > _MOST_STYLING:
        raise Unsupported(f"style sheets of {sheet.size} rules for {len(elements)} elements; save it as plain SVG")
    drawing = _Drawing(by_id, sheet, len(elements) + _MOST_REPEATED)
    if sheet.unread:
        drawing.ignored["style rule"] += sheet.unread
    size, unit, notices = root_view(root)
    context = _Context(Transform.identity(), *size)
    _children(root, _styled(root, context, drawing), drawing)
    _leave_unseen(drawing)
    if drawing.cutting:
        drawing.ignored["clip-path"] += len(drawing.cutting)
    notices = [*notices, *_told(drawing.ignored)]
    if not drawing.shapes:
        raise Empty("there is no shape" + "".join(f"; {notice.message}" for notice in _told(drawing.ignored)))
    return SectionReading(tuple(drawing.shapes), "svg", tuple(notices), unit)


def _leave_unseen(drawing: _Drawing) -> None:
    """Pass over what nobody sees, unless all there is is so, or rules that are not read may paint it."""
    unseen = drawing.seen.count(False)
    if any(drawing.seen) and unseen and not drawing.sheet.may_paint:
        drawing.ignored["invisible"] += unseen
        drawing.shapes = list(compress(drawing.shapes, drawing.seen))


def _name(element: Element) -> str:
    return str(element.tag)


def _told(ignored: Counter[str]) -> list[Notice]:
    if not ignored:
        return []
    names = ", ".join(f"{count} {name}" for name, count in sorted(ignored.items()))
    return [Notice("ignored", f"passed over: {names}", dict(ignored))]


def _styled(element: Element, context: _Context, drawing: _Drawing) -> _Context:
    """The context that an element's attributes and style make of the inherited one."""
    declared = drawing.sheet.properties(element, _name(element))
    for name in PLACED:
        if declared.get(name, "none") != "none":
            raise Unsupported(f"the property {name!r} of a style is not read; write it as a transform")
    style = {**element.attrib, **declared}
    rule = style.get("fill-rule", "inherit")
    visibility = style.get("visibility", "inherit")
    placed, clips = context.transform.of(_placed(style, context)), context.clips
    if style.get("mask", "none") != "none":
        drawing.ignored["mask"] += 1
    if style.get("clip-path", "none") != "none":
        clip = clip_of(style["clip-path"], drawing.by_id, _UPWARDS.of(placed), context.width, context.height)
        if clip is None:
            drawing.ignored["clip-path"] += 1
        else:
            clips = (*clips, clip)
    return replace(
        context,
        transform=placed,
        clips=clips,
        paint=context.paint.styled(style),
        rule=rule if rule in ("evenodd", "nonzero") else context.rule,
        visible=context.visible if visibility == "inherit" else visibility == "visible",
        depth=context.depth + 1,
    )


def _placed(style: Mapping[str, str], context: _Context) -> Transform:
    """The map of an element's ``transform`` about its ``transform-origin``."""
    inner = transform(style.get("transform"))
    if "transform-origin" not in style:
        return inner
    if style.get("transform-box", "view-box") != "view-box":
        raise Unsupported("a transform-box other than view-box is not read; leave out transform-origin")
    about = origin(style["transform-origin"], context.width, context.height)
    there, back = Transform(np.eye(2), about), Transform(np.eye(2), -about)
    return there.of(inner).of(back)


def _children(element: Element, context: _Context, drawing: _Drawing) -> None:
    children = list(element)
    if _name(element) == "switch":
        shown = chosen(children, (*_DRAWN, *_TOLD))
        left_out = sum(child is not shown and draws(child, _GRAPHICS) for child in children)
        drawing.ignored.update(["branch of a switch"] * left_out)
        children = [] if shown is None else [shown]
    for child in children:
        _element(child, context, drawing)


def _element(element: Element, context: _Context, drawing: _Drawing) -> None:
    name = _name(element)
    style = drawing.sheet.properties(element, name)
    if style.get("display", element.get("display", "")) == "none" or not is_shown(element):
        if name in _DRAWN:
            drawing.ignored["hidden"] += 1
        return
    if name in _TOLD:
        drawing.ignored[name] += 1
    if name not in _DRAWN:
        return
    drawing.allowed -= 1
    if context.depth > _NESTING or drawing.allowed < 0:
        raise Unreadable("elements are nested too deeply, or <use> refers to itself or repeats too much")
    inner = _styled(element, context, drawing)
    if name in (*_GRAPHICS, "svg"):
        element = _with_geometry(element, style)
    if name == "use":
        _use(element, inner, drawing)
    elif name == "svg":
        _view(element, inner, drawing, element.get("width"), element.get("height"))
    elif name in _CONTAINERS:
        _children(element, inner, drawing)
    else:
        _shape(element, name, inner, drawing)


def _with_geometry(element: Element, style: Mapping[str, str]) -> Element:
    """An element with the attributes that its style gives it."""
    given = {name: style[name] for name in GEOMETRY if name in style}
    if not given:
        return element
    if "d" in given:
        given["d"] = given["d"].removeprefix("none").removeprefix("path(").removesuffix(")").strip("\"' ")
    changed = Element(element.tag, {**element.attrib, **given})
    changed.extend(element)
    return changed


def _use(element: Element, context: _Context, drawing: _Drawing) -> None:
    target = drawing.by_id.get(element.get("href", "").removeprefix("#"))
    if target is None:
        drawing.ignored["use of what is not there"] += 1
        return
    shift = np.array([user_units(element.get("x"), context.width), user_units(element.get("y"), context.height)])
    context = replace(context, transform=context.transform.of(Transform(np.eye(2), shift)))
    if _name(target) in ("symbol", "svg"):
        if {"refX", "refY"} & target.attrib.keys():
            raise Unsupported("a symbol with refX or refY is not read; move what it draws instead")
        sizes = [element.get(side, target.get(side)) for side in ("width", "height")]
        _view(target, _styled(target, context, drawing), drawing, *sizes)
    else:
        _element(target, context, drawing)


def _view(
    element: Element, context: _Context, drawing: _Drawing, width: str | None, height: str | None
) -> None:
    """A nested view, of an ``svg`` element or of a symbol in use."""
    place = np.array([user_units(element.get("x"), context.width), user_units(element.get("y"), context.height)])
    sizes = user_units(width, context.width, context.width), user_units(height, context.height, context.height)
    inner = context.transform.of(Transform(np.eye(2), place))
    box = numbers(element.get("viewBox", ""))
    if len(box) == 4 and min(box[2:]) > 0 and min(sizes) > 0:
        inner = inner.of(fitted(box, *sizes, element.get("preserveAspectRatio")))
        sizes = box[2], box[3]
    _children(element, replace(context, transform=inner, width=sizes[0], height=sizes[1]), drawing)


def _called(element: Element, name: str) -> str:
    """What an element is called in messages."""
    label = element.get("id")
    return f"<{name}>" if label is None else f"<{name} {label[:40]!r}>"


def _shape(element: Element, name: str, context: _Context, drawing: _Drawing) -> None:
    if not context.visible:
        drawing.ignored["hidden"] += 1
        return
    try:
        paths = paths_of(element, name, context.width, context.height)
    except MassPropsError as error:
        raise type(error)(f"{_called(element, name)}: {error.message}") from None
    if not context.transform.is_finite:
        raise NonFinite(f"{_called(element, name)}: its transforms make numbers too large for a float64")
    matrix, translation = _FLIP @ context.transform.matrix, _FLIP @ context.transform.translation
    moved = tuple(path.mapped(matrix, translation + 0.0) for path in paths)
    if moved:
        drawing.cutting.update({id(clip): clip for clip in context.clips if not clip.holds(moved)})
        has_inside = name != "line"
        paint = context.paint
        filled = has_inside and paint.fills
        fill = None if drawing.sheet.may_paint else paint.fill_of(has_inside)
        drawing.shapes.append(Shape(moved, context.rule, filled, fill=fill))
        drawing.seen.append(paint.is_seen(has_inside))
