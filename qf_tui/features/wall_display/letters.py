"""Large letters for the wall display, to be read across the room.

Letters are up to five dots wide and seven high, in two sizes. Text in them is in capitals, without accents.
A letter that is missing in the table below has no large form.
"""

import re
import unicodedata

from qf_tui.console.widgets.text import Signs, wrap_words

PITCH = 7
"""Columns from one letter to the next in the table below."""
LETTER_HEIGHT = 7
"""Dots of a letter from top to bottom."""
GAP = 3
"""Dots between two words."""
_DOT, _BLOCK = "#", "█"
_HALVES = {"..": " ", "#.": "▀", ".#": "▄", "##": "█"}
_PLAIN_BY_SIGN = {"″": " in", "′": "'", "’": "'", "–": "-"}
_BEFORE_FRACTION = re.compile(r"(?<=\d)(?=[¼½¾⅐-⅞])")

_TABLE = """\
A      B      C      D      E      F      G      H      I      J      K      L      M
.###.  ####.  .###.  ####.  ####   ####   .###.  #...#  ###    ..###  #...#  #...   #...#
#...#  #...#  #...#  #...#  #...   #...   #...#  #...#  .#.    ...#.  #..#.  #...   ##.##
#...#  #...#  #....  #...#  #...   #...   #....  #...#  .#.    ...#.  #.#..  #...   #.#.#
#####  ####.  #....  #...#  ###.   ###.   #.###  #####  .#.    ...#.  ##...  #...   #.#.#
#...#  #...#  #....  #...#  #...   #...   #...#  #...#  .#.    ...#.  #.#..  #...   #...#
#...#  #...#  #...#  #...#  #...   #...   #...#  #...#  .#.    #..#.  #..#.  #...   #...#
#...#  ####.  .###.  ####.  ####   #...   .###.  #...#  ###    .##..  #...#  ####   #...#
N      O      P      Q      R      S      T      U      V      W      X      Y      Z
#...#  .###.  ####.  .###.  ####.  .####  #####  #...#  #...#  #...#  #...#  #...#  #####
##..#  #...#  #...#  #...#  #...#  #....  ..#..  #...#  #...#  #...#  #...#  #...#  ....#
##..#  #...#  #...#  #...#  #...#  #....  ..#..  #...#  #...#  #...#  .#.#.  .#.#.  ...#.
#.#.#  #...#  ####.  #...#  ####.  .###.  ..#..  #...#  #...#  #.#.#  ..#..  ..#..  ..#..
#..##  #...#  #....  #.#.#  #.#..  ....#  ..#..  #...#  .#.#.  #.#.#  .#.#.  ..#..  .#...
#..##  #...#  #....  #..#.  #..#.  ....#  ..#..  #...#  .#.#.  ##.##  #...#  ..#..  #....
#...#  .###.  #....  .##.#  #...#  ####.  ..#..  .###.  ..#..  #...#  #...#  ..#..  #####
0      1      2      3      4      5      6      7      8      9      .      ,      :
.###.  .#.    .###.  .###.  ...#.  #####  ..##.  #####  .###.  .###.  ..     ..     ..
#...#  ##.    #...#  #...#  ..##.  #....  .#...  ....#  #...#  #...#  ..     ..     ##
#..##  .#.    ....#  ....#  .#.#.  ####.  #....  ...#.  #...#  #...#  ..     ..     ##
#.#.#  .#.    ...#.  ..##.  #..#.  ....#  ####.  ..#..  .###.  .####  ..     ..     ..
##..#  .#.    ..#..  ....#  #####  ....#  #...#  .#...  #...#  ....#  ..     .#     ##
#...#  .#.    .#...  #...#  ...#.  #...#  #...#  .#...  #...#  ...#.  ##     .#     ##
.###.  ###    #####  .###.  ...#.  .###.  .###.  .#...  .###.  .##..  ##     #.     ..
;      /      -      +      (      )      '      "      °      %      !      ?      &
..     ....#  ....   .....  ..#    #..    #      #.#    .#.    ##..#  #      .###.  .##..
##     ....#  ....   ..#..  .#.    .#.    #      #.#    #.#    ##..#  #      #...#  #..#.
##     ...#.  ....   ..#..  #..    ..#    #      #.#    .#.    ...#.  #      ....#  #.#..
..     ..#..  ####   #####  #..    ..#    .      ...    ...    ..#..  #      ...#.  .#...
.#     .#...  ....   ..#..  #..    ..#    .      ...    ...    .#...  #      ..#..  #.#.#
.#     #....  ....   ..#..  .#.    .#.    .      ...    ...    #..##  .      .....  #..#.
#.     #....  ....   .....  ..#    #..    .      ...    ...    #..##  #      ..#..  .##.#
=      *      #      ·      ×      [      ]      →      †      ‡      ≤      ≥      <      >
....   .....  .#.#.  ..     .....  ##     ##     .....  .#.    .#.    ...#   #...   ...#   #...
....   #.#.#  .#.#.  ..     #...#  #.     .#     ..#..  ###    ###    ..#.   .#..   ..#.   .#..
####   .###.  #####  ..     .#.#.  #.     .#     ...#.  .#.    .#.    .#..   ..#.   .#..   ..#.
....   #####  .#.#.  ##     ..#..  #.     .#     #####  .#.    .#.    #...   ...#   #...   ...#
####   .###.  #####  ##     .#.#.  #.     .#     ...#.  .#.    .#.    .#..   ..#.   .#..   ..#.
....   #.#.#  .#.#.  ..     #...#  #.     .#     ..#..  .#.    ###    ..##   ##..   ..#.   .#..
....   .....  .#.#.  ..     .....  ##     ##     .....  .#.    .#.    ####   ####   ...#   #...
"""


def _parse_letters(table: str) -> dict[str, tuple[str, ...]]:
    """Return the seven rows of dots of each letter in the table."""
    lines, letters = table.splitlines(), {}
    for top in range(0, len(lines), LETTER_HEIGHT + 1):
        # The line above the dots names the letters.
        names, *rows = lines[top : top + LETTER_HEIGHT + 1]
        for start in range(0, len(names), PITCH):
            letters[names[start]] = tuple(row[start : start + PITCH].strip() for row in rows)
    return letters


LETTERS = _parse_letters(_TABLE)


def to_capitals(text: str) -> str:
    """Return a text in capitals without accents, with units and fractions spelled out."""
    for sign, plain in _PLAIN_BY_SIGN.items():
        text = text.replace(sign, plain)
    letters = unicodedata.normalize("NFKD", _BEFORE_FRACTION.sub(" ", text).upper()).replace("⁄", "/")
    return "".join(sign for sign in letters if not unicodedata.combining(sign))


HALVES, BLOCKS = 1, 2
"""The two sizes, as columns per dot: a letter has four lines of half blocks, or seven of whole blocks."""


def draw_largest(text: str, width: int, height: int) -> str:
    """Draw a text in the largest letters that fit; "" if a letter is missing or nothing fits."""
    for dot_width in (BLOCKS, HALVES):
        lines = draw_letters(text, width, dot_width)
        if len(lines) <= height and lines:
            return "\n".join(lines)
    return ""


def draw_letters(text: str, width: int, dot_width: int, between: int = 1) -> tuple[str, ...]:
    """Draw a text in letters of one size.

    Args:
        text: The part after a first colon begins a new line.
        dot_width: Columns per dot: `BLOCKS`, or `HALVES`, whose signs a terminal with only ASCII lacks.
        between: Blank lines between two lines of letters.

    Returns:
        The lines, or () if a letter has no large form, a word is too wide, or the terminal lacks the signs.
    """
    if dot_width == HALVES and Signs.ascii:
        return ()
    parts = [to_capitals(part).split() for part in text.split(": ", 1)]
    if not all(letter in LETTERS for words in parts for word in words for letter in word):
        return ()
    most_dots = width // dot_width
    lines = [line for words in parts for line in _break_words(words, most_dots)]
    if max(map(_measure_line, lines), default=0) > most_dots:
        return ()
    draw_dots = _draw_blocks if dot_width == BLOCKS else _draw_halves
    rows: list[str] = []
    for line in lines:
        if rows:
            rows += [""] * between
        rows += draw_dots(_build_dots(line))
    return tuple(rows)


def _measure_line(line: str) -> int:
    """Return the width of a line in dots: one dot between letters, `GAP` dots between words."""
    widths_by_word = ([len(LETTERS[letter][0]) + 1 for letter in word] for word in line.split())
    return sum(sum(widths) - 1 + GAP for widths in widths_by_word) - GAP


def _break_words(words: list[str], dots: int) -> list[str]:
    """Wrap words into lines of at most `dots` dots; a wider word gets its own line."""
    lines: list[str] = []
    for word in words:
        if lines and _measure_line(f"{lines[-1]} {word}") <= dots:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _build_dots(line: str) -> list[str]:
    """Return the rows of dots of a line."""
    between = "." * GAP
    return [
        between.join(".".join(LETTERS[letter][row] for letter in word) for word in line.split())
        for row in range(LETTER_HEIGHT)
    ]


def _draw_blocks(rows: list[str]) -> list[str]:
    """Draw each dot two columns wide and one line high."""
    return ["".join((_BLOCK if dot == _DOT else " ") * 2 for dot in row).rstrip() for row in rows]


def _draw_halves(rows: list[str]) -> list[str]:
    """Draw each dot one column wide and half a line high, two dots above each other in one block."""
    # A letter has an odd number of rows; an empty one completes the last pair.
    padded_rows = [*rows, "." * len(rows[0])]
    pairs = zip(padded_rows[::2], padded_rows[1::2], strict=True)
    return [
        "".join(_HALVES[upper + lower] for upper, lower in zip(*pair, strict=True)).rstrip() for pair in pairs
    ]


def draw_large(text: str, width: int, height: int) -> str:
    """Draw a text as large as it fits; if no large letters fit, in ordinary capitals."""
    return draw_largest(text, width, height) or "\n\n".join(wrap_words(text.upper(), width, height // 2))
