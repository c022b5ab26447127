"""Fixtures that call the commands of features like those of the base."""

from tests.cli.conftest import call as call
