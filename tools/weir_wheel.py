"""Builds the wheel of the Python package, which carries libweir: what pip calls (PEP 517).

It needs nothing but Python and what the build of the library needs. WEIR_LIBRARY names a library that is
built already.
"""

import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def _version():
    return re.search(r"project\(weir VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def _abi():
    text = (ROOT / "python/weir/_library.py").read_text()
    return re.search(r"^SIMULATE_ABI = ([0-9]+)", text, re.M)[1]


def _library():
    """The library, built if need be."""
    built = os.environ.get("WEIR_LIBRARY")
    if built:
        return pathlib.Path(built)
    place = ROOT / "build-wheel"
    subprocess.run(["cmake", "-S", ROOT, "-B", place, "-DBUILD_TESTING=OFF"], check=True)
    subprocess.run(["cmake", "--build", place, "--parallel", "--target", "weir_shared"], check=True)
    return place / "libweir.so"


def _record(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}"


def _files(version, tag):
    """Names in the wheel, and what is in them."""
    for path in sorted((ROOT / "python/weir").iterdir()):
        if path.suffix == ".py" or path.name == "py.typed":
            yield f"weir/{path.name}", path.read_bytes()
    yield f"weir/libweir.so.{_abi()}", _library().read_bytes()
    folder = f"weir-{version}.dist-info"
    yield f"{folder}/METADATA", (
        f"Metadata-Version: 2.1\nName: weir\nVersion: {version}\nRequires-Python: >=3.9\n"
        "Summary: I/O bandwidth scheduling for supercomputers: simulator and strategies\n").encode()
    yield f"{folder}/WHEEL", (
        f"Wheel-Version: 1.0\nGenerator: weir\nRoot-Is-Purelib: false\nTag: {tag}\n").encode()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    version = _version()
    tag = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
    name, records = f"weir-{version}-{tag}.whl", []
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in _files(version, tag):
            wheel.writestr(path, data)
            records.append(_record(path, data))
        record = f"weir-{version}.dist-info/RECORD"
        wheel.writestr(record, "\n".join([*records, f"{record},,", ""]))
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("the sources are the repository: git archive")


def get_requires_for_build_wheel(config_settings=None):
    return []
