"""The words of the command line, brought into the one spelling that is declared."""

from __future__ import annotations

from massprops.errors import PlanError


def arguments(given: list[str]) -> list[str]:
    """The command line in the one spelling that is declared.

    Parameters
    ----------
    given : list of str
        Words as the shell hands them on.

    Raises
    ------
    PlanError
        ``-i`` without a file, ``--about`` without a point.

    Examples
    --------
    >>> arguments(["-i", "a.stl", "b.stl", "--mass-properties", "--about", "1", "-2"])
    ['a.stl', 'b.stl', '--mass_properties', '--about_uv', '1', '-2']

    Notes
    -----
    ``-i`` takes any number of files, which no parser of options offers: what follows it are arguments like all files,
    so the flag itself is dropped. Flags may be written with hyphens.
    """
    result: list[str] = []
    for at, word in enumerate(given):
        if word == "--":
            return result + given[at:]
        if word in ("-i", "--input"):
            following = given[at + 1 : at + 2]
            if not following or (following[0].startswith("-") and following[0] not in ("-", "--")):
                raise PlanError(f"{word} needs a file")
        elif word.startswith("--input="):
            result.append(word.removeprefix("--input="))
        elif word.startswith("-i"):
            result.append(word[2:].removeprefix("="))
        elif word == "--about" and _numbers(given[at + 1 : at + 4]) == 2:
            return [*result, "--about_uv", *given[at + 1 : at + 3], *arguments(given[at + 3 :])]
        elif word == "--about" and _numbers(given[at + 1 : at + 4]) < 2:
            point = " ".join([word, *given[at + 1 : at + 2]])
            raise PlanError(f"{point}: a point is X Y Z, or U V in a section, with spaces between the numbers")
        elif word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            result.append(f"--{name.replace('-', '_')}{equals}{value}")
        else:
            result.append(word)
    return result


def _numbers(words: list[str]) -> int:
    """How many numbers stand at the beginning."""
    for count, word in enumerate(words):
        try:
            float(word)
        except ValueError:
            return count
    return len(words)
