"""The C interface (``allot.h``): the library, its functions, and what their status says."""

from __future__ import annotations

import ctypes
import hashlib
import os
import pathlib
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from ._errors import AllotError, ArgumentError, DataError, DefinitionsError, FileError, LibraryError, in_python

ABI_VERSION = 1
_NAME = "liballot.so.1"


def _path() -> str:
    """Where the library is: next to this module, or, where that is in an archive, in a copy of it."""
    # An archive's loader knows its files by this very text, "./" and all.
    folder = os.path.dirname(__file__)
    path = os.path.join(folder, _NAME)
    if os.path.isdir(folder):
        return path
    loader = globals().get("__loader__")
    if loader is None or not hasattr(loader, "get_data"):
        raise LibraryError(f"{folder} is not a folder; install the wheel of allot, or ship allot.spark.archive()")
    return _copy(loader.get_data(path))


def _copy(content: bytes) -> str:
    """A file with the library, as the system loads none out of an archive.

    It is of this user alone, and has its name by its content. Processes that write it at once replace each other's.
    """
    path = own_folder(hashlib.sha256(content).hexdigest()[:32]) / _NAME
    if not path.exists():
        try:
            file, unfinished = tempfile.mkstemp(dir=path.parent)
            with os.fdopen(file, "wb") as output:
                output.write(content)
            os.replace(unfinished, path)
        except OSError as error:
            raise LibraryError(f"{path} cannot be written: {error}; make room there, or set TMPDIR") from None
    return str(path)


def own_folder(name: str) -> pathlib.Path:
    """A folder of this user alone among the temporary files, where no other user can put anything."""
    try:
        folder = pathlib.Path(tempfile.gettempdir()) / f"allot-{os.getuid()}-{name}"
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except OSError as error:
        raise LibraryError(f"there is no folder of temporary files: {error}; set TMPDIR to one") from None
    if folder.is_symlink() or status.st_uid != os.getuid() or status.st_mode & 0o022:
        raise LibraryError(f"{folder} is not a folder of this user alone; delete it, or set TMPDIR")
    return folder


class File(ctypes.Structure):
    """``allot_file``"""

    _fields_ = [("path", ctypes.c_char_p), ("bytes", ctypes.c_char_p), ("length", ctypes.c_size_t)]


_OUT = ctypes.POINTER(ctypes.c_void_p)
_TEXT = ctypes.c_char_p
_POINTER = ctypes.c_void_p
_PROTOTYPES: dict[str, tuple[Any, list[Any]]] = {
    "allot_abi_version": (ctypes.c_uint32, []),
    "allot_version": (_TEXT, []),
    "allot_text_release": (None, [_POINTER]),
    "allot_load_folder": (ctypes.c_int32, [_TEXT, _TEXT, _OUT, _OUT]),
    "allot_load_files": (ctypes.c_int32, [ctypes.POINTER(File), ctypes.c_size_t, _TEXT, _OUT, _OUT]),
    "allot_plan_release": (None, [_POINTER]),
    "allot_check_folder": (ctypes.c_int32, [_TEXT, _TEXT, _OUT, _OUT]),
    "allot_check_files": (ctypes.c_int32, [ctypes.POINTER(File), ctypes.c_size_t, _TEXT, _OUT, _OUT]),
    "allot_plan_describe": (ctypes.c_int32, [_POINTER, _OUT, _OUT]),
    "allot_plan_report": (ctypes.c_int32, [_POINTER, _OUT, _OUT]),
    "allot_plan_files": (ctypes.c_int32, [_POINTER, _OUT, _OUT]),
    "allot_decide": (ctypes.c_int32, [_POINTER, _TEXT, _TEXT, _OUT, _OUT]),
    "allot_config": (ctypes.c_int32, [_POINTER, _TEXT, _TEXT, _OUT, _OUT]),
    "allot_explain": (ctypes.c_int32, [_POINTER, _TEXT, _TEXT, _OUT, _OUT]),
    "allot_notes": (ctypes.c_int32, [_POINTER, _TEXT, _OUT, _OUT]),
    "allot_srm": (ctypes.c_int32, [_POINTER, _TEXT, ctypes.c_size_t, _TEXT, _OUT, _OUT]),
    "allot_distribution": (ctypes.c_int32, [_POINTER, _TEXT, ctypes.c_size_t, _TEXT, _OUT, _OUT]),
    "allot_power": (ctypes.c_int32, [_TEXT, _OUT, _OUT]),
    "allot_assign_schema": (ctypes.c_int32, [_POINTER, _TEXT, _POINTER, _POINTER, _OUT]),
    "allot_assign_stream": (ctypes.c_int32, [_POINTER, _TEXT, _POINTER, _POINTER, _OUT]),
    "allot_capsule_reader": (None, [_POINTER]),
    "allot_capsule_allocate": (_POINTER, [ctypes.c_size_t]),
    "allot_capsule_destroy_schema": (None, [_POINTER]),
    "allot_capsule_destroy_array": (None, [_POINTER]),
    "allot_capsule_destroy_stream": (None, [_POINTER]),
}


def _load() -> ctypes.CDLL:
    path = _path()
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise LibraryError(
            f"{path} cannot be loaded: {error}; a wheel is for the processor and the Linux that its name says, and a "
            "library is not loaded from a file system without programs (noexec); set TMPDIR for the copy of an archive"
        ) from None
    for name, (result, arguments) in _PROTOTYPES.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    version = library.allot_abi_version()
    if version != ABI_VERSION:
        raise LibraryError(f"{path} has version {version} of the interface, not {ABI_VERSION}; install the wheel again")
    return library


library = _load()
VERSION: str = library.allot_version().decode()

# The threads of the library do not survive a fork; what splits a batch over cores would wait for them.
_is_forked = False


def _forked() -> None:
    global _is_forked
    _is_forked = True


os.register_at_fork(after_in_child=_forked)


def thread_count(threads: int | None) -> int:
    """How many threads a batch is split over: 0 for one for each core, and one in a process that was forked."""
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= 1024):
        raise ArgumentError("threads is a whole number from 1 to 1024, or None for one for each core")
    return 1 if _is_forked else threads or 0


_ERRORS: dict[int, type[AllotError]] = {1: ArgumentError, 3: FileError, 4: DataError}


def text(value: str, name: str) -> bytes:
    """A text for the library."""
    if not isinstance(value, str):
        raise ArgumentError(f"{name} is a text, not {type(value).__name__}")
    try:
        encoded = value.encode()
    except UnicodeEncodeError:
        raise ArgumentError(f"{name} has half a surrogate pair, which is not text; decode it correctly") from None
    if b"\0" in encoded:
        raise ArgumentError(f"{name} has a zero byte, with which a text ends; remove it")
    return encoded


def files(contents: Mapping[str, bytes]) -> tuple[Any, int]:
    """Files in memory for the library."""
    for name, content in contents.items():
        if not isinstance(content, (bytes, bytearray)):
            raise ArgumentError(f"files[{name!r}] are bytes, not {type(content).__name__}")
    array = (File * len(contents))(
        *(File(text(name, "a name of files"), bytes(content), len(content)) for name, content in contents.items()))
    return array, len(contents)


def taken(address: ctypes.c_void_p) -> str:
    """A text that the library gives out, which is released."""
    content = ctypes.string_at(address.value or 0) if address.value else b""
    library.allot_text_release(address)
    return content.decode()


def call(name: str, *arguments: Any) -> None:
    """Calls a function whose last parameter is the message of a failure, and raises what its status says."""
    message = ctypes.c_void_p()
    status = getattr(library, name)(*arguments, ctypes.byref(message))
    if status == 0:
        return
    reason = taken(message)
    if status == 2:
        raise DefinitionsError.from_report(reason)
    raise _ERRORS.get(status, AllotError)(in_python(reason))


def text_of(name: str, *arguments: Any) -> str:
    """Calls a function whose only output is a text."""
    output = ctypes.c_void_p()
    call(name, *arguments, ctypes.byref(output))
    return taken(output)


def load_folder(folder: str, options: bytes) -> ctypes.c_void_p:
    """A plan of a folder. The caller releases it."""
    plan = ctypes.c_void_p()
    call("allot_load_folder", text(folder, "the folder"), options, ctypes.byref(plan))
    return plan


def load_files(contents: Mapping[str, bytes], options: bytes) -> ctypes.c_void_p:
    """A plan of files in memory. The caller releases it."""
    plan = ctypes.c_void_p()
    call("allot_load_files", *files(contents), options, ctypes.byref(plan))
    return plan


__all__: Sequence[str] = ["VERSION", "call", "files", "library", "load_files", "load_folder", "taken", "text", "text_of"]
