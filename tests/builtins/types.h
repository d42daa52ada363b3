/* Element types of OpenCL C, their values as bit patterns in uint64_t. */
#ifndef BUILTINS_TYPES_H
#define BUILTINS_TYPES_H

#include <mpfr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum type { CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, HALF, FLOAT, DOUBLE, TYPES };

/* Directions of rounding; `DEFAULT_MODE` is that of a conversion without one. */
enum mode { RTE, RTZ, RTP, RTN, DEFAULT_MODE };

extern const char *const type_names[TYPES];
extern const char *const mode_suffixes[]; /* "_rte" ... ""; by enum mode */

static inline bool type_real(enum type t) { return t >= HALF; }
static inline bool type_signed(enum type t) { return !type_real(t) && t % 2 == 0; }
size_t type_bytes(enum type t);
/* The integer types of the same size. */
enum type type_as_signed(enum type t);
enum type type_as_unsigned(enum type t);

/* An integer's value, of any integer type; and the bits of a value modulo the type's size. */
__int128 type_value(enum type t, uint64_t bits);
uint64_t type_wrap(enum type t, __int128 value);
__int128 type_least(enum type t);
__int128 type_most(enum type t);

/* Bits of the mantissa with the hidden one, and the exponents of MPFR: smallest and largest. */
int type_precision(enum type t);
mpfr_exp_t type_emin(enum type t);
mpfr_exp_t type_emax(enum type t);
bool type_is_nan(enum type t, uint64_t bits);
bool type_is_negative(enum type t, uint64_t bits); /* its sign bit */

/* A value of any type, exactly: x has 64 bits or more. */
void type_get(mpfr_t x, enum type t, uint64_t bits);
/* The bits of a value that is rounded to a real type. */
uint64_t type_round(enum type t, const mpfr_t x, enum mode mode);

/* Reads and writes an element of a buffer. */
uint64_t type_load(enum type t, const void *buffer, size_t index);
void type_store(enum type t, void *buffer, size_t index, uint64_t bits);

/* A value as text for messages: "0x3f800000 (1)". */
void type_print(enum type t, uint64_t bits, char *text, size_t size);

#endif
