import type { Tables } from "./migrations/index.ts"

/**
 * Where the rows of a table are stored if the database is distributed by project. `distributed`: on the node of their
 * project. `reference`: on every node, because they are looked up without a project or belong to several projects.
 * `local`: on one node, because they belong to the cell: to its operator accounts, nodes and workers.
 */
export type Placement = "distributed" | "reference" | "local"

/** The placement of each table. A referenced table comes before the tables that reference it. */
export const placements: Readonly<Record<keyof Tables, Placement>> = {
  projects: "reference",
  // A request contains only the id of its key, not the project.
  api_keys: "reference",
  // Queries for claimable work of all projects exclude these projects.
  project_moves: "reference",
  // A customer of a provider belongs to one project only, which must be unique among all projects.
  provider_customers: "reference",
  // The deployment of an account applies to all projects that have registered it.
  wallet_deployments: "reference",

  wallets: "distributed",
  quotes: "distributed",
  quote_operations: "distributed",
  executions: "distributed",
  transactions: "distributed",
  transaction_legs: "distributed",
  transaction_entries: "distributed",
  transaction_kinds: "distributed",
  movements: "distributed",
  transfer_claims: "distributed",
  losses: "distributed",
  idempotent_requests: "distributed",
  event_sequences: "distributed",
  events: "distributed",
  webhook_endpoints: "distributed",
  webhook_deliveries: "distributed",
  watched_loans: "distributed",
  liquidations: "distributed",
  fiat_quotes: "distributed",
  fiat_orders: "distributed",
  fiat_limit_overrides: "distributed",
  verification_identities: "distributed",
  verification_sessions: "distributed",
  verification_part_reviews: "distributed",
  verified_individuals: "distributed",
  provider_registrations: "distributed",
  personal_accesses: "distributed",
  tax_schedules: "distributed",
  tax_runs: "distributed",
  archived_executions: "distributed",
  archived_keys: "distributed",

  schema_migrations: "local",
  rate_counts: "local",
  operator_lanes: "local",
  operator_transactions: "local",
  operator_transaction_operations: "local",
  gas_costs: "local",
  watched_chains: "local",
  sightings: "local",
  wallet_backfills: "local",
  unlisted_counts: "local",
  bitcoin_looks: "local",
  bitcoin_sightings: "local",
  bridge_fills: "local",
  loan_cursors: "local",
  indexed_pools: "local",
  pool_hours: "local",
  past_prices: "local",
  past_rates: "local",
  fiat_unknown_orders: "local",
  subject_keys: "local",
  moved_subject_keys: "local",
  pending_key_purges: "local"
}
