"""Hypothesis profiles: `HYPOTHESIS_PROFILE=thorough` looks longer for what the everyday run may miss."""

import os

from hypothesis import HealthCheck, settings

_SLOW = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)

settings.register_profile("everyday", max_examples=100, deadline=None, suppress_health_check=_SLOW)
settings.register_profile("thorough", max_examples=1500, deadline=None, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "everyday"))
