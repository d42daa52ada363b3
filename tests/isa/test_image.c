/* Image files: there and back, and every kind of damage. */

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "csim/util/output.h"
#include "tests/isa/programs.h"
#include "tests/test.h"

static struct rng rng;

enum { HEADER = 20, CRC = 16 };

static char directory[] = "/tmp/tandem-image-XXXXXX";
static char path[64], missing[64]; /* in it; in a folder of it that is not there */

static int make_directory(void **state) {
  (void)state;
  if (mkdtemp(directory) == NULL)
    return -1;
  (void)snprintf(path, sizeof path, "%s/x.img", directory);
  (void)snprintf(missing, sizeof missing, "%s/none/x.img", directory);
  return 0;
}
static int remove_directory(void **state) {
  (void)state;
  (void)unlink(path);
  return rmdir(directory); /* fails if anything but the image was left */
}

static int write_image(const struct isa_program *p, const char *to, struct tandem_error *err) {
  struct output out;
  int status = output_open(&out, to, err);
  if (status == 0)
    status = isa_image_write(p, out.file, err);
  if (status == 0)
    return output_commit(&out, err);
  output_abandon(&out);
  return status;
}

TEST(round_trip) {
  struct rng r = rng;
  for (unsigned i = 0; i < 30; i++) {
    struct isa_program *p = random_program(&r), *again = NULL;
    struct tandem_error err = {{0}};
    if (write_image(p, path, &err) != 0 || isa_image_read(path, &again, &err) != 0)
      fail_msg("%s", err.text);
    assert_same_program(p, again);
    isa_program_free(again);
    isa_program_free(p);
  }
}

static uint8_t *contents(size_t *n) {
  struct stat status;
  assert_int_equal(stat(path, &status), 0);
  *n = (size_t)status.st_size;
  uint8_t *bytes = malloc(*n);
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  assert_int_equal(fread(bytes, 1, *n, f), *n);
  assert_int_equal(fclose(f), 0);
  return bytes;
}

static void store(const uint8_t *bytes, size_t n) {
  (void)unlink(path); /* some file systems flush what replaces an old content */
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(bytes, 1, n, f), n);
  assert_int_equal(fclose(f), 0);
}

/* Reads the stored image; true if it was accepted. */
static bool accepted(void) {
  struct isa_program *p = NULL;
  struct tandem_error err = {{0}};
  int rc = isa_image_read(path, &p, &err);
  if (rc == 0) {
    isa_program_free(p);
    return true;
  }
  assert_int_equal(rc, -EINVAL);
  assert_null(p);
  assert_true(err.text[0] != '\0');
  return false;
}

static uint8_t *image_of_random_program(struct rng *r, size_t *n) {
  struct isa_program *p = random_program(r);
  assert_int_equal(write_image(p, path, NULL), 0);
  isa_program_free(p);
  return contents(n);
}

static void put_u32(uint8_t *b, uint32_t v) {
  for (unsigned i = 0; i < 4; i++)
    b[i] = (uint8_t)(v >> (8 * i));
}

static void seal(uint8_t *bytes, size_t n) {
  put_u32(bytes + 12, (uint32_t)(n - HEADER));
  put_u32(bytes + CRC, (uint32_t)crc32(0, bytes + HEADER, (uInt)(n - HEADER)));
}

TEST(truncation) {
  struct rng r = rng;
  size_t n;
  uint8_t *bytes = image_of_random_program(&r, &n);
  for (size_t cut = 0; cut < n; cut += 1 + rng_below(&r, 5)) {
    store(bytes, cut);
    assert_false(accepted());
    if (cut < HEADER)
      continue;
    uint8_t *copy = malloc(cut); /* with a header that fits, so that the parser is reached */
    memcpy(copy, bytes, cut);
    seal(copy, cut);
    store(copy, cut);
    assert_false(accepted());
    free(copy);
  }
  uint8_t *longer = calloc(n + 1, 1);
  memcpy(longer, bytes, n);
  seal(longer, n + 1);
  store(longer, n + 1);
  assert_false(accepted());
  free(longer);
  free(bytes);
}

TEST(bit_flips) {
  enum { IMAGES = 20, FLIPS = 100 };
  struct rng r = rng;
  uint8_t *bytes = NULL, *copy = NULL;
  size_t n = 0;
  unsigned refused = 0;
  for (unsigned i = 0; i < IMAGES * FLIPS; i++) {
    if (i % FLIPS == 0) {
      free(bytes);
      free(copy);
      bytes = image_of_random_program(&r, &n);
      copy = malloc(n);
    }
    memcpy(copy, bytes, n);
    size_t bit = rng_below(&r, (unsigned)(8 * n));
    copy[bit / 8] ^= (uint8_t)(1U << bit % 8);
    store(copy, n);
    assert_false(accepted()); /* the checksum finds it */
    for (unsigned k = 0; k < 3; k++)
      put_u32(copy + HEADER + rng_below(&r, (unsigned)(n - HEADER - 3)),
              rng_below(&r, 2) == 0 ? (uint32_t)rng_next(&r) : rng_below(&r, 300));
    seal(copy, n);
    store(copy, n);
    refused += !accepted(); /* now only the parser and the check can */
  }
  assert_true(refused > IMAGES * FLIPS / 5);
  free(bytes);
  free(copy);
}

TEST(header) {
  struct rng r = rng;
  size_t n;
  uint8_t *bytes = image_of_random_program(&r, &n);
  struct isa_program *p = NULL;
  struct tandem_error err = {{0}};
  bytes[8] = 2;
  store(bytes, n);
  assert_int_equal(isa_image_read(path, &p, &err), -EINVAL);
  assert_non_null(strstr(err.text, "version 2"));
  bytes[8] = 1;
  bytes[0] = 'X';
  store(bytes, n);
  assert_int_equal(isa_image_read(path, &p, &err), -EINVAL);
  assert_non_null(strstr(err.text, "not a program image"));
  assert_int_equal(isa_image_read(missing, &p, &err), -ENOENT);
  assert_int_equal(isa_image_read(directory, &p, &err), -EISDIR);
  free(bytes);
}

/* Bits 63:58 of a word are the warp's, which no program has. */
TEST(words_with_a_warp) {
  struct rng r = rng;
  for (unsigned bit = 58; bit < 64; bit++) {
    struct isa_program *p = random_program(&r), *again = NULL;
    struct tandem_error err = {{0}};
    while (p->ncode == 0) {
      isa_program_free(p);
      p = random_program(&r);
    }
    assert_int_equal(write_image(p, path, &err), 0);
    size_t n, at;
    uint8_t *bytes = contents(&n);
    for (at = HEADER; memcmp(bytes + at, p->code, 8) != 0; at++)
      assert_true(at < n - 8);
    bytes[at + 7] |= (uint8_t)(1U << (bit - 56));
    const uint32_t crc = (uint32_t)crc32_z(0, bytes + HEADER, n - HEADER);
    memcpy(bytes + CRC, &crc, sizeof crc);
    store(bytes, n);
    assert_int_equal(isa_image_read(path, &again, &err), -EINVAL);
    assert_non_null(strstr(err.text, "the word at PC 0, 0x"));
    assert_non_null(strstr(err.text, path));
    free(bytes);
    isa_program_free(p);
  }
}

/* Names that another program would read otherwise are neither written nor read. */
TEST(names_are_identifiers) {
  static const char *const bad[] = {"",     "1a",   "a b",       "a\"b",  "a'b", "a\nEND",
                                    "$(a)", "`a`",  "[a]",       "a%b",   "%",   "a;b",
                                    "a\\b", "../a", "a\xc3\xa9", "a\x1b", ".a",  "a{b}"};
  static const char *const good[] = {"a", "_", "$a", "%a1", "A.b$_9"};
  struct rng r = rng;
  struct isa_program *p = random_program(&r);
  while (p->nkernels == 0 || p->kernels[0].nparams == 0) {
    isa_program_free(p);
    p = random_program(&r);
  }
  char **const names[] = {&p->kernels[0].name, &p->kernels[0].params[0].name};
  for (size_t k = 0; k < 2; k++) {
    struct tandem_error err;
    free(*names[k]);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
      *names[k] = strdup(good[i]);
      if (write_image(p, path, &err) != 0 || !accepted())
        fail_msg("\"%s\" is refused", good[i]);
      free(*names[k]);
    }
    *names[k] = strdup("abcdefghi"); /* where the image has it */
    assert_int_equal(write_image(p, path, &err), 0);
    size_t n;
    uint8_t *bytes = contents(&n), *at = bytes;
    while (memcmp(at, "abcdefghi", 9) != 0)
      assert_true(++at < bytes + n - 9);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
      char *const was = *names[k];
      *names[k] = strdup(bad[i]);
      assert_int_equal(write_image(p, path, &err), -EINVAL);
      free(*names[k]);
      *names[k] = was;
      if (*bad[i] == '\0')
        continue;
      memset(at, bad[i][0], 9);
      memcpy(at, bad[i], strlen(bad[i]));
      seal(bytes, n);
      store(bytes, n);
      if (accepted())
        fail_msg("\"%s\" is read", bad[i]);
    }
    free(bytes);
  }
  isa_program_free(p);
}

/* A failed write leaves the old image and nothing else (the directory's removal checks that). */
TEST(failed_write) {
  struct rng r = rng;
  struct isa_program *p = random_program(&r);
  struct tandem_error err = {{0}};
  assert_int_equal(write_image(p, missing, &err), -ENOENT);
  assert_non_null(strstr(err.text, missing));
  assert_int_equal(write_image(p, directory, &err), -EISDIR);
  assert_int_not_equal(access(path, F_OK), -1);
  p->ncode = ISA_MAX_CODE + 1;
  assert_int_equal(write_image(p, path, &err), -EINVAL);
  p->ncode = 0;
  isa_program_free(p);
}

int main(int argc, char **argv) {
  rng = rng_from_arguments(argc, argv);
  return test_run(make_directory, remove_directory);
}
