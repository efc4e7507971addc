import { HistoryStore, isUnlisted, Transaction } from "@countersign/core/history"
import { jsonText } from "@countersign/core/primitives"
import { Effect, Layer, Option } from "effect"
import { millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import { historyQuery } from "./historyQuery.ts"
import { metadataEntry } from "./metadataEntry.ts"
import type { Tables } from "./migrations/index.ts"
import { movementOfRow, movementsQuery, rowsOfMovements } from "./movementRows.ts"

const recordText = jsonText(Transaction)

const transactionOfRow = (row: Pick<Tables["transactions"], "record">): Transaction => recordText.decode(row.record)

const rowOfTransaction = (transaction: Transaction): Tables["transactions"] => ({
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

const rowsOfMetadata = (transaction: Transaction): ReadonlyArray<Tables["transaction_metadata"]> =>
  Object.entries(transaction.metadata).map(([key, value]) => ({
    project_id: transaction.projectId,
    transaction_id: transaction.id,
    entry: metadataEntry(key, value)
  }))

const rowsOfLegs = ({ id, legs, projectId }: Transaction): ReadonlyArray<Tables["transaction_legs"]> =>
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

    /** The rows by which transactions are found, beside their own columns, and their movements. */
    const insertMarks = Effect.fnUntraced(function* (transaction: Transaction) {
      const [metadata, legs] = [rowsOfMetadata(transaction), rowsOfLegs(transaction)]
      const movements = rowsOfMovements(transaction)
      if (metadata.length > 0) yield* db.run(db.query.insertInto("transaction_metadata").values(metadata))
      if (legs.length > 0) yield* db.run(db.query.insertInto("transaction_legs").values(legs))
      if (movements.length > 0) yield* db.run(db.query.insertInto("movements").values(movements))
    })

    const deleteMarks = ({ projectId, id }: Transaction) =>
      Effect.forEach(["transaction_metadata", "transaction_legs", "movements"] as const, (table) =>
        db.run(db.query.deleteFrom(table).where("project_id", "=", projectId).where("transaction_id", "=", id))
      )

    return HistoryStore.of({
      insert: (transaction) =>
        db.transaction(
          Effect.andThen(
            db.run(db.query.insertInto("transactions").values(rowOfTransaction(transaction))),
            insertMarks(transaction)
          )
        ),
      find: (projectId, id) =>
        Effect.map(find({ projectId, id }), ([row]) => Option.map(Option.fromUndefinedOr(row), transactionOfRow)),
      update: (transaction) =>
        db.transaction(
          Effect.gen(function* () {
            const changes = yield* db.run(
              db.query
                .updateTable("transactions")
                .set(rowOfTransaction(transaction))
                .where(({ and }) => and({ project_id: transaction.projectId, id: transaction.id }))
            )
            if (changes === 0) return
            yield* deleteMarks(transaction)
            yield* insertMarks(transaction)
          })
        ),
      list: (page) => Effect.map(db.all(historyQuery(db.query, page)), (rows) => rows.map(transactionOfRow)),
      movements: (page) => Effect.map(db.all(movementsQuery(db.query, page)), (rows) => rows.map(movementOfRow))
    })
  })
)
