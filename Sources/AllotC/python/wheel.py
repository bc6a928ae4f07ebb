"""Writes the wheel of a built library, or the source archive.

    python3 wheel.py LIBRARY OUT SCRATCH CONFIGURATION     prints the name of the wheel
    python3 wheel.py --source OUT                          prints the name of the source archive

SCRATCH and CONFIGURATION are where the library's objects were built. As a backend of PEP 517 it builds the library
first, for `pip install ./Sources/AllotC/python`. A wheel of the same files is the same, byte by byte, and so is a
source archive.
"""

import base64
import ctypes
import gzip
import hashlib
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import platform
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
LIBRARY = "liballot.so.1"
# What every Linux with glibc has, as PEP 600 has it.
SYSTEM = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux-x86-64.so.2",
          "ld-linux-aarch64.so.1"}
# What is linked into the library, as .github/packaging/parts names it.
LINKED = ["re2", "libyaml", "zlib", "openssl", "libstdc++"]


def platform_tag(library):
    """The oldest Linux that has what the library needs."""
    listed = subprocess.run(["objdump", "-p", library], check=True, capture_output=True, text=True).stdout
    needed = set(re.findall(r"NEEDED\s+(\S+)", listed))
    if needed - SYSTEM:
        sys.exit(f"wheel: {library} needs {', '.join(sorted(needed - SYSTEM))}, which other systems may not have")
    versions = [tuple(map(int, version.split("."))) for version in re.findall(r"\bGLIBC_([0-9.]+)", listed)]
    major, minor = max(versions)[:2]
    return f"manylinux_{major}_{minor}_{platform.machine()}"


def licenses(scratch, configuration):
    """The text of each license of what is linked into the library."""
    os.environ["ALLOT_SCRATCH"] = str(scratch)
    loader = importlib.machinery.SourceFileLoader("parts", str(ROOT / ".github/packaging/parts"))
    parts = importlib.util.module_from_spec(importlib.util.spec_from_loader("parts", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(parts)
    linked = parts.checked([
        *parts.swift_packages(["AllotC"], configuration), parts.swift_runtime(), *parts.static_libraries(LINKED)])
    texts = ["liballot.so.1 contains the following parts, each under its own license.\n"]
    for part in linked:
        texts += ["", "=" * 100, f"{part['name']} {part['version']}: {part['license']}", "=" * 100, "", *part["text"]]
    return "\n".join(texts) + "\n"


def project():
    return tomllib.loads((HERE / "pyproject.toml").read_text())["project"]


def stem(version):
    """The name of the package as names of files begin with it."""
    return f"{project()['name'].replace('-', '_')}-{version}"


def metadata(version, licenses):
    """What the package says of itself; `licenses` are the names of files."""
    described = project()
    repository = os.environ.get("GITHUB_REPOSITORY", "OWNER/allot")
    lines = [
        "Metadata-Version: 2.4", f"Name: {described['name']}", f"Version: {version}",
        f"Summary: {described['description']}", *(f"Author: {author['name']}" for author in described["authors"]),
        f"License-Expression: {described['license']}", *(f"License-File: {name}" for name in licenses),
        *(f"Project-URL: {name}, {url.replace('OWNER/allot', repository)}" for name, url in described["urls"].items()),
        *(f"Classifier: {classifier}" for classifier in described["classifiers"]),
        f"Requires-Python: {described['requires-python']}", "Description-Content-Type: text/markdown", "",
        (HERE / described["readme"]).read_text(),
    ]
    return "\n".join(lines)


def write(library, out, scratch, configuration):
    """Writes the wheel and returns its name."""
    function = ctypes.CDLL(str(library)).allot_version
    function.restype = ctypes.c_char_p
    version = function().decode()
    tag = f"py3-none-{platform_tag(library)}"
    information = f"{stem(version)}.dist-info"
    files = {f"allot/{path.name}": path.read_bytes() for path in sorted((HERE / "allot").glob("*.py"))}
    files |= {
        "allot/py.typed": b"", f"allot/{LIBRARY}": library.read_bytes(),
        f"{information}/METADATA": metadata(version, ["LICENSE", "THIRD-PARTY.txt"]).encode(),
        f"{information}/WHEEL": f"Wheel-Version: 1.0\nGenerator: allot\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
        f"{information}/licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
        f"{information}/licenses/THIRD-PARTY.txt": licenses(scratch, configuration).encode(),
    }
    record = "".join(f"{name},sha256={digest(content)},{len(content)}\n" for name, content in files.items())
    files[f"{information}/RECORD"] = (record + f"{information}/RECORD,,\n").encode()
    name = f"{stem(version)}-{tag}.whl"
    unfinished = out / f".{name}"
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100755 if path.endswith(LIBRARY) else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
    unfinished.rename(out / name)
    return name


def sources():
    """The names of the files that the library is built from: all of the repository, or of a source archive of it."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        names = listed.split("\0")
    else:
        paths = [path.relative_to(ROOT) for path in ROOT.rglob("*")]
        own = {pathlib.Path("PKG-INFO"), pathlib.Path("pyproject.toml")}
        names = [str(path) for path in paths
                 if path not in own and not path.parts[0].startswith(".build") and "__pycache__" not in path.parts]
    return sorted(name for name in names if name and (ROOT / name).is_file())


def write_source(out):
    """Writes the source archive and returns its name."""
    text = (ROOT / "Sources/AllotConfiguration/AllotVersion.swift").read_text()
    version = re.search(r'number = "(.+)"', text).group(1)
    # The project file goes to the top of the archive.
    place = HERE.relative_to(ROOT)
    build = (HERE / "pyproject.toml").read_text().replace('backend-path = ["."]', f'backend-path = ["{place}"]')
    build = build.replace('readme = "README.md"', f'readme = "{place}/README.md"')
    files = {name: (ROOT / name).read_bytes() for name in sources()}
    files |= {"pyproject.toml": build.encode(), "PKG-INFO": metadata(version, ["LICENSE"]).encode()}
    name = f"{stem(version)}.tar.gz"
    unfinished = out / f".{name}"
    with (open(unfinished, "wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed,
          tarfile.open(fileobj=packed, mode="w") as archive):
        for path, content in sorted(files.items()):
            entry = tarfile.TarInfo(f"{stem(version)}/{path}")
            entry.size = len(content)
            entry.mode = 0o755 if os.access(ROOT / path, os.X_OK) else 0o644
            archive.addfile(entry, io.BytesIO(content))
    unfinished.rename(out / name)
    return name


def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The hook of PEP 517."""
    done = subprocess.run([HERE / "build", wheel_directory], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip().splitlines()[-1]


def build_sdist(sdist_directory, config_settings=None):
    """The hook of PEP 517 for source archives."""
    return write_source(pathlib.Path(sdist_directory))


if __name__ == "__main__":
    if sys.argv[1] == "--source":
        print(write_source(pathlib.Path(sys.argv[2])))
        sys.exit()
    library, out, scratch, configuration = sys.argv[1:]
    print(write(pathlib.Path(library), pathlib.Path(out), pathlib.Path(scratch).resolve(), configuration))
