# A root for `tandem` in $work/tree whose programs of tests are stubs.  Sourced after suites.sh.

# stub_random COMMANDS: the random programs run these commands of the shell, and have no results to show.
stub_random() {
  local part
  mkdir -p "$work"/tree/{experiments,build/tests/{random,unit}}
  for part in rtl harness csim synth tests gpus; do ln -sfn "$sources/$part" "$work/tree/$part"; done
  {
    printf '#!/bin/sh\nfor w; do case $w in --json=*) echo "{}" >"${w#--json=}" ;; esac; done\n'
    echo "$1"
  } >"$work/tree/build/tests/random/random_run"
  chmod +x "$work/tree/build/tests/random/random_run"
  export TANDEM_ROOT=$work/tree
}
