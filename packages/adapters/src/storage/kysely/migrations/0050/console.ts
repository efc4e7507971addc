import type { ColumnTypes } from "../Migration.ts"

/** Table of the gas that each paymaster has paid, by UTC day. */
export const gasCosts = {
  tables: {
    gas_costs: {
      chain_id: "integer not null",
      payer: "text not null",
      /** Days since 1970-01-01 (UTC). */
      day: "integer not null",
      /** Several rows share a day, so that concurrent operations of a paymaster do not wait for the same row. */
      slot: "integer not null",
      gwei: "integer not null",
      "primary key": "(day, chain_id, payer, slot)"
    }
  },
  indices: []
} as const

/** Adds the index of failed transactions, and the reviewers of a part of a verification: the first and a second one. */
export const reviewers = ({ text }: Pick<ColumnTypes, "text">): ReadonlyArray<string> => [
  "create index transactions_failed on transactions (project_id, created_at desc, id desc) where status = 'FAILED'",
  `alter table verification_part_reviews add column reviewer ${text} not null default 'operator'`,
  `alter table verification_part_reviews add column second_reviewer ${text}`
]

export interface ReviewerColumns {
  reviewer: string
  second_reviewer: string | null
}
