"""The Arrow C Data Interface, and its structures in PyCapsules.

See https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html. No Arrow library is needed for it.
"""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from ._errors import ArgumentError, DataError
from ._library import library


@runtime_checkable
class ArrowStreamExportable(Protocol):
    """A table that gives its batches through the Arrow PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


@runtime_checkable
class ArrowArrayExportable(Protocol):
    """A batch that gives itself through the Arrow PyCapsule interface."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...


@runtime_checkable
class ArrowSchemaExportable(Protocol):
    """A schema that gives itself through the Arrow PyCapsule interface."""

    def __arrow_c_schema__(self) -> object: ...


# The format of whole numbers, which rows, buckets and codes are. All other columns of answers are texts.
INT64 = "l"


class ArrowSchema(ctypes.Structure):
    """``struct ArrowSchema``, as far as it is read here."""


ArrowSchema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowSchema))),
    ("dictionary", ctypes.POINTER(ArrowSchema)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]

_SCHEMA, _STREAM = b"arrow_schema", b"arrow_array_stream"
_SIZES = {_SCHEMA: 72, _STREAM: 40}

# Prototypes of this module's own: those of `ctypes.pythonapi` are shared with all other packages.
_get_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi))
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi))

_DESTRUCTORS = {
    _SCHEMA: ctypes.cast(library.allot_capsule_destroy_schema, ctypes.c_void_p),
    _STREAM: ctypes.cast(library.allot_capsule_destroy_stream, ctypes.c_void_p),
}
library.allot_capsule_reader(ctypes.cast(ctypes.pythonapi.PyCapsule_GetPointer, ctypes.c_void_p))


def _capsule(kind: bytes) -> tuple[object, int]:
    """A capsule with an empty structure, and the address of that."""
    address = library.allot_capsule_allocate(_SIZES[kind])
    if not address:
        raise MemoryError
    return _new_capsule(address, kind, _DESTRUCTORS[kind]), address


def new_stream() -> tuple[object, int]:
    """A capsule for a stream that a function of the library writes at the address."""
    return _capsule(_STREAM)


def new_schema() -> tuple[object, int]:
    """A capsule for a schema that a function of the library writes at the address."""
    return _capsule(_SCHEMA)


def stream_address(capsule: object) -> int:
    """Where the stream in a capsule is."""
    address: int = _get_pointer(capsule, _STREAM)
    return address


def schema_address(capsule: object) -> int:
    """Where the schema in a capsule is."""
    address: int = _get_pointer(capsule, _SCHEMA)
    return address


class TextSchema:
    """The schema of a table of text columns, which is lent to the library."""

    def __init__(self, names: list[str]) -> None:
        self._columns = [self._schema(b"u", name.encode()) for name in names]
        self._children = (ctypes.POINTER(ArrowSchema) * len(names))(*map(ctypes.pointer, self._columns))
        self._table = self._schema(b"+s", b"")
        self._table.n_children = len(names)
        self._table.children = self._children
        self.address = ctypes.addressof(self._table)

    @staticmethod
    def _schema(kind: bytes, name: bytes) -> ArrowSchema:
        # It is not called, as what is lent is not released; without it, the schema would count as released.
        release = ctypes.cast(library.allot_capsule_free, ctypes.c_void_p)
        return ArrowSchema(format=kind, name=name, flags=2, release=release)


_GET = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_GET_LAST_ERROR = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)
_RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Stream(ctypes.Structure):
    """``struct ArrowArrayStream``."""

    _fields_ = [
        ("get_schema", _GET),
        ("get_next", _GET),
        ("get_last_error", _GET_LAST_ERROR),
        ("release", _RELEASE),
        ("private_data", ctypes.c_void_p),
    ]


class _Array(ctypes.Structure):
    """``struct ArrowArray``."""

    _fields_ = [
        *((name, ctypes.c_int64) for name in ("length", "null_count", "offset", "n_buffers", "n_children")),
        *((name, ctypes.c_void_p) for name in ("buffers", "children", "dictionary", "release", "private_data")),
    ]


def stream_schema(stream: object) -> object:
    """The schema of a stream in a capsule, in a capsule of its own."""
    address = stream_address(stream)
    structure = _Stream.from_address(address)
    if not structure.release:
        raise ArgumentError("the stream was read already; make it again")
    schema, output = new_schema()
    status = structure.get_schema(address, output)
    if status != 0:
        reason = structure.get_last_error(address) if structure.get_last_error else None
        raise DataError(f"the table cannot be read: {(reason or os.strerror(status).encode()).decode(errors='replace')}")
    return schema


class SlicedStream:
    """The slices of a table as one stream, which is read by a thread that has no signals to handle."""

    # What is not released yet.
    _lent: set[SlicedStream] = set()

    def __init__(self, slices: Sequence[ArrowStreamExportable]) -> None:
        self._streams = [part.__arrow_c_stream__() for part in reversed(slices)]
        self._is_stopped = False
        self._functions = _Stream(
            _GET(self._get_schema), _GET(self._get_next), _GET_LAST_ERROR(lambda _: None), _RELEASE(self._release))

    def stop(self) -> None:
        """Ends the stream with an error after the slice that is being read."""
        self._is_stopped = True

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The stream in a capsule."""
        capsule, address = new_stream()
        ctypes.pointer(_Stream.from_address(address))[0] = self._functions
        self._lent.add(self)
        return capsule

    def _get_schema(self, _: int, output: int) -> int:
        address = stream_address(self._streams[-1])
        status: int = _Stream.from_address(address).get_schema(address, output)
        return status

    def _get_next(self, _: int, output: int) -> int:
        while not self._is_stopped:
            address = stream_address(self._streams[-1])
            status: int = _Stream.from_address(address).get_next(address, output)
            if status != 0 or _Array.from_address(output).release or len(self._streams) == 1:
                return status
            self._streams.pop()
        return errno.EINTR

    def _release(self, address: int) -> None:
        _Stream.from_address(address).release = _RELEASE()
        self._streams.clear()
        self._lent.discard(self)


def column_names(schema: object) -> list[str]:
    """The names of a table's columns, from a capsule with its schema."""
    structure = ArrowSchema.from_address(schema_address(schema))
    children = (structure.children[index].contents for index in range(structure.n_children))
    return [(child.name or b"").decode("utf-8", "replace") for child in children]


def column_formats(schema: object) -> dict[str, str]:
    """The formats of a table's columns by their names, as the interface writes types; of a dictionary, its values'."""
    structure = ArrowSchema.from_address(schema_address(schema))
    formats = {}
    for name, child in zip(column_names(schema), structure.children[:structure.n_children]):
        described = child.contents.dictionary.contents if child.contents.dictionary else child.contents
        formats[name] = (described.format or b"").decode("utf-8", "replace")
    return formats


def metadata(schema: object) -> dict[str, str]:
    """The metadata of a table, from a capsule with its schema."""
    address = ArrowSchema.from_address(schema_address(schema)).metadata
    pairs: dict[str, str] = {}
    if not address:
        return pairs
    place = address

    def number() -> int:
        nonlocal place
        place += 4
        return ctypes.c_int32.from_address(place - 4).value

    def text() -> str:
        nonlocal place
        count = number()
        place += count
        return ctypes.string_at(place - count, count).decode("utf-8", "replace")

    for _ in range(number()):
        key = text()
        pairs[key] = text()
    return pairs


class ArrowStream:
    """A table of Arrow data that is read once, by whatever knows the Arrow PyCapsule interface.

    ``pyarrow.table(stream)``, ``polars.from_arrow(stream)`` and ``nanoarrow.ArrayStream(stream)`` read it, batch by
    batch.
    """

    def __init__(self, capsule: object) -> None:
        self._capsule: object | None = capsule

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The stream in a capsule. A requested schema is not followed, which the interface leaves to the producer."""
        if self._capsule is None:
            raise ValueError("the stream was read already; assign again")
        capsule, self._capsule = self._capsule, None
        return capsule

    def __reduce__(self) -> Any:
        raise TypeError("a stream cannot be pickled; read it first, as with pyarrow.table(stream)")

