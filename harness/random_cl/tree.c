/* Names of types and operations, and the parts of a program that are kept. */
#include "harness/random_cl/tree.h"

#define OP(name, text, class, operands) {name, text, class, operands},
const struct op ops[] = {
#include "harness/random_cl/ops.def"
};
const size_t ops_count = sizeof ops / sizeof *ops;

const char *const base_names[BASES] = {"char", "uchar", "short", "ushort", "int",
                                       "uint", "long",  "ulong", "float",  "double"};
const char *const c_names[BASES] = {"int8_t",   "uint8_t", "int16_t",  "uint16_t", "int32_t",
                                    "uint32_t", "int64_t", "uint64_t", "float",    "double"};
const char *const item_functions[ITEM_FUNCTIONS] = {
    "get_global_id",   "get_local_id", "get_group_id",  "get_num_groups", "get_local_size",
    "get_global_size", "get_work_dim", "GLOBAL_NUMBER", "LOCAL_NUMBER"};

const struct atomic atomics[] = {
    {"atomic_add", "*p += x", INT, 0, false, false},
    {"atomic_sub", "*p -= x", UINT, 0, false, false},
    {"atomic_inc", "*p += 1", UINT, 0, false, true},
    {"atomic_dec", "*p -= 1", INT, 0, false, true},
    {"atomic_min", "*p = x < *p ? x : *p", INT, 1, false, false},
    {"atomic_max", "*p = x > *p ? x : *p", INT, 2, false, false},
    {"atomic_min", "*p = x < *p ? x : *p", UINT, 3, false, false},
    {"atomic_max", "*p = x > *p ? x : *p", UINT, 4, false, false},
    {"atomic_and", "*p &= x", UINT, 5, false, false},
    {"atomic_or", "*p |= x", INT, 6, false, false},
    {"atomic_xor", "*p ^= x", UINT, 7, false, false},
    {"atom_add", "*p += x", ULONG, 8, true, false},
    {"atom_sub", "*p -= x", LONG, 8, true, false},
    {"atom_inc", "*p += 1", ULONG, 8, true, true},
    {"atom_dec", "*p -= 1", LONG, 8, true, true},
    {"atom_and", "*p &= x", ULONG, 9, true, false},
    {"atom_or", "*p |= x", LONG, 10, true, false},
    {"atom_xor", "*p ^= x", ULONG, 11, true, false},
    {"atom_min", "*p = x < *p ? x : *p", LONG, 12, true, false},
    {"atom_min", "*p = x < *p ? x : *p", ULONG, 13, true, false},
    {"atom_max", "*p = x > *p ? x : *p", LONG, 14, true, false},
    {"atom_max", "*p = x > *p ? x : *p", ULONG, 15, true, false},
};
const size_t atomics_count = sizeof atomics / sizeof *atomics;

const struct type *type_at(const struct expr *ref, unsigned steps) {
  const struct type *t = ref->var->type;
  for (unsigned k = 0; k < steps; k++)
    t = t->kind == ARRAY ? t->of[0] : t->of[ref->lane[k]];
  return t;
}
