# The texts that a unit's measurement is made of: for each start, a line "NAME FILE..." of standard input, lines
# "NAME<tab>FILE" of all files that it needs.  Arguments: the files that are looked at, "-" at the end.
#
# RTL needs the files of all modules and packages whose names stand in it.  C needs what it includes, and with a
# header x.h also x.c.  Others are not looked at.
{ sub(/\/\/.*/, "") }
FILENAME == "-" {
  n = split($0, start, " ")
  for (f in reached)
    delete reached[f]
  for (i = 2; i <= n; i++)
    reach(start[1], start[i])
  next
}
FNR == 1 {
  known[FILENAME] = 1
  if (FILENAME ~ /\.sv$/) {
    module = FILENAME
    gsub(/.*\/|\.sv$/, "", module)
    of[module] = FILENAME
  }
}
FILENAME ~ /\.sv$/ {
  n = split($0, word, /[^A-Za-z0-9_]+/)
  for (i = 1; i <= n; i++)
    if (word[i] != "" && !((FILENAME, word[i]) in has)) {
      has[FILENAME, word[i]] = 1
      words[FILENAME] = words[FILENAME] " " word[i]
    }
  next
}
/^#include "/ {
  included = $2
  gsub(/"/, "", included)
  words[FILENAME] = words[FILENAME] " " included
  if (sub(/\.h$/, ".c", included))
    words[FILENAME] = words[FILENAME] " " included
}
function reach(name, file,    i, n, word) {
  if (file in of)
    file = of[file]
  if (!(file in known) || file in reached)
    return
  reached[file] = 1
  print name "\t" file
  n = split(words[file], word, " ")
  for (i = 1; i <= n; i++)
    reach(name, word[i])
}
