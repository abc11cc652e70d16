"""Work over blocks: results in the order of the surface, whatever the number of threads."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from massprops.core.surface import BLOCK, Block, TriangleArray
from massprops.core.workers import map_blocks
from massprops.errors import Unreadable


def numbered(count: int) -> TriangleArray:
    """Blocks whose first coordinate is their number; the last one holds a single facet."""
    facets = (count - 1) * BLOCK + 1 if count else 0
    return TriangleArray(np.repeat(np.arange(facets) // BLOCK, 9).reshape(-1, 3, 3).astype(float))


def first() -> Callable[[Block], int]:
    return lambda block: int(block[0, 0, 0])


@pytest.mark.parametrize("threads", [None, 1, 2, 3, 5, 16])
@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_results_come_in_the_order_of_the_blocks(count: int, threads: int | None) -> None:
    assert map_blocks(numbered(count), first, threads) == list(range(count))


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_each_thread_has_a_function_of_its_own(threads: int) -> None:
    made: list[int] = []
    seen: dict[int, set[int]] = {}

    def worker() -> Callable[[Block], None]:
        number = len(made)
        made.append(number)

        def work(block: Block) -> None:
            seen.setdefault(number, set()).add(threading.get_ident())

        return work

    map_blocks(numbered(6), worker, threads)
    assert len(made) == threads
    assert all(len(idents) == 1 for idents in seen.values())


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_in_a_worker_reaches_the_caller(threads: int) -> None:
    def worker() -> Callable[[Block], None]:
        def work(block: Block) -> None:
            if block[0, 0, 0] == 3:
                raise Unreadable("block 3")

        return work

    with pytest.raises(Unreadable, match="block 3"):
        map_blocks(numbered(5), worker, threads)


def test_without_another_thread_all_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    assert map_blocks(numbered(5), first, 3) == list(range(5))
