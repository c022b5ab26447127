"""The commands of features are called as those of the base."""

from tests.cli.conftest import call as call
