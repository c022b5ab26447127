"""A clone made by Git for Windows, which writes lines with CRLF unless `.gitattributes` forbids it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.posix import posix_only

ROOT = Path(__file__).parent.parent
GIT = shutil.which("git")
NOT_FOUND = 127


def run(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program without the user's own settings for git."""
    own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run(
        command,
        cwd=cwd,
        env=kept | own | environment,
        check=False,
        capture_output=True,
        encoding="utf-8",
    )


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of all files that are not ignored, whether these tests run in a repository or not."""
    if GIT is None:
        pytest.skip("git is not installed")
    folder = tmp_path_factory.mktemp("checkout")
    files, made = folder / "files.git", folder / "qf-tui"
    git = [GIT, f"--git-dir={files}", f"--work-tree={ROOT}"]
    someone = ("-c", "user.name=nobody", "-c", "user.email=nobody@localhost", "-c", "commit.gpgsign=false")
    for command in (
        [GIT, "init", "--quiet", "--bare", files],
        [*git, "add", "--all", "."],
        [*git, *someone, "commit", "--quiet", "--message=all files"],
        [GIT, "clone", "--quiet", "--config=core.autocrlf=true", files, made],
    ):
        done = run(*command, cwd=ROOT)
        assert done.returncode == 0, done.stderr
    return made


def test_a_checkout_has_the_same_bytes_in_every_file(clone: Path) -> None:
    """Detect saves, fleets, transcripts and scripts that a checkout changes."""
    listed = run(GIT or "", "ls-files", "-z", cwd=clone).stdout
    names = listed.rstrip("\0").split("\0")
    assert "saves/yellow-sea-1904.qfb" in names
    assert [name for name in names if (clone / name).read_bytes() != (ROOT / name).read_bytes()] == []


def test_the_sample_battle_opens(clone: Path, tmp_path: Path) -> None:
    opened = run(sys.executable, "-m", "qf_tui", "sample", cwd=clone, QF_TUI_HOME=str(tmp_path))
    assert (opened.returncode, opened.stderr) == (0, "")
    assert "Tsesarevich" in opened.stdout


@posix_only
@pytest.mark.parametrize(
    ("heading", "file"), [("Run it", "README.md"), ("Test it for long", "CONTRIBUTING.md")]
)
def test_the_script_finds_the_first_command_of_a_page(
    clone: Path, tmp_path: Path, heading: str, file: str
) -> None:
    """Run without any program: the failing command must be the first of the page."""
    shell = shutil.which("bash")
    if shell is None:
        pytest.skip("bash is not installed")
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("awk", "bash"):
        found = shutil.which(name)
        assert found is not None
        (programs / name).symlink_to(found)
    page = (ROOT / file).read_text(encoding="utf-8").partition(f"## {heading}\n")[2]
    command = page.partition("```sh\n")[2].partition("\n")[0]
    done = run(shell, ".ci/readme", heading, file, cwd=clone, PATH=str(programs))
    assert done.stdout == f"{command}\n"
    assert done.returncode == NOT_FOUND, done.stderr
