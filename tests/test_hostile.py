"""Files that were made, or happen, to do harm: each gets one clear line, soon, and nothing else is touched.

The watch of `tests.fuzz` limits memory and processor time far above what each case takes, and far below what it took
before it was mended.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from massprops import batch
from massprops.batch import measured
from massprops.chain import process
from massprops.core.affine_map import AffineMap
from massprops.core.measure import measure
from massprops.core.surface import TriangleArray
from massprops.errors import MassPropsError, Unreadable, Unsupported
from massprops.plan import Plan
from massprops.readers import dxf, packages, polygons, svg
from massprops.readers.plain_verdicts import LONGEST
from massprops.readers.reader import reading
from massprops.readers.source import open_source
from massprops.result import Result
from tests import mesh_files as files
from tests.fuzz.watching import watched
from tests.oracle import ascii_stl, binary_stl, massprops, tetrahedron

BODY = tetrahedron() + np.array([0.25, -1.5, 3.0])

on_linux = pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="files of Linux")
with_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")


def result_of(path: Path, *allowed: Path) -> Result:
    """What becomes of an input under a watch over time, memory and files."""
    with watched(path, allowed):
        result = measured(str(path), Plan((str(path),), mass_properties=True))
    assert "of massprops itself" not in (result.message or "")
    return result


def refused(path: Path, data: bytes, status: str, words: str) -> None:
    """Write an input and see that it is refused for this reason."""
    path.write_bytes(data)
    result = result_of(path)
    assert (result.status, words in (result.message or "")) == (status, True), result.message


# Sizes


@pytest.mark.parametrize("promised", [2**31 // 50 + 1, 2**31 - 1, 2**31, 2**32 - 1])
def test_a_header_that_promises_billions_of_facets(tmp_path: Path, promised: int) -> None:
    data = bytearray(binary_stl(BODY))
    struct.pack_into("<I", data, 80, promised)
    path = tmp_path / "a.stl"
    path.write_bytes(bytes(data))
    result = result_of(path)  # the size of the file is that of four facets
    assert (result.status, result.warnings[0].code) == ("ok", "facet_count")
    refused(path, bytes(data[:-1]), "unreadable", f"{promised} facets expected by the header, 3 found")


def sparse(path: Path, size: int, *pieces: tuple[int, bytes]) -> Path:
    """A file with a few bytes in it and holes between them."""
    with path.open("wb") as file:
        try:
            file.truncate(size)
        except OSError:
            pytest.skip("the disk does not take such a file")
        for place, piece in pieces:
            file.seek(place)
            file.write(piece)
    if path.stat().st_blocks * 512 > 2**24:
        path.unlink()
        pytest.skip("the disk has no holes in its files")
    return path


@pytest.mark.parametrize("gigabytes", [2, 4, 5])
def test_facets_beyond_what_32_bits_can_count(tmp_path: Path, gigabytes: int) -> None:
    facets = gigabytes * 2**30 // 50 + 8192
    data = binary_stl(BODY[-1:])[84:]
    header = bytes(80) + facets.to_bytes(4, "little")
    path = sparse(tmp_path / "a.stl", 84 + 50 * facets, (0, header), (84 + 50 * (facets - 1), data))
    with watched(path), reading(str(path)) as found:
        assert found.surface.facets == facets
        last = found.surface.block((facets - 1) // 8192)
        assert last[:, :, -1].tolist() == BODY[-1].tolist()
        assert not last[:, :, :-1].any()


@pytest.mark.parametrize(
    "suffix", ["stl", "obj", "ply", "glb", "gltf", "3mf", "dae", "amf", "xaml", "csv", "dxf", "svg"]
)
def test_gigabytes_of_zeros(tmp_path: Path, suffix: str) -> None:
    path = sparse(tmp_path / f"a.{suffix}", 5 * 2**30)
    result = result_of(path)
    assert result.status == "unreadable"
    assert "zero bytes" in result.message


@pytest.mark.parametrize("suffix", ["stl", "obj", "ply", "off", "glb", "gltf", "3mf", "dae", "csv", "dxf", "svg"])
def test_a_pointer_of_a_repository_is_called_one(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    path.write_text(f"version https://git-lfs.github.com/spec/v1\noid sha256:{'7c' * 32}\nsize 132735\n")
    result = result_of(path)
    assert result.status == "unreadable"
    assert result.message is not None
    assert "a pointer of Git LFS" in result.message
    assert "by its contents" not in result.message


def test_a_body_with_a_million_facets_of_nothing_but_zeros(tmp_path: Path) -> None:
    facets = 10**6
    path = sparse(tmp_path / "a.stl", 84 + 50 * facets, (80, facets.to_bytes(4, "little")))
    assert result_of(path).status == "zero_volume"


# What is no file, and files that change


@with_pipes
def test_a_pipe_through_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "pipe.stl"
    os.mkfifo(path)
    run = massprops(path, "--mass_properties")
    assert (run.code, run.err.count("\n")) == (1, 1)
    assert run.err.endswith("pipe.stl: unreadable: a pipe that nobody writes to\n")
    writer = subprocess.Popen([sys.executable, "-c", WRITER, path], stdin=subprocess.PIPE)
    assert writer.stdin is not None
    writer.stdin.write(binary_stl(BODY))
    writer.stdin.close()
    assert massprops(path, "--mass_properties").code == 0
    assert writer.wait(60) == 0


WRITER = "import sys; data = sys.stdin.buffer.read(); open(sys.argv[1], 'wb').write(data)"


def test_a_directory_through_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "a.stl").mkdir()
    run = massprops(tmp_path / "a.stl", tmp_path, "--mass_properties")
    assert run.code == 1
    assert [": unreadable: a directory, not a file" in line for line in run.err.splitlines()[:2]] == [True, True]


@pytest.mark.parametrize("left", [0, 50, 84 + 50 * 8192, 84 + 50 * 20_000 - 1])
def test_a_file_that_shrinks_while_it_is_read(tmp_path: Path, left: int) -> None:
    path = tmp_path / "a.stl"
    path.write_bytes(binary_stl(np.tile(BODY, (5000, 1, 1))))

    def use() -> None:
        with reading(str(path)) as found:
            os.truncate(path, left)
            measure(found.surface)

    with pytest.raises(Unreadable, match="became shorter while it was read"):
        use()


@pytest.mark.parametrize("written", [binary_stl(BODY) + bytes(500), binary_stl(2 * BODY)])
def test_a_file_that_grows_or_becomes_another_while_it_is_read_is_refused(tmp_path: Path, written: bytes) -> None:
    """What was measured may be true of neither."""
    path = tmp_path / "a.stl"
    path.write_bytes(binary_stl(BODY))
    os.utime(path, (1, 1))
    run = process(str(path), Plan((str(path),), mass_properties=True))
    assert next(run).facets == len(BODY)
    path.write_bytes(written)
    with pytest.raises(Unreadable, match="changed while it was read"):
        list(run)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="permissions of POSIX")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_file_without_permission() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.stl"
        path.write_bytes(binary_stl(BODY))
        os.chmod(folder, 0o755)
        path.chmod(0)
        assert said_by_a_stranger(lambda: open_source(str(path)).__enter__()) == "cannot be opened: permission denied"


def said_by_a_stranger(action: Callable[[], Any]) -> str:
    """The verdict that an action raises in a process without the rights of root."""
    inlet, outlet = os.pipe()
    child = os.fork()
    if child == 0:
        said = "nothing"
        try:
            if os.geteuid() == 0:
                os.setuid(65534)
            action()
        except MassPropsError as verdict:
            said = verdict.message
        except BaseException as error:
            said = repr(error)
        os.write(outlet, said.encode())
        os._exit(0)
    os.close(outlet)
    with os.fdopen(inlet) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said


@on_linux
def test_what_pretends_to_be_a_file_and_cannot_be_read() -> None:
    result = measured("/proc/self/mem", Plan(("/proc/self/mem",), mass_properties=True))
    assert (result.status, result.message) == ("unreadable", "cannot be read: input/output error")
    result = measured("/proc/self/cmdline", Plan(("/proc/self/cmdline",), mass_properties=True))
    assert result.status == "unreadable"


@pytest.mark.parametrize("suffix", ["stl", "obj"])
def test_a_disk_that_fails_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(binary_stl(BODY) if suffix == "stl" else files.obj(BODY))

    def fail(*_: object) -> int:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("massprops.readers.stored.StoredTriangles._filled", fail)
    monkeypatch.setattr("massprops.readers.obj.text_of", fail)
    monkeypatch.setitem(sys.modules["massprops.readers.meshes"].READERS, "obj", fail)
    result = measured(str(path), Plan((str(path),), mass_properties=True))
    assert (result.status, result.message) == ("unreadable", "cannot be read: input/output error")


# Other files are not opened


def neighbours(folder: Path) -> None:
    """What inputs in the folder may name and must not get."""
    buffer = files.gltf_document(BODY)[1]
    inner = folder / "inputs"
    inner.mkdir()
    for name in ("../secret.bin", "a.mtl", "other.stl", "other.dae", "a.png"):
        (inner / name).write_bytes(buffer)
    (inner / "link.bin").symlink_to(folder / "secret.bin")


@pytest.mark.parametrize("uri", [
    "../secret.bin", "%2e%2e/secret.bin", "..%2Fsecret.bin", "..\\secret.bin", "x/../../secret.bin", "{}/secret.bin",
    "file://{}/secret.bin", "file:{}/secret.bin", "http://127.0.0.1:9/secret.bin", "//127.0.0.1/secret.bin", "link.bin",
    "/etc/passwd", "C:\\secret.bin", "data:../secret.bin", "\\\\host\\secret.bin", "~/secret.bin", "",
])  # fmt: skip
def test_a_gltf_document_gets_no_file_outside_of_its_folder(tmp_path: Path, uri: str) -> None:
    neighbours(tmp_path)
    document, _ = files.gltf_document(BODY)
    document["buffers"][0]["uri"] = uri.format(tmp_path)
    refused(tmp_path / "inputs" / "a.gltf", json.dumps(document).encode(), "unreadable", "glTF: ")


EXTERNAL = "<!DOCTYPE x [<!ENTITY b SYSTEM '../secret.bin'>]>"


def with_doctype(document: bytes | str) -> bytes:
    text = document if isinstance(document, str) else document.decode()
    return (text.replace("?>", "?>" + EXTERNAL, 1)).encode()


def test_documents_with_external_entities(tmp_path: Path) -> None:
    neighbours(tmp_path)
    model = files.model_3mf(f'<object id="1">{files.mesh_3mf(BODY)}</object>', '<item objectid="1"/>')
    package = files.package(with_doctype(model).decode())
    inputs = {"amf": with_doctype(files.amf(BODY)), "dae": with_doctype(files.dae(BODY)), "3mf": package}
    for suffix, data in {**inputs, "xaml": EXTERNAL.encode() + files.xaml(BODY)}.items():
        refused(tmp_path / "inputs" / f"a.{suffix}", data, "unreadable", "declares a document type")


NAMING: dict[str, bytes] = {
    "obj": b"mtllib a.mtl ../secret.bin\nusemtl x\nmaplib a.png\n" + files.obj(BODY),
    "ply": files.ply(BODY).replace(b"comment by hand", b"comment TextureFile a.png"),
    "gltf": files.gltf(BODY, images=[{"uri": "a.png"}], textures=[{"source": 0}]),
    "dae": files.dae(BODY).replace(b"<asset>", b'<library_images><image id="i"><init_from>a.png</init_from></image>'
                                   b"</library_images><asset>"),
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg"><style>@import "a.css";</style><image href="a.png"/>'
           b'<use href="other.svg#x"/><rect width="3" height="2"/></svg>',
}  # fmt: skip
"""Sound files that name pictures, materials and the like."""


@pytest.mark.parametrize("suffix", list(NAMING))
def test_what_a_sound_file_names_is_not_opened_either(tmp_path: Path, suffix: str) -> None:
    neighbours(tmp_path)
    path = tmp_path / "inputs" / f"a.{suffix}"
    path.write_bytes(NAMING[suffix])
    assert result_of(path).status == "ok"


def test_a_collada_scene_in_another_file(tmp_path: Path) -> None:
    neighbours(tmp_path)
    data = files.dae(BODY).replace(b'url="#part"', b'url="other.dae#part"')
    refused(tmp_path / "inputs" / "a.dae", data, "unreadable", "in another file, which is not opened")


def test_names_in_archives_are_only_names(tmp_path: Path) -> None:
    neighbours(tmp_path)
    data = files.package(files.model_3mf("", ""), "../../secret.bin")
    path = tmp_path / "inputs" / "a.3mf"
    path.write_bytes(data)
    assert result_of(path).status in ("empty", "unreadable")


# A little that expands to much


def bomb(name: str, data: bytes, times: int, more: dict[str, str] | None = None) -> bytes:
    """An archive whose file repeats some bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as target:
        for key, text in (more or {}).items():
            target.writestr(key, text)
        with target.open(name, "w") as out:
            for _ in range(times):
                out.write(data)
    return stream.getvalue()


def test_zip_bombs(tmp_path: Path) -> None:
    elements = b"<a/>" * 2**18
    manifest = {"manifest.xml": "<r><dae_root>a.dae</dae_root></r>"}
    relationships = {"_rels/.rels": files.relationships("/a.model")}
    for suffix, data in {
        "amf": bomb("a.amf", elements, 64),
        "zae": bomb("a.dae", elements, 64, manifest),
        "3mf": bomb("a.model", elements, 64, relationships),
    }.items():
        refused(tmp_path / f"a.{suffix}", data, "unreadable", "more than 100 times; it is not read")


def test_a_bomb_that_lies_about_its_compressed_size(tmp_path: Path) -> None:
    data = bytearray(bomb("a.amf", b"<a/>" * 2**18, 64))
    place = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, place + 20, 2**31)
    refused(tmp_path / "a.amf", bytes(data), "unreadable", "more than 100 times; it is not read")


def test_many_parts_share_what_may_be_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "ALWAYS_ALLOWED", 10_000)
    monkeypatch.setattr(packages, "LARGEST_RATIO", 1)
    archive = packages.opened(files.archive({str(k): bytes(4000) for k in range(3)}))
    assert [len(packages.content(archive, name) or b"") for name in "01"] == [4000, 4000]
    with pytest.raises(Unreadable, match="it is not read"):
        packages.content(archive, "2")


def test_compression_that_packages_do_not_have() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_LZMA) as target:
        target.writestr("a", b"text")
    with pytest.raises(Unsupported, match="compressed in a way"):
        packages.content(packages.opened(stream.getvalue()), "a")


@pytest.mark.parametrize("suffix", ["dae", "svg"])
@pytest.mark.parametrize("end", [b"", b"</a>" * 300_000])
def test_elements_within_elements(tmp_path: Path, suffix: str, end: bytes) -> None:
    refused(tmp_path / f"a.{suffix}", b"<a>" * 300_000 + end, "unreadable", "nested more than 10000 deep")


def test_primitives_of_collada_share_their_positions(tmp_path: Path) -> None:
    points = np.random.default_rng(0).random((20_000, 3))
    path = tmp_path / "a.dae"
    path.write_bytes(files.dae_of(files.geometry_dae(points, files.triangles_dae([[0, 1, 2]]) * 2000)))
    assert result_of(path).facets == 2000


def test_parts_of_a_mesh_are_moved_and_not_all_its_vertices(tmp_path: Path) -> None:
    points = np.random.default_rng(0).random((20_000, 3))
    geometry = files.geometry_dae(points, files.triangles_dae([[0, 1, 2]]) * 2000)
    node = '<node><translate>1 2 3</translate><instance_geometry url="#part"/></node>'
    path = tmp_path / "a.dae"
    path.write_bytes(files.dae_of(geometry, node))
    with watched(path), reading(str(path)) as found:
        block = found.surface.block(0)[:, :, -1]
    assert block.tolist() == np.add(points[:3], [1, 2, 3]).tolist()


def test_gltf_data_that_are_used_again_and_again(tmp_path: Path) -> None:
    document, _ = files.gltf_document(BODY)
    binary = np.random.default_rng(0).random((30_000, 3)).astype("<f4").tobytes()
    document["accessors"] = [{"bufferView": 0, "componentType": 5126, "count": 30_000, "type": "VEC3"}]
    document["bufferViews"] = [{"buffer": 0, "byteLength": len(binary)}]
    document["buffers"] = [{"byteLength": len(binary)}]
    document["meshes"] = [{"primitives": [{"attributes": {"POSITION": 0}}] * 5000}]
    told = "use the same data again and again"
    refused(tmp_path / "a.glb", files.glb_of(document, binary), "unsupported", told)
    document["accessors"] *= 3000
    document["meshes"] = [{"primitives": [{"attributes": {"POSITION": k}} for k in range(3000)]}]
    refused(tmp_path / "a.glb", files.glb_of(document, binary), "unsupported", told)
    unstored = {"count": 0, "indices": {"bufferView": 0, "componentType": 5125}, "values": {"bufferView": 0}}
    document["accessors"] = [{"componentType": 5126, "count": 999_999, "type": "VEC3", "sparse": unstored}] * 40
    document["meshes"] = [{"primitives": [{"attributes": {"POSITION": k}} for k in range(40)]}]
    refused(tmp_path / "a.glb", files.glb_of(document, binary), "unsupported", told)


def test_stl_with_a_solid_for_each_facet(tmp_path: Path) -> None:
    solid = ascii_stl(BODY[:1])
    path = tmp_path / "a.stl"
    path.write_text(solid * 60_000)
    result = result_of(path)
    assert (result.facets, result.warnings[0].details) == (60_000, {"solids": 60_000})


def test_ply_with_a_long_header(tmp_path: Path) -> None:
    header = b"ply\nformat ascii 1.0\nelement a 1\n" + b"property float x\n" * 50_000 + b"end_header\n"
    refused(tmp_path / "a.ply", header, "unreadable", "more than the file has room for")


def test_polygons_with_more_corners_than_can_be_cut(tmp_path: Path) -> None:
    refused(
        tmp_path / "a.obj", b"v 0 0 0\nf " + b"1 " * 200_001, "unsupported", "a face of 200001 corners"
    )


def test_a_polygon_that_crosses_itself_everywhere_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.random.default_rng(1).random((600, 3)) * [1, 1, 0]
    looked_at = []
    is_ear = polygons._is_ear
    monkeypatch.setattr(polygons, "_is_ear", lambda *of: looked_at.append(1) or is_ear(*of))
    monkeypatch.setattr(polygons, "MOST_WORK", 600 * 100)
    faces = polygons.triangulated(np.array([600]), np.arange(600), points)
    assert (faces == [[0, k + 1, k + 2] for k in range(598)]).all()  # a fan: right in the integrals of a flat polygon
    assert len(looked_at) <= 100


def test_svg_that_expands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(svg, "_MOST_REPEATED", 5000)
    drawn = b'<svg xmlns="http://www.w3.org/2000/svg">%s</svg>'
    refused(tmp_path / "a.svgz", gzip.compress(drawn % (b"<g/>" * 2**22)), "unreadable", "they are not read")
    uses = b"".join(b'<g id="g%d">%s</g>' % (k, b'<use href="#g%d"/>' % (k - 1) * 10) for k in range(1, 15))
    refused(tmp_path / "a.svg", drawn % (b'<g id="g0"/>' + uses), "unreadable", "repeats too much")
    size = b'<svg xmlns="http://www.w3.org/2000/svg" width="1e999999999" height="1"><rect width="1" height="1"/></svg>'
    refused(tmp_path / "a.svg", size, "unreadable", "'1e999999999' is no length")
    box = size.replace(b'width="1e999999999"', b'viewBox="0 0 1e999999999 1"')
    refused(tmp_path / "a.svg", box, "unreadable", "viewBox")
    styles = b"<style>%s</style>" % b"".join(b".c%d{fill:red}" % k for k in range(30_000))
    refused(tmp_path / "a.svg", drawn % (styles + b'<rect class="c1"/>' * 5000), "unsupported", "style sheets of 60000")


def test_dxf_blocks_that_expand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dxf, "_MOST_REPEATED", 5000)
    ezdxf = pytest.importorskip("ezdxf")
    for entity, rows in ((False, 1), (True, 1), (True, 30_000)):
        document = ezdxf.new()
        blocks = [document.blocks.new(f"B{k}") for k in range(12)]
        if entity:
            blocks[0].add_circle((0, 0), 1)
        for below, block in pairwise(blocks):
            for _ in range(10 if rows == 1 else 0):
                block.add_blockref(below.name, (0, 0))
        grid = {"row_count": rows, "column_count": rows, "row_spacing": 9, "column_spacing": 9}
        document.modelspace().add_blockref("B11" if rows == 1 else "B0", (0, 0), grid)
        stream = io.StringIO()
        document.write(stream)
        (tmp_path / "a.dxf").write_text(stream.getvalue())
        measured(str(tmp_path / "a.dxf"), Plan((str(tmp_path / "a.dxf"),)))  # the import of ezdxf takes memory, too
        refused(tmp_path / "a.dxf", stream.getvalue().encode(), "unreadable", "repeat more than 5000 entities")


# What is told is one plain line


@pytest.mark.parametrize("name", ["x\ny", "\x1b[2J\x07", "a" * 5000, "\u202e\u2028", "\0"])
def test_names_in_files_do_not_get_at_the_terminal(tmp_path: Path, name: str) -> None:
    document, binary = files.gltf_document(BODY)
    document["extensionsRequired"] = [name]
    inputs = {
        "amf": files.amf_of(f'<constellation id="1"><instance objectid="{escaped(name)}"/></constellation>'),
        "dae": files.dae_of(f'<geometry id="part"><{"a" * len(name)}/></geometry>'),
        "3mf": files.package(files.model_3mf("", f'<item objectid="{escaped(name)}"/>')),
        "glb": files.glb_of(document, binary),
    }
    for suffix, data in inputs.items():
        path = tmp_path / f"a.{suffix}"
        path.write_bytes(data)
        message = result_of(path).message or ""
        assert message.isprintable()
        assert 0 < len(message) <= LONGEST
        run = massprops(path)
        assert run.err == f"{path}: {run.err.removeprefix(f'{path}: ').splitlines()[0]}\n"


def escaped(name: str) -> str:
    """A name as an attribute; XML has no control characters but the end of a line."""
    return "".join(c if c.isprintable() else "&#10;" for c in name)


# Ended from outside


class Waiting:
    """A run of two processes, each of which waits for the rest of what comes through its pipe."""

    def __init__(self, folder: Path, *more: str) -> None:
        self.pipes = [folder / "one.stl", folder / "two.stl"]
        for pipe in self.pipes:
            os.mkfifo(pipe)
        command = [sys.executable, "-m", "massprops", *map(str, self.pipes), "--jobs", "2", *more]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, cwd=folder
        )
        self.writers = [pipe.open("wb", buffering=0) for pipe in self.pipes]  # waits until both have been opened
        for writer in self.writers:
            writer.write(b"solid endless\n")

    def end(self, stop: Callable[[int, int], None], what: int) -> tuple[int, bytes, bytes]:
        """Exit code and output after a signal; hangs if a process is left that could still write."""
        stop(self.process.pid, what)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err

    def is_left_alone(self) -> bool:
        """Whether nobody reads the pipes any more, so that no process is left."""
        alone = []
        for writer in self.writers:
            try:
                writer.write(b"facet\n")
                alone.append(False)
            except BrokenPipeError:
                alone.append(True)
            writer.close()
        return all(alone)


@with_pipes
@pytest.mark.parametrize("stop", ["kill", "killpg"])
def test_an_interrupted_run_of_several_processes_ends_quietly_and_leaves_none(tmp_path: Path, stop: str) -> None:
    run = Waiting(tmp_path)  # a terminal interrupts all processes of a group, "kill -INT" the first one only
    assert run.end(getattr(os, stop), signal.SIGINT) == (130, b"", b"")
    assert run.is_left_alone()


@with_pipes
@pytest.mark.parametrize("what", [signal.SIGTERM, signal.SIGKILL])
def test_the_end_of_the_first_process_ends_the_others(tmp_path: Path, what: int) -> None:
    run = Waiting(tmp_path)
    assert run.end(os.kill, what) == (-what, b"", b"")
    assert run.is_left_alone()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes that inherit what is patched")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_process_that_is_ended_from_outside_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "process", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    results = list(batch.run(Plan(("a.stl", "b.stl", "c.stl")), 2))
    assert [result.file for result in results] == ["a.stl", "b.stl", "c.stl"]
    assert all("ended from outside" in (result.message or "") for result in results)


@pytest.mark.parametrize("name", ["a.stl", "a.obj"])
def test_an_interrupted_output_is_not_left_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    from massprops.report import mesh_file

    path = tmp_path / name
    path.write_bytes(b"what was there before")

    def interrupt(*_: object) -> None:
        assert len(list(tmp_path.iterdir())) <= 2
        raise KeyboardInterrupt

    monkeypatch.setattr(mesh_file, "_mapped", interrupt)
    with pytest.raises(KeyboardInterrupt):
        mesh_file.write_mesh(TriangleArray(BODY), AffineMap.of(np.eye(3)), path)
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [(name, b"what was there before")]


def test_an_interrupt_while_the_program_is_loaded_is_quiet() -> None:
    found = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, timeout=60)
    assert (found.returncode, found.stdout, found.stderr) == (130, b"", b"")


LOADED = """
import sys

class Interrupting:
    def find_spec(name, path=None, target=None):
        if name == "typer":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting)
from massprops.cli import main
"""
