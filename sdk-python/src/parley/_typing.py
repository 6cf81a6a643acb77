"""Names of `typing` that Python has from 3.11 on."""

import sys

if sys.version_info >= (3, 11):
    from typing import NotRequired, ParamSpec, TypedDict, Unpack
else:
    from typing_extensions import NotRequired, ParamSpec, TypedDict, Unpack

__all__ = ["NotRequired", "ParamSpec", "TypedDict", "Unpack"]
