"""Damage files of every format in every way, and see that each of them gets a verdict.

    python tests/fuzz/fuzz_readers.py --mutations 20000 --seed 1
    python tests/fuzz/fuzz_readers.py --mutations 1000 --seed 7 --format stl --keep /tmp/found

Each input is the mutation of a small valid file, and depends on the seed, the format and its own number alone: what
is found can be found again by the same seed with ``--format`` and ``--first NUMBER --mutations 1``. Inputs with which
something is wrong are kept, and the exit code is 1 when there are any.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import random
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.fuzz.judging import judged
from tests.fuzz.mutations import mutated
from tests.fuzz.seeds import NEIGHBOUR, neighbour, section_seeds, seeds
from tests.fuzz.watching import Finding, watched

SECRETS = ("../secret.bin", "part.mtl", "other.stl")
"""Files that no input has a right to, not even those that name them."""


def formats() -> dict[str, list[bytes]]:
    """Valid files of every format, by suffix."""
    return {**seeds(), **section_seeds()}


def inputs(format: str, files: list[bytes], seed: int, first: int, count: int) -> Iterator[tuple[int, bytes]]:
    """Mutations by their numbers; number 0 and on, up to the number of files, are the files as they are."""
    for number in range(first, first + count):
        rng = random.Random(f"{format} {seed} {number}")
        yield number, files[number] if number < len(files) else mutated(rng.choice(files), rng)


def folder_for(root: Path) -> Path:
    """A folder with the neighbours that inputs may have, and the files that they must not open."""
    folder = root / "inputs"
    folder.mkdir()
    (folder / NEIGHBOUR).write_bytes(neighbour())
    for name in SECRETS:
        (folder / name).write_bytes(b"v 0 0 0\n" * 9)
    return folder


def verdict(folder: Path, format: str, data: bytes) -> str:
    """What becomes of an input.

    Raises
    ------
    Finding
        Something that must not.
    """
    path = folder / f"input.{format}"
    path.write_bytes(data)
    allowed = [folder / name for name in os.listdir(folder)] if format == "gltf" else []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with watched(path, allowed):
            return judged(path)


def warm_up(folder: Path, format: str) -> None:
    """Import what a format needs, so that it is not taken for the doing of an input."""
    path = folder / f"input.{format}"
    for data in formats()[format]:
        path.write_bytes(data)
        if judged(path) != "ok":
            raise AssertionError(f"a valid file of the format {format} is not measured")


def fuzz(
    format: str, folder: Path, seed: int, first: int, count: int, found: Callable[[str, int, bytes, Finding], None]
) -> Counter[str]:
    """How often there was each verdict on the mutations of one format."""
    told: Counter[str] = Counter()
    for number, data in inputs(format, formats()[format], seed, first, count):
        try:
            told[verdict(folder, format, data)] += 1
        except Finding as finding:
            told["FOUND"] += 1
            found(format, number, data, finding)
    return told


def main() -> int:
    """The long mode: a table of what was found, on standard output."""
    arguments = _arguments()
    names = arguments.format or list(formats())
    share = -(-arguments.mutations // len(names))
    os.environ["MASSPROPS_DEBUG"] = "1"  # lets through what would be told as an error of massprops itself
    findings: list[str] = []

    def found(format: str, number: int, data: bytes, finding: Finding) -> None:
        arguments.keep.mkdir(parents=True, exist_ok=True)
        (arguments.keep / f"{arguments.seed}-{number}.{format}").write_bytes(data)
        findings.append(f"{format} {number}: {finding}")
        print("FOUND", findings[-1], flush=True)
        if arguments.traceback and finding.__cause__ is not None:
            import traceback

            traceback.print_exception(finding.__cause__)

    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as root:
        folder = folder_for(Path(root))
        for format in names:
            warm_up(folder, format)
            faulthandler.dump_traceback_later(3600, exit=True)  # a loop in C cannot be interrupted
            start = time.monotonic()
            told = fuzz(format, folder, arguments.seed, arguments.first, share, found)
            faulthandler.cancel_dump_traceback_later()
            total += told
            print(_row(format, told, time.monotonic() - start), flush=True)
    print(_row("all", total, 0.0))
    return 1 if findings else 0


def _row(name: str, told: Counter[str], seconds: float) -> str:
    counts = ", ".join(f"{count} {status}" for status, count in told.most_common())
    return f"{name:8s}{told.total():7d} inputs {seconds:7.1f} s: {counts}"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutations", type=int, default=20_000, help="of all formats together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first mutation")
    parser.add_argument("--format", action="append", choices=list(formats()), help="only this one; may be repeated")
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "massprops-fuzz", help="a folder")
    parser.add_argument("--traceback", action="store_true", help="print where each unexpected exception came from")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
