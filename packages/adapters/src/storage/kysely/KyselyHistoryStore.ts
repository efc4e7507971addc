import { type HistoryPage, HistoryStore, isUnlisted, Transaction } from "@countersign/core/accounting/history"
import { jsonText } from "@countersign/core/foundation/primitives"
import { Array, Effect, Layer, Option } from "effect"
import { sql } from "kysely"
import { millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import { hasKindFilter, kindFromText, kindText } from "./historyKinds.ts"
import { historyQuery } from "./historyQuery.ts"
import { metadataEntry } from "./metadataEntry.ts"
import type { Tables } from "./migrations/index.ts"
import { movementFromRow, movementsQuery, toMovementRows } from "./movementRows.ts"

/** Maximum number of ids per statement, because the number of parameters is limited. */
const IDS_PER_BATCH = 500

const recordText = jsonText(Transaction)

export const transactionFromRow = (row: Pick<Tables["transactions"], "record">): Transaction =>
  recordText.decode(row.record)

const toTransactionRow = (transaction: Transaction): Tables["transactions"] => ({
  project_id: transaction.projectId,
  id: transaction.id,
  wallet_address: transaction.walletAddress,
  type: transaction.type,
  status: transaction.status,
  chain_id_in: transaction.chainIdIn,
  chain_id_out: transaction.chainIdOut,
  user_operation_hash: transaction.userOperationHash,
  subject: transaction.subject,
  created_at: millisOf(transaction.createdAt),
  unlisted: isUnlisted(transaction) ? 1 : 0,
  record: recordText.encode(transaction)
})

const toMetadataRows = (transaction: Transaction): ReadonlyArray<Tables["transaction_entries"]> =>
  Object.entries(transaction.metadata).map(([key, value]) => ({
    project_id: transaction.projectId,
    transaction_id: transaction.id,
    wallet_address: transaction.walletAddress,
    created_at: millisOf(transaction.createdAt),
    entry: metadataEntry(key, value)
  }))

const toKindRow = (transaction: Transaction): Tables["transaction_kinds"] => ({
  project_id: transaction.projectId,
  wallet_address: transaction.walletAddress,
  kind: kindText(transaction)
})

const toLegRows = ({ id, legs, projectId }: Transaction): ReadonlyArray<Tables["transaction_legs"]> =>
  legs.flatMap(({ chainId, hash }, position) =>
    hash === null ? [] : [{ project_id: projectId, transaction_id: id, position, chain_id: chainId, hash }]
  )

export const layer = Layer.effect(
  HistoryStore,
  Effect.gen(function* () {
    const db = yield* Db

    const find = db.prepare((query, { projectId, id }: { projectId: string; id: string }) =>
      query.selectFrom("transactions").select("record").where("project_id", "=", projectId).where("id", "=", id)
    )

    const kindRows = db.prepare(
      (query, { projectId, walletAddress }: Pick<HistoryPage, "projectId" | "walletAddress">) =>
        query
          .selectFrom("transaction_kinds")
          .select("kind")
          .where("project_id", "=", projectId)
          .where("wallet_address", "=", walletAddress)
    )

    const addKind = (row: Tables["transaction_kinds"]) =>
      db.run(
        db.query
          .insertInto("transaction_kinds")
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
      )

    const kindsOf = (page: HistoryPage) =>
      hasKindFilter(page.filter)
        ? Effect.map(kindRows(page), (rows) => rows.map(({ kind }) => kindFromText(kind)))
        : Effect.succeed([])

    const list = Effect.fnUntraced(function* (page: HistoryPage) {
      for (let kinds = yield* kindsOf(page); ; ) {
        const query = historyQuery(db, page, kinds)
        const rows = query === null ? [] : yield* db.read(query)
        // If the kind of a transaction has changed in the meantime, the page may lack the transaction. The page is then
        // read again.
        const kindsSince = yield* kindsOf(page)
        if (kindsSince.length === kinds.length) return rows.map(transactionFromRow)
        kinds = kindsSince
      }
    })

    /** Inserts the search rows of a transaction and its movements. */
    const insertMarks = Effect.fnUntraced(function* (transaction: Transaction) {
      const [entries, legs] = [toMetadataRows(transaction), toLegRows(transaction)]
      const movements = isUnlisted(transaction) ? [] : toMovementRows(transaction)
      yield* addKind(toKindRow(transaction))
      if (entries.length > 0) yield* db.run(db.query.insertInto("transaction_entries").values(entries))
      if (legs.length > 0) yield* db.run(db.query.insertInto("transaction_legs").values(legs))
      if (movements.length > 0) yield* db.run(db.query.insertInto("movements").values(movements))
    })

    const deleteMarks = ({ projectId, id }: Transaction) =>
      Effect.forEach(["transaction_entries", "transaction_legs", "movements"] as const, (table) =>
        db.run(db.query.deleteFrom(table).where("project_id", "=", projectId).where("transaction_id", "=", id))
      )

    return HistoryStore.of({
      insert: (transaction) =>
        db.transaction(
          Effect.andThen(
            db.run(db.query.insertInto("transactions").values(toTransactionRow(transaction))),
            insertMarks(transaction)
          )
        ),
      find: (projectId, id) =>
        Effect.map(find({ projectId, id }), ([row]) => Option.map(Option.fromUndefinedOr(row), transactionFromRow)),
      findAll: (projectId, ids) =>
        Effect.map(
          Effect.forEach(Array.chunksOf([...ids], IDS_PER_BATCH), (chunk) =>
            db.read(
              db.query
                .selectFrom("transactions")
                .select("record")
                .where("project_id", "=", projectId)
                .where("id", "in", chunk)
            )
          ),
          (chunks) => chunks.flat().map(transactionFromRow)
        ),
      update: (transaction) =>
        db.transaction(
          Effect.gen(function* () {
            const changes = yield* db.run(
              db.query
                .updateTable("transactions")
                .set(toTransactionRow(transaction))
                .where(({ and }) => and({ project_id: transaction.projectId, id: transaction.id }))
            )
            if (changes === 0) return
            yield* deleteMarks(transaction)
            yield* insertMarks(transaction)
          })
        ),
      list,
      listFailed: (projectId, limit) =>
        Effect.map(
          db.all(
            db.query
              .selectFrom("transactions")
              .select("record")
              .where("project_id", "=", projectId)
              // A literal, because the condition must equal that of the partial index.
              .where("status", "=", sql.lit("FAILED"))
              .orderBy("created_at", "desc")
              .orderBy("id", "desc")
              .limit(limit)
          ),
          (rows) => rows.map(transactionFromRow)
        ),
      listMovements: (page) => Effect.map(db.read(movementsQuery(db.query, page)), (rows) => rows.map(movementFromRow))
    })
  })
)
