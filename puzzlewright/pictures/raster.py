"""SVG as pixels: PNG by resvg, GIF by Pillow. No library and no font of the system is asked.

The font is DejaVu Sans as Matplotlib brings it along, found without loading Matplotlib.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from models.outcomes import Unsupported

if TYPE_CHECKING:
    from PIL.Image import Image

FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf")
PIXELS, FILM = 50_000_000, 400_000_000  # at most, of a picture and of all frames of a film
PAPER = "#ffffff"  # behind the round corners of a film's card
FIRST, LAST = 1.5, 3  # how many times as long as others the first and the last frame stay, and at least in seconds


def png(svg: str, size: tuple[float, float], scale: float = 2) -> bytes:
    """A picture of SVG that is `size` pixels large, so many times larger; Unsupported beyond PIXELS."""
    import resvg_py

    if size[0] * size[1] * scale**2 > PIXELS:
        raise Unsupported(f"a picture of {_pixels(size, scale)} is too large; give a smaller --scale, or write .svg")
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=scale, skip_system_fonts=True, font_files=_fonts()))


def gif(frames: Sequence[str], size: tuple[float, float], seconds: float, scale: float = 1) -> bytes:
    """A film without end of frames of one size, one shown for so many seconds, the first and last one for longer."""
    from PIL import Image

    if size[0] * size[1] * scale**2 * len(frames) > FILM:
        raise Unsupported(
            f"a film of {len(frames)} frames of {_pixels(size, scale)} is too large; give a smaller --scale, "
            "or write .html"
        )
    images = [Image.open(BytesIO(png(frame, size, scale))) for frame in frames]
    opaque = [Image.alpha_composite(Image.new("RGBA", image.size, PAPER), image).convert("RGB") for image in images]
    palette = _palette(opaque)
    first, *others = (image.quantize(palette=palette, dither=Image.Dither.NONE) for image in opaque)
    durations = [max(1, FIRST * seconds), *[seconds] * len(others)]
    durations[-1] = max(2, LAST * seconds)
    made = BytesIO()
    first.save(made, "GIF", save_all=True, append_images=others, loop=0, disposal=1,
               duration=[round(1000 * duration) for duration in durations])  # fmt: skip
    return made.getvalue()


def _palette(images: Sequence[Image]) -> Image:
    """One palette for all, from the colours of some frames, the first and the last among them."""
    from PIL import Image

    some = images[:: max(1, len(images) // 8)]
    sheet = Image.new("RGB", (images[0].width, images[0].height * (len(some) + 1)))
    for row, image in enumerate((*some, images[-1])):
        sheet.paste(image, (0, row * image.height))
    return sheet.quantize(256)


def _pixels(size: tuple[float, float], scale: float) -> str:
    return f"{size[0] * scale:.0f} x {size[1] * scale:.0f} pixels"


@cache
def _fonts() -> list[str]:
    spec = find_spec("matplotlib")
    if spec is None or spec.origin is None:
        raise Unsupported("pictures need the fonts of matplotlib, which is not installed")
    return [str(Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf" / name) for name in FONTS]
