# Common to the tests of suites: `tandem experiment` in a folder of its own.  Sourced with the arguments
# TANDEM SOURCES.
set -euo pipefail
tandem=$1 sources=$2
work=$(mktemp -d)
runner=
finish() {
  [[ ! $runner ]] || kill -9 "$runner" 2>wait.err || true
  rm -rf "$work"
}
trap finish EXIT
cd "$work"
programs=$sources/tests/system/programs

fail() {
  echo "$*" >&2
  [[ ! -e said ]] || cat said >&2
  exit 1
}
# expect STATUS TEXT WORD...: runs `tandem experiment WORD...`; its output has the text.
expect() {
  local status=0
  timeout 120 "$tandem" experiment "${@:3}" >said 2>&1 || status=$?
  [[ $status == "$1" ]] || fail "experiment ${*:3}: status $status, not $1"
  grep -qF -- "$2" said || fail "experiment ${*:3}: does not say: $2"
}
# state NAME STATUS: of a run of the suite s.yaml.
state() { grep -qE "^$2 .* $1\$" < <("$tandem" experiment s.yaml --results r.sqlite --list); }

# repository MESSAGE [OPTION...]: makes this folder a git repository of its own, with its files as the first commit.
repository() {
  export HOME=$work GIT_CONFIG_NOSYSTEM=1
  unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
  git init -q "${@:2}" .
  git config user.name test
  git config user.email test
  git config commit.gpgsign false
  git add -A
  git commit -qm "$1"
}

# await COMMAND: until it succeeds, ten seconds at most.
await() {
  local i
  for ((i = 0; i < 200; i++)); do
    ! eval "$1" >awaited 2>&1 || return 0
    sleep 0.05
  done
  return 1
}

# launch: a launch description; it runs a kernel n times, 1 if no parameter says more.
cp "$programs/faults.cl" .
launch() {
  printf 'program: faults.cl\nbuffers: [{name: a, type: u32, count: 64}]\nparameters: {n: 1}\n'
  printf 'steps:\n  - repeat:\n      times: =n\n      steps:\n'
  printf '        - launch: {kernel: fine, grid: [1], block: [32], args: [{buffer: a}, {u32: 64}]}\n'
}
