#!/bin/bash
# The Debian packages, assembled from what is built: what each has, and what lintian says.
. "$(dirname "$0")/../cli/common.sh"
for tool in dh dh_python3 lintian dpkg-deb; do
    command -v $tool >/dev/null || { echo "no $tool: skipped"; exit 77; }
done

export DEB_BUILD_OPTIONS=noautodbgsym COMPRESS="-Zgzip -z1"
"$root/tools/packages" "$WEIR_BUILD_DIR" "$scratch/made" >log 2>&1 || { cat log; exit 1; }
mv made/*.deb .
libdir=$(sed -n 's/^CMAKE_INSTALL_LIBDIR:[A-Z]*=//p' "$WEIR_BUILD_DIR/CMakeCache.txt")

packages=$(sed -n 's/^Package: //p' "$root/debian/control")
version=$(sed -n 's/^project(weir VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
made() { for name in $packages; do ls "${name}_${version}"_*.deb || return; done; }
it "makes a package of the program's version for every role" made
has() { dpkg-deb -c "$1"_*.deb | grep -E " \\./$2\$" >/dev/null || { dpkg-deb -c "$1"_*.deb | head; false; }; }
it "weir has the program" has weir usr/bin/weir
it "weir has the manual" has weir usr/share/man/man1/weir.1.gz
it "weir has the completion" has weir usr/share/bash-completion/completions/weir
it "weir-controller has its unit" has weir-controller lib/systemd/system/weir.service
it "weir-controller has its configuration" has weir-controller etc/weir.yaml
it "weir-controller rotates its journal" has weir-controller etc/logrotate.d/weir-controller
it "weir-agent has its unit" has weir-agent lib/systemd/system/weir-agent.service
it "weir-agent has its settings" has weir-agent etc/default/weir-agent
it "libweir-preload has the library" has libweir-preload usr/$libdir/libweir-preload.so
it "weir-slurm has the plug-in where docs/reference/slurm.md says" has weir-slurm "usr/$libdir/weir/spank_weir.so"
it "libweir2 has the library" has libweir2 "usr/$libdir/libweir.so.2.*"
it "libweir-dev has the header" has libweir-dev usr/include/weir/policy.h
it "python3-weir has the package" has python3-weir 'usr/lib/python3/dist-packages/weir/__init__.py'
it "weir-doc has the documents" has weir-doc 'usr/share/doc/weir/docs/reference/live.md(.gz)?'
it "weir-doc has the alerts" has weir-doc 'usr/share/doc/weir/contrib/prometheus/weir.rules.yml(.gz)?'

# What the units start is what the packages have.
mkdir all
for deb in *.deb; do dpkg-deb -x "$deb" all; done
starts_what_is_there() {
    grep -h '^Exec' all/lib/systemd/system/*.service | grep -oE '/(usr|bin)[^ ]*' | sort -u | while read -r path; do
        [ -e "all$path" ] || [ -e "$path" ] || { echo "$path is missing"; exit 1; }
    done
}
it "units start what is installed" starts_what_is_there
observes() { # with a store that is there
    sed "s#/scratch#$scratch#; s#/var/lib/weir#$scratch#" all/etc/weir.yaml >weir.yaml
    exits 0 serve --config ../weir.yaml --socket "$scratch/s" --check-config && grep -q "observes" out
}
it "the configuration observes" observes
below_four() {
    systemd-analyze security --offline=true --threshold=40 "all/lib/systemd/system/$1.service" >security 2>&1 || { tail -n 2 security; false; }
}
if command -v systemd-analyze >/dev/null; then
    it "weir.service is exposed below 4" below_four weir
    it "weir-agent.service is exposed below 4" below_four weir-agent
fi
satisfies_lintian() {
    # The maintainers have no address: a site that publishes packages puts its own.
    lintian --fail-on error --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog *.deb >lint 2>&1 || { grep '^E' lint; false; }
}
it "lintian finds no errors" satisfies_lintian
finish
