/**
 * Table of the limits that an operator has set for individual identities: decimal text, in units of the currency (not
 * cents).
 */
export const fiatLimitOverrides = {
  tables: {
    fiat_limit_overrides: {
      project_id: "text not null",
      individual_id: "text not null",
      direction: "text not null",
      method: "text not null",
      per_transaction: "text not null",
      daily: "text not null",
      monthly: "text not null",
      quarterly: "text not null",
      "primary key": "(project_id, individual_id, direction, method)"
    }
  },
  indices: []
} as const
