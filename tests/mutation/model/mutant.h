/* Macros that schemata.c writes in the place of expressions and statements: the mutant of number
 * `id` acts while mutant_now is that number. */
#ifndef TANDEM_TESTS_MUTANT_H
#define TANDEM_TESTS_MUTANT_H

#ifdef MUTANT_ONLY /* this mutant alone, for a comparison of what the compiler makes of it */
#define MUTANT(id) ((id) == MUTANT_ONLY)
#define mutant_acts() ((void)0)
#else
extern int mutant_now;  /* 0: none */
void mutant_acts(void); /* it has changed a value, or left out a call */

#define MUTANT(id) __builtin_expect(mutant_now == (id), 0)
#endif

/* left `op` right; of the mutant left `other` right.  Both are evaluated once. */
#define MUTANT_BINARY(id, left, op, other, right)                                                  \
  ({                                                                                               \
    __auto_type left_ = +(left);                                                                   \
    __auto_type right_ = +(right);                                                                 \
    __auto_type value_ = left_ op right_;                                                          \
    if (MUTANT(id)) {                                                                              \
      __auto_type changed_ = left_ other right_;                                                   \
      if (changed_ != value_)                                                                      \
        mutant_acts();                                                                             \
      value_ = changed_;                                                                           \
    }                                                                                              \
    value_;                                                                                        \
  })

#define MUTANT_NOT(id, condition)                                                                  \
  ({                                                                                               \
    _Bool value_ = (condition);                                                                    \
    if (MUTANT(id)) {                                                                              \
      mutant_acts();                                                                               \
      value_ = !value_;                                                                            \
    }                                                                                              \
    value_;                                                                                        \
  })

#define MUTANT_LITERAL(id, literal)                                                                \
  ({                                                                                               \
    __auto_type value_ = (literal);                                                                \
    if (MUTANT(id)) {                                                                              \
      mutant_acts();                                                                               \
      value_ = value_ + 1;                                                                         \
    }                                                                                              \
    value_;                                                                                        \
  })

/* An assignment whose target keeps its value: that of a number, or of anything else. */
#define MUTANT_KEEP(id, target, ...)                                                               \
  ({                                                                                               \
    __typeof__(+(target)) old_;                                                                    \
    if (MUTANT(id))                                                                                \
      old_ = (target);                                                                             \
    __VA_ARGS__;                                                                                   \
    if (MUTANT(id)) {                                                                              \
      if ((target) != old_)                                                                        \
        mutant_acts();                                                                             \
      (target) = old_;                                                                             \
    }                                                                                              \
  })
#define MUTANT_KEEP_OBJECT(id, target, ...)                                                        \
  ({                                                                                               \
    __typeof__(target) old_;                                                                       \
    if (MUTANT(id))                                                                                \
      __builtin_memcpy(&old_, &(target), sizeof old_);                                             \
    __VA_ARGS__;                                                                                   \
    if (MUTANT(id)) {                                                                              \
      if (__builtin_memcmp(&old_, &(target), sizeof old_) != 0)                                    \
        mutant_acts();                                                                             \
      __builtin_memcpy(&(target), &old_, sizeof old_);                                             \
    }                                                                                              \
  })

/* True if the call is left out. */
#define MUTANT_CUT(id) (MUTANT(id) && (mutant_acts(), 1))

#endif
