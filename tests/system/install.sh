#!/usr/bin/env bash
# Tests the files of `cmake --install`, used alone: header, library, program and manual pages.
#
#   install.sh SOURCES BUILD CC CXX
set -euo pipefail
sources=$1 build=$2 cc=$3 cxx=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset TANDEM_ROOT

fail() {
  echo "$*" >&2
  exit 1
}

flock "$build/.lock" ninja -C "$build" installable >"$work/log" || fail "$(cat "$work/log")"

# Installed under one name and used under another one, which nothing in it knows.
first=/usr/local/tandem
prefix=$work/moved
DESTDIR=$work/stage cmake --install "$build" --prefix $first >"$work/log"
mv "$work/stage$first" "$prefix"
lib=$(dirname "$(find "$prefix" -name libtandem.a)")
for file in bin/tandem include/tandem.h share/man/man1/tandem.1 share/tandem/tests/kernels/bfs/bfs.cl; do
  [[ -e $prefix/$file ]] || fail "$file is not installed"
done

echo "paths"
if grep -rIlF -e "$sources" -e "$build" -e "$first" -e "$work" "$prefix"; then
  fail "these name folders that a user does not have"
fi
# Only the data of binaries is searched: debuggers may know the sources, and assertions of the RTL and
# of its models give their place.
for file in "$prefix/bin/tandem" "$lib/libtandem.a"; do
  if strings -d "$file" | grep -F -e "$build" -e "$sources" -e "$first" | grep -vE '/rtl/.*\.(sv|cpp)$'; then
    fail "$file names folders that a user does not have"
  fi
done

echo "header"
header=$prefix/include/tandem.h
if grep '^ *# *include' "$header" | grep -vE '<std(bool|def|int)\.h>'; then
  fail "tandem.h includes more than standard headers"
fi
echo '#include <tandem.h>' >"$work/alone.c"
strict=(-Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$prefix/include")
"$cc" -std=c11 -Wstrict-prototypes "${strict[@]}" "$work/alone.c"
"$cxx" -std=c++17 "${strict[@]}" -x c++ "$work/alone.c"
error_of() { sed -n '/^struct tandem_error {/,/^}/p' "$1"; }
diff <(error_of "$header") <(error_of "$sources/csim/util/error.h") ||
  fail "struct tandem_error is not the same in tandem.h and csim/util/error.h"

echo "names"
# Mangled names, which are the C++ library's, cannot clash with others.
nm -g --defined-only "$lib/libtandem.a" | awk 'NF == 3 && $3 !~ /^_Z/ { print $3 }' | sort >"$work/names"
grep -oE '\btandem_[a-z_]+\(' "$header" | tr -d '(' | sort -u | diff "$work/names" - ||
  fail "the library's names are not those that tandem.h declares"

echo "example"
mkdir "$work/user"
cp "$sources/tests/system/example.c" "$sources/tests/system/programs/scale.cl" "$work/user"
cd "$work/user"
export PKG_CONFIG_PATH=$lib/pkgconfig
read -ra flags < <(pkg-config --cflags --libs --static tandem)
"$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror example.c -o example "${flags[@]}"
XDG_CACHE_HOME=$work/cache ./example scale.cl >told
echo 'int main() { return tandem_version() == nullptr; }' >>"$work/alone.c"
"$cxx" -std=c++17 -x c++ "$work/alone.c" -x none -o alone "${flags[@]}"
./alone
diff told <("$build/tests/system/example" scale.cl) || fail "the example does not do what it does in the tree"

echo "program"
export XDG_CACHE_HOME=$work/cache
[[ $("$prefix/bin/tandem" --version) == "tandem $(pkg-config --modversion tandem)" ]] ||
  fail "program and library have different versions"
"$prefix/bin/tandem" compile scale.cl
arguments=(--grid 8 --block 128 --arg buffer:f32:1000:range --arg f32:2 --arg s32:1000)
"$prefix/bin/tandem" run "${arguments[@]}" scale.img >told
grep '^ok: ' told || fail "the program does not run a kernel"
"$prefix/bin/tandem" run >told
grep '^ok: ' told || fail "the program does not run its own kernel"
[[ ! -e $work/cache ]] || fail "models that are shipped were made"
"$prefix/bin/tandem" run --warp-size 128 >told
grep '^ok: ' told || fail "an installed Tandem does not make a model"
[[ $(ls "$work/cache/tandem") == *WarpSize=128* ]] || fail "the model is not in the cache"
"$build/bin/tandem" run --warp-size 128 >told || fail "a clone cannot use the cache of an installed Tandem"
# A model that is shipped and damaged is made anew.
truncate -s 5000 "$prefix"/lib/tandem/models/cta_dispatch.plain.*
"$prefix/bin/tandem" run >told || fail "a damaged model that is shipped is not made anew"
refused() {
  local said status=0
  said=$("${@:2}" 2>&1) || status=$?
  [[ $status == 2 && $said == *"$1"* ]] || fail "\`${*:2}\` ends with $status: $said"
}
refused "set TANDEM_ROOT to the folder of Tandem's sources" "$prefix/bin/tandem" synth decode
mv "$prefix/share/tandem" "$work/gone"
refused "$prefix/share/tandem has no rtl" "$prefix/bin/tandem" run "$sources/tests/kernels/vecadd/vecadd.yaml"
refused "$prefix/share/tandem/tests/kernels" "$prefix/bin/tandem" run --engine ref

echo "manual pages"
for command in $("$prefix/bin/tandem" --help | sed -nE 's/^  ([a-z]+) .*/\1/p'); do
  [[ -e $prefix/share/man/man1/tandem-$command.1 ]] || fail "$command has no manual page"
done
grep -q 'regroup' "$prefix/share/man/man1/tandem-run.1" || fail "tandem-run.1 lacks options"
if command -v man >/dev/null; then
  for page in "$prefix"/share/man/man1/*.1; do
    said=$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -l -Tutf8 -Z "$page" 2>&1 >"$work/page")
    [[ ! $said && -s $work/page ]] || fail "$page: $said"
  done
fi
