#!/bin/bash
# `weir status`, `top` and `ctl` over the network, from any node, authenticated by MUNGE.
. "$(dirname "$0")/common_agents.sh"
cat >cluster.yaml <<YAML
platform: {bandwidth: 40 MB/s}
stores: [$scratch/store]
journal: $scratch/journal
cluster: {lease: 1 s, agent_user: 65534, munge_socket: $scratch/munge.sock}
YAML
start_munged || skip "munged does not start here"
start_controller
start_agent n1
soon is_connected n1
at=127.0.0.1:$port
asks() { "$weir" "$1" --controller "$at" --munge-socket "$scratch/munge.sock" "${@:2}"; }

it "shows what the controller's socket shows" eval \
    'asks status --json | sed "/\"age\"\|\"decisions\"/d" >far && status_of head | sed "/\"age\"\|\"decisions\"/d" >near && diff far near'
on n1 cfd bash -c "write cfd 40" & busy=$!
it "shows the programs of nodes" soon eval 'asks status | grep -q "cfd.*moving"'
it "shows them in weir top" eval 'asks top --once | grep -q "cfd"'
wait $busy
it "shows those that have left" soon eval 'asks status --finished | grep -q "cfd"'
it "takes the controller from the environment" eval \
    'WEIR_CONTROLLER=$at "$weir" status --munge-socket "$scratch/munge.sock" | grep -q "40 MB/s"'
it "changes settings" eval 'asks ctl set limit 10MB/s --application cfd | grep -q "fair-share"'
it "shows settings" eval 'asks ctl show | grep "^limit .*10 MB/s .*cfd"'
it "records that in the journal" soon grep -q '"event":"set".*"limit"' journal
cat >pair.yaml <<'YAML'
platform: {nodes: 2, bandwidth: 40 MB/s}
applications:
  - {name: even, nodes: 1, work: 0.5 s, io: 20 MB, iterations: 10}
  - {name: odd, nodes: 1, work: 0.3 s, io: 20 MB, iterations: 10}
YAML
"$weir" plan pair.yaml --search paper -o pair.json >/dev/null
mkdir elsewhere && mv pair.json elsewhere # where the controller does not look
it "sends a plan" eval '(cd elsewhere && asks ctl plan pair.json) | grep -q "^plan"'
it "keeps it at the controller" eval 'cmp elsewhere/pair.json head.sock.plan.*'
it "forgets it again" eval 'asks ctl unset policy && ! ls head.sock.plan.* 2>/dev/null'
it "refuses a plan that is none" \
    eval '! asks ctl plan pair.yaml 2>err && grep -q "weir: " err && ! ls head.sock.plan.* 2>/dev/null'
it "refuses bad settings with the reason" \
    eval '! asks ctl policy nonsense 2>err && grep -q "unknown strategy .nonsense" err'

# More than the buffers of a connection hold.
many=
for i in $(seq 150); do
    "$weir" exec --socket "$scratch/n1.sock" --name "job$i" -- sleep 60 & many="$many $!"
done
it "shows many applications" soon eval '[ "$(asks status --json | grep -c "\"name\": \"job")" = 150 ]'

# --- commands that misbehave ----------------------------------------------------------------------
stranger() { timeout 10 "$WEIR_BUILD_DIR/stranger" "$at" "$scratch/munge.sock" "$1" >"$1.out"; }
it "lets no program of another node attach" eval \
    'stranger attach; grep -q "programs attach at the agent of their node" attach.out && tail -1 attach.out | grep gone'
it "disconnects one that sends garbage" eval \
    'stranger garbage; grep -q REFUSED garbage.out && tail -1 garbage.out | grep gone'
it "disconnects one that asks again" eval \
    'stranger flood; tail -1 flood.out | grep gone && [ "$(grep -c STATUS flood.out)" -le 1 ]'
"$WEIR_BUILD_DIR/stranger" "$at" "$scratch/munge.sock" deaf >deaf.out & deaf=$!
soon grep -q connected deaf.out
it "answers others while one does not read" eval 'asks status | grep -q job150'
it "keeps serving programs" on n1 after bash -c "write after 1"
it "does not log what any user can cause" eval '! grep -q "disconnected" head.log'
kill -CONT $deaf
it "has disconnected it" soon eval 'tail -1 deaf.out | grep gone'
kill $many
wait $many $deaf 2>/dev/null

# --- users ----------------------------------------------------------------------------------------
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    theirs() { setpriv --reuid=65533 --clear-groups "$weir" "$1" --controller "$at" \
        --munge-socket "$scratch/munge.sock" "${@:2}"; }
    it "lets every user look" eval 'theirs status | grep -q "40 MB/s"'
    it "lets every user see the settings" eval 'theirs ctl show | grep -q "^limit"'
    it "lets only root and its own user change them" eval \
        '! theirs ctl policy fcfs 2>err && grep -q "only root and the user of the controller" err'
    it "does not take the word of an agent's user for it" eval \
        '! setpriv --reuid=65534 --clear-groups "$weir" ctl policy fcfs --controller "$at" \
            --munge-socket "$scratch/munge.sock" 2>err && grep -q "only root" err'
    it "changes nothing then" eval '! asks ctl show | grep -q fcfs'
    impostor() { # a controller of another user cannot read the question
        setpriv --reuid=65533 --clear-groups "$weir" serve --bandwidth 1GB/s --listen 127.0.0.1:0 \
            --munge-socket "$scratch/munge.sock" --socket "$scratch/impostor/socket" 2>impostor.log &
        daemons="$daemons $!"
        soon grep -q "agents connect to port" impostor.log || return 1
        ! "$weir" status --munge-socket "$scratch/munge.sock" \
            --controller "127.0.0.1:$(sed -n 's/.*to port //p' impostor.log)" 2>err &&
            grep -q "cannot connect" err
    }
    mkdir -m 777 impostor
    it "tells nothing to a controller of another user" impostor
fi

# --- faults ---------------------------------------------------------------------------------------
it "tells that no controller is there" eval \
    '! "$weir" status --controller 127.0.0.1:1 2>err && grep -q "127.0.0.1:1: cannot connect: connection refused" err'
it "tells that MUNGE is not there" eval \
    '! "$weir" status --controller $at --munge-socket /nonexistent 2>err && grep -q MUNGE err'
it "refuses an invalid address" eval \
    '"$weir" status --controller :7 2>err; [ $? -eq 2 ] && grep -q "invalid address" err'
it "refuses a socket and a controller" eval \
    '"$weir" top --controller a --socket b 2>err; [ $? -eq 2 ] && grep -q "exclude each other" err'
kill -STOP $head
it "does not wait for ever for a controller that hangs" eval \
    '! asks status 2>err && grep -q "it does not answer" err'
kill -CONT $head
it "goes on when it continues" eval 'asks status | grep -q "40 MB/s"'
# --- what is not etcd ------------------------------------------------------------------------------
if command -v python3 >/dev/null; then
    python3 -u -c 'import http.server as h
class Page(h.BaseHTTPRequestHandler):
    def do_POST(self):
        self.send_response(404); self.end_headers()
        self.wfile.write(b"<html>\n<head><title>not found</title></head>" + 3000 * b"x")
    def log_message(self, *rest): pass
server = h.HTTPServer(("127.0.0.1", 0), Page); print(server.server_port); server.serve_forever()' >web &
    daemons="$daemons $!"
    soon test -s web
    "$weir" serve --config cluster.yaml --listen 127.0.0.1:0 --socket "$scratch/web.sock" \
        --leader "etcd://127.0.0.1:$(cat web)/x" 2>web.log &
    daemons="$daemons $!"
    it "says that a web server is not etcd, without its page" \
        soon eval 'grep -q "not etcd: HTTP status 404, .<html>.$" web.log'
fi
finish
