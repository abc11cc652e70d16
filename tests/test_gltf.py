"""glTF: scenes, accessors of every kind, buffers that may and may not be opened, extensions, damage."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from massprops.core.measure import measure
from massprops.errors import Empty, Unreadable, Unsupported
from massprops.readers.gltf import read_gltf
from tests import mesh_files as files
from tests.oracle import Triangles, floats, indexed, moved, rays, rotation, star

BODY = star(1, np.linspace(0.7, 1.9, rays(1))).astype(np.float32).astype(np.float64)
POINTS, FACES = indexed(BODY)


def triangles(data: bytes, folder: Path | None = None) -> Triangles:
    reading = read_gltf(data, folder)
    assert reading.unit is not None
    assert (reading.unit.name, reading.unit.metres) == ("m", 1)
    return reading.surface.triangles  # type: ignore[attr-defined]


def document() -> dict[str, Any]:
    return files.gltf_document(BODY)[0]


def with_data(changed: dict[str, Any], *more: bytes) -> bytes:
    """The document with its buffer and further buffer views, 2 and on."""
    binary = files.gltf_document(BODY)[1]
    for data in more:
        changed["bufferViews"].append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(data)})
        binary += data + b"\0" * (-len(data) % 4)
    changed["buffers"][0]["byteLength"] = len(binary)
    return files.glb_of(changed, binary)


def accessor(view: int, kind: int, count: int, width: str, **more: Any) -> dict[str, Any]:
    return {"bufferView": view, "componentType": kind, "count": count, "type": width, **more}


# Scenes


@pytest.mark.parametrize(("end", "codes"), [(b"", []), (bytes(8), []), (b"end\n", ["trailing_bytes"])])
def test_bytes_behind_the_length_announced(end: bytes, codes: list[str]) -> None:
    assert [notice.code for notice in read_gltf(files.glb(BODY) + end, None).notices] == codes


def test_maps_that_are_not_affine_are_refused() -> None:
    changed = document()
    changed["nodes"] = [{"mesh": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2]}]
    with pytest.raises(Unsupported, match="glTF: a node's matrix is no affine map, as its last row is 0 0 0 2"):
        triangles(with_data(changed))


@pytest.mark.parametrize("size", [1e200, 1e-200, float("inf"), float("nan")])
def test_rotations_of_impossible_lengths_are_not_finite(size: float) -> None:
    changed = document()
    changed["nodes"] = [{"mesh": 0, "rotation": [size, 0, 0, 0]}]
    assert not np.isfinite(triangles(with_data(changed))).any()


def test_translation_rotation_and_scale() -> None:
    w, x, y, z = 5, 1, -2, 3
    node = {"mesh": 0, "translation": [0.1, -20, 3], "rotation": [x, y, z, w], "scale": [2, 0.5, 3]}
    matrix = floats(rotation(w, x, y, z)) * (2, 0.5, 3)
    found = triangles(files.glb(BODY, nodes=[node]))
    assert np.allclose(found, moved(BODY, matrix, (0.1, -20, 3)), rtol=1e-14, atol=1e-13)
    assert measure(read_gltf(files.glb(BODY, nodes=[node]), None).surface).notices == ()


def test_matrices_of_nodes_within_nodes_column_by_column() -> None:
    outer = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 10, 20, 30, 1]
    nodes = [{"children": [1, 2], "matrix": outer}, {"mesh": 0, "translation": [1, 2, 3]}, {"mesh": 0}]
    turn = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    found = triangles(files.gltf(BODY, nodes=nodes))
    assert np.allclose(found[: len(BODY)], moved(BODY, turn, (8, 21, 33)), rtol=1e-15, atol=1e-14)
    assert np.array_equal(found[len(BODY) :], moved(BODY, turn, (10, 20, 30)))


def test_a_mirrored_node_stays_a_body() -> None:
    found = read_gltf(files.glb(BODY, nodes=[{"mesh": 0, "scale": [1, 1, -1]}]), None)
    assert measure(found.surface).integrals.moments.volume > 0


def test_only_the_scene_shown_first_is_measured_and_this_is_told() -> None:
    scenes, nodes = [{"nodes": []}, {"nodes": [1]}], [{"mesh": 0}, {"mesh": 0, "translation": [7, 0, 0]}]
    reading = read_gltf(files.glb(BODY, scenes=scenes, scene=1, nodes=nodes), None)
    assert [notice.code for notice in reading.notices] == ["scenes"]
    assert np.array_equal(reading.surface.triangles, moved(BODY, shift=(7, 0, 0)))  # type: ignore[attr-defined]


def test_without_scenes_every_node_is_shown_once() -> None:
    changed = document() | {"nodes": [{"children": [1]}, {"mesh": 0}, {"mesh": 0}]}
    del changed["scenes"], changed["scene"]
    assert len(triangles(with_data(changed))) == 2 * len(BODY)


def test_nodes_that_are_not_shown_need_not_be_sound() -> None:
    assert len(triangles(files.glb(BODY, nodes=[{"mesh": 0}, {"mesh": 99}, "nonsense"]))) == len(BODY)


def test_shapes_in_a_pose_are_told() -> None:
    for change in ({"nodes": [{"mesh": 0, "skin": 0}]}, {"nodes": [{"mesh": 0, "weights": [0.5]}]}):
        assert [notice.code for notice in read_gltf(files.glb(BODY, **change), None).notices] == ["pose"]


# Primitives and accessors


def test_all_primitives_of_all_meshes_are_one_surface() -> None:
    changed = document()
    changed["accessors"][1]["count"] = 9
    changed["accessors"].append(accessor(1, 5125, FACES.size - 9, "SCALAR", byteOffset=36))
    first, second = ({"attributes": {"POSITION": 0}, "indices": index} for index in (1, 2))
    changed["meshes"] = [{"primitives": [first, {"attributes": {"POSITION": 0}, "mode": 1}]}, {"primitives": [second]}]
    changed |= {"nodes": [{"mesh": 0}, {"mesh": 1}], "scenes": [{"nodes": [0, 1]}]}
    reading = read_gltf(with_data(changed), None)
    assert np.array_equal(reading.surface.triangles, BODY)  # type: ignore[attr-defined]
    assert measure(reading.surface).notices == ()


def test_triangles_without_indices() -> None:
    changed = document()
    changed["accessors"].append(accessor(2, 5126, 3 * len(BODY), "VEC3"))
    changed["meshes"] = [{"primitives": [{"attributes": {"POSITION": 2}}]}]
    assert np.array_equal(triangles(with_data(changed, BODY.astype("<f4").tobytes())), BODY)


STRIP, FAN = [[0, 1, 2], [2, 1, 3], [2, 3, 4]], [[0, 1, 2], [0, 2, 3], [0, 3, 4]]


@pytest.mark.parametrize(("mode", "faces"), [(5, STRIP), (6, FAN)])
def test_strips_and_fans(mode: int, faces: list[list[int]]) -> None:
    for indices in ({}, {"indices": 2}):
        changed = document()
        changed["accessors"] += [accessor(2, 5121, 5, "SCALAR"), accessor(0, 5126, 5, "VEC3")]
        changed["meshes"] = [{"primitives": [{"attributes": {"POSITION": 3}, "mode": mode, **indices}]}]
        assert np.array_equal(triangles(with_data(changed, bytes(range(5)))), POINTS[faces])


def test_interleaved_positions_and_short_indices() -> None:
    changed = document()
    rows = np.zeros(len(POINTS), [("normal", "<f4", 3), ("position", "<f4", 3), ("uv", "<f4", 2)])
    rows["position"] = POINTS
    changed["accessors"] = [
        accessor(2, 5126, len(POINTS), "VEC3", byteOffset=12), accessor(3, 5123, FACES.size, "SCALAR")
    ]  # fmt: skip
    data = files.glb_of(changed, b"")
    changed = json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])
    binary = rows.tobytes() + FACES.astype("<u2").tobytes()
    changed["bufferViews"] += [
        {"buffer": 0, "byteLength": rows.nbytes, "byteStride": 32},
        {"buffer": 0, "byteOffset": rows.nbytes, "byteLength": FACES.size * 2},
    ]
    changed["buffers"] = [{"byteLength": len(binary)}]
    assert np.array_equal(triangles(files.glb_of(changed, binary)), BODY)


@pytest.mark.parametrize(
    ("kind", "dtype", "largest"), [(5120, "i1", 127), (5121, "u1", 255), (5122, "<i2", 32767), (5123, "<u2", 65535)]
)
@pytest.mark.parametrize("normalized", [True, False])
def test_quantised_positions(kind: int, dtype: str, largest: int, normalized: bool) -> None:
    corners = np.array([[0, 0, 0], [largest, 1, 2], [3, largest, 5], [-largest - 1 if "i" in dtype else 0, 7, 0]])
    changed = document() | {"extensionsRequired": ["KHR_mesh_quantization"]}
    changed["accessors"] = [
        accessor(2, kind, 4, "VEC3", normalized=normalized), accessor(3, 5121, 12, "SCALAR")
    ]  # fmt: skip
    faces = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
    found = triangles(with_data(changed, corners.astype(dtype).tobytes(), bytes(faces)))
    wanted = np.maximum(corners / largest, -1) if normalized else corners
    assert np.array_equal(found.reshape(-1, 3), wanted[faces])


@pytest.mark.parametrize("based", [True, False])
def test_sparse_positions(based: bool) -> None:
    changed = document()
    places = np.arange(len(POINTS))[:: 2 if based else 1]
    values = POINTS[places] + 1
    sparse = {"count": len(places), "indices": {"bufferView": 2, "componentType": 5123}, "values": {"bufferView": 3}}
    changed["accessors"][0]["sparse"] = sparse
    if not based:
        del changed["accessors"][0]["bufferView"]
    wanted = POINTS.copy()
    wanted[places] = values
    found = triangles(with_data(changed, places.astype("<u2").tobytes(), values.astype("<f4").tobytes()))
    assert np.array_equal(found, wanted.astype(np.float32)[FACES])


def test_positions_that_are_no_numbers_come_through() -> None:
    body = BODY.copy()
    body[3, 0, 0] = np.inf
    assert np.array_equal(triangles(files.glb(body)), body)


# Buffers


def test_a_buffer_beside_the_document(tmp_path: Path) -> None:
    changed, binary = files.gltf_document(BODY)
    (tmp_path / "parts").mkdir()
    for name, uri in (("a.bin", "a.bin"), ("a b.bin", "a%20b.bin"), ("parts/a.bin", "parts/a.bin")):
        (tmp_path / name).write_bytes(binary + b"more")
        changed["buffers"][0]["uri"] = uri
        assert np.array_equal(triangles(json.dumps(changed).encode(), tmp_path), BODY)
        with pytest.raises(Unreadable, match="cannot be looked up for standard input"):
            triangles(json.dumps(changed).encode())


@pytest.mark.parametrize(
    "uri",
    [
        *("../a.bin", "parts/../../a.bin", "{0}/a.bin", "file://{0}/a.bin", "http://127.0.0.1:9/a.bin"),
        *("%2e%2e/a.bin", "..\\a.bin", "C:\\a.bin", "link.bin"),
    ],
)
def test_a_buffer_elsewhere_is_never_opened(tmp_path: Path, uri: str) -> None:
    changed, binary = files.gltf_document(BODY)
    folder = tmp_path / "inner"
    folder.mkdir()
    (tmp_path / "a.bin").write_bytes(binary)
    (folder / "link.bin").symlink_to(tmp_path / "a.bin")
    changed["buffers"][0]["uri"] = uri.format(tmp_path)
    with pytest.raises(Unreadable, match="outside of its own folder, which is not opened"):
        triangles(json.dumps(changed).encode(), folder)


def test_a_buffer_that_is_not_there(tmp_path: Path) -> None:
    changed, binary = files.gltf_document(BODY)
    for uri in ("missing.bin", "", ".", "a\0b"):
        changed["buffers"][0]["uri"] = uri
        with pytest.raises(Unreadable, match=r"which is not there|cannot be read"):
            triangles(json.dumps(changed).encode(), tmp_path)
    (tmp_path / "short.bin").write_bytes(binary[:-1])
    changed["buffers"][0]["uri"] = "short.bin"
    with pytest.raises(Unreadable, match=f"cut short: {len(binary)} bytes are announced, {len(binary) - 1} there"):
        triangles(json.dumps(changed).encode(), tmp_path)


def test_pictures_are_never_opened(tmp_path: Path) -> None:
    buffers = [document()["buffers"][0], {"uri": "no.bin", "byteLength": 9}]
    more = {"images": [{"uri": "missing.png"}], "buffers": buffers}
    assert np.array_equal(triangles(files.glb(BODY, **more), tmp_path), BODY)


def test_data_uris() -> None:
    changed, binary = files.gltf_document(BODY)
    plain = "".join(f"%{byte:02x}" for byte in binary)
    for uri in ("data:;base64," + base64.b64encode(binary).decode(), "data:application/gltf-buffer," + plain):
        changed["buffers"][0]["uri"] = uri
        assert np.array_equal(triangles(json.dumps(changed).encode()), BODY)
    for uri in ("data:;base64", "data:;base64,A"):
        changed["buffers"][0]["uri"] = uri
        with pytest.raises(Unreadable, match="data URI"):
            triangles(json.dumps(changed).encode())


# Damage


def changes() -> dict[str, tuple[Any, str]]:
    """Changes of a sound document, and what is told of each."""

    def at(path: str, value: Any) -> Any:
        def change(changed: dict[str, Any]) -> None:
            *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
            owner: Any = changed
            for step in way:
                owner = owner[step]
            owner[last] = value

        return change

    return {
        "cycle": (at("nodes", [{"children": [1]}, {"children": [0], "mesh": 0}]), "cycle: node 0 contains itself"),
        "itself": (at("nodes.0.children", [0]), "cycle"),
        "child": (at("nodes.0.children", [5]), r"nodes\[5\] is referred to, but is not there"),
        "children": (at("nodes.0.children", "01"), "children is not a list"),
        "root": (at("scenes.0.nodes", ["a"]), r"nodes\['a'\]"),
        "scene": (at("scene", 3), r"scenes\[3\]"),
        "mesh": (at("nodes.0.mesh", -1), "mesh is -1 where a whole number is expected"),
        "matrix": (at("nodes.0.matrix", [1, 2, 3]), "matrix is not 16 numbers"),
        "words": (at("nodes.0.scale", ["1", 1, 1]), "scale is not 3 numbers"),
        "huge": (at("nodes.0.scale", [10**400, 1, 1]), "scale is not 3 numbers"),
        "primitives": (at("meshes.0.primitives", "abc"), "primitives is not a list"),
        "primitive": (at("meshes.0.primitives", [7]), "primitive 0 of mesh 0 is not an object"),
        "no positions": (at("meshes.0.primitives.0.attributes", {}), "has no positions"),
        "mode": (at("meshes.0.primitives.0.mode", 7), "unknown mode 7"),
        "width": (at("accessors.0.type", "VEC2"), "not three-dimensional"),
        "component": (at("accessors.0.componentType", 5130), "has the type 'VEC3' of 5130"),
        "unhashable": (at("accessors.0.componentType", []), "has the type"),
        "count": (at("accessors.0.count", 10**15), "reaches beyond its data"),
        "no data": (lambda d: d["accessors"][0].pop("bufferView"), "accessor 0 has no data"),
        "few positions": (at("accessors.0.count", 2), r"face 1 refers to vertex \d, but there are only 2"),
        "indices": (at("accessors.1.count", 4), "4 corners, which are not triangles"),
        "float indices": (at("accessors.1.componentType", 5126), "not whole numbers"),
        "stride": (at("bufferViews.0.byteStride", 0), "reaches beyond its data"),
        "view": (at("bufferViews.0.byteLength", 10**12), "reaches beyond its data"),
        "negative": (at("bufferViews.0.byteOffset", -4), "byteOffset is -4"),
        "buffer": (at("bufferViews.0.buffer", 1), r"buffers\[1\]"),
        "length": (at("buffers.0.byteLength", 10**12), "cut short: 1000000000000 bytes are announced"),
        "flag": (at("buffers.0.byteLength", True), "byteLength is True"),
        "table": (at("accessors", {"0": {}}), r"accessors\[0\] is referred to"),
        "item": (at("accessors", [5, 6]), r"accessors\[0\] is not an object"),
        "sparse": (at("accessors.0.sparse", {"count": 1}), "sparse accessor is incomplete"),
        "nodes": (at("nodes", 5), r"nodes\[0\]"),
        "asset": (lambda d: d.pop("asset"), "no `asset`"),
    }


@pytest.mark.parametrize("name", changes())
def test_damaged_documents(name: str) -> None:
    change, told = changes()[name]
    changed, binary = files.gltf_document(BODY)
    change(changed)
    with pytest.raises(Unreadable, match=told):
        triangles(files.glb_of(changed, binary))


def test_a_sparse_row_that_is_not_there() -> None:
    changed = document()
    sparse = {"count": 1, "indices": {"bufferView": 2, "componentType": 5121}, "values": {"bufferView": 0}}
    changed["accessors"][0]["sparse"] = sparse
    with pytest.raises(Unreadable, match="replaces row 200 of 6"):
        triangles(with_data(changed, bytes([200])))


def test_a_sparse_accessor_without_bounds_takes_no_memory() -> None:
    changed = document()
    changed["accessors"][0] = {"componentType": 5126, "count": 10**14, "type": "VEC3", "sparse": {"count": 0}}
    with pytest.raises(Unreadable, match="accessor 0 has no data"):
        triangles(with_data(changed))


@pytest.mark.parametrize(
    "text", [b"{", b"[" * 100_000, b'{"asset": 1}', b"[]", b'{"asset": {"version": "2.0"}', b"\xff\xfe{"]
)
def test_damaged_json(text: bytes) -> None:
    with pytest.raises(Unreadable, match="glTF: it"):
        triangles(text)


def test_damaged_containers() -> None:
    data = files.glb(BODY)
    for cut in range(4, len(data)):
        with pytest.raises(Unreadable):
            triangles(data[:cut])
    long = bytearray(data)
    struct.pack_into("<I", long, 12, 10**9)
    with pytest.raises(Unreadable, match="reaches beyond the end"):
        triangles(bytes(long))
    with pytest.raises(Unreadable, match="no JSON chunk"):
        triangles(data.replace(b"JSON", b"NOSJ"))
    with pytest.raises(Unreadable, match="buffer 0 has no data"):
        triangles(data.replace(b"BIN\0", b"NIB\0"))


# What is not read


@pytest.mark.parametrize("version", ["1.0", "1.1", "3.0"])
def test_other_versions(version: str) -> None:
    with pytest.raises(Unsupported, match=f"glTF {version}; only glTF 2"):
        triangles(files.glb(BODY, asset={"version": version}))
    with pytest.raises(Unsupported, match=r"glTF 2\.1; only glTF 2\.0"):
        triangles(files.glb(BODY, asset={"version": "2.0", "minVersion": "2.1"}))
    assert len(triangles(files.glb(BODY, asset={"version": "2.1"}))) == len(BODY)
    with pytest.raises(Unsupported, match="glTF 1; only glTF 2 is read"):
        triangles(b"glTF" + struct.pack("<I", 1) + bytes(20))


@pytest.mark.parametrize("name", ["EXT_meshopt_compression", "KHR_draco_mesh_compression", "ACME_new", 7])
def test_extensions_that_are_needed(name: Any) -> None:
    with pytest.raises(Unsupported, match=f"it needs the extension {name}"):
        triangles(files.glb(BODY, extensionsRequired=[name]))
    assert len(triangles(files.glb(BODY, extensionsUsed=[name]))) == len(BODY)


def test_extensions_that_leave_the_shape_alone() -> None:
    names = ["KHR_materials_unlit", "KHR_texture_transform", "KHR_mesh_quantization", "EXT_texture_webp"]
    names += ["KHR_techniques_webgl", "KHR_technique_webgl"]
    assert len(triangles(files.glb(BODY, extensionsRequired=names))) == len(BODY)


def test_compressed_meshes_without_a_plain_copy() -> None:
    changed, binary = files.gltf_document(BODY)
    changed["meshes"][0]["primitives"][0]["extensions"] = {"KHR_draco_mesh_compression": {"bufferView": 0}}
    assert len(triangles(files.glb_of(changed, binary))) == len(BODY)
    del changed["accessors"][0]["bufferView"]
    with pytest.raises(Unsupported, match="compressed with KHR_draco"):
        triangles(files.glb_of(changed, binary))
    changed, binary = files.gltf_document(BODY)
    changed["buffers"].append({"byteLength": 999, "extensions": {"EXT_meshopt_compression": {"fallback": True}}})
    changed["bufferViews"][0]["buffer"] = 1
    with pytest.raises(Unsupported, match="compressed with EXT_meshopt"):
        triangles(files.glb_of(changed, binary))


def test_instances_on_the_graphics_card() -> None:
    nodes = [{"mesh": 0, "extensions": {"EXT_mesh_gpu_instancing": {}}}]
    with pytest.raises(Unsupported, match="EXT_mesh_gpu_instancing"):
        triangles(files.glb(BODY, nodes=nodes))


def test_nothing() -> None:
    for more in ({"nodes": [{}]}, {"scenes": [{}]}, {"meshes": [{"primitives": []}]}):
        with pytest.raises(Empty, match="its scene has no triangles"):
            triangles(files.glb(BODY, **more))
    with pytest.raises(Empty, match="the file is empty"):
        triangles(b"\n")
