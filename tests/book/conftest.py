"""Commands are called in an empty folder, as the tests of the commands call them."""

from tests.cli.conftest import call as call
