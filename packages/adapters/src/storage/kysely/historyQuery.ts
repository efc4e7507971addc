import type { HistoryFilter, HistoryPage, MetadataPair } from "@countersign/core/accounting/history"
import { DateTime } from "effect"
import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type SelectQueryBuilder,
  type SqlBool,
  sql
} from "kysely"
import { millisOf } from "./codec.ts"
import type { Db } from "./Db.ts"
import type { Dialect } from "./dialect.ts"
import { type HistoryKind, hasKindFilter, matchesKind } from "./historyKinds.ts"
import { metadataEntry } from "./metadataEntry.ts"
import type { Tables } from "./migrations/index.ts"
import { withoutIndex } from "./withoutIndex.ts"

type Builder = Pick<Db["Service"], "dialect" | "query">
type Row = ExpressionBuilder<Tables, "transactions">
type Condition = Expression<SqlBool>
type Conditions = (row: Row) => ReadonlyArray<Condition>

/** Positions of transactions from one index, in the order of a page. A page is merged from one or several streams. */
type Stream = SelectQueryBuilder<Tables, never, { readonly created_at: number; readonly id: string }>

const conditionIfPresent = <A>(value: A | undefined, condition: (value: A) => Condition): ReadonlyArray<Condition> =>
  value === undefined ? [] : [condition(value)]

const conditionIfNotEmpty = <A>(
  values: ReadonlyArray<A> | undefined,
  condition: (values: ReadonlyArray<A>) => Condition
) => conditionIfPresent(values?.length ? values : undefined, condition)

/** Columns of another table that contain a transaction's position. */
interface PositionColumns {
  readonly at: "place.created_at" | "transaction_entries.created_at"
  readonly id: "place.id" | "transaction_entries.transaction_id"
}

/**
 * Returns the table in which a position is looked up. Without the index hint SQLite would use the index of kinds,
 * because that index contains all requested columns.
 */
const orderedTransactions = (dialect: Dialect) =>
  sql<Tables["transactions"]>`transactions`.as<"transactions">(
    dialect === "sqlite" ? sql`transactions indexed by transactions_newest` : sql`transactions`
  )

/**
 * Selects the transaction at a position. Uses the index with the order of a page and not the primary key, because
 * transactions that are close in time are close on disk. For a subquery and not for a join: planners reverse a join, or
 * start it with the wrong table.
 */
const isAtPosition = (
  { dialect, query }: Builder,
  { projectId, walletAddress }: HistoryPage,
  { at, id }: PositionColumns
) =>
  query
    .selectFrom(orderedTransactions(dialect))
    .where("transactions.project_id", "=", projectId)
    .where("transactions.wallet_address", "=", walletAddress)
    .where((row) => row("transactions.created_at", "=", sql.ref<number>(at)))
    .where((row) => row(withoutIndex(dialect, row.ref("transactions.id")), "=", sql.ref<string>(id)))

/**
 * Builds the conditions on the range of a page, by columns in its order. Uses only one of the cursor and the latest
 * time. With both, Postgres may start at the later one and read everything in between.
 */
const pageConditions = (
  { after, filter: { createdAtLatest: latest, createdAtOldest: oldest } }: HistoryPage,
  at: "created_at" | "transaction_entries.created_at",
  id: "id" | "transaction_entries.transaction_id"
): ReadonlyArray<Condition> => {
  const time = sql.ref<number>(at)
  const isAfterLatest = after !== null && latest !== undefined && DateTime.isGreaterThan(after.createdAt, latest)
  const cursor = isAfterLatest ? undefined : (after ?? undefined)
  return [
    ...conditionIfPresent(
      cursor === undefined ? latest : undefined,
      (last) => sql<SqlBool>`${time} <= ${millisOf(last)}`
    ),
    ...conditionIfPresent(oldest, (first) => sql<SqlBool>`${time} >= ${millisOf(first)}`),
    ...conditionIfPresent(
      cursor,
      (last) => sql<SqlBool>`(${time}, ${sql.ref(id)}) < (${millisOf(last.createdAt)}, ${last.id})`
    )
  ]
}

/**
 * Filters by kinds if another index selects the page. The expression prevents SQLite from using the index of kinds,
 * which it would prefer because that index contains more columns.
 */
const isOfKinds =
  ({ chainIdIn, chainIdOut, chains, statuses, types }: HistoryFilter, dialect: Dialect): Conditions =>
  (row) => {
    const unindexedColumn = (column: "type" | "status" | "chain_id_in" | "chain_id_out") =>
      dialect === "sqlite" ? withoutIndex(dialect, row.ref(column)) : row.ref(column)
    return [
      ...conditionIfNotEmpty(types, (values) => row(unindexedColumn("type"), "in", values)),
      ...conditionIfNotEmpty(statuses, (values) => row(unindexedColumn("status"), "in", values)),
      ...conditionIfNotEmpty(chains, (values) =>
        row.or([row(unindexedColumn("chain_id_in"), "in", values), row(unindexedColumn("chain_id_out"), "in", values)])
      ),
      ...conditionIfPresent(chainIdIn, (id) => row(unindexedColumn("chain_id_in"), "=", id)),
      ...conditionIfPresent(chainIdOut, (id) => row(unindexedColumn("chain_id_out"), "=", id))
    ]
  }

const isOfKind =
  ([type, status, start, end]: HistoryKind): Conditions =>
  (row) => [
    row("type", "=", type),
    row("status", "=", status),
    row("chain_id_in", start === null ? "is" : "=", start),
    row("chain_id_out", end === null ? "is" : "=", end)
  ]

const hasPair = (row: Row, { projectId }: HistoryPage, { key, value }: MetadataPair): Condition =>
  row.exists(
    row
      .selectFrom("transaction_entries as pair")
      .select("pair.entry")
      .whereRef("pair.transaction_id", "=", "transactions.id")
      .where(({ and }) => and({ "pair.project_id": projectId, "pair.entry": metadataEntry(key, value) }))
  )

const withPair =
  (page: HistoryPage): Conditions =>
  (row) =>
    conditionIfPresent(page.filter.metadata, (pair) => hasPair(row, page, pair))

const aboutSubject =
  (page: HistoryPage): Conditions =>
  (row) =>
    conditionIfPresent(page.filter.subject, ({ id, orMetadata }) =>
      row.or([row("subject", "=", id), ...(orMetadata === null ? [] : [hasPair(row, page, orMetadata)])])
    )

const isOfWallet =
  ({ walletAddress }: HistoryPage): Conditions =>
  (row) => [row("wallet_address", "=", walletAddress)]

/**
 * Builds the condition that excludes transactions of unlisted tokens, unless the request includes them. No index is
 * needed, because the service stores only a limited number of them for each wallet.
 */
const listedConditions =
  ({ filter: { includeUnlisted } }: HistoryPage): Conditions =>
  (row) =>
    includeUnlisted === true ? [] : [row("unlisted", "=", 0)]

const subjectOtherThan =
  (subject: string): Conditions =>
  (row) => [row.or([row("subject", "is", null), row("subject", "!=", subject)])]

type TransactionQuery = SelectQueryBuilder<Tables, "transactions", unknown>

/** Selects the few transactions with a leg of this hash. The cross join makes SQLite start with the legs. */
const withHash = (query: Kysely<Tables>, { projectId }: HistoryPage, hash: string): TransactionQuery =>
  query
    .selectFrom((row) =>
      row
        .selectFrom("transaction_legs")
        .select("transaction_id")
        .distinct()
        .where(({ and }) => and({ project_id: projectId, hash }))
        .as("leg")
    )
    .crossJoin("transactions")
    .whereRef("transactions.id", "=", "leg.transaction_id") as never

/**
 * Builds the query for transactions from an index with the order of a page, or from a few transactions. Selects their
 * sort keys (`created_at`, `id`).
 */
const stream = (from: TransactionQuery, page: HistoryPage, ...conditions: ReadonlyArray<Conditions>): Stream => {
  return from
    .select(["created_at", "id"])
    .where("project_id", "=", page.projectId)
    .where((row) => row.and([...conditions.flatMap((each) => each(row)), ...pageConditions(page, "created_at", "id")]))
}

/**
 * Builds the query for the transactions of a wallet with this metadata pair. Selects their sort keys (`created_at`,
 * `id`).
 */
const pairStream = (
  builder: Builder,
  page: HistoryPage,
  { key, value }: MetadataPair,
  ...conditions: ReadonlyArray<Conditions>
): Stream =>
  builder.query
    .selectFrom("transaction_entries")
    .select(["transaction_entries.created_at", "transaction_entries.transaction_id as id"])
    .where(({ and }) =>
      and({
        "transaction_entries.project_id": page.projectId,
        "transaction_entries.wallet_address": page.walletAddress,
        "transaction_entries.entry": metadataEntry(key, value)
      })
    )
    .where((row) =>
      row(
        isAtPosition(builder, page, { at: "transaction_entries.created_at", id: "transaction_entries.transaction_id" })
          .select(sql.lit(1).as("one"))
          .where((each) => each.and(conditions.flatMap((condition) => condition(each))))
          .$asScalar(),
        "=",
        sql.lit(1)
      )
    )
    .where((row) =>
      row.and([...pageConditions(page, "transaction_entries.created_at", "transaction_entries.transaction_id")])
    )

/**
 * Returns the streams of a page, which have no transactions in common. The most selective filter determines the
 * streams, and the other filters are conditions.
 */
const streamsOf = (builder: Builder, page: HistoryPage, kinds: ReadonlyArray<HistoryKind>): ReadonlyArray<Stream> => {
  const { dialect, query } = builder
  const { metadata, subject, transactionHash, userOperationHash } = page.filter
  const kindsOf = isOfKinds(page.filter, dialect)
  const allTransactions: TransactionQuery = query.selectFrom("transactions")
  const wallet = isOfWallet(page)
  const isListed = listedConditions(page)
  const commonConditions = [withPair(page), kindsOf, isListed]
  if (transactionHash !== undefined || userOperationHash !== undefined) {
    const source = transactionHash === undefined ? allTransactions : withHash(query, page, transactionHash)
    const operation: Conditions = (row) =>
      conditionIfPresent(userOperationHash, (hash) => row("user_operation_hash", "=", hash))
    return [stream(source, page, wallet, operation, aboutSubject(page), ...commonConditions)]
  }
  if (subject !== undefined) {
    const { id, orMetadata } = subject
    const bySubject = stream(allTransactions, page, wallet, (row) => [row("subject", "=", id)], ...commonConditions)
    return orMetadata === null
      ? [bySubject]
      : [bySubject, pairStream(builder, page, orMetadata, subjectOtherThan(id), ...commonConditions)]
  }
  if (metadata !== undefined) return [pairStream(builder, page, metadata, kindsOf, isListed)]
  if (!hasKindFilter(page.filter)) return [stream(allTransactions, page, wallet, isListed)]
  return kinds
    .filter(matchesKind(page.filter))
    .map((kind) => stream(allTransactions, page, wallet, isOfKind(kind), isListed))
}

const newestFirst = (positions: Stream, take: number): Stream =>
  positions.orderBy("created_at", "desc").orderBy("id", "desc").limit(take)

/**
 * Builds one part of the union. Postgres uses the order of an index only if the part itself sorts and limits; SQLite
 * does not allow this.
 */
const partOf = ({ dialect, query }: Builder, stream: Stream, take: number): Stream =>
  dialect === "sqlite" ? stream : query.selectFrom(newestFirst(stream, take).as("stream")).select(["created_at", "id"])

/**
 * Builds the query for a page of a wallet's transactions; null if the wallet has no transaction of a requested kind.
 * The cursor is a position in the order, so new rows do not shift it. Streams are merged, and each is read only as far
 * as the page needs it.
 */
export const historyQuery = (builder: Builder, page: HistoryPage, kinds: ReadonlyArray<HistoryKind>) => {
  const [first, ...others] = streamsOf(builder, page, kinds).map((stream) => partOf(builder, stream, page.take))
  if (first === undefined) return null
  const mergedStream = others.reduce((union, each) => union.unionAll(each), first)
  return builder.query
    .selectFrom(newestFirst(mergedStream, page.take).as("place"))
    .select(
      isAtPosition(builder, page, { at: "place.created_at", id: "place.id" })
        .select("transactions.record")
        .$asScalar()
        .as("record")
    )
    .orderBy("place.created_at", "desc")
    .orderBy("place.id", "desc")
    .limit(page.take)
}
