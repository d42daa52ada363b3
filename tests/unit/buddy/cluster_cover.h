/* Coverage points that the random test of a cluster must reach (tests/unit/testing.h): points of
 * clusters of any size, and from FIRST_OF_MANY on those that take more than two members. */
#ifndef TANDEM_TEST_CLUSTER_COVER_H
#define TANDEM_TEST_CLUSTER_COVER_H

#include "tests/unit/testing.h"

#define COVERAGE(F)                                                                                \
  F(all_together)                                                                                  \
  F(two_packets)                                                                                   \
  F(hold)                                                                                          \
  F(no_slot)                                                                                       \
  F(member_without_place)                                                                          \
  F(monitor_full)                                                                                  \
  F(verdict)                                                                                       \
  F(barrier_in_group)                                                                              \
  F(diverged)                                                                                      \
  F(diverged_in_cycles_running)                                                                    \
  F(asks_again_while_it_ramps)                                                                     \
  F(split)                                                                                         \
  F(ramp_waits_for_memory)                                                                         \
  F(ramp_as_short_as_may_be)                                                                       \
  F(wakes)                                                                                         \
  F(alone_after_ungroup)                                                                           \
  F(warp_done_in_slave)                                                                            \
  F(end_beside_waiting)                                                                            \
  F(end_of_leader_alone)                                                                           \
  F(ack_and_credit)                                                                                \
  F(kernel_without_ungroup)                                                                        \
  F(restart_grouped)                                                                               \
  F(restart_ramp)                                                                                  \
  F(restart_reset)                                                                                 \
  F(restart_solo)                                                                                  \
  F(restart_waking)                                                                                \
  F(restart_woken)                                                                                 \
  F(parks)                                                                                         \
  F(stall_of_parked)                                                                               \
  F(all_parked_waits_for_memory)                                                                   \
  F(regroups)                                                                                      \
  F(regroups_twice_in_kernel)                                                                      \
  F(regroups_without_warp)                                                                         \
  F(regroups_within_branches)                                                                      \
  F(regroups_after_exits)                                                                          \
  F(launch_in_parking)                                                                             \
  F(launch_in_call)                                                                                \
  F(launch_in_window)                                                                              \
  F(new_warp_is_carried)                                                                           \
  F(cancelled)                                                                                     \
  F(refused_in_call)                                                                               \
  F(refused_in_window)                                                                             \
  F(split_in_parking)                                                                              \
  F(split_in_call)                                                                                 \
  F(split_in_window)                                                                               \
  F(restart_call)                                                                                  \
  F(restart_window)                                                                                \
  F(two_groups)                                                                                    \
  F(ack_to_second_leader)                                                                          \
  F(monitor_of_second_leader_full)                                                                 \
  F(two_diverge_in_a_cycle)                                                                        \
  F(another_diverges_next)                                                                         \
  F(group_ramps_beside_group)
COVER_DEFINE(COVERAGE)
enum { FIRST_OF_MANY = COVER_two_groups };

#endif
