#!/bin/sh
# Manual pages, made by help2man of what the program prints of itself:
#
#   manual.sh HELP2MAN PROGRAM VERSION FOLDER
#
# writes FOLDER/tandem.1, and FOLDER/tandem-COMMAND.1 of each command that `tandem --help` lists.
set -eu
help2man=$1 program=$2 version=$3 folder=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# page EXECUTABLE TEXT: its basename is the page's; $work/more has further sections.
page() {
  "$help2man" --no-info --section=1 --manual=Tandem --source="Tandem $version" \
    --version-string="$version" --name="$2" --include="$work/more" \
    --output="$folder/$(basename "$1").1" "$1"
}

mkdir -p "$folder"
rm -f "$folder"/*.1
"$program" --help | grep '^  [a-z]' >"$work/commands"
{
  cat <<END
[environment]
.TP
TANDEM_ROOT
folder of Tandem's sources, which the command synth needs and an installed program does not have
[see also]
END
  while read -r command _; do printf '.BR tandem-%s (1)\n' "$command"; done <"$work/commands"
} >"$work/more"
page "$program" "run OpenCL kernels on a simulated GPU whose front ends are RTL"

printf '[see also]\n.BR tandem (1)\n' >"$work/more"
while read -r command text; do
  # help2man asks an executable, not one with arguments.
  printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$program" "$command" >"$work/tandem-$command"
  chmod +x "$work/tandem-$command"
  page "$work/tandem-$command" "$text"
done <"$work/commands"
