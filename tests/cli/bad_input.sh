#!/bin/bash
# Bad input: one clear line on stderr that says what and where, exit code 2, no partial file.
. "$(dirname "$0")/common.sh"

# write NAME TEXT: a file in the scratch directory; $file is its full path.
write() {
    file=$scratch/$1
    printf '%b' "$2" >"$file"
}

# application NAME KEYS: a scenario in which the keys of an application stand in line 4.
application() {
    write "$1" "platform: {nodes: 10, node_bandwidth: 1 GB/s, bandwidth: 2 GB/s}
applications:
  - {name: one, nodes: 4, work: 10, io: 1 GB, iterations: 3}
  - {name: two, $2}\n"
}

outputs=(--gantt out.svg --trace out.json)
good=$root/examples/quickstart.yaml

# --- files -------------------------------------------------------------------------------------
it "names a missing file" refuses "nowhere.yaml" simulate nowhere.yaml "${outputs[@]}"
it "names a missing file among good ones" refuses "nowhere.yaml" simulate "$good" nowhere.yaml
endless() { timeout 60 "$weir" simulate /dev/zero 2>&1 | grep 'weir: /dev/zero: not a text'; }
[ ! -c /dev/zero ] || it "refuses a device that never ends" endless
it "refuses a directory" refuses "$scratch" simulate "$scratch" "${outputs[@]}"
if [ "$(id -u)" -ne 0 ]; then
    echo "applications: []" >unreadable.yaml
    chmod 000 unreadable.yaml
    it "names an unreadable file" refuses "unreadable.yaml" simulate "$scratch/unreadable.yaml"
fi
write empty.yaml ""
it "refuses an empty file" refuses "empty.yaml" simulate "$file"
write broken.yaml 'platform: {nodes: 10\n'
it "says in which line YAML is broken" refuses "broken.yaml:2" simulate "$file"

# --- numbers -----------------------------------------------------------------------------------
application nan.yaml "nodes: 4, work: nan, io: 1 GB"
it "refuses NaN and says where" refuses "nan.yaml:4" simulate "$file" "${outputs[@]}"
application infinite.yaml "nodes: 4, work: .inf, io: 1 GB"
it "refuses an infinite number" refuses "infinite.yaml:4" simulate "$file"
application negative.yaml "nodes: 4, work: 10, io: -1 GB"
it "refuses a negative volume and says where" refuses "negative.yaml:4" simulate "$file"
application overflow.yaml "nodes: 4, work: 1e999, io: 1 GB"
it "refuses a number that overflows" refuses "overflow.yaml:4" simulate "$file"
application large.yaml "nodes: 4, work: 10, io: 1e308 GB"
it "refuses a quantity that overflows with its unit" refuses "large.yaml:4" simulate "$file"
application unit.yaml "nodes: 4, work: 10 GB, io: 1 GB"
it "says what was expected instead of a wrong unit" refuses "a time such as" simulate "$file"
application zero.yaml "nodes: 0, work: 10, io: 1 GB"
it "refuses an application on no nodes" refuses "zero.yaml:4" simulate "$file"
application wide.yaml "nodes: 11, work: 10, io: 1 GB"
it "refuses an application with more nodes than the platform" refuses "two" simulate "$file"
write bandwidth.yaml 'platform: {nodes: 10, node_bandwidth: 1 GB/s, bandwidth: 0}
applications: [{name: one, nodes: 4, work: 10, io: 1 GB}]\n'
it "refuses a file system without bandwidth" refuses "bandwidth.yaml" simulate "$file"
it "refuses --bandwidth 0" refuses "--bandwidth" simulate "$good" --bandwidth 0 "${outputs[@]}"
it "refuses --bandwidth nan" refuses "--bandwidth" simulate "$good" --bandwidth nan
it "refuses a negative --bandwidth" refuses "--bandwidth" simulate "$good" --bandwidth=-3GB/s
it "refuses --bandwidth in seconds" refuses "a bandwidth such as" simulate "$good" --bandwidth 3s
it "refuses --nodes 0" refuses "--nodes" simulate "$good" --nodes 0
it "refuses a seed that is no whole number" refuses "--seed" simulate "$good" --seed 1.5
it "refuses a seed that overflows" refuses "--seed" simulate "$good" --seed 99999999999999999999

# --- structure ---------------------------------------------------------------------------------
write none.yaml 'platform: {nodes: 10, bandwidth: 1 GB/s}\n'
it "refuses a scenario without applications" refuses "applications" simulate "$file"
write list.yaml 'platform: {bandwidth: 1}\napplications: []\n'
it "refuses an empty list of applications" refuses "list.yaml" simulate "$file"
application misspelt.yaml "nodes: 4, wrok: 10, io: 1 GB"
it "suggests the nearest key for a misspelt one" refuses "work" simulate "$file"
application twice.yaml "nodes: 4, nodes: 4, work: 10, io: 1 GB"
it "refuses a key given twice" refuses "twice.yaml:4" simulate "$file"

# --- other formats -----------------------------------------------------------------------------
write nan.set '10 5 4\nnan 5 4\n'
it "says in which line of a set NaN stands" \
    refuses "nan.set:2" simulate --format set --bandwidth 3GB/s "$file"
write short.txt 'a 1 0 0 0 2 0 W 1\n'
it "says in which line of an instance phases are missing" \
    refuses "short.txt:1" simulate --format instance --bandwidth 1 "$file"
it "refuses an unknown format" refuses "yml" simulate --format yml "$good"

# --- strategies --------------------------------------------------------------------------------
it "suggests the nearest strategy" \
    refuses "fair-share" simulate "$good" --policy fair-shair "${outputs[@]}"
it "refuses a min_yield without a window" refuses "needs a window" bound "$good" --min-yield 0.5
it "refuses a min_yield above 1" \
    refuses "is not above 0 and at most 1" bound "$good" --window auto --min-yield 1.5
it "refuses to blame users that are unknown" refuses "no application has the key 'user'" blame "$good" --by user
it "refuses to blame what is unknown" refuses "job" blame "$good" --by job
it "refuses checkpoints of nothing" refuses "either --application NAME or --all" checkpoint "$good" --mtbf 1h
it "refuses checkpoints without failures" refuses "missing --mtbf" checkpoint "$good" --all
it "refuses checkpoints of an unknown application" \
    refuses "no application is named 'x'" checkpoint "$good" --application x --mtbf 1h
it "refuses an objective that is none" refuses "speed" recommend "$good" --objective speed
# Only what is wrong with an option names the command, not a file whose name looks like one.
odd_file() {
    echo 'platform: {bandwidth: fast}' >work/--odd.yaml && (cd work && ! "$weir" simulate -- --odd.yaml) 2>err
    cat err
    grep -q '^weir: --odd.yaml:1: ' err
}
it "takes no file for an option" odd_file
it "refuses to recommend by one run" refuses "expected 2 to" recommend "$good" --seeds 1
it "suggests the nearest parameter" refuses "level" simulate "$good" --policy floor:levl=0.5
it "refuses a parameter out of range" refuses "level" simulate "$good" --policy floor:level=7
it "refuses a parameter that is NaN" refuses "level" simulate "$good" --policy floor:level=nan
it "suggests the nearest choice" refuses "johnson" simulate "$good" --policy list:order=jonson
it "names a plug-in that is not there" refuses "nowhere.so" simulate "$good" --policy ./nowhere.so
it "asks for the path of a plug-in" refuses "'./latest.so'" simulate "$good" --policy latest.so
it "asks for it with parameters too" refuses "'./a.so'" simulate "$good" --policy a.so:level=1
echo "no library" >"$scratch/text.so"
it "refuses a plug-in that is no shared object" \
    refuses "text.so" simulate "$good" --policy "$scratch/text.so"
write old.c '#include <weir/policy.h>
static void decide(void *s, const struct weir_view *v, struct weir_grants *g)
{
    (void)s, (void)v, (void)g;
}
const struct weir_policy_ops weir_policy = {
    .abi = WEIR_POLICY_ABI + 1, .name = "old", .decide = decide};\n'
if ${CC:-cc} -shared -fPIC -I"$root/include" -o "$scratch/old.so" "$file"; then
    it "refuses a plug-in of another version" \
        refuses "version" simulate "$good" --policy "$scratch/old.so" "${outputs[@]}"
fi

# --- usage -------------------------------------------------------------------------------------
it "refuses to simulate nothing" refuses "FILE" simulate
it "suggests the nearest option" refuses "--policy" simulate "$good" --polcy fcfs
it "suggests the nearest command" refuses "simulate" simulat "$good"
it "refuses a seed given twice" refuses "--seed is given twice" simulate "$good" --seed 1 --seed 2
it "refuses a strategy given twice where one is taken" \
    refuses "--policy is given twice" map "$root/examples/jobs.yaml" --policy fcfs --policy=list
it "refuses a parameter of a strategy given twice" \
    refuses "'level' is given twice" simulate "$good" --policy floor:level=0.5,level=0.6
it "refuses a parameter of a family given twice" \
    refuses "'noise' is given twice" generate uniform --param noise=0.1 --param noise=0.2
it "refuses a set given twice" refuses "'set' is given twice" generate jupiter --set 1 --param set=2
it "refuses a file given twice, whatever its spelling" \
    refuses "--output is given twice" plan "$good" -o one.json --output two.json
it "wants a value where one is needed" refuses "--policy" simulate "$good" --policy
it "takes no value for a flag" refuses "--json" simulate "$good" --json=yes
it "refuses --json with --csv" refuses "exclude" simulate "$good" --json --csv
it "suggests the nearest measure" refuses "dilation" simulate "$good" --metrics makespan,dilaton
it "refuses a window that is none" refuses "--window" simulate "$good" --window sometime
it "refuses a window that ends before it starts" refuses "--window" simulate "$good" --window 9:3
it "refuses a picture in a directory that is not there" \
    refuses "nowhere/out.svg" simulate "$good" --policy fcfs --gantt nowhere/out.svg
it "does not mix a picture with JSON" refuses "only one of" simulate "$good" --policy fcfs --gantt - --json
it "does not mix the traces of several runs" refuses "one strategy only" simulate "$good" --trace -
it "does not mix the pictures of several scenarios" \
    refuses "one scenario only" simulate "$good" "$root/examples/traced.yaml" --gantt -
for picture in out.jpg out.tar.gz dir.png/out.txt; do
    it "refuses to draw $picture" refuses "ends with .svg, .png or .pdf" simulate "$good" --gantt $picture
done
printf '#!/bin/sh\nPATH=/nowhere exec "%s" "$@"\n' "$weir" >pathless && chmod +x pathless
without_converter() { weir=$scratch/pathless refuses "$@"; }
for picture in out.png out.PDF; do
    it "says what is missing to draw $picture" without_converter "librsvg2-bin" simulate "$good" --gantt $picture
done
it "refuses to draw the demonstration where it cannot" \
    refuses "nowhere/demo.svg" demo --gantt nowhere/demo.svg
it "refuses pictures that would replace each other" \
    refuses "two scenarios are named" simulate "$good" "$good" "${outputs[@]}"
it "refuses superfluous arguments" refuses "superfluous" policies superfluous
it "says how much too much load there is to divide" \
    refuses "1.765 times the bandwidth" partition "$root/examples/jupiter1.yaml"
many=(capacity "$good" --application analysis)
it "wants a limit" refuses "--max-stretch, --min-yield or --max-dilation" "${many[@]}"
it "wants one limit only" refuses "one limit" "${many[@]}" --max-stretch 2 --min-yield 0.5
it "refuses a stretch that nobody can have" refuses "never below 1" "${many[@]}" --max-stretch 0.9
it "refuses a yield that nobody can have" refuses "never above 1" "${many[@]}" --min-yield 1.1
it "refuses a limit that is none" refuses "--max-dilation" "${many[@]}" --max-dilation nan
it "suggests the nearest application" \
    refuses "did you mean 'analysis'" capacity "$good" --application analisys --max-stretch 2
it "wants to know which application" refuses "--application" capacity "$good" --max-stretch 2
it "has no stretch in a window" \
    refuses "--window none" "${many[@]}" --window auto --max-stretch 2
it "refuses to try no copies" refuses "--most" "${many[@]}" --max-stretch 2 --most 0
it "refuses to try too many copies" refuses "--most" "${many[@]}" --max-stretch 2 --most 4294967297
write same.yaml 'platform: {bandwidth: 1}
applications: [{name: a, bandwidth: 1, io: 1}, {name: a, bandwidth: 1, io: 2}]\n'
it "refuses a name that two applications have" \
    refuses "two applications are named 'a'" capacity "$file" --application a --max-stretch 2
it "describes nothing if one of the files is wrong" \
    refuses "nowhere.yaml" describe "$root/examples/quickstart.yaml" nowhere.yaml
it "suggests the nearest family" refuses "jupiter" generate jupter
it "refuses a set that was never published" refuses "1 to 10" generate jupiter --set 11 -o x.yaml
it "suggests the nearest parameter of a family" \
    refuses "pressure" generate synthetic --param presure=1
it "refuses parameters that do not go together" \
    refuses "small" generate synthetic --param applications=6 --param small=5 -o x.yaml
it "wants a file for many scenarios" refuses "--output" generate synthetic --count 3

# --- exec --------------------------------------------------------------------------------------
it "wants a command to run" refuses "expected -- COMMAND..." exec --name a
it "refuses a name with a slash" refuses "invalid name 'a/b'" exec --name a/b -- true
it "refuses an empty name" refuses "invalid name ''" exec --name '' -- true
it "refuses a socket's path that is too long" \
    refuses "expected at most 107" exec --socket "$(printf '%0200d' 0)" -- true
it "refuses no nodes" refuses "--nodes: '0' is not positive" exec --nodes 0 -- true

# --- serve, ctl --------------------------------------------------------------------------------
serve=(serve --bandwidth 1GB/s --socket ./socket)
it "wants to know what there is to share" refuses "missing --bandwidth RATE" serve
echo 'platform: {bandwidth: 1 GB/s, contention: 5 %}' >lossy.yaml
it "refuses to serve what it only simulates" \
    refuses "contention and health are simulated only" serve --config "$scratch/lossy.yaml"
it "refuses to serve a strategy that follows a plan without one" \
    refuses "follows a plan: expected 'plan:file=FILE'" "${serve[@]}" --policy plan
it "refuses to serve a plan that does not exist" \
    refuses "cannot read 'nowhere.json'" "${serve[@]}" --policy plan:file=nowhere.json
it "refuses an address that is none" \
    refuses "invalid address 'a:x': expected HOST[:PORT]" "${serve[@]}" --listen a:x
for address in "[::1" "[::1]7" "[localhost]" a:1:2 "a b" a/b a:70000 :7 ""; do
    it "refuses to listen at '$address'" \
        refuses "invalid address '$address': expected HOST[:PORT] or [IPV6]:PORT" \
        "${serve[@]}" --listen "$address" --check-config
done
it "refuses to listen at an address of another machine" \
    refuses "cannot listen at 192.0.2.1:9347: " "${serve[@]}" --listen 192.0.2.1 --check-config
it "refuses a socket where there is no directory" \
    refuses "cannot create the socket '/nowhere/at/all': No such file" \
    serve --bandwidth 1GB/s --socket /nowhere/at/all --check-config
it "refuses a socket in place of a file" \
    refuses "exists and is not a socket" serve --bandwidth 1GB/s --socket "$good" --check-config
it "refuses a weight that no controller takes" refuses "a weight is from 1e-6 to 1e6" ctl set weight 1e9
it "refuses operations that no controller takes" \
    refuses "operations per second are from 0.001 to 1e9" ctl set ops 1e-9
it "refuses a munged that is not there" \
    refuses "socket of munged '/nowhere/munge': No such file" \
    "${serve[@]}" --listen 127.0.0.1 --munge-socket /nowhere/munge --check-config
it "refuses a file as munged" \
    refuses "is not a socket: expected munged's" "${serve[@]}" --listen a --munge-socket "$good"
it "refuses a munged without agents" \
    refuses "--munge-socket needs --listen" "${serve[@]}" --munge-socket /run/munge/munge.socket.2
it "refuses a munged without a controller to ask" \
    refuses "--munge-socket needs --controller" status --munge-socket /run/munge/munge.socket.2
it "refuses to connect to port 0" \
    refuses "'a:0': expected a port from 1 to 65535" agent --controller a:0
it "refuses an empty name of a node" \
    refuses "invalid name '' of the node" agent --controller a --name ""
it "refuses a name of a node that would be cut" \
    refuses "is too long, expected --name NAME of at most 63 bytes" \
    agent --controller a --name "$(printf '%064d' 0)"
it "wants to know the controller of an agent" \
    refuses "missing --controller HOST[:PORT]" agent --socket ./socket
it "refuses a controller without a host" \
    refuses "invalid address ':7': expected HOST[:PORT]" agent --controller a,:7
it "wants to know where agents find the leader" \
    refuses "missing --listen ADDR[:PORT], where" "${serve[@]}" --leader etcd://a/b
for leader in etcd://a etcd://a/ etcd:///b http://a/b "etcd://a/b/c" etcd://a:0/n \
    etcd://a:1:2/n etcd://[::1/n ""; do
    it "refuses the leader '$leader'" refuses "invalid" "${serve[@]}" --listen a --leader "$leader"
done
it "refuses a leader's address that is none" \
    refuses "invalid address 'a:x': expected HOST[:PORT]" "${serve[@]}" --listen a --leader etcd://a:x/b
it "refuses a controller of an unknown user" \
    refuses "unknown user 'no such'" status --controller a --controller-user "no such"
it "refuses a store that is no absolute path" \
    refuses "'scratch' is not an absolute path" "${serve[@]}" --store scratch
it "refuses a store with a colon" refuses "without a colon" "${serve[@]}" --store /a:/b
it "refuses to listen at a path that is too long" \
    refuses "expected 1 to 107 bytes" serve --bandwidth 1GB/s --socket "$(printf '%0200d' 0)"
write long.yaml "platform: {bandwidth: 1 GB/s}\nlimits: [{name: $(printf '%0100d' 0), ops: 1}]\n"
it "refuses a limit for a name that no application can have" \
    refuses "is too long" serve --config "$file" --socket ./socket
it "suggests the nearest setting" refuses "did you mean 'bandwidth'" ctl set bandwith 1GB/s
it "says how to lift a limit" refuses "'none' removes a limit" ctl set limit 0
it "refuses what it cannot do" refuses "unknown action 'stop'" ctl stop
it "refuses a bandwidth without its unit" \
    refuses "20 B/s is below 1 kB/s; a unit such as in '20MB/s' may be missing" \
    serve --bandwidth 20 --socket ./socket
it "refuses a node's bandwidth without its unit" \
    refuses "node bandwidth: 5 B/s is below" "${serve[@]}" --node-bandwidth 5
write units.yaml "platform: {bandwidth: 20}\n"
it "refuses a configured bandwidth without its unit" \
    refuses "20 B/s is below 1 kB/s" serve --config "$file" --socket ./socket
write units.yaml "platform: {bandwidth: 1 GB/s}\nlimits: [{name: a, bandwidth: 20}]\n"
it "refuses a configured limit without its unit" \
    refuses "limits: 20 B/s is below 1 kB/s" serve --config "$file" --socket ./socket
it "refuses to set a bandwidth without its unit" refuses "20 B/s is below" ctl set bandwidth 20
it "refuses to set a limit without its unit" refuses "20 B/s is below" ctl set limit 20
it "refuses to set more than there can be" refuses "is above 1 PB/s" ctl set bandwidth 1e22
it "refuses a store that does not exist" \
    refuses "store '/no/such/store': No such file" "${serve[@]}" --store /no/such/store
it "refuses a store that is a file" \
    refuses "store '/etc/passwd' is not a directory" "${serve[@]}" --store /etc/passwd
it "refuses a setting for a user and a name" \
    refuses "exclude each other" ctl set limit 1MB/s --user root --application a
it "refuses a user that does not exist" refuses "unknown user 'no one'" \
    ctl set limit 1MB/s --user 'no one'
it "refuses a bandwidth of a user" refuses "--user has no effect on 'bandwidth'" \
    ctl set bandwidth 1MB/s --user root
it "refuses control that is neither" refuses "neither 'on' nor 'off'" ctl set control maybe
write users.yaml "platform: {bandwidth: 1 GB/s}\nlimits:\n  - {user: no one, ops: 5}\n"
it "names the line with an unknown user" \
    refuses "users.yaml:3: unknown user 'no one'" serve --config "$file" --socket ./socket
write both.yaml "limits:\n  - {user: root, name: a, ops: 5}\n"
it "names the line of a limit for a user and a name" \
    refuses "both.yaml:2: a limit applies to a name or a user" serve --config "$file"
write state "# title\nlimit 20\n"
it "names the line of a state that is broken, and what to do" \
    refuses "remove the file to continue without it: $file:2: " "${serve[@]}" --state "$file"
write state "# title\nbandwidth 1e9\npolicy nonsense\n"
it "names the line of a state with an unknown strategy" \
    refuses "$file:3: unknown strategy 'nonsense'" "${serve[@]}" --state "$file"
write state "policy plan:file=/no/such/plan\n"
it "names the line of a state with a plan that is gone" \
    refuses "$file:1: cannot read '/no/such/plan'" "${serve[@]}" --state "$file"
write state "# title\n#\0\nbandwidth 1e9\n"
it "names the line of a state that is no text" \
    refuses "$file:2: not a text" "${serve[@]}" --state "$file"
it "refuses a journal that cannot be written" \
    refuses "cannot create the journal '/no/such/journal'" "${serve[@]}" --journal /no/such/journal
it "refuses a cgroup that is none" \
    refuses "'/etc' is not a cgroup v2 directory" "${serve[@]}" --cgroup /etc --store /etc
config_refused() {
    printf 'platform: {bandwidth: 1 GB/s}\n%s\n' "$2" >"$scratch/odd.yaml"
    refuses "$1" serve --config "$scratch/odd.yaml" --socket "$scratch/odd.sock" --check-config
}
it "serves with no wait of 0" config_refused "expected a max_wait above 0" "max_wait: 0 s"
it "serves with no endless wait" config_refused "expected a max_wait above 0" "max_wait: 1e12 s"
it "serves with no endless pause" config_refused "expected a soft_release and a phase_gap" "phase_gap: 1e12 s"
it "serves with one limit of a kind" config_refused "the same key is given twice for a" \
    "limits: [{name: a, ops: 5}, {name: a, ops: 6}]"
it "keeps journal and state apart" refuses "journal and state are the same file" \
    "${serve[@]}" --journal "$scratch/both" --state "$scratch/both" --check-config
it "limits no application without a name" refuses "--application: invalid name ''" \
    ctl set limit 1MB/s --application "" --socket "$scratch/nowhere"
it "knows the store of a setting" refuses "--store: expected the path of a store" \
    ctl set bandwidth 1MB/s --store "" --socket "$scratch/nowhere"
it "shows at least one that has left" refuses "--last: expected at least 1" \
    status --last 0 --socket "$scratch/nowhere"
it "refuses a cgroup that does not exist" \
    refuses "cgroup '/no/such': No such file" "${serve[@]}" --cgroup /no/such --check-config
write cgroup.yaml "platform: {bandwidth: 1 GB/s}\ncgroup: /etc\n"
it "refuses a cgroup of the configuration too" \
    refuses "'/etc' is not a cgroup v2 directory" serve --config "$file" --check-config

finish
