#!/bin/bash
# The Python package, against the program and the library that were built.
command -v python3 >/dev/null || { echo "skipped: python3 is missing"; exit 77; }
if ldd "$WEIR" | grep -q 'lib[at]san'; then
    echo "skipped: python3 cannot load a library with a sanitizer"
    exit 77
fi
export PYTHONPATH=$WEIR_SOURCE_DIR/python PYTHONDONTWRITEBYTECODE=1
export WEIR_LIBRARY=$WEIR_BUILD_DIR/libweir.so
exec python3 -m unittest -q "$WEIR_SOURCE_DIR/tests/python/test_weir.py"
