"""Small valid files of every format that is read, to be mutated."""

from __future__ import annotations

import gzip
import io
import json
import logging
from typing import Any

import numpy as np

from tests import mesh_files as files
from tests.oracle import Triangles, ascii_stl, binary_stl, indexed, l_prism, moved, tetrahedron

NEIGHBOUR = "part.bin"
"""The file beside a glTF document that the document names."""

TURNED = "0 1 0 -1 0 0 0 0 1 5 0.5 0.25"


def bodies() -> tuple[Triangles, Triangles]:
    """A tetrahedron and a prism, off-axis and off-origin; the second one's coordinates are not those of float32."""
    turn = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])
    return tetrahedron() + np.array([0.25, -1.5, 3.0]), moved(l_prism(), turn, (10.1, -20.2, 0.3)).astype(np.float64)


def seeds() -> dict[str, list[bytes]]:
    """Files by the suffix that they have."""
    one, two = bodies()
    return {
        "stl": [
            binary_stl(one, b"solid by hand"),
            binary_stl(two, tail=b"\0" * 7),
            ascii_stl(one).encode(),
            ascii_stl(two, "two words").replace("\n", "\r\n").encode() + ascii_stl(one).encode(),
            ascii_stl(one, number="{:+.6E}".format).encode("utf-16"),
        ],
        "obj": [files.obj(one), files.obj(two), _obj_of_polygons()],
        "off": [files.off(one), files.off(two).replace(b"OFF\n", b"COFF # colours\n", 1)],
        "ply": [
            files.ply(one),
            files.binary_ply(one),
            files.binary_ply(two, ">"),
            files.binary_ply(one, "<", "float"),
            _ply_of_polygons(),
        ],
        "glb": [files.glb(one), files.glb_of(*_scene(two))],
        "gltf": [files.gltf(one), _gltf_beside(two), files.gltf_of(*_sparse(one))],
        "3mf": [files.threemf(one), files.threemf(two, (files.ONE, TURNED)), _assembly_3mf(one)],
        "amf": [files.amf(one), _constellation(two), files.archive({"part.amf": files.amf(one)})],
        "dae": [files.dae(one), _scene_dae(two)],
        "zae": [files.zae(one)],
        "3dxml": [files.threedxml(one)],
        "xaml": [files.xaml(one)],
    }


def neighbour() -> bytes:
    """The content of `NEIGHBOUR`."""
    return files.gltf_document(bodies()[1])[1]


def _obj_of_polygons() -> bytes:
    """A prism over an L with two concave caps, normals, textures, groups and indices counted backwards."""
    outline = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)]
    lines = ["# by hand", "mtllib part.mtl", "o part"]
    lines += [f"v {x} {y} {z}" for z in (0.5, 2.0) for x, y in outline]
    lines += ["vn 0 0 1", "vt 0 0", "g caps", "usemtl steel", "f 6//1 5//1 4//1 3//1 2//1 1//1"]
    lines += ["f -6/1/1 -5/1/1 -4/1/1 -3/1/1 \\", " -2/1/1 -1/1/1", "g sides", "s off"]
    lines += [f"f {k} {k % 6 + 1} {k % 6 + 7} {k + 6}" for k in range(1, 7)]
    return "\n".join(lines).encode()


def _ply_of_polygons() -> bytes:
    """A box whose six faces are four quadrilaterals and four triangles, with colours and a list that is not read."""
    points = [(x, y, z) for z in (0.5, 2.0) for x, y in ((0, 0), (3, 0), (3, 1), (0, 1))]
    faces = [[3, 2, 1, 0], [4, 5, 6, 7], [0, 1, 5, 4], [2, 3, 7, 6], [3, 0, 4], [3, 4, 7], [1, 2, 6], [1, 6, 5]]
    more = "".join(f"property uchar {colour}\n" for colour in ("red", "green", "blue"))
    text = files.ply_header("ascii", len(points), len(faces), "float", more)
    text = text.replace("end_header", "property list uchar float texcoord\nend_header")
    text += "".join(" ".join(map(str, (*point, 9, 8, 7))) + "\n" for point in points)
    return (text + "".join(f"{len(face)} {' '.join(map(str, face))} 2 0.5 1\n" for face in faces)).encode()


def _scene(triangles: Triangles) -> tuple[dict[str, Any], bytes]:
    """A document whose nodes place one mesh three times, by a matrix, a rotation and as it is."""
    matrix = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 50, 0, 0, 1]
    nodes = [
        {"children": [1, 2, 3], "translation": [1, 2, 3]},
        {"mesh": 0},
        {"mesh": 0, "matrix": matrix},
        {"mesh": 0, "rotation": [0, 0, 0.6, 0.8], "scale": [-1, 2, 1.5], "translation": [0, 90, 0]},
    ]
    return files.gltf_document(triangles, nodes=nodes)


def _gltf_beside(triangles: Triangles) -> bytes:
    document, binary = files.gltf_document(triangles)
    return json.dumps({**document, "buffers": [{"byteLength": len(binary), "uri": NEIGHBOUR}]}).encode()


def _sparse(triangles: Triangles) -> tuple[dict[str, Any], bytes]:
    """Positions of which one is replaced, and triangles as a strip would store them: without a list of corners."""
    document, binary = files.gltf_document(triangles)
    places, values = np.array([0], "<u2").tobytes().ljust(4, b"\0"), np.array([[0.3, -1.6, 3.1]], "<f4").tobytes()
    start = len(binary)
    document["bufferViews"] += [
        {"buffer": 0, "byteOffset": start, "byteLength": 2},
        {"buffer": 0, "byteOffset": start + 4, "byteLength": 12},
    ]
    document["accessors"][0]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": 2, "componentType": 5123},
        "values": {"bufferView": 3},
    }
    binary += places + values
    return {**document, "buffers": [{"byteLength": len(binary)}]}, binary


def _assembly_3mf(triangles: Triangles) -> bytes:
    """Components within components, in another part of the package, and a support that is no body."""
    objects = (
        f'<object id="1" type="model">{files.mesh_3mf(triangles)}</object>'
        f'<object id="2" type="support">{files.mesh_3mf(triangles)}</object>'
        f'<object id="3"><components><component objectid="1"/>'
        f'<component objectid="1" transform="{TURNED}"/></components></object>'
    )
    items = '<item objectid="5"/><item objectid="2" p:path="/3D/other.model"/>'
    whole = '<object id="5"><components><component objectid="3" p:path="/3D/other.model"/></components></object>'
    return files.package(files.model_3mf(whole, items), **{"3D/other.model": files.model_3mf(objects, "")})


def _constellation(triangles: Triangles) -> bytes:
    shift = "<deltax>30</deltax><deltay>1.5</deltay><rz>30</rz>"
    placed = f'<instance objectid="1"/><instance objectid="1">{shift}</instance>'
    body = f'<object id="1">{files.mesh_amf(triangles)}</object><constellation id="2">{placed}</constellation>'
    return files.amf_of(body, 'unit="inch" version="1.1"')


def _scene_dae(triangles: Triangles) -> bytes:
    """Polygons, and nodes within nodes; one of the library's nodes is placed twice."""
    points, faces = indexed(triangles)
    vertex = '<input semantic="VERTEX" source="#vertices" offset="0"/><input semantic="NORMAL" source="#n" offset="1"/>'
    corners = np.stack([faces, np.zeros_like(faces)], axis=2)
    counts = files.words(np.full(len(faces), 3))
    primitive = f'<polylist count="{len(faces)}">{vertex}<vcount>{counts}</vcount><p>{files.words(corners)}</p></polylist>'  # noqa: E501
    place = '<translate>40 1 2</translate><rotate>0 0 1 30</rotate><scale>1 -2 1.5</scale>'
    nodes = f'<node id="a"><node>{place}<instance_node url="#b"/></node><instance_node url="#b"/></node>'
    more = '<library_nodes><node id="b"><instance_geometry url="#part"/></node></library_nodes>'
    geometry = files.geometry_dae(points, primitive)
    return files.dae_of(geometry, nodes, '<unit name="inch" meter="0.0254"/>', more)


def section_seeds() -> dict[str, list[bytes]]:
    """Plane sections by the suffix that they have."""
    outline = [(0.5, 0.25), (4, 0), (4.5, 1), (1.5, 1), (1, 3.5), (0, 3)]
    hole = [(0.6, 0.5), (0.9, 0.5), (0.9, 0.8)]
    rows = ["\n".join(f"{x},{y}" for x, y in loop) for loop in (outline, hole)]
    rings = [[*map(list, loop), list(loop[0])] for loop in (outline, hole)]
    wkt = ", ".join("(" + ", ".join(f"{x} {y}" for x, y in ring) + ")" for ring in rings)
    drawn = _svg()
    return {
        "csv": [("u,v\n" + "\n\n".join(rows) + "\n").encode(), "\n".join(f"{x} {y} 1" for x, y in outline).encode()],
        "dat": [_airfoil()],
        "svg": [drawn],
        "svgz": [gzip.compress(drawn, mtime=0)],
        "geojson": [json.dumps({"type": "Feature", "geometry": {"type": "Polygon", "coordinates": rings}}).encode()],
        "wkt": [f"SRID=25832;POLYGON ({wkt})".encode(), f"MULTIPOLYGON (({wkt}))".encode()],
        "dxf": _drawings(),
    }


def _svg() -> bytes:
    return (
        b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30" width="80mm" height="60mm">'
        b"<style>.a { fill-rule: evenodd }</style><defs><g id='b'><circle cx='20' cy='5' r='1.5'/></g></defs>"
        b'<path class="a" d="M1 1h10v5a2.5,2 30 0 1 -3 2.5C5,9 3,9 1 8zm2,2v2h2v-2z"/>'
        b'<g transform="translate(1,12) rotate(30)"><rect x="10" y="1" width="5" height="4" rx="1"/></g>'
        b'<use href="#b" x="1"/><polygon points="30,20 35,20 33,26"/><ellipse cx="5" cy="25" rx="2" ry="1"/></svg>'
    )


def _airfoil() -> bytes:
    upper = [(0, 0), (0.25, 0.06), (0.6, 0.05), (1, 0)]
    lower = [(0, 0), (0.3, -0.04), (1, 0)]
    lines = ["AIRFOIL", f"{len(upper)}. {len(lower)}.", ""] + [f"{x} {y}" for x, y in upper] + [""]
    return "\n".join(lines + [f"{x} {y}" for x, y in lower]).encode()


def _drawings() -> list[bytes]:
    """By hand, with lines and an arc; and by ezdxf with the headers and tables of a drawing, if it is there."""
    entity = ["0\nSECTION\n2\nENTITIES"]
    entity += [f"0\nLINE\n8\n0\n10\n{a}\n20\n{b}\n11\n{c}\n21\n{d}" for a, b, c, d in ((-2, 0, 2, 0), (5, 5, 7, 5))]
    entity += ["0\nARC\n8\n0\n10\n0.0\n20\n0.0\n40\n2.0\n50\n0.0\n51\n180.0"]
    entity += ["0\nARC\n8\n0\n10\n6.0\n20\n5.0\n40\n1.0\n50\n0.0\n51\n180.0", "0\nENDSEC\n0\nEOF\n"]
    found = ["\n".join(entity).encode()]
    try:
        import ezdxf
    except ImportError:
        return found
    logging.getLogger("ezdxf").setLevel(logging.CRITICAL)
    document = ezdxf.new("R2000", units=4)  # type: ignore[attr-defined]
    space, block = document.modelspace(), document.blocks.new("B")
    space.add_lwpolyline([(0, 0, 0.5), (4, 0, 0), (4, 3, 0), (0, 3, 0)], "xyb", close=True)
    space.add_ellipse((2, 1), (0.5, 0.2), 0.5)
    block.add_circle((0, 0), 1)
    space.add_blockref("B", (10, 5), {"xscale": 2, "yscale": 1.5, "rotation": 30})
    space.add_spline_control_frame([(20, 0), (22, 0), (23, 2), (20, 2)])
    space.add_line((20, 2), (20, 0))
    stream = io.StringIO()
    document.write(stream)
    return [*found, stream.getvalue().encode()]
