"""Films of spinning bodies: which samples are shown, that the body moves, and what is refused."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from massprops.core.inertia import MassProperties
from massprops.core.measure import measure
from massprops.core.spin import spin
from massprops.core.surface import TriangleArray
from massprops.core.trajectory import Trajectory
from massprops.report import animation
from massprops.report.animation import FRAMES, HEIGHT, TURN, WIDTH, Script, animate
from massprops.report.extras import MissingExtra
from massprops.report.film import write_film
from massprops.report.picture_format import PictureError

TETRAHEDRON = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]])[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]
PROPERTIES = MassProperties.of(measure(TriangleArray(TETRAHEDRON)).integrals.moments)


def motion(omega: list[float], duration: float, step: float = 1e-2) -> Trajectory:
    return spin(PROPERTIES.principal_moments, PROPERTIES.principal_axes, omega, duration, step)


# The script


def test_a_motion_of_some_seconds_is_shown_in_its_own_time() -> None:
    script = Script.of(motion([0.0, 2.0, 0.1], 6.0), 20)
    assert len(script.samples) == 6 * 20 + 1
    assert script.samples[0] == 0
    assert script.samples[-1] == 600
    assert np.ptp(np.diff(script.samples)) <= 1


@pytest.mark.parametrize(("duration", "step", "seconds"), [(1e-3, 1e-6, 3), (100.0, 0.1, 15)])
def test_shorter_and_longer_motions_are_stretched(duration: float, step: float, seconds: int) -> None:
    script = Script.of(motion([0.0, 0.1, 0.2], duration, step), 20)
    assert len(script.samples) == seconds * 20 + 1


def test_a_fast_motion_is_slowed_down_until_the_eye_can_follow() -> None:
    run = motion([0.0, 1.0, 30.0], 6.0, 5e-4)
    script = Script.of(run, 20)
    times = run.times[script.samples]
    rate = np.linalg.norm(run.omega, axis=1).max()
    assert len(script.samples) > 121
    assert np.diff(times).max() * rate <= TURN * 1.05


def test_of_a_very_fast_motion_the_beginning_is_shown() -> None:
    run = motion([0.0, 1.0, 300.0], 3.0, 1e-4)
    script = Script.of(run, 20)
    times = run.times[script.samples]
    assert len(script.samples) == FRAMES + 1
    assert times[-1] < 3.0
    assert np.diff(times).max() * np.linalg.norm(run.omega, axis=1).max() <= TURN * 1.05


# The film


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Few and small frames; the numbers of those drawn."""
    pytest.importorskip("pyvista")
    monkeypatch.setattr(animation, "_SUPERSAMPLING", 0.5)
    monkeypatch.setattr(animation, "FRAMES", 8)
    return []


def watched(drawn: list[int]) -> Any:
    def progress(samples: Iterable[int]) -> Iterator[int]:
        for sample in samples:
            drawn.append(sample)
            yield sample

    return progress


def test_a_gif_shows_the_body_move(small: list[int], tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    path = tmp_path / "spin.gif"
    animate(path, TriangleArray(TETRAHEDRON), PROPERTIES, motion([0.2, 2.0, 0.1], 1.5), progress=watched(small))
    assert len(small) == 9
    with image.open(path) as film:
        assert film.n_frames == 9
        assert film.size == (WIDTH, HEIGHT)
        assert film.info["loop"] == 0
        frames = []
        for k in range(9):
            film.seek(k)
            frames.append(np.asarray(film.convert("RGB")).astype(int))
    assert all(tuple(frame[2, 2]) == (255, 255, 255) for frame in frames)
    for before, after in itertools.pairwise(frames):
        assert (np.abs(after - before).max(axis=2) > 60).mean() > 0.01
    line = frames[0][20:40, WIDTH // 2 - 3 : WIDTH // 2 + 3]
    assert np.abs(frames[5][20:40, WIDTH // 2 - 3 : WIDTH // 2 + 3] - line).max() < 40  # L stays


def test_an_mp4_has_all_frames(small: list[int], tmp_path: Path) -> None:
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    path = tmp_path / "spin.mp4"
    animate(path, TriangleArray(TETRAHEDRON), PROPERTIES, motion([0.2, 2.0, 0.1], 1.5), progress=watched(small))
    assert ffmpeg.count_frames_and_secs(str(path))[0] == len(small) == 9


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("suffix", ["gif", "mp4"])
def test_a_film_that_cannot_be_written_is_an_error_of_the_system(suffix: str, tmp_path: Path) -> None:
    frames = [np.zeros((4, 6, 3), np.uint8)] * 2
    with pytest.raises(OSError, match="No such file"):
        write_film(tmp_path / "missing" / f"a.{suffix}", suffix, frames, (6, 4), 20)


def test_other_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match=r"a.avi: '.avi' is not known; end the name in \.gif or \.mp4"):
        animate(tmp_path / "a.avi", TriangleArray(TETRAHEDRON), PROPERTIES, motion([0, 1, 0], 1.0))


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyvista", None)
    with pytest.raises(MissingExtra, match=r"massprops\[figures\]"):
        animate(tmp_path / "a.gif", TriangleArray(TETRAHEDRON), PROPERTIES, motion([0, 1, 0], 1.0))
    assert not list(tmp_path.iterdir())
