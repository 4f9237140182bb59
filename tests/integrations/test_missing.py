"""Without the library that it is for, a module of duramen.integrations names the extra that brings it."""

from __future__ import annotations

import importlib
import sys

import pytest

from duramen.errors import MissingExtraError


@pytest.mark.parametrize(
    ("name", "library"), [("datatrove", "datatrove"), ("scrapy", "scrapy"), ("scrapy", "itemadapter")]
)
def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch, name: str, library: str) -> None:
    for module in [module for module in sys.modules if module.split(".")[0] == library]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"duramen.integrations.{name}", raising=False)
    with pytest.raises(MissingExtraError, match=rf"duramen\[{name}\]"):
        importlib.import_module(f"duramen.integrations.{name}")
