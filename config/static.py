"""Static files under names with a hash of what is in them."""

from __future__ import annotations

from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Whitenoise's storage, which is asked for the same few addresses by every page and remembers them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._addresses: dict[str, str] = {}

    def url(self, name: str, force: bool = False) -> str:
        """The address of a file."""
        if name not in self._addresses:
            self._addresses[name] = super().url(name, force)
        return self._addresses[name]
