"""What the wheel says of itself and of the licenses of its parts, and the source archive."""

import importlib.machinery
import importlib.metadata
import importlib.util
import pathlib
import re
import tarfile
import tomllib

import allot
import pytest
from conftest import ROOT


PYTHON = ROOT / "Sources/AllotC/python"


def script(path):
    """A program of the repository as a module."""
    loader = importlib.machinery.SourceFileLoader(f"tested_{path.stem}", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


@pytest.fixture()
def parts(monkeypatch, tmp_path):
    """The script that lists what was linked."""
    monkeypatch.setenv("ALLOT_SCRATCH", str(tmp_path))
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    return script(ROOT / ".github/packaging/parts")


@pytest.fixture()
def backend(monkeypatch):
    """The script that writes the wheel and the source archive."""
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    return script(PYTHON / "wheel.py")


@pytest.fixture()
def installed():
    """The wheel that is installed."""
    try:
        wheel = importlib.metadata.distribution("allot-engine")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("allot is not installed as a wheel")
    if pathlib.Path(wheel.locate_file("allot")) != pathlib.Path(allot.__file__).parent:
        pytest.skip("allot is not that of the wheel which is installed")
    return wheel


def test_what_is_installed(installed):
    """Its name is free on PyPI, as `allot` is not: an upgrade must not replace the engine."""
    described = installed.metadata
    assert (described["Name"], described["Version"]) == ("allot-engine", allot.__version__)
    assert described["Author"] and described["Summary"] and described["Description"]
    assert {url.split(",")[0] for url in described.get_all("Project-URL")} >= {"Homepage", "Documentation", "Source"}


@pytest.mark.parametrize("repository", ["", "acme/experiments"])
def test_addresses(repository, backend, monkeypatch):
    """In a workflow of GitHub they are those of its repository."""
    if repository:
        monkeypatch.setenv("GITHUB_REPOSITORY", repository)
    addresses = re.findall(r"^Project-URL: \w+, (\S+)$", backend.metadata("1.2.3", []), re.MULTILINE)
    assert len(addresses) >= 4
    assert all(address.startswith(f"https://github.com/{repository or 'OWNER/allot'}") for address in addresses)


def test_source_archive(backend, tmp_path):
    """It has what the wheel is built from, and is the same each time."""
    (tmp_path / "again").mkdir()
    name = backend.build_sdist(tmp_path)
    assert name == f"allot_engine-{allot.__version__}.tar.gz"
    assert backend.build_sdist(tmp_path / "again") == name
    assert (tmp_path / name).read_bytes() == (tmp_path / "again" / name).read_bytes()
    with tarfile.open(tmp_path / name) as archive:
        top = name.removesuffix(".tar.gz")
        assert {file.split("/")[0] for file in archive.getnames()} == {top}
        files = {file.removeprefix(f"{top}/") for file in archive.getnames()}
        project = tomllib.loads(archive.extractfile(f"{top}/pyproject.toml").read().decode())
        information = archive.extractfile(f"{top}/PKG-INFO").read().decode()
        assert archive.getmember(f"{top}/Sources/AllotC/build").mode & 0o111
    assert {"Package.swift", "LICENSE", "Sources/AllotC/build", ".github/packaging/parts"} <= files
    assert not any(file.startswith(".build") for file in files)
    assert {f"{project['build-system']['backend-path'][0]}/wheel.py", project["project"]["readme"]} <= files
    assert f"Name: allot-engine\nVersion: {allot.__version__}\n" in information


def test_every_part_has_its_license(installed):
    """In the wheel that is installed."""
    bar = re.escape("=" * 100)
    listed = re.split(rf"\n{bar}\n(.+)\n{bar}\n", installed.read_text("licenses/THIRD-PARTY.txt"))
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


@pytest.mark.parametrize("appendix", ["", "\n   APPENDIX: How to apply the Apache License to your work.\n\n      To apply "
                                      "[...] identification within third-party archives.\n"])
def test_debian_has_the_terms_of_the_apache_license(parts, appendix):
    """Its packages refer to them, and have what a project adds: copyrights and exceptions. Others have the whole."""
    terms = ("   Apache License\n   Version 2.0, January 2004\n\n   TERMS AND CONDITIONS FOR USE [...]\n"
             "   END OF TERMS AND CONDITIONS\n")
    added = "   Copyright 2026 A. Author\n\n## Runtime Library Exception"
    part = dict(name="x", version="1", license="Apache-2.0", text=[terms + appendix + added], link="STATIC_LINK")
    debian, portable = ("\n".join(parts.copyright_file(kind, [part])) for kind in ("debian", "portable"))
    for text in (debian, portable):
        assert "Copyright 2026 A. Author" in text and "Runtime Library Exception" in text
    assert "TERMS AND CONDITIONS" not in debian and "[...]" not in debian
    assert "its terms are in /usr/share/common-licenses/Apache-2.0" in debian
    assert "TERMS AND CONDITIONS FOR USE [...]" in portable
