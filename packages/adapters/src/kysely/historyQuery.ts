import type { HistoryFilter, HistoryPage } from "@countersign/core/history"
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from "kysely"
import { millisOf } from "./codec.ts"
import { metadataEntry } from "./metadataEntry.ts"
import type { Tables } from "./migrations/index.ts"

type Row = ExpressionBuilder<Tables, "transactions">
type Condition = Expression<SqlBool>

const isGiven = <A>(values: ReadonlyArray<A> | undefined): values is ReadonlyArray<A> =>
  values !== undefined && values.length > 0

type Scope = Pick<HistoryPage, "projectId" | "walletAddress">

const withMetadata = (row: Row, { projectId }: Scope, { key, value }: NonNullable<HistoryFilter["metadata"]>) =>
  row
    .selectFrom("transaction_metadata")
    .select("transaction_id as id")
    .where(({ and }) => and({ project_id: projectId, entry: metadataEntry(key, value) }))

const withHash = (row: Row, { projectId }: Scope, hash: string) =>
  row
    .selectFrom("transaction_legs")
    .select("transaction_id as id")
    .where(({ and }) => and({ project_id: projectId, hash }))

const withSubject = (row: Row, { projectId, walletAddress }: Scope, subject: string) =>
  row
    .selectFrom("transactions as other")
    .select("other.id")
    .where(({ and }) =>
      and({ "other.project_id": projectId, "other.wallet_address": walletAddress, "other.subject": subject })
    )

const isAbout = (row: Row, scope: Scope, { id, orMetadata }: NonNullable<HistoryFilter["subject"]>): Condition =>
  orMetadata === null
    ? row("subject", "=", id)
    : // Ids of both kinds together are found by their indices; an OR over the rows would read the wallet's whole history.
      row("id", "in", withSubject(row, scope, id).unionAll(withMetadata(row, scope, orMetadata)))

const conditionsOf = (row: Row, scope: Scope, filter: HistoryFilter): ReadonlyArray<Condition> => [
  ...(isGiven(filter.types) ? [row("type", "in", filter.types)] : []),
  ...(isGiven(filter.statuses) ? [row("status", "in", filter.statuses)] : []),
  ...(filter.userOperationHash === undefined ? [] : [row("user_operation_hash", "=", filter.userOperationHash)]),
  ...(filter.transactionHash === undefined ? [] : [row("id", "in", withHash(row, scope, filter.transactionHash))]),
  ...(isGiven(filter.chains)
    ? [row.or([row("chain_id_in", "in", filter.chains), row("chain_id_out", "in", filter.chains)])]
    : []),
  ...(filter.chainIdIn === undefined ? [] : [row("chain_id_in", "=", filter.chainIdIn)]),
  ...(filter.chainIdOut === undefined ? [] : [row("chain_id_out", "=", filter.chainIdOut)]),
  ...(filter.createdAtLatest === undefined ? [] : [row("created_at", "<=", millisOf(filter.createdAtLatest))]),
  ...(filter.createdAtOldest === undefined ? [] : [row("created_at", ">=", millisOf(filter.createdAtOldest))]),
  ...(filter.subject === undefined ? [] : [isAbout(row, scope, filter.subject)]),
  ...(filter.metadata === undefined ? [] : [row("id", "in", withMetadata(row, scope, filter.metadata))]),
  ...(filter.includeUnlisted === true ? [] : [row("unlisted", "=", 0)])
]

/** A page of a wallet's transactions. The cursor is a position in the order, so rows that are added don't shift it. */
export const historyQuery = (query: Kysely<Tables>, { filter, after, take, ...scope }: HistoryPage) =>
  query
    .selectFrom("transactions")
    .select("record")
    .where(({ and }) => and({ project_id: scope.projectId, wallet_address: scope.walletAddress }))
    .where((row) => row.and([...conditionsOf(row, scope, filter)]))
    .$if(after !== null, (page) =>
      page.where((row) => row(row.refTuple("created_at", "id"), "<", row.tuple(millisOf(after!.createdAt), after!.id)))
    )
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(take)
