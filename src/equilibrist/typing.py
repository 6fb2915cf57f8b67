"""Names for the array types of the public interface."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BoolArray",
    "FloatArray",
    "Int8Array",
    "Int16Array",
    "Int32Array",
    "Int64Array",
    "UInt8Array",
    "UInt16Array",
    "UInt32Array",
    "UInt64Array",
]

FloatArray: TypeAlias = NDArray[np.float64]
Int8Array: TypeAlias = NDArray[np.int8]
Int16Array: TypeAlias = NDArray[np.int16]
Int32Array: TypeAlias = NDArray[np.int32]
Int64Array: TypeAlias = NDArray[np.int64]
UInt8Array: TypeAlias = NDArray[np.uint8]
UInt16Array: TypeAlias = NDArray[np.uint16]
UInt32Array: TypeAlias = NDArray[np.uint32]
UInt64Array: TypeAlias = NDArray[np.uint64]
BoolArray: TypeAlias = NDArray[np.bool_]
