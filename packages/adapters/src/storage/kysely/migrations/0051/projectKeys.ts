import { chains } from "../0001/chains.ts"
import { executions } from "../0001/executions.ts"
import { webhooks } from "../0001/webhooks.ts"
import { taxExports } from "../0003/taxExports.ts"
import { fiat } from "../0005/fiat.ts"
import { verification } from "../0006/verification.ts"
import { partReviews } from "../0017/partReviews.ts"
import { type ColumnTypes, columnTypes, type Dialect, statementsOf } from "../Migration.ts"

const PROJECT_KEY = { id: "text not null", "primary key": "(project_id, id)" } as const

/**
 * Tables whose primary key did not start with the project. A referenced table comes before the tables that reference
 * it.
 */
const tables = {
  events: { ...webhooks.tables.events, ...PROJECT_KEY },
  webhook_endpoints: { ...webhooks.tables.webhook_endpoints, ...PROJECT_KEY },
  webhook_deliveries: {
    ...webhooks.tables.webhook_deliveries,
    ...PROJECT_KEY,
    endpoint_id: "text not null",
    event_id: "text not null",
    "foreign key (project_id, endpoint_id)": "references webhook_endpoints (project_id, id) on delete cascade",
    "foreign key (project_id, event_id)": "references events (project_id, id)"
  },
  tax_schedules: { ...taxExports.tables.tax_schedules, ...PROJECT_KEY },
  tax_runs: {
    ...taxExports.tables.tax_runs,
    ...PROJECT_KEY,
    schedule_id: "text not null",
    "foreign key (project_id, schedule_id)": "references tax_schedules (project_id, id) on delete cascade"
  },
  verification_sessions: {
    ...verification.tables.verification_sessions,
    ...PROJECT_KEY,
    check_at: "integer not null default 0",
    claimed_until: "integer"
  },
  verification_part_reviews: {
    project_id: "text not null",
    ...partReviews.tables.verification_part_reviews,
    session_id: "text not null",
    reviewer: "text not null default 'operator'",
    second_reviewer: "text",
    "primary key": "(project_id, session_id, part)",
    "foreign key (project_id, session_id)": "references verification_sessions (project_id, id) on delete cascade"
  },
  fiat_quotes: { ...fiat.tables.fiat_quotes, ...PROJECT_KEY },
  fiat_orders: { ...fiat.tables.fiat_orders, ...PROJECT_KEY },
  executions: {
    ...executions.tables.executions,
    ...PROJECT_KEY,
    waits_for: "text not null default 'CHAIN'",
    late_at: "integer"
  },
  liquidations: {
    ...chains.tables.liquidations,
    "primary key": "(project_id, chain_id, transaction_hash, log_index)"
  },
  watched_loans: { ...chains.tables.watched_loans, "primary key": "(project_id, chain_id, wallet_address)" }
} as const

/** Indexes that change. An index with the same name is replaced. */
const changedIndices = {
  fiat_orders_quote: "create unique index fiat_orders_quote on fiat_orders (project_id, quote_id)",
  tax_runs_month: "create unique index tax_runs_month on tax_runs (project_id, schedule_id, month)",
  webhook_deliveries_newest: `create index webhook_deliveries_newest
    on webhook_deliveries (project_id, endpoint_id, created_at desc, id desc)`,
  webhook_deliveries_retrying: `create index webhook_deliveries_retrying
    on webhook_deliveries (project_id, endpoint_id, due_at, id) where due_at is not null and attempts > 0`,
  webhook_deliveries_line: `create index webhook_deliveries_line
    on webhook_deliveries (project_id, endpoint_id, resource, sequence) where status = 'PENDING'`,
  webhook_deliveries_event: "create index webhook_deliveries_event on webhook_deliveries (project_id, event_id)"
} as const

/** Index of a chain's loans, which replaces the previous primary key. */
const LOANS_OF_CHAIN = "create index watched_loans_by_wallet on watched_loans (chain_id, wallet_address, project_id)"

/** The other indexes of the tables. SQLite drops them together with the replaced table. */
const sameIndices: ReadonlyArray<string> = [
  "create unique index events_sequence on events (project_id, resource_kind, resource_id, sequence)",
  "create index events_oldest on events (at, id)",
  "create index webhook_endpoints_oldest on webhook_endpoints (project_id, created_at, id)",
  "create index webhook_endpoints_disabled on webhook_endpoints (disabled_at desc, id) where disabled_at is not null",
  "create index webhook_deliveries_due on webhook_deliveries (due_at, id) where due_at is not null",
  "create index webhook_deliveries_ended on webhook_deliveries (created_at, id) where status <> 'PENDING'",
  "create unique index tax_schedules_wallet on tax_schedules (project_id, wallet_address, recurrence_preset)",
  "create index tax_schedules_due on tax_schedules (next_end_at, id)",
  "create index tax_runs_due on tax_runs (due_at, id) where due_at is not null",
  "create index tax_runs_failed on tax_runs (ended_at, id) where status = 'FAILED'",
  "create index verification_sessions_of_project on verification_sessions (project_id, created_at)",
  "create index verification_sessions_of_identity on verification_sessions (project_id, identity_id, created_at)",
  "create index verification_sessions_due on verification_sessions (status, expires_at)",
  "create index verification_sessions_checks on verification_sessions (status, check_at)",
  "create index fiat_orders_executed on fiat_orders (project_id, executed_quote)",
  "create index fiat_orders_provider on fiat_orders (provider, provider_order)",
  "create index fiat_orders_wallet on fiat_orders (project_id, wallet_address, created_at)",
  "create index fiat_orders_limits on fiat_orders (project_id, individual_id, direction, method, created_at)",
  "create index fiat_orders_state on fiat_orders (direction, state, created_at)",
  `create index fiat_orders_unsigned on fiat_orders (expires_at)
    where direction = 'WITHDRAWAL' and state = 'AWAITING_FUNDS'`,
  "create unique index executions_quote on executions (project_id, quote_id)",
  "create index executions_due on executions (due_at, id) where due_at is not null",
  "create index executions_oldest on executions (accepted_at, id, stage) where due_at is not null",
  "create index executions_pending on executions (stage, waits_for, due_at) where due_at is not null",
  "create index executions_late on executions (late_at, id) where due_at is not null",
  `create index executions_reserved on executions (wallet_address, chain_id, reserved_until)
    where reserved_until is not null`,
  "create index liquidations_by_block on liquidations (chain_id, block_number)",
  "create index watched_loans_by_look on watched_loans (look_at)"
]

const isKey = (line: string): boolean => line.includes(" ")

/** Moves the keys of a table after its columns, as SQL requires. */
const sortKeysLast = (lines: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(lines).toSorted(([a], [b]) => Number(isKey(a)) - Number(isKey(b))))

const columnsOf = (lines: Readonly<Record<string, string>>): string =>
  Object.keys(lines)
    .filter((line) => !isKey(line))
    .join(", ")

/** Selects the project of a part's review from its session. */
const PROJECT_OF_REVIEW = `(select project_id from old_verification_sessions
  where id = old_verification_part_reviews.session_id) as project_id`

const copyStatement = ([table, lines]: readonly [string, Readonly<Record<string, string>>]): string => {
  const columns = columnsOf(lines)
  const values = table === "verification_part_reviews" ? columns.replace("project_id", PROJECT_OF_REVIEW) : columns
  return `insert into ${table} (${columns}) select ${values} from old_${table}`
}

/**
 * Statements that replace the tables. Old tables are renamed, which keeps their rows and the references to them, so
 * that dropping one deletes no row of another table. Tables that reference others are dropped first.
 */
const sqliteStatements: ReadonlyArray<string> = [
  ...Object.keys(tables).map((table) => `alter table ${table} rename to old_${table}`),
  ...Object.entries(tables).flatMap(([table, lines]) =>
    statementsOf({ tables: { [table]: sortKeysLast(lines) }, indices: [] }, columnTypes.sqlite)
  ),
  ...Object.entries(tables).map(copyStatement),
  ...Object.keys(tables)
    .toReversed()
    .map((table) => `drop table old_${table}`),
  ...sameIndices,
  ...Object.values(changedIndices),
  LOANS_OF_CHAIN
]

const foreignKeysOf = (lines: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(lines).flatMap(([line, type]) =>
    line.startsWith("foreign key (project_id, ") ? [`${line} ${type}`] : []
  )

const postgresStatements = ({ text }: ColumnTypes): ReadonlyArray<string> => [
  `alter table verification_part_reviews add column project_id ${text}`,
  `update verification_part_reviews set project_id = session.project_id
    from verification_sessions as session where session.id = session_id`,
  "alter table verification_part_reviews alter column project_id set not null",
  `alter table webhook_deliveries drop constraint webhook_deliveries_endpoint_id_fkey,
    drop constraint webhook_deliveries_event_id_fkey`,
  "alter table tax_runs drop constraint tax_runs_schedule_id_fkey",
  "alter table verification_part_reviews drop constraint verification_part_reviews_session_id_fkey",
  ...Object.entries(tables).flatMap(([table, lines]) => [
    `create unique index ${table}_new_pkey on ${table} ${lines["primary key"]}`,
    `alter table ${table} drop constraint ${table}_pkey,
      add constraint ${table}_pkey primary key using index ${table}_new_pkey`
  ]),
  ...Object.entries(tables)
    .filter(([table]) => table !== "executions")
    .flatMap(([table, lines]) => foreignKeysOf(lines).map((key) => `alter table ${table} add ${key}`)),
  ...Object.entries(changedIndices).flatMap(([name, statement]) => [`drop index ${name}`, statement]),
  LOANS_OF_CHAIN
]

/**
 * Changes primary, unique and foreign keys so that they start with the project and the tables can be distributed by
 * project.
 */
export const projectKeys = (types: ColumnTypes, dialect: Dialect): ReadonlyArray<string> =>
  dialect === "sqlite" ? sqliteStatements : postgresStatements(types)

export interface ReviewProjectColumn {
  project_id: string
}
