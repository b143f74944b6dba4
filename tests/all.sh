#!/usr/bin/env bash
# All that must pass before anything lands: the checks, the tests of every tier but that of the table's second
# engine, each bench once, a minute of chaos, one of hostile calls and the synthesis of the stacks.
# Each of those that are begun here is a group of processes, so that it ends whole. With the name of a job it is
# that part of it, as a pipeline runs them beside one another on machines of their own.
set -euom pipefail
cd "$(dirname "$0")/.."

names=()
groups=()
trap '[ ${#groups[@]} = 0 ] || kill -- "${groups[@]/#/-}" 2>/dev/null || true' EXIT

# Runs a command beside others: <name> <command…>. Its words are kept until its end: between those of others
# nobody finds what has failed.
beside() {
  "${@:2}" </dev/null >".build/$1.log" 2>&1 &
  names+=("$1")
  groups+=($!)
}

# Waits until all that run side by side have ended, prints what each has printed, and fails if one has failed.
# What failed comes last: of a long output the end is what is read.
together() {
  local failed=() index name
  for index in "${!groups[@]}"; do
    name="${names[$index]}"
    if wait "${groups[$index]}"; then tell "$name"; else failed+=("$name"); fi
  done
  names=()
  groups=()
  [ ${#failed[@]} = 0 ] && return
  for name in "${failed[@]}"; do tell "$name"; done
  echo "Failed: ${failed[*]}" >&2
  exit 1
}

tell() {
  echo "::: $1"
  cat ".build/$1.log"
}

# What functions have called in other jobs is judged with it: a pipeline brings it from there.
infra() {
  local calls=(.build/calls-*.jsonl)
  [ ! -e "${calls[0]}" ] || cat "${calls[@]}" >.build/calls.jsonl
  npm run test:infra && npm run bench -- --smallest
}

# Its first two wait for most of a minute each, the others have no deadlines.
hostility() {
  npm run chaos -- --seconds 60 && npm run fuzz -- --seconds 60 && npm run client && npm run synth
}

mkdir -p .build
case "${1:-all}" in
  all) ;;
  check) exec npm run check ;;
  test) exec npm test ;;
  tools) exec npm run test:tools ;;
  crash)
    npm run test:crash
    hostility
    exit
    ;;
  infra)
    infra
    exit
    ;;
  engine) exec npm run test:engine ;;
  *)
    echo "There is no job $1. The jobs are check, test, tools, crash, infra and engine." >&2
    exit 1
    ;;
esac
npm run check
npm test
npm run test:tools
# Each has data of its own, and what the first two tiers have called is judged by that of the deployment: so
# after them, side by side. Two rows work, as there are two cores, beside one that mostly waits: calls have
# deadlines, which more would run them into.
beside crash npm run test:crash
beside infra infra
beside hostility hostility
together
echo "All passed in $SECONDS seconds."
