#!/bin/bash
# What is installed is enough for others, wherever it is put. Nothing here but the install step
# knows the build or source directory, except for the examples to compile.
. "$(dirname "$0")/../cli/common.sh"
prefix=$scratch/prefix
cc=${CC:-cc}

cmake --install "$WEIR_BUILD_DIR" --prefix "$prefix" >log 2>&1 || { cat log; exit 1; }
libdir=$(dirname "$(dirname "$(find "$prefix" -name weir.pc)")")
export PKG_CONFIG_PATH=$libdir/pkgconfig LD_LIBRARY_PATH=$libdir
weir=$prefix/bin/weir

has_completion() {
    local share=$prefix/share
    "$weir" completion bash | diff - "$share/bash-completion/completions/weir" &&
        "$weir" completion zsh | diff - "$share/zsh/site-functions/_weir" &&
        "$weir" completion fish | diff - "$share/fish/vendor_completions.d/weir.fish"
}
it "shells find their completion" has_completion

# As the examples' comments say, but with warnings as errors.
flags=(-std=c17 -O1 -Wall -Wextra -Wpedantic -Werror)
build_embed() {
    "$cc" "${flags[@]}" "$root/examples/embed/embed.c" $(pkg-config --cflags --libs weir) -o embed
}
runs_embed() { build_embed && ./embed && ldd embed | grep -F "$libdir/libweir.so"; }
it "the library serves a program that embeds it" runs_embed

# Without link-time optimisation, which the archive must not insist on.
runs_static() {
    mkdir -p only && cp "$libdir/libweir.a" only/ &&
        "$cc" "${flags[@]}" -fno-lto $(pkg-config --cflags weir) "$root/examples/embed/embed.c" \
            -Lonly $(pkg-config --static --libs weir | sed 's/-L[^ ]*//') -o embed_static &&
        ! ldd embed_static | grep libweir && ./embed_static
}
it "the archive does so too" runs_static

# The one that lives in applications: it brings nothing along.
runs_client() {
    "$cc" "${flags[@]}" "$root/examples/client/checkpoint.c" \
        $(pkg-config --cflags --libs weir-client) -o checkpoint && ./checkpoint saved &&
        [ "$(stat -c %s saved)" = 16777216 ] && ldd checkpoint | grep -F "$libdir/libweir-client.so"
}
it "the client library serves an application" runs_client
needs_libc_only() { [ "$(readelf -d "$libdir/libweir-client.so" | grep -c NEEDED)" -eq 1 ]; }
it "the client library needs nothing but libc" needs_libc_only
runs_client_static() {
    "$cc" "${flags[@]}" -fno-lto $(pkg-config --cflags weir-client) \
        "$root/examples/client/checkpoint.c" "$libdir/libweir-client.a" -o checkpoint_static &&
        ./checkpoint_static saved
}
it "its archive does so too" runs_client_static

names_only_ours() { ! nm -g --defined-only "$libdir/$1" | grep ' [A-Z] ' | grep -v ' weir_'; }
for archive in libweir.a libweir-client.a; do
    it "$archive defines no names but weir_*" names_only_ours $archive
done

serves_cxx() {
    echo '#include <weir/client.h>
          #include <weir/simulate.h>
          int main() { weir_scenario_free(weir_scenario_parse("", 0, 0)); return weir_less(2, 1); }' >x.cpp
    g++ -std=c++11 -Wall -Wextra -Wpedantic -Werror x.cpp $(pkg-config --cflags --libs weir) -o x &&
        ./x
}
if command -v g++ >/dev/null; then
    it "the headers serve C++" serves_cxx
fi

runs_plugin() {
    "$cc" "${flags[@]}" -shared -fPIC $(pkg-config --cflags weir) "$1" -o plugin.so &&
        "$weir" simulate "$root/examples/quickstart.yaml" --policy ./plugin.so --check
}
for plugin in "$root"/examples/plugin/*.c; do
    [ -f "$plugin" ] || continue
    it "the program runs the plug-in $(basename "$plugin")" runs_plugin "$plugin"
done

preloads() {
    "$weir" serve --bandwidth 1GB/s --socket "$scratch/socket" 2>ready &
    soon answers "$scratch/socket"
    "$weir" exec --socket "$scratch/socket" -- sh -c 'echo "$LD_PRELOAD"' >loaded 2>err
    kill $! && wait $!
    cat err && [ ! -s err ] && grep -Fx "$libdir/libweir-preload.so" loaded
}
it "the program loads its library into others" preloads

same_version() {
    [ "$("$weir" --version | grep -o '[0-9][0-9.]*')" = "$(pkg-config --modversion weir)" ]
}
it "program and pkg-config file are of one version" same_version

# With whatever there is to show it.
render() {
    if command -v mandoc >/dev/null; then
        mandoc -T ascii "$1"
    elif command -v man >/dev/null && command -v groff >/dev/null; then
        MANWIDTH=80 man --warnings -l "$1"
    else
        cat "$1"
    fi
}
has_manual() {
    page=$prefix/share/man/man1/weir.1
    grep '^\.TH WEIR 1' "$page" && render "$page" >shown 2>warnings && grep simulate shown &&
        [ ! -s warnings ] || { cat warnings; return 1; }
}
it "the manual is there, and can be read" has_manual
has_pages() {
    local name
    "$weir" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' >names && [ "$(wc -l <names)" -gt 20 ] || return
    while read -r name; do
        page=$prefix/share/man/man1/weir-$name.1
        grep "^\.TH WEIR-$name 1" "$page" && render "$page" >shown 2>warnings &&
            grep "weir $name" shown && [ ! -s warnings ] || { cat warnings; return 1; }
    done <names
}
it "every command has a page of its own" has_pages

# Nothing tells it where the library is.
runs_python() {
    local package
    package=$(dirname "$(dirname "$(find "$prefix" -name _library.py)")")
    [ -e "$package/weir/py.typed" ] &&
        env -u LD_LIBRARY_PATH PYTHONPATH="$package" PYTHONDONTWRITEBYTECODE=1 python3 -c '
import weir
print(weir.simulate(weir.generate("jupiter"), "fcfs")[0]["sys_efficiency"])
'
}
if command -v python3 >/dev/null && ! ldd "$weir" | grep -q 'lib[at]san'; then
    it "Python finds the package and the package the library" runs_python
fi

keeps_quiet() { ! grep -rlF -e "$WEIR_BUILD_DIR" -e "$root/" "$prefix"; }
it "no installed file says where it was built" keeps_quiet

finish
