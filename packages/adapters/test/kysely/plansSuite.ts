import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type Database, Db, layerStores } from "../../src/storage/kysely/index.ts"
import { callEveryStore } from "./everyPort.ts"
import { type RecordedQuery, recordedDb } from "./recordedDb.ts"

/**
 * Prefixes of the statements that may scan a table:
 *
 * - the lists of projects and of their moves;
 * - the number of watched Bitcoin addresses, and the reset of their poll times after a long pause;
 * - the resets of the claims of chains and operator accounts, because these tables have few rows.
 */
const SCANNING_STATEMENTS = [
  'select "id", "organization_id", "name", "treasury", "bitcoin_treasury", "compute_units", "created_at" from "projects" ' +
    'where "deleted_at" is null order by "created_at", "id"',
  'select "project"."id", "project"."name", "move"."state", "move"."target" from "project_moves" as "move"',
  'select count(*) as "count" from "bitcoin_looks"',
  "update bitcoin_looks set due_at = ",
  'update "watched_chains" set "claimed_until" = null',
  'update "operator_lanes" set "claimed_until" = null'
]
const mayScan = ({ sql }: RecordedQuery): boolean => SCANNING_STATEMENTS.some((prefix) => sql.trim().startsWith(prefix))

/** Postgres cannot explain statements that create or attach a partition. */
const isExplainable = ({ sql }: RecordedQuery): boolean => !/^\s*(?:create|alter) table/u.test(sql)

/** Indexes that a query may scan completely, because they contain only pending work or belong to small tables. */
const SMALL_INDICES = [
  "executions_due",
  "executions_oldest",
  "executions_pending",
  "indexed_pools_asked",
  "indexed_pools_due",
  "operator_transactions_watched",
  "provider_registrations_checks",
  "tax_runs_due",
  "tax_runs_failed",
  "watched_chains",
  "watched_chains_due",
  "watched_chains_pkey",
  "webhook_deliveries_due",
  "webhook_deliveries_retrying",
  "webhook_endpoints_disabled"
]

/**
 * The order of this index is the order of the list of failed transactions, so a query reads only the rows that it
 * returns.
 */
const FAILED_INDEX = "transactions_failed"

/**
 * Returns whether a project can have so many rows in this table that a condition on only the project id is not
 * selective.
 */
const isLarge = (text: string): boolean => text.includes("transaction") && !text.includes(FAILED_INDEX)

/**
 * Returns whether a step reads all transactions of a wallet. Such a step must use the order of pages or conditions on
 * more columns.
 */
const isWalletScan = (detail: string): boolean =>
  detail.includes(" transactions_") &&
  !detail.includes(" transactions_newest ") &&
  detail.endsWith("(project_id=? AND wallet_address=?)")

const SqliteStep = Schema.Struct({ detail: Schema.String, parent: Schema.Int })
type SqliteStep = typeof SqliteStep.Type

/**
 * Returns whether a step scans a table or sorts rows. SQLite shows SCAN for a scan, and TEMP B-TREE for a sort. Scans
 * of common table expressions and of json_each are allowed: they read a result or a parameter. The sort of such a
 * result is also allowed, because the result has at most one page of rows.
 */
const isSlowStep = ({ detail, parent }: SqliteStep, steps: ReadonlyArray<SqliteStep>): boolean => {
  if (/^SCAN (?:place|leg)$/u.test(detail)) return false
  if (parent === 0 && detail.includes("ORDER BY") && steps.some((step) => step.detail === "SCAN place")) return false
  if (detail.includes("ORDER BY") && steps.some((step) => step.detail === "SCAN leg" && step.parent === parent))
    return false
  if (SMALL_INDICES.some((index) => detail.endsWith(` ${index}`))) return false
  if (detail.endsWith("(project_id=?)")) return isLarge(detail)
  if (isWalletScan(detail)) return true
  return /^SCAN (?!CONSTANT ROW|\d+-ROW VALUES CLAUSE|\d+ CONSTANT ROWS|due\b|json_each\b)|TEMP B-TREE FOR ORDER BY/u.test(
    detail
  )
}

const findSlowSqliteSteps = ({ sql, parameters }: RecordedQuery) =>
  Effect.map(
    SqlClient.SqlClient.use((client) => client.unsafe(`explain query plan ${sql}`, parameters)),
    (rows) =>
      Schema.decodeUnknownSync(Schema.Array(SqliteStep))(rows)
        .filter((step, _, steps) => isSlowStep(step, steps))
        .map(({ detail }) => detail)
  )

interface PostgresNode {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Index Cond"?: string
  readonly Plans?: ReadonlyArray<PostgresNode>
}

const PostgresNode: Schema.Codec<PostgresNode> = Schema.Struct({
  "Node Type": Schema.String,
  "Relation Name": Schema.optionalKey(Schema.String),
  "Index Name": Schema.optionalKey(Schema.String),
  "Index Cond": Schema.optionalKey(Schema.String),
  Plans: Schema.optionalKey(Schema.Array(Schema.suspend(() => PostgresNode)))
})
const PostgresPlan = Schema.Tuple([
  Schema.Struct({ "QUERY PLAN": Schema.Tuple([Schema.Struct({ Plan: PostgresNode })]) })
])

const nodesOf = (node: PostgresNode): ReadonlyArray<PostgresNode> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const returnsFewRows = ({ "Index Name": index, "Node Type": type }: PostgresNode): boolean =>
  type === "Limit" || index === "transaction_legs_hash"

const isSlowNode = (node: PostgresNode): boolean => {
  const { "Node Type": type, "Index Name": index, "Index Cond": condition } = node
  // A sort is allowed after a LIMIT, or if its rows are the few transactions with one hash.
  if (type === "Sort") return !nodesOf(node).some((descendant) => returnsFewRows(descendant))
  if (type === "Seq Scan") return true
  if (index === undefined || SMALL_INDICES.includes(index)) return false
  return condition === undefined || (isLarge(index) && !condition.includes(" AND "))
}

/** Postgres prefers scans and sorts for such small tables, so these are disabled where it can use an index. */
const findSlowPostgresNodes = ({ sql, parameters }: RecordedQuery) =>
  Effect.gen(function* () {
    const client = yield* SqlClient.SqlClient
    const disable = (scan: string) => client.unsafe(`set local enable_${scan} = off`)
    const explanation = client.withTransaction(
      Effect.andThen(
        Effect.forEach(["seqscan", "sort", "bitmapscan"], disable),
        client.unsafe(`explain (format json) ${sql}`, parameters)
      )
    )
    const [row] = Schema.decodeUnknownSync(PostgresPlan)(yield* explanation)
    return nodesOf(row["QUERY PLAN"][0].Plan)
      .filter(isSlowNode)
      .map((node) => JSON.stringify(node))
  })

/**
 * Prevents autovacuum from collecting statistics. With statistics of these few rows, Postgres would scan an index where
 * it should search in it.
 */
const PREVENT_STATISTICS = `do $$ declare name text; begin
  for name in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
    execute format('alter table %I set (autovacuum_enabled = false)', name);
  end loop;
end $$`

/**
 * Checks that no query of any port scans a table, or sorts rows that an index could return in order. The Postgres
 * database must be new. Otherwise autovacuum may have collected statistics, depending on the duration of earlier tests.
 */
export const plansSuite = <E>(name: string, database: Layer.Layer<Database, E>): void => {
  layer(database)(`Query plans on ${name}`, (it) => {
    it.effect("find their rows by an index, for every method of every store", () =>
      Effect.gen(function* () {
        const { dialect } = yield* Db
        if (dialect === "postgres") yield* SqlClient.SqlClient.use((client) => client.unsafe(PREVENT_STATISTICS))
        const recordedQueries = new Map<string, RecordedQuery>()
        const recordingDb = recordedDb((query) => recordedQueries.set(query.sql, query))
        yield* callEveryStore.pipe(Effect.provide(layerStores.pipe(Layer.provide(recordingDb))))
        assert.isAbove(recordedQueries.size, 40)
        for (const query of [...recordedQueries.values()].filter((one) => !mayScan(one) && isExplainable(one))) {
          const slowSteps = yield* dialect === "sqlite" ? findSlowSqliteSteps(query) : findSlowPostgresNodes(query)
          assert.deepStrictEqual(slowSteps, [], query.sql)
        }
      })
    )
  })
}
