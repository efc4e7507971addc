import { HistoryStore, HistoryTransaction } from "@countersign/core/history"
import { Effect, Layer, Option } from "effect"
import { jsonText, millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import { historyQuery } from "./historyQuery.ts"
import { metadataEntry } from "./metadataEntry.ts"
import type { Tables } from "./tables.ts"

const recordText = jsonText(HistoryTransaction)

const transactionOfRow = (row: Pick<Tables["transactions"], "record">): HistoryTransaction =>
  recordText.decode(row.record)

const rowOfTransaction = (transaction: HistoryTransaction): Tables["transactions"] => ({
  project_id: transaction.projectId,
  id: transaction.id,
  wallet_address: transaction.walletAddress,
  type: transaction.type,
  status: transaction.status,
  chain_id_in: transaction.chainIdIn,
  chain_id_out: transaction.chainIdOut,
  user_operation_hash: transaction.userOperationHash,
  transaction_hash: transaction.transactionHash,
  nft_number: transaction.nftNumber,
  created_at: millisOf(transaction.createdAt),
  record: recordText.encode(transaction)
})

const rowsOfMetadata = (transaction: HistoryTransaction): ReadonlyArray<Tables["transaction_metadata"]> =>
  Object.entries(transaction.metadata).map(([key, value]) => ({
    project_id: transaction.projectId,
    transaction_id: transaction.id,
    entry: metadataEntry(key, value)
  }))

export const layer = Layer.effect(
  HistoryStore,
  Effect.gen(function* () {
    const db = yield* Db

    const find = db.prepare((query, { projectId, id }: { projectId: string; id: string }) =>
      query.selectFrom("transactions").select("record").where("project_id", "=", projectId).where("id", "=", id)
    )

    const insertMetadata = (transaction: HistoryTransaction) => {
      const rows = rowsOfMetadata(transaction)
      return rows.length === 0
        ? Effect.void
        : Effect.asVoid(db.run(db.query.insertInto("transaction_metadata").values(rows)))
    }

    const deleteMetadata = ({ projectId, id }: HistoryTransaction) =>
      db.run(
        db.query.deleteFrom("transaction_metadata").where("project_id", "=", projectId).where("transaction_id", "=", id)
      )

    return HistoryStore.of({
      insert: (transaction) =>
        db.transaction(
          Effect.andThen(
            db.run(db.query.insertInto("transactions").values(rowOfTransaction(transaction))),
            insertMetadata(transaction)
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
                .where("project_id", "=", transaction.projectId)
                .where("id", "=", transaction.id)
            )
            if (changes === 0) return
            yield* deleteMetadata(transaction)
            yield* insertMetadata(transaction)
          })
        ),
      list: (page) => Effect.map(db.all(historyQuery(db.query, page)), (rows) => rows.map(transactionOfRow))
    })
  })
)
