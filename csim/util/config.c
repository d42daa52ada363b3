/* Defaults, ranges and messages of configuration keys, from their tables. */
#include "csim/util/config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *const config_switch[] = {"false", "true", NULL};

uint64_t config_get(const struct config_key *k, const void *config) {
  const char *at = (const char *)config + k->offset;
  uint32_t word;
  uint64_t value;
  if (k->size == 1)
    return *(const uint8_t *)at;
  if (k->size == sizeof word) {
    memcpy(&word, at, sizeof word);
    return word;
  }
  memcpy(&value, at, sizeof value);
  return value;
}

void config_put(const struct config_key *k, void *config, uint64_t value) {
  char *at = (char *)config + k->offset;
  const uint32_t word = (uint32_t)value;
  if (k->size == 1)
    *(uint8_t *)at = (uint8_t)value;
  else if (k->size == sizeof word)
    memcpy(at, &word, sizeof word);
  else
    memcpy(at, &value, sizeof value);
}

void config_default(const struct config_key *keys, size_t n, void *config) {
  for (size_t i = 0; i < n; i++)
    config_put(&keys[i], config, keys[i].standard);
}

static uint64_t words(const struct config_key *k) {
  uint64_t n = 0;
  while (k->names[n] != NULL)
    n++;
  return n;
}

bool config_takes(const struct config_key *k, uint64_t value) {
  if (k->names != NULL)
    return value < words(k);
  return value >= k->low && value <= k->high && !(k->power && (value & (value - 1)) != 0);
}

/* Large limits are those of a type: as 2^63 - 1. */
static int put_limit(char *text, size_t size, uint64_t v) {
  const unsigned bits = v == UINT64_MAX ? 64 : (unsigned)__builtin_popcountll(v);
  if (v >= UINT32_MAX && (v & (v + 1)) == 0)
    return snprintf(text, size, "2^%u - 1", bits);
  return snprintf(text, size, "%" PRIu64, v);
}

/* "a, b or c" of the n-th of count items. */
static const char *joint(uint64_t n, uint64_t count) {
  return n == 0 ? "" : n + 1 == count ? " or " : ", ";
}

enum { LISTED = 4 /* powers of two that are listed one by one */ };

void config_range(const struct config_key *k, char *text, size_t size) {
  size_t at = 0;
  const uint64_t count = k->names != NULL ? words(k)
                         : k->power
                             ? (uint64_t)(__builtin_ctzll(k->high) - __builtin_ctzll(k->low)) + 1
                             : 0;
  if (k->names == NULL && k->low == k->high) {
    snprintf(text, size, "%" PRIu64, k->low);
  } else if (k->names != NULL || (k->power && count <= LISTED)) {
    for (uint64_t i = 0; i < count && at < size; i++)
      at += (size_t)(k->names != NULL
                         ? snprintf(text + at, size - at, "%s%s", joint(i, count), k->names[i])
                         : snprintf(text + at, size - at, "%s%" PRIu64, joint(i, count),
                                    k->low << i));
  } else {
    char low[24], high[24];
    put_limit(low, sizeof low, k->low);
    put_limit(high, sizeof high, k->high);
    snprintf(text, size, "%s%s to %s", k->power ? "a power of two, " : "", low, high);
  }
}

void config_value(const struct config_key *k, uint64_t value, char *text, size_t size) {
  if (k->names != NULL && value < words(k))
    snprintf(text, size, "%s", k->names[value]);
  else
    snprintf(text, size, "%" PRIu64, value);
}

int config_refuse(const struct config_key *k, const char *what, const char *value,
                  struct tandem_error *err) {
  char name[96], range[160];
  snprintf(name, sizeof name, "%s%s%s", k->section, *k->section != '\0' ? "." : "", k->name);
  config_range(k, range, sizeof range);
  return tandem_fail(err, -EINVAL, "%s must be %s%s%s, not %s", what != NULL ? what : name, range,
                     *k->unit != '\0' ? " " : "", k->unit, value);
}

int config_check(const struct config_key *keys, size_t n, const void *config,
                 struct config_about *about, struct tandem_error *err) {
  for (const struct config_key *k = keys; k < keys + n; k++) {
    const uint64_t value = config_get(k, config);
    char text[32];
    if (config_takes(k, value))
      continue;
    if (about != NULL)
      *about = (struct config_about){k->section, {k->name}};
    config_value(k, value, text, sizeof text);
    return config_refuse(k, NULL, text, err);
  }
  return 0;
}

int config_broken(const struct config_key *keys, size_t n, const void *config, const char *section,
                  const char *text, const char *const *names, struct config_about *about,
                  struct tandem_error *err) {
  char values[160] = "";
  size_t at = 0;
  struct config_about these = {section, {NULL}};
  for (size_t i = 0; names[i] != NULL && i < 4; i++) {
    these.key[i] = names[i];
    for (const struct config_key *k = keys; k < keys + n; k++)
      if (strcmp(k->section, section) == 0 && strcmp(k->name, names[i]) == 0 && at < sizeof values)
        at += (size_t)snprintf(values + at, sizeof values - at, "%s%s %" PRIu64, i != 0 ? ", " : "",
                               k->name, config_get(k, config));
  }
  if (about != NULL)
    *about = these;
  return tandem_fail(err, -EINVAL, "%s: %s, not with %s", section, text, values);
}
