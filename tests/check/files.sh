# Sourced by the checks: sources of the tree matching the patterns given, one a line.
sources() {
  if git -C "$root" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git -C "$root" ls-files --cached --others --exclude-standard -- "$@"
  else
    local pattern names=()
    for pattern; do names+=(-o -path "./$pattern"); done
    (cd "$root" && find . -path './build*' -prune -o -type f \( "${names[@]:1}" \) -print | sed 's|^\./||')
  fi | sort | while read -r file; do [[ -e $root/$file ]] && echo "$file"; done
}

# The first of these programs that exists.
tool() {
  local name
  for name; do command -v "$name" && return 0; done
  echo "none of these is installed: $*" >&2
  exit 2
}
