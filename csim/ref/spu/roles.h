/* The duties of a slot or a border lane in a pass (docs/hardware/spu_units.md). */
#ifndef TANDEM_REF_ROLES_H
#define TANDEM_REF_ROLES_H

enum spu_role { SPU_ROLE_NONE, SPU_ROLE_BLOCK, SPU_ROLE_LOAD, SPU_ROLE_STORE };

#endif
