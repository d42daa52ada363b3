/* Defaults and checks of an SM's configuration, from its table. */
#include "csim/sm/sm_local.h"

#define CONFIG_PLACE(field) offsetof(struct sm_config, field), sizeof(uint32_t)
static const struct config_key keys[] = {
#define CONFIG_NUMBER CONFIG_NUMBER_ROW
#define CONFIG_POWER CONFIG_POWER_ROW
#define CONFIG_LATENCIES
#include "csim/sm/config.def"
};
enum { KEYS = sizeof keys / sizeof keys[0] };

/* The upper ends of the ranges, which the model must be made for. */
enum {
#define CONFIG_NUMBER(section, key, field, standard, low, high, ...) MOST_##key = (high),
#define CONFIG_POWER CONFIG_NUMBER
#include "csim/sm/config.def"
};
_Static_assert((int)MOST_threads <= SM_WARPS * ISA_WARP_SIZE, "threads");
_Static_assert((int)MOST_warps <= (int)SM_WARPS && (int)MOST_ctas <= (int)SM_CTAS, "warps, CTAs");
_Static_assert((int)MOST_collectors_sp <= (int)SM_COLLECTORS_MAX &&
                   (int)MOST_collectors_sfu <= (int)SM_COLLECTORS_MAX &&
                   (int)MOST_collectors_mem <= (int)SM_COLLECTORS_MAX,
               "collectors");
_Static_assert((int)SM_LATENCY_MOST < (int)SM_ALU_RING, "latencies");
_Static_assert((int)MOST_banks <= 32, "a mask of banks has 32 bits");

void sm_config_default(struct sm_config *c) {
  *c = (struct sm_config){.slices = 1, .barrier_check = 1};
  config_default(keys, KEYS, c);
  c->lat[ISA_L_MEM].latency = isa_lat_classes[ISA_L_MEM].latency;
  c->lat[ISA_L_MEM].interval = isa_lat_classes[ISA_L_MEM].interval;
}

int sm_config_check(const struct sm_config *c, struct config_about *about,
                    struct tandem_error *err) {
  return config_check(keys, KEYS, c, about, err);
}
