#!/bin/bash
# The wheel that pip builds carries the library: what is installed needs nothing beside it.
command -v python3 >/dev/null || { echo "skipped: python3 is missing"; exit 77; }
python3 -m pip --version >/dev/null 2>&1 || { echo "skipped: pip is missing"; exit 77; }
if ldd "$WEIR" | grep -q 'lib[at]san'; then
    echo "skipped: python3 cannot load a library with a sanitizer"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/source"
cd "$WEIR_SOURCE_DIR" && cp -r pyproject.toml CMakeLists.txt python tools "$scratch/source" || exit 1
cd "$scratch" || exit 1
WEIR_LIBRARY=$WEIR_BUILD_DIR/libweir.so python3 -m pip install --quiet --no-build-isolation --no-deps \
    --no-index --disable-pip-version-check --root-user-action ignore --target here ./source || exit 1
PYTHONPATH=here python3 - "$("$WEIR" --version)" "$WEIR_SOURCE_DIR/examples/quickstart.yaml" <<'END'
import sys, weir
assert "weir " + weir.__version__ == sys.argv[1], (weir.__version__, sys.argv[1])
assert len(weir.simulate(sys.argv[2], "fcfs")) == 1
END
