"""Measure massprops beside its peers: `python tests/benchmarks/benchmark.py [--quick] [--markdown]`.

Run by hand, on a machine that does nothing else, with the Python that massprops is installed in; peers may live in
another one (`--peers-python`; packages: the dependency group `peers`, and Debian's admesh). Peers that are not
installed are named and left out. All of it takes some twenty minutes, 6 GB of memory and 0.7 GB of disk; `--quick`
takes one minute.

Whole processes are timed, from start to end, massprops and the peer in turns; of each the shortest run counts. Memory
is the peak of resident memory that the system reports, of the largest process where there are several. Inputs lie in
the system's cache. Needs `os.wait4`: Linux or macOS.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # as a script it sees its own folder only

from tests.benchmarks.peers import ADMESH, LEGEND, START, UNCHECKED, Cost, Programs, Run, programs, run

RUNS = 5
PATIENCE = 120.0  # seconds: a contest that has taken longer gets no further round
SPHERES = str(Path(__file__).with_name("spheres.py"))
WARM = "20k.stl"  # what each program is given once, untimed, before all
SLOW = {"numpy-stl"}
AGREEMENT = 1e-6  # relative, of volumes: what differs more is told


@dataclass(frozen=True)
class Contest:
    """One task, and the peers that it is given to.

    ``peers`` maps each to the factor by which massprops is to be faster, None where none is asked. ``most_seconds`` and
    ``most_megabytes`` are what massprops itself may take.
    """

    title: str
    input: str
    peers: Mapping[str, float | None]
    options: tuple[str, ...] = ()
    most_seconds: float = float("inf")
    most_megabytes: float = float("inf")
    quick: bool = False

    def in_short(self) -> Contest:
        """Without the peers that take a minute or more."""
        return replace(self, peers={name: factor for name, factor in self.peers.items() if name not in SLOW})


TEN_MILLION, ONE_MILLION, TWENTY_THOUSAND = "10 million facets, 500 MB", "1 million facets, 50 MB", "20 thousand facets"

CONTESTS = (
    Contest(TWENTY_THOUSAND, "20k.stl", {START: 1 / 1.5}, quick=True),
    Contest(
        ONE_MILLION,
        "1m.stl",
        {UNCHECKED: None, "libigl": 1, "libigl, checked": None, "VTK": None, "VTK, unmerged": None, "trimesh": 6,
         "MeshLab": None, ADMESH: None, "numpy-stl": None},
        quick=True,
    ),
    Contest(
        TEN_MILLION,
        "10m.stl",
        {UNCHECKED: None, "libigl": 8, "libigl, checked": 8, "VTK": 8, "VTK, unmerged": None, "trimesh": 8,
         "MeshLab": 8, ADMESH: None},
        most_seconds=2.5,
        most_megabytes=250,
    ),
    Contest("500 files of 1000 facets", "small", {"trimesh": 3}),
    Contest("200 thousand facets in ASCII", "ascii.stl", {"trimesh": 1, "MeshLab": 1}),
    Contest(
        "1 million facets, --sanitize --fill_holes",
        "damaged.stl",
        {"trimesh repair": 5},
        options=("--sanitize", "--fill_holes"),
        most_seconds=6,
    ),
)  # fmt: skip

MOST_GROWTH = 20.0  # megabytes that 10 million facets may take more than 1 million


@dataclass(frozen=True)
class Duel:
    """A contest between massprops and one peer: what both take, and what is to be said about the peer."""

    title: str
    peer: str
    ours: Cost
    theirs: Cost | None
    runs: int = 1
    remark: str = ""

    @property
    def times(self) -> float:
        """How many times longer the peer takes; NaN if it failed."""
        return self.theirs.seconds / self.ours.seconds if self.theirs else float("nan")


# Running


def duel(contest: Contest, peer: str, found: Programs, paths: Sequence[str], runs: int) -> Duel:
    """massprops and a peer in turns, as often as asked or until patience ends."""
    ours: list[Run] = []
    theirs: list[Run] = []
    start = time.perf_counter()
    while len(ours) < runs and (not ours or time.perf_counter() - start < PATIENCE):
        ours.append(run(found.massprops(paths, contest.options)))
        if ours[-1].failure:
            raise RuntimeError(f"massprops failed on {contest.input}: {ours[-1].failure}")
        theirs.append(run(found.peer(peer, paths)))
        if theirs[-1].failure:
            return Duel(contest.title, peer, _best(ours), None, len(ours), theirs[-1].failure)
    remark = "" if peer == START else compared(theirs[-1].answer, ours[-1].answer)
    return Duel(contest.title, peer, _best(ours), _best(theirs), len(ours), remark)


def compared(theirs: float | None, ours: float | None) -> str:
    """What is to be said about the volume that a peer found; nothing if it is that of massprops."""
    if ours is not None and theirs is not None and abs(theirs - ours) <= AGREEMENT * abs(ours):
        return ""
    return f"the volume is given as {theirs}, by massprops as {ours}"


def _best(runs: Sequence[Run]) -> Cost:
    return Cost(min(r.cost.seconds for r in runs), max(r.cost.megabytes for r in runs))


def duels(contests: Sequence[Contest], found: Programs, folder: Path, runs: int) -> Iterator[Duel]:
    """All contests in their order, their files written to the folder first."""
    names = dict.fromkeys([WARM, *(contest.input for contest in contests)])
    subprocess.run([sys.executable, SPHERES, str(folder), *names], check=True)
    os.sync()  # or the system would write them to the disk while others are timed
    peers = {peer for contest in contests for peer in contest.peers if peer in found.versions}
    for command in (found.massprops([str(folder / WARM)]), *(found.peer(peer, [str(folder / WARM)]) for peer in peers)):
        run(command)  # libraries and bytecode are in memory from here on
    for contest in contests:
        path = folder / contest.input
        paths = sorted(map(str, path.iterdir())) if path.is_dir() else [str(path)]
        for peer in contest.peers:
            if peer in peers:
                yield duel(contest, peer, found, paths, runs)


# Reporting

HEADINGS = ("task", "compared with", "its time", "our time", "ratio", "its memory", "our memory")


def rows(results: Sequence[Duel]) -> list[tuple[str, ...]]:
    """A row of words for each duel; the task is named in the first of its rows."""
    table: list[tuple[str, ...]] = []
    title = None
    for result in results:
        name = "" if result.title == title else result.title
        title = result.title
        peer = ("failed", "", "")
        if result.theirs:
            peer = (in_seconds(result.theirs.seconds), digits(result.times), in_megabytes(result.theirs.megabytes))
        taken, times, memory = peer
        ours = result.ours
        table.append(
            (name, result.peer, taken, in_seconds(ours.seconds), times, memory, in_megabytes(ours.megabytes))
        )
    return table


def digits(value: float) -> str:
    """A number to three significant digits, without an exponent.

    >>> digits(0.1749), digits(1.6), digits(40.04), digits(1234.0)
    ('0.175', '1.60', '40.0', '1234')
    """
    places = 2 - math.floor(math.log10(abs(value))) if value else 0
    return f"{value:.{max(places, 0)}f}"


def in_seconds(value: float) -> str:
    return f"{digits(value)} s"


def in_megabytes(value: float) -> str:
    return f"{value:.0f} MB"


def markdown(table: Sequence[Sequence[str]]) -> str:
    """The table in Markdown."""
    lines = [HEADINGS, ("---", "---", *["---:"] * 5), *table]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def plain(table: Sequence[Sequence[str]]) -> str:
    """The table in columns: words to the left, numbers to the right."""
    lines = [HEADINGS, *table]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    layout = "  ".join(f"{{:{'<' if k < 2 else '>'}{width}}}" for k, width in enumerate(widths))
    return "\n".join(layout.format(*line).rstrip() for line in lines)


def legend(results: Sequence[Duel], versions: Mapping[str, str]) -> list[str]:
    """What each program that took part was asked to do, which peers were not there, and what went wrong."""
    names = ["massprops", *dict.fromkeys(result.peer for result in results)]
    lines = [f"{' '.join(filter(None, (name, versions.get(name))))}: {LEGEND[name]}." for name in names]
    absent = [name for name in LEGEND if name not in versions and name != "massprops"]
    if absent:
        lines.append(f"Not installed, so left out: {', '.join(absent)}.")
    return lines + [f"{r.peer}, {r.title}: {r.remark}." for r in results if r.remark]


def ours(results: Sequence[Duel]) -> dict[str, Cost]:
    """What massprops takes for each task, over all duels."""
    found: dict[str, Cost] = {}
    for result in results:
        old, new = found.get(result.title, result.ours), result.ours
        found[result.title] = Cost(min(old.seconds, new.seconds), max(old.megabytes, new.megabytes))
    return found


def growth(results: Sequence[Duel]) -> list[str]:
    """What a million facets cost massprops, and how that grows, from the three sizes; nothing if one is missing."""
    cost = ours(results)
    if not {TWENTY_THOUSAND, ONE_MILLION, TEN_MILLION} <= cost.keys():
        return []
    small, middle, large = cost[TWENTY_THOUSAND], cost[ONE_MILLION], cost[TEN_MILLION]
    of_middle, of_large = middle.seconds - small.seconds, large.seconds - small.seconds
    return [
        f"massprops takes {in_seconds(small.seconds)} for 20 thousand facets, nearly all of it to start, and then "
        f"{in_seconds(of_middle / 0.98)} a million facets up to 1 million, {in_seconds(of_large / 9.98)} up to 10.",
        f"10 million facets take {digits(large.seconds / middle.seconds)} times as long as 1 million, without the "
        f"start {digits(of_large / of_middle)} times (10.2 is linear), and "
        f"{large.megabytes - middle.megabytes:.0f} MB more.",
    ]


def missed(results: Sequence[Duel], contests: Sequence[Contest]) -> list[str]:
    """The goals that were not reached."""
    asked = {contest.title: contest for contest in contests}
    lines = []
    for result in results:
        least = asked[result.title].peers[result.peer]
        if least is not None and result.times < least:
            times = f"{digits(result.times)} times as long, not {digits(least)}"
            lines.append(f"{result.title}: {result.peer} takes {times}")
    cost = ours(results)
    for title, taken in cost.items():
        if taken.seconds > asked[title].most_seconds:
            lines.append(f"{title}: {in_seconds(taken.seconds)}, not {in_seconds(asked[title].most_seconds)}")
        if taken.megabytes > asked[title].most_megabytes:
            lines.append(f"{title}: {in_megabytes(taken.megabytes)}, not {in_megabytes(asked[title].most_megabytes)}")
    if {ONE_MILLION, TEN_MILLION} <= cost.keys():
        more = cost[TEN_MILLION].megabytes - cost[ONE_MILLION].megabytes
        if more > MOST_GROWTH:
            lines.append(f"{TEN_MILLION}: {in_megabytes(more)} more than 1 million, not {in_megabytes(MOST_GROWTH)}")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the two smaller spheres only, once")
    parser.add_argument("--markdown", action="store_true", help="print the table for the README")
    parser.add_argument("--only", metavar="WORD", default="", help="tasks with this word in their name or their file's")
    parser.add_argument("--runs", metavar="N", type=int, help=f"of each program in each task; {RUNS} unless given")
    parser.add_argument("--peers-python", metavar="PATH", default=sys.executable, help="Python that has the peers")
    asked = parser.parse_args()
    contests = [c for c in CONTESTS if asked.only in f"{c.title} {c.input}"]
    if asked.quick:
        contests = [c.in_short() for c in contests if c.quick]
    runs = asked.runs or (1 if asked.quick else RUNS)
    found = programs(asked.peers_python)
    results = []
    with tempfile.TemporaryDirectory(prefix="massprops-benchmark-") as folder:
        try:
            for result in duels(contests, found, Path(folder), runs):
                results.append(result)
                line = plain(rows([result])).split("\n")[1]
                print(line, f"best of {result.runs}", sep="  ", file=sys.stderr, flush=True)
        except (RuntimeError, KeyboardInterrupt) as end:  # what there is by then took long to find
            print(end or "interrupted", file=sys.stderr)
    print((markdown if asked.markdown else plain)(rows(results)), end="\n\n")
    print(f"Spheres, in binary STL unless said, in the system's cache; whole processes, the best of up to {runs} runs; "
          f"{os.cpu_count()} cores, Python {platform.python_version()}, NumPy {version('numpy')}.\n")  # fmt: skip
    for line in (*legend(results, found.versions), *growth(results)):
        print(f"* {line}")
    for line in missed(results, contests):
        print(f"missed: {line}", file=sys.stderr)


if __name__ == "__main__":
    main()
