"""What the wheel says of the licenses of its parts."""

import importlib.machinery
import importlib.metadata
import importlib.util
import pathlib
import re

import allot
import pytest
from conftest import ROOT


@pytest.fixture()
def parts(monkeypatch, tmp_path):
    """The script that lists what was linked."""
    monkeypatch.setenv("ALLOT_SCRATCH", str(tmp_path))
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    loader = importlib.machinery.SourceFileLoader("parts", str(ROOT / ".github/packaging/parts"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("parts", loader))
    loader.exec_module(module)
    return module


def test_every_part_has_its_license():
    """In the wheel that is installed."""
    try:
        wheel = importlib.metadata.distribution("allot")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("allot is not installed as a wheel")
    if pathlib.Path(wheel.locate_file("allot")) != pathlib.Path(allot.__file__).parent:
        pytest.skip("allot is not that of the wheel which is installed")
    bar = re.escape("=" * 100)
    listed = re.split(rf"\n{bar}\n(.+)\n{bar}\n", wheel.read_text("licenses/THIRD-PARTY.txt"))
    found = dict(zip(listed[1::2], listed[2::2]))
    assert len(found) > 4
    for part, text in found.items():
        assert len(text) > 300 and "NOASSERTION" not in part, part


@pytest.mark.parametrize("changes, message", [
    (dict(license="NOASSERTION"), "the license is not known of x"),
    (dict(text=[]), "there is no text of the license of x"),
    (dict(text=[""]), "there is no text of the license of x"),
])
def test_parts_without_licenses_are_noticed(changes, message, parts):
    part = dict(name="x", version="1", license="MIT", text=["Permission"], link="STATIC_LINK")
    loaded = dict(name="libc6", version="2", license="LGPL-2.1-or-later", text=[], link="DYNAMIC_LINK")
    assert parts.checked([part, loaded]) == [part, loaded]
    with pytest.raises(SystemExit, match=message):
        parts.checked([part | changes])


@pytest.mark.parametrize("modules, names", [
    (["Logging"], ["swift-log"]), (["NIOSSL", "CNIOBoringSSL"], ["swift-nio-ssl", "boringssl"]),
])
def test_parts_are_what_was_linked(modules, names, parts, tmp_path):
    """And not what was fetched to build it."""
    (tmp_path / "release/AllotC.product").mkdir(parents=True)
    (tmp_path / "release/AllotC.product/Objects.LinkFileList").write_text(
        "".join(f"/build/{module}.build/file.o\n" for module in modules))
    for package, folders in (("swift-log", ["Logging"]), ("swift-nio-ssl", ["NIOSSL", "CNIOBoringSSL"])):
        for folder in folders:
            (tmp_path / "checkouts" / package / "Sources" / folder).mkdir(parents=True)
        (tmp_path / "checkouts" / package / "LICENSE.txt").write_text("Apache License Version 2.0")
    (tmp_path / "checkouts/swift-nio-ssl/Sources/CNIOBoringSSL/hash.txt").write_text("8" * 40)
    assert [part["name"] for part in parts.swift_packages(["AllotC"])] == names
