"""The program as one file, for every Python from 3.11 on: `python -m tests.tools.onefile [OUT | --licences]`.

It is made by shiv of what is installed here, without network: ours, and what it depends on. Nothing compiled
goes in: what has a compiled part goes without it, and has a plain one. `--licences` lists what it holds, each
with its version and licence.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent.parent
NAME = "qf-tui"
COMPILED = {".so", ".pyd", ".dylib", ".dll"}
LEFT_OUT = {*COMPILED, ".c", ".pyi", ".pyc", ".pth"}
OF_THIS_PLACE = {"RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_build.json", "uv_cache.json"}
"""Files that say how and where something was installed here."""
FOLDERS = ("fleets", "saves")
"""What a wheel has within the package."""


def needed() -> list[Distribution]:
    """Ours, and all that it needs here and now."""
    found: dict[str, Distribution] = {}
    asked = [(NAME, "")]
    while asked:
        name, extra = asked.pop()
        name = canonicalize_name(name)
        for text in distribution(name).requires or ():
            requirement = Requirement(text)
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                extras = requirement.extras or ("",)
                known = canonicalize_name(requirement.name) in found
                asked += [] if known else [(requirement.name, each) for each in extras]
        found[name] = distribution(name)
    return list(found.values())


def files_of(made: Distribution) -> Iterator[Path]:
    """The files of a distribution within its folder of packages; of ours only what tells of it."""
    for file in made.files or ():
        kept = file.suffix not in LEFT_OUT and file.name not in OF_THIS_PLACE
        if kept and not {"..", "__pycache__"} & set(file.parts) and file.parts[0] != "qf_tui":
            yield Path(str(file))


def gather(folder: Path) -> None:
    """Puts all that the file holds into a folder."""
    for made in needed():
        for file in files_of(made):
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(str(made.locate_file(file)), folder / file)
    # Ours may be installed as it stands in this folder, where fleets and saves lie beside it.
    leave = shutil.ignore_patterns("__pycache__", "*.pyc")
    shutil.copytree(ROOT / "qf_tui", folder / "qf_tui", ignore=leave)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / "qf_tui" / name, ignore=leave)


def build(out: Path) -> None:
    """Makes the file."""
    with TemporaryDirectory() as folder:
        packages = Path(folder) / "packages"
        packages.mkdir()
        gather(packages)
        shiv = [sys.executable, "-m", "shiv", "--site-packages", str(packages), "--output-file", str(out)]
        options = [
            "--entry-point",
            "qf_tui.cli:main",
            "--extend-pythonpath",
            "--compressed",
            "--reproducible",
        ]
        subprocess.run([*shiv, *options], check=True)


def licence_of(made: Distribution) -> str:
    """The licence that a distribution states, by its short name where it has one."""
    told = made.metadata.json
    stated = str(told.get("license_expression") or told.get("license") or "")
    classified = [line.rpartition(" :: ")[2] for line in told.get("classifier", ()) if line[:7] == "License"]
    return stated if stated and "\n" not in stated else ", ".join(classified) or "not stated"


def main() -> None:
    given = sys.argv[1:]
    if given == ["--licences"]:
        for made in sorted(needed(), key=lambda made: made.name.casefold()):
            print(f"{made.name:<20} {made.version:<12} {licence_of(made)}")
        return
    out = Path(given[0] if given else "qf-tui.pyz")
    build(out)
    print(f"{out}: {out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
