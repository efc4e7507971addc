import {
  isWithinTransfers,
  type TransferClaim,
  TransferClaims,
  totalShares
} from "@countersign/core/accounting/history"
import { Effect, Layer } from "effect"
import { Db } from "./Db.ts"
import { acquireAdvisoryLock, commitIfTrue } from "./transactions.ts"

export const layer = Layer.effect(
  TransferClaims,
  Effect.gen(function* () {
    const db = yield* Db
    const { query } = db

    const amountsOfOthers = ({ account, chainId, hash, projectId, transactionId }: Omit<TransferClaim, "shares">) =>
      Effect.map(
        db.all(
          query
            .selectFrom("transfer_claims")
            .select(["transfer_index", "amount"])
            .where(({ and }) => and({ project_id: projectId, chain_id: chainId, hash, account }))
            .where("transaction_id", "!=", transactionId)
            .orderBy("transfer_index")
        ),
        (rows) =>
          totalShares(rows.map(({ amount, transfer_index }) => ({ index: transfer_index, amount: BigInt(amount) })))
      )

    const store = ({ account, chainId, hash, projectId, shares, transactionId }: TransferClaim) =>
      db.run(
        query
          .insertInto("transfer_claims")
          .values(
            shares.map(({ amount, index }) => ({
              project_id: projectId,
              chain_id: chainId,
              hash,
              account,
              transfer_index: index,
              transaction_id: transactionId,
              amount: String(amount)
            }))
          )
          .onConflict((conflict) =>
            conflict
              .columns(["project_id", "chain_id", "hash", "account", "transfer_index", "transaction_id"])
              .doUpdateSet(({ ref }) => ({ amount: ref("excluded.amount") }))
          )
      )

    return TransferClaims.of({
      claim: (claim) =>
        commitIfTrue(
          db,
          Effect.gen(function* () {
            const { account, chainId, hash, projectId } = claim
            yield* acquireAdvisoryLock(db, `transfer claims ${projectId} ${chainId} ${hash} ${account}`)
            if (!isWithinTransfers(claim, yield* amountsOfOthers(claim))) return false
            yield* store(claim)
            return true
          })
        ),
      readClaimedByOthers: amountsOfOthers
    })
  })
)
