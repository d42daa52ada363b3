# A root for `tandem` in $work/root whose programs of tests are stubs.  Sourced behind suites.sh.

# stub_random COMMANDS: the random programs run these commands of the shell, and have no results to show.
stub_random() {
  local part
  mkdir -p "$work"/root/{experiments,build/tests/{random,unit}}
  for part in rtl harness csim synth tests gpus; do ln -sfn "$sources/$part" "$work/root/$part"; done
  {
    printf '#!/bin/sh\nfor w; do case $w in --json=*) echo "{}" >"${w#--json=}" ;; esac; done\n'
    echo "$1"
  } >"$work/root/build/tests/random/random_run"
  chmod +x "$work/root/build/tests/random/random_run"
  export TANDEM_ROOT=$work/root
}
