// Next state of a group of group_control (docs/hardware/buddy_control.md, states of a group).
//
// kernel_start wins over everything: the group is then what the formation makes it.  Else, in one
// cycle: ungroup and split together go to Ramp once, with the split remembered; the end of the
// power-up counter and drained together leave Ramp; cancel or split wins over parked, ungroup or
// split over called and over the end of the verdict window.
//
// Call first waits for its members' hold and for what they answer then: while its counter runs, nothing
// but ungroup and split is looked at, and at its end parked and drained again.
//
// While moves_i is low nothing changes.  Bit k of what is of all members is the leader's k-th neighbour,
// bit 0 the leader.

module group_next #(
  parameter int unsigned Size = 8,      // members that it may have
  parameter int unsigned Verdict = 12,  // cycles in which an answer to the roll may come
  parameter int unsigned Settle = 8     // cycles from hold to the members' answers
) (
  input  logic               moves_i,

  // Formation and configuration
  input  logic               kernel_start_i,
  input  logic [Size-1:0]    formed_i,  // members that the group starts with
  input  logic [7:0]         power_up_i,
  input  logic               halfway_i,

  // From all members, and from the leader
  input  logic [Size-1:0]    ungroup_i,
  input  logic [Size-1:0]    drained_i,
  input  logic [Size-1:0]    parked_i,
  input  logic [Size-1:0]    cancel_i,
  input  logic               split_i,
  input  logic               called_i,
  input  logic               wakes_i,  // its front end is not up

  // The group as it is, and as it will be.  apart: not to be grouped again in this kernel
  input  logic [2:0]         state_i,
  input  logic [Size-1:0]    mask_i,
  input  logic [7:0]         count_i,
  input  logic               apart_i,
  output logic [2:0]         state_o,
  output logic [Size-1:0]    mask_o,
  output logic [7:0]         count_o,
  output logic               apart_o
);
  // Requests to the group, and whether all its members are ready.
  logic asks, splits, cancels, drained, parked;
  always_comb begin
    {asks, splits, cancels, drained, parked} = '0;
    if (moves_i) begin
      asks    = (ungroup_i & mask_i) != '0;
      splits  = split_i && state_i != tandem_pkg::GroupNone;
      cancels = (cancel_i & mask_i) != '0;
      drained = (~drained_i & mask_i) == '0;
      parked  = (~parked_i & mask_i) == '0;
    end
  end

  logic [2:0] state;
  logic       leaves;  // to be grouped no more
  always_comb begin
    state  = state_i;
    leaves = splits;
    if (moves_i) begin
      unique case (state_i)
        tandem_pkg::GroupGrouped: if (asks || splits) state = tandem_pkg::GroupRamp;
        tandem_pkg::GroupRamp: begin
          if (count_i == 8'd0 && drained && !wakes_i) state = tandem_pkg::GroupReset;
        end
        tandem_pkg::GroupReset: begin
          if (halfway_i && !apart_i && !splits) state = tandem_pkg::GroupParking;
          else                                  state = tandem_pkg::GroupSolo;
        end
        tandem_pkg::GroupSolo: state = tandem_pkg::GroupSolo;
        tandem_pkg::GroupParking: begin
          if (cancels || splits) begin
            state  = tandem_pkg::GroupSolo;
            leaves = 1'b1;
          end else if (parked && drained) begin
            state = tandem_pkg::GroupCall;
          end
        end
        tandem_pkg::GroupCall, tandem_pkg::GroupWindow: begin
          if (asks || splits) begin
            state  = tandem_pkg::GroupSolo;
            leaves = 1'b1;
          end else if (state_i == tandem_pkg::GroupCall) begin
            if (count_i == 8'd1 && !(parked && drained)) state = tandem_pkg::GroupParking;
            if (count_i == 8'd0 && called_i)             state = tandem_pkg::GroupWindow;
          end else if (count_i == 8'd0) begin
            state = tandem_pkg::GroupGrouped;
          end
        end
        default: state = tandem_pkg::GroupNone;
      endcase
    end
  end

  // Cycles to the end of the power-up, to the roll call, or of the window; at 0 it stands.
  logic [7:0] count;
  always_comb begin
    count = count_i;
    if (moves_i) begin
      if (state_i == tandem_pkg::GroupGrouped) begin
        if (asks || splits) count = `FAULT(13, power_up_i, power_up_i >> 1);
      end else if (state_i == tandem_pkg::GroupParking) begin
        if (state == tandem_pkg::GroupCall) count = 8'(Settle + 1);
      end else if (state_i == tandem_pkg::GroupCall && state == tandem_pkg::GroupWindow) begin
        count = 8'(Verdict - 1);
      end else if (state_i == tandem_pkg::GroupCall && state != tandem_pkg::GroupSolo) begin
        if (count_i != 8'd0) count = count_i - 8'd1;
      end else if (state_i == tandem_pkg::GroupRamp || state == tandem_pkg::GroupWindow) begin
        if (count_i != 8'd0) count = count_i - 8'd1;
      end
    end
  end

  always_comb begin
    state_o = state;
    mask_o  = mask_i;
    count_o = count;
    apart_o = apart_i || leaves;
    if (kernel_start_i) begin
      state_o = formed_i != '0 ? tandem_pkg::GroupGrouped : tandem_pkg::GroupNone;
      mask_o  = formed_i;
      count_o = '0;
      apart_o = 1'b0;
    end
  end
endmodule
