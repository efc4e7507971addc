import { type TransferClaim, TransferClaims } from "@countersign/core/history"
import { Effect, Layer } from "effect"
import { Db } from "./Db.ts"
import { storedIfTrue } from "./transactions.ts"

export const layer = Layer.effect(
  TransferClaims,
  Effect.gen(function* () {
    const db = yield* Db
    const { query } = db

    const others = ({ account, chainId, hash, projectId, transactionId }: Omit<TransferClaim, "indices">) =>
      query
        .selectFrom("transfer_claims")
        .select("transfer_index")
        .where(({ and }) => and({ project_id: projectId, chain_id: chainId, hash, account }))
        .where("transaction_id", "!=", transactionId)

    return TransferClaims.of({
      claim: (claim) =>
        storedIfTrue(
          db,
          Effect.gen(function* () {
            const { account, chainId, hash, indices, projectId, transactionId } = claim
            const rows = indices
              .toSorted((a, b) => a - b)
              .map((index) => ({
                project_id: projectId,
                chain_id: chainId,
                hash,
                account,
                transfer_index: index,
                transaction_id: transactionId
              }))
            yield* db.run(
              query
                .insertInto("transfer_claims")
                .values(rows)
                .onConflict((conflict) => conflict.doNothing())
            )
            const taken = yield* db.all(others(claim).where("transfer_index", "in", [...indices]))
            return taken.length === 0
          })
        ),
      claimedByOthers: (claim) =>
        Effect.map(db.all(others(claim)), (rows) => new Set(rows.map(({ transfer_index }) => transfer_index)))
    })
  })
)
