"""Files of meshes in every format, written out here so that what is in them is known."""

from __future__ import annotations

import base64
import io
import json
import struct
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tests.oracle import Triangles, indexed

CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
CONTENT_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>'
)
ONE = "1 0 0 0 1 0 0 0 1 0 0 0"


def rows(table: Any) -> str:
    """A line for each row; numbers so that they keep every bit."""
    return "".join(" ".join(map(repr, row)) + "\n" for row in np.asarray(table).tolist())


def obj(triangles: Triangles) -> bytes:
    points, faces = indexed(triangles)
    vertices = "".join("v " + line + "\n" for line in rows(points).splitlines())
    return (vertices + "".join("f " + line + "\n" for line in rows(faces + 1).splitlines())).encode()


def off(triangles: Triangles) -> bytes:
    points, faces = indexed(triangles)
    lists = np.column_stack([np.full(len(faces), 3), faces])
    return (f"OFF\n{len(points)} {len(faces)} 0\n" + rows(points) + rows(lists)).encode()


def ply_header(form: str, points: int, faces: int, coordinate: str = "double", more: str = "") -> str:
    vertex = "".join(f"property {coordinate} {axis}\n" for axis in "xyz")
    return (
        f"ply\nformat {form} 1.0\ncomment by hand\nelement vertex {points}\n{vertex}{more}"
        f"element face {faces}\nproperty list uchar int vertex_indices\nend_header\n"
    )


def ply(triangles: Triangles) -> bytes:
    points, faces = indexed(triangles)
    lists = np.column_stack([np.full(len(faces), 3), faces])
    return (ply_header("ascii", len(points), len(faces)) + rows(points) + rows(lists)).encode()


def binary_ply(triangles: Triangles, order: str = "<", coordinate: str = "double") -> bytes:
    points, faces = indexed(triangles)
    form = "binary_little_endian" if order == "<" else "binary_big_endian"
    body = points.astype(order + {"double": "f8", "float": "f4"}[coordinate]).tobytes()
    for face in faces.tolist():
        body += struct.pack(order + "B3i", 3, *face)
    return ply_header(form, len(points), len(faces), coordinate).encode() + body


def gltf_document(triangles: Triangles, **more: Any) -> tuple[dict[str, Any], bytes]:
    """A document with one mesh in one node, and its buffer: positions as float32, then indices as uint32."""
    points, faces = indexed(triangles)
    positions, indices = points.astype("<f4").tobytes(), faces.astype("<u4").tobytes()
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(points), "type": "VEC3"},
            {"bufferView": 1, "componentType": 5125, "count": faces.size, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(positions)},
            {"buffer": 0, "byteOffset": len(positions), "byteLength": len(indices)},
        ],
        "buffers": [{"byteLength": len(positions) + len(indices)}],
    }
    return document | more, positions + indices


def glb_of(document: Mapping[str, Any], binary: bytes) -> bytes:
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4s2I", b"glTF", 2, 12 + len(body)) + body


def gltf_of(document: Mapping[str, Any], binary: bytes) -> bytes:
    """The document with its buffer in a data URI."""
    uri = "data:application/octet-stream;base64," + base64.b64encode(binary).decode()
    return json.dumps({**document, "buffers": [{**document["buffers"][0], "uri": uri}]}).encode()


def glb(triangles: Triangles, **more: Any) -> bytes:
    return glb_of(*gltf_document(triangles, **more))


def gltf(triangles: Triangles, **more: Any) -> bytes:
    return gltf_of(*gltf_document(triangles, **more))


def archive(files: Mapping[str, str | bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in files.items():
            target.writestr(name, data)
    return stream.getvalue()


def relationships(target: str) -> str:
    kind = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
    return (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Target="{target}" Id="r0" Type="{kind}"/></Relationships>'
    )


def mesh_3mf(triangles: Triangles) -> str:
    points, faces = indexed(triangles)
    vertices = "".join(f'<vertex x="{x!r}" y="{y!r}" z="{z!r}"/>' for x, y, z in points.tolist())
    facets = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in faces.tolist())
    return f"<mesh><vertices>{vertices}</vertices><triangles>{facets}</triangles></mesh>"


def model_3mf(resources: str, items: str, attributes: str = 'unit="millimeter"') -> str:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><model {attributes} xmlns="{CORE}" xmlns:p="{PRODUCTION}">'
        f"<resources>{resources}</resources><build>{items}</build></model>"
    )


def package(model: str, path: str = "3D/3dmodel.model", **more: str) -> bytes:
    return archive(
        {"[Content_Types].xml": CONTENT_TYPES, "_rels/.rels": relationships("/" + path), path: model, **more}
    )


def threemf(triangles: Triangles, items: Sequence[str] = (ONE,), attributes: str = 'unit="millimeter"') -> bytes:
    built = "".join(f'<item objectid="1" transform="{item}"/>' for item in items)
    return package(model_3mf(f'<object id="1" type="model">{mesh_3mf(triangles)}</object>', built, attributes))


def mesh_amf(triangles: Triangles, volume: str = "<volume>") -> str:
    points, faces = indexed(triangles)
    vertices = "".join(
        f"<vertex><coordinates><x>{x!r}</x><y>{y!r}</y><z>{z!r}</z></coordinates></vertex>"
        for x, y, z in points.tolist()
    )
    facets = "".join(f"<triangle><v1>{a}</v1><v2>{b}</v2><v3>{c}</v3></triangle>" for a, b, c in faces.tolist())
    return f"<mesh><vertices>{vertices}</vertices>{volume}{facets}</volume></mesh>"


def amf_of(content: str, attributes: str = 'unit="millimeter"') -> bytes:
    return f'<?xml version="1.0" encoding="utf-8"?><amf {attributes}>{content}</amf>'.encode()


def amf(triangles: Triangles) -> bytes:
    return amf_of(f'<object id="1">{mesh_amf(triangles)}</object>')


def words(table: Any) -> str:
    return " ".join(map(repr, np.asarray(table).ravel().tolist()))


def source_dae(points: Any, name: str = "positions") -> str:
    params = "".join(f'<param name="{axis}" type="float"/>' for axis in "XYZ")
    accessor = f'<accessor source="#{name}-array" count="{len(points)}" stride="3">{params}</accessor>'
    return (
        f'<source id="{name}"><float_array id="{name}-array" count="{3 * len(points)}">{words(points)}</float_array>'
        f"<technique_common>{accessor}</technique_common></source>"
    )


def geometry_dae(points: Any, primitives: str, name: str = "part") -> str:
    vertices = '<vertices id="vertices"><input semantic="POSITION" source="#positions"/></vertices>'
    return f'<geometry id="{name}"><mesh>{source_dae(points)}{vertices}{primitives}</mesh></geometry>'


def triangles_dae(faces: Any) -> str:
    vertex = '<input semantic="VERTEX" source="#vertices" offset="0"/>'
    return f'<triangles count="{len(faces)}">{vertex}<p>{words(faces)}</p></triangles>'


def dae_of(
    geometries: str, nodes: str = '<node><instance_geometry url="#part"/></node>', unit: str = "", more: str = ""
) -> bytes:
    return (
        '<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
        f"<asset>{unit}<up_axis>Y_UP</up_axis></asset><library_geometries>{geometries}</library_geometries>{more}"
        f'<library_visual_scenes><visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>'
        '<scene><instance_visual_scene url="#s"/></scene></COLLADA>'
    ).encode()


def dae(triangles: Triangles) -> bytes:
    points, faces = indexed(triangles)
    return dae_of(geometry_dae(points, triangles_dae(faces)))


def zae(triangles: Triangles) -> bytes:
    manifest = '<?xml version="1.0"?><dae_root>models/part.dae</dae_root>'
    return archive({"manifest.xml": manifest, "models/part.dae": dae(triangles)})


def threedxml(triangles: Triangles) -> bytes:
    """A package whose part has a face for each half of its triangles, and a coarse copy of itself."""
    points, faces = indexed(triangles)
    half = len(faces) // 2
    positions = ",".join(" ".join(map(repr, point)) for point in points.tolist())
    lists = "".join(f'<Face triangles="{words(part)}"/>' for part in (faces[:half], faces[half:]))
    coarse = f'<PolygonalLOD accuracy="1"><Faces><Face triangles="{words(faces[:4])}"/></Faces></PolygonalLOD>'
    buffer = f"<VertexBuffer><Positions>{positions}</Positions><Normals>0 0 1</Normals></VertexBuffer>"
    rep = f"<XMLRepresentation><Root><Rep>{coarse}<Faces>{lists}</Faces>{buffer}</Rep></Root></XMLRepresentation>"
    product = (
        '<Model_3dxml xmlns="urn:3dxml"><ProductStructure root="1"><Reference3D id="1" name="part"/>'
        '<ReferenceRep id="2" format="TESSELLATED" associatedFile="urn:3DXML:part.3DRep"/>'
        '<InstanceRep id="3"><IsAggregatedBy>1</IsAggregatedBy><IsInstanceOf>2</IsInstanceOf></InstanceRep>'
        "</ProductStructure></Model_3dxml>"
    )
    manifest = "<Manifest><Root>product.3dxml</Root></Manifest>"
    return archive({"Manifest.xml": manifest, "product.3dxml": product, "part.3DRep": rep})


def xaml(triangles: Triangles, transform: str = "") -> bytes:
    points, faces = indexed(triangles)
    return (
        '<Viewport3D xmlns="http://schemas.microsoft.com/winfx/2006/xaml/presentation"><ModelVisual3D>'
        f"{transform}<ModelVisual3D.Content><GeometryModel3D><GeometryModel3D.Geometry>"
        f'<MeshGeometry3D Positions="{words(points)}" TriangleIndices="{words(faces)}" '
        f'Normals="{words(np.zeros_like(points))}"/></GeometryModel3D.Geometry></GeometryModel3D>'
        "</ModelVisual3D.Content></ModelVisual3D></Viewport3D>"
    ).encode()
