/* What schemata.c writes into a source in the place of expressions and statements: the mutant of
 * number `id` acts while mutant_now is that number. */
#ifndef TANDEM_TESTS_MUTANT_H
#define TANDEM_TESTS_MUTANT_H

extern int mutant_now;  /* 0: none */
void mutant_acts(void); /* it has changed a value, or left out a statement */

#define MUTANT(id) __builtin_expect(mutant_now == (id), 0)

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

/* Whether a statement is left out. */
#define MUTANT_CUT(id) (MUTANT(id) && (mutant_acts(), 1))

#endif
