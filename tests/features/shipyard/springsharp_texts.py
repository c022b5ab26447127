"""Reports of invented ships in the formats of Springsharp 2 and 3."""

from pathlib import Path

VERSION_2, VERSION_3 = (
    Path(__file__).with_name(f"springsharp_{version}.txt").read_text(encoding="utf-8") for version in (2, 3)
)
