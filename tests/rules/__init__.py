"""Tests."""

import pytest

pytest.register_assert_rewrite("tests.rules.contract", "tests.rules.course")
