"""The program as one file, for Python 3.11 or later: `python -m tests.tools.onefile [OUT | --licences]`.

Shiv builds it from the installed packages, without network: the program and its dependencies. Compiled parts
are left out; each has a plain substitute. `--licences` lists the contents with versions and licences.
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
"""Files about the installation on this computer."""
FOLDERS = ("fleets", "saves")
"""Folders that a wheel has within the package."""


def list_distributions() -> list[Distribution]:
    """List the program's distribution and all that it needs on this computer."""
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


def list_files(made: Distribution) -> Iterator[Path]:
    """List the files of a distribution in its folder; of the program only its metadata."""
    for file in made.files or ():
        kept = file.suffix not in LEFT_OUT and file.name not in OF_THIS_PLACE
        if kept and not {"..", "__pycache__"} & set(file.parts) and file.parts[0] != "qf_tui":
            yield Path(str(file))


def gather(folder: Path) -> None:
    """Copy all contents of the file into a folder."""
    for made in list_distributions():
        for file in list_files(made):
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(str(made.locate_file(file)), folder / file)
    # The program may be installed from this folder, where fleets and saves are next to it.
    leave = shutil.ignore_patterns("__pycache__", "*.pyc")
    shutil.copytree(ROOT / "qf_tui", folder / "qf_tui", ignore=leave)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / "qf_tui" / name, ignore=leave)


def build(out: Path) -> None:
    """Build the file."""
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


def find_licence(made: Distribution) -> str:
    """Return the licence that a distribution states, by its short name if it has one."""
    told = made.metadata.json
    stated = str(told.get("license_expression") or told.get("license") or "")
    classified = [line.rpartition(" :: ")[2] for line in told.get("classifier", ()) if line[:7] == "License"]
    return stated if stated and "\n" not in stated else ", ".join(classified) or "not stated"


def main() -> None:
    given = sys.argv[1:]
    if given == ["--licences"]:
        for made in sorted(list_distributions(), key=lambda made: made.name.casefold()):
            print(f"{made.name:<20} {made.version:<12} {find_licence(made)}")
        return
    out = Path(given[0] if given else "qf-tui.pyz")
    build(out)
    print(f"{out}: {out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
