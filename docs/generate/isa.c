/* Prints docs/reference/isa.md: the introduction, then the tables of the instruction set. */
#include "csim/isa/core/isa_mods.h"
#include "csim/util/page.h"

static const struct {
  unsigned number;
  const char *name, *text;
} units[] = {
#define ISA_UNIT(id, n, name) {n, #id, name},
#include "csim/isa/core/isa.def"
};

static const char *const modset_names[ISA_MODSETS] = {
    [ISA_M_NONE] = "",     [ISA_M_IADD] = "IADD",   [ISA_M_IMM] = "IMM",   [ISA_M_EXT] = "EXT",
    [ISA_M_SGN] = "SGN",   [ISA_M_BFIND] = "BFIND", [ISA_M_PRMT] = "PRMT", [ISA_M_PLOP] = "PLOP",
    [ISA_M_VOTE] = "VOTE", [ISA_M_ISETP] = "ISETP", [ISA_M_FADD] = "FADD", [ISA_M_FMUL] = "FMUL",
    [ISA_M_FMA] = "FMA",   [ISA_M_FUN] = "FUN",     [ISA_M_FCMP] = "FCMP", [ISA_M_FSETP] = "FSETP",
    [ISA_M_F2I] = "F2I",   [ISA_M_I2F] = "I2F",     [ISA_M_MEM] = "MEM",   [ISA_M_ATOM] = "ATOM"};

static const char *const pipe_names[] = {
    [ISA_PIPE_SP] = "SP", [ISA_PIPE_SFU] = "SFU", [ISA_PIPE_MEM] = "MEM", [ISA_PIPE_NONE] = "none"};

static void print_operations(FILE *out) {
  fprintf(out, "## Operations\n");
  for (size_t u = 0; u < sizeof units / sizeof units[0]; u++) {
    fprintf(out, "\n### Unit %u, %s: %s\n\n", units[u].number, units[u].name, units[u].text);
    fprintf(out, "| op | mnemonic | shape | pipe | latency | modifiers | what it does |\n"
                 "| --- | --- | --- | --- | --- | --- | --- |\n");
    for (unsigned i = 0; i < ISA_OPS; i++) {
      const struct isa_op *op = &isa_ops[i];
      if (op->unit != units[u].number)
        continue;
      fprintf(out, "| %u | `%s` | `%s` | %s | %s | %s | ", op->op, op->mnemonic, op->shape,
              pipe_names[op->pipe], op->unit == ISA_U_CTRL ? "" : isa_lat_classes[op->lat].key,
              modset_names[op->mods]);
      page_cell(out, op->text);
      fprintf(out, " |\n");
    }
  }
}

static void print_modifiers(FILE *out) {
  fprintf(
      out,
      "\n## Modifiers\n\n"
      "Bit numbers are within the seven modifier bits; bit 0 is bit 25 of the word. Values are\n"
      "listed from 0; bits of no field, and values behind the last, are not well formed.\n\n"
      "| layout | bits | field | values |\n| --- | --- | --- | --- |\n");
  for (unsigned i = 0; i < isa_nmods; i++) {
    const struct isa_mod *m = &isa_mods[i];
    unsigned top = m->lsb + m->width - 1U;
    fprintf(out, "| %s | ", modset_names[m->layout]);
    fprintf(out, m->width > 1 ? "%u:%u" : "%u", top, m->lsb);
    fprintf(out, " | %s | %s%s%s |\n", m->name, *m->values == '\0' ? "flag" : "`", m->values,
            *m->values == '\0' ? "" : "`");
  }
}

static void print_special(FILE *out) {
  fprintf(out, "\n## Special registers\n\n| number | name |\n| --- | --- |\n");
  for (unsigned n = 0; n < ISA_SREGS; n++)
    if (isa_sregs[n].name != NULL)
      fprintf(out, "| %u | `%s` |\n", n, isa_sregs[n].name);
  fprintf(out, "| 0x100 + n | `param+4n`, word n of the parameters |\n");
}

static void print_latencies(FILE *out) {
  fprintf(
      out,
      "\n## Latency classes\n\n"
      "Defaults, in core cycles, of the configuration keys: from operands to result, and from one\n"
      "warp instruction to the next in the same pipeline. Memory takes what the memory system "
      "takes.\n\n"
      "| key | latency | interval |\n| --- | --- | --- |\n");
  for (unsigned i = 0; i < ISA_LATS; i++)
    fprintf(out, "| %s | %u | %u |\n", isa_lat_classes[i].key, isa_lat_classes[i].latency,
            isa_lat_classes[i].interval);
}

static void print(FILE *out) {
  print_operations(out);
  print_modifiers(out);
  print_special(out);
  print_latencies(out);
}

int main(int argc, char **argv) { return page_main(argc, argv, "isa_page", print); }
