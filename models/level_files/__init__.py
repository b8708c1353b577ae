"""Level files of the world: one level of a text, as data of a puzzle that says under `accepts` where they go.

A format cuts a text into blocks, one for each level, and turns a block into parts: the board, and what else such files
tell. Only the level that is asked for is read, so a slip elsewhere in a collection does no harm. A level is read as
what it is or refused with the place and the reason, never guessed at. What letters mean, and what makes a board
whole (its keeper, its hole), is a convention of the format; a puzzle's rules are not known here.
"""

from models.level_files.blocks import LevelFile
from models.level_files.choosing import filled_data, filled_maps, level_numbers, with_level
from models.level_files.formats import FORMATS, VARIANTS

__all__ = ["FORMATS", "VARIANTS", "LevelFile", "filled_data", "filled_maps", "level_numbers", "with_level"]
