import { EvmChainId } from "@countersign/core/foundation/chains"
import { Address, Hash32 } from "@countersign/core/foundation/primitives"
import { ProjectId } from "@countersign/core/tenancy/projects"
import { type DueLoan, LoanStore, type RecordedLiquidation } from "@countersign/core/trading/lending"
import { Effect, Layer, Option } from "effect"
import type { ExpressionBuilder } from "kysely"
import { checkType, instantOf, millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import type { Tables } from "./migrations/index.ts"

const toChainId = checkType(EvmChainId)
const toAddress = checkType(Address)
const toHash = checkType(Hash32)
const toProjectId = checkType(ProjectId)

const rowOf = (liquidation: RecordedLiquidation): Tables["liquidations"] => ({
  chain_id: liquidation.chainId,
  transaction_hash: liquidation.transactionHash,
  log_index: liquidation.logIndex,
  project_id: liquidation.projectId,
  transaction_id: liquidation.transactionId,
  block_number: Number(liquidation.blockNumber),
  block_hash: liquidation.blockHash
})

const recordedLiquidationOf = (row: Tables["liquidations"]): RecordedLiquidation => ({
  projectId: toProjectId(row.project_id),
  chainId: toChainId(row.chain_id),
  transactionHash: toHash(row.transaction_hash),
  logIndex: row.log_index,
  transactionId: row.transaction_id,
  blockNumber: BigInt(row.block_number),
  blockHash: toHash(row.block_hash)
})

const dueLoanOf = (row: Tables["watched_loans"]): DueLoan => ({
  projectId: toProjectId(row.project_id),
  walletAddress: toAddress(row.wallet_address),
  chainId: toChainId(row.chain_id),
  checkAt: instantOf(row.look_at),
  wasFree: row.was_free === 1
})

/** Selects the row of a loan if the row is unchanged since it was read. */
const isUnchanged =
  ({ chainId, checkAt, projectId, walletAddress }: DueLoan) =>
  ({ and, eb }: ExpressionBuilder<Tables, "watched_loans">) =>
    and([
      eb("chain_id", "=", chainId),
      eb("wallet_address", "=", walletAddress),
      eb("project_id", "=", projectId),
      eb("look_at", "=", millisOf(checkAt))
    ])

export const layer = Layer.effect(
  LoanStore,
  Effect.gen(function* () {
    const db = yield* Db
    const { query } = db
    return LoanStore.of({
      watch: ({ projectId, walletAddress }, chainId, checkAt) => {
        const check = { look_at: millisOf(checkAt), was_free: 0 }
        return Effect.andThen(
          db.run(
            query
              .insertInto("watched_loans")
              .values({ chain_id: chainId, wallet_address: walletAddress, project_id: projectId, ...check })
              .onConflict((conflict) =>
                conflict.columns(["chain_id", "wallet_address", "project_id"]).doUpdateSet(check)
              )
          ),
          db.announce("LOANS", 0)
        )
      },
      listDue: (now, limit) =>
        Effect.map(
          db.all(
            query
              .selectFrom("watched_loans")
              .selectAll()
              .where("look_at", "<=", millisOf(now))
              .orderBy("look_at")
              .limit(limit)
          ),
          (rows) => rows.map(dueLoanOf)
        ),
      recordCheck: (loan, checkAt, isFree) =>
        Effect.asVoid(
          db.run(
            query
              .updateTable("watched_loans")
              .set({ look_at: millisOf(checkAt), was_free: isFree ? 1 : 0 })
              .where(isUnchanged(loan))
          )
        ),
      unwatch: (loan) =>
        Effect.gen(function* () {
          yield* db.run(query.deleteFrom("watched_loans").where(isUnchanged(loan)))
          const remainingLoans = query
            .selectFrom("watched_loans")
            .select("chain_id")
            .where("chain_id", "=", loan.chainId)
          yield* db.run(
            query
              .deleteFrom("loan_cursors")
              .where("chain_id", "=", loan.chainId)
              .where(({ exists, not }) => not(exists(remainingLoans)))
          )
        }),
      listWatched: (chainId, after, limit) => {
        const addresses = query
          .selectFrom("watched_loans")
          .select("wallet_address")
          .distinct()
          .where("chain_id", "=", chainId)
          .where("wallet_address", ">", after ?? "")
          .orderBy("wallet_address")
          .limit(limit)
        const rows = db.all(
          query
            .selectFrom("watched_loans")
            .select(["wallet_address", "project_id"])
            .where("chain_id", "=", chainId)
            .where("wallet_address", "in", addresses)
            .orderBy("wallet_address")
            .orderBy("project_id")
        )
        return Effect.map(rows, (loanRows) =>
          loanRows.map((row) => ({
            projectId: toProjectId(row.project_id),
            walletAddress: toAddress(row.wallet_address)
          }))
        )
      },
      findCursor: (chainId) =>
        Effect.map(
          db.first(query.selectFrom("loan_cursors").select("block_number").where("chain_id", "=", chainId)),
          Option.match({ onNone: () => null, onSome: ({ block_number }) => BigInt(block_number) })
        ),
      moveCursor: (chainId, blockNumber) =>
        Effect.asVoid(
          db.run(
            query
              .insertInto("loan_cursors")
              .values({ chain_id: chainId, block_number: Number(blockNumber) })
              .onConflict((conflict) =>
                conflict
                  .column("chain_id")
                  .doUpdateSet({ block_number: Number(blockNumber) })
                  .where("loan_cursors.block_number", "<", Number(blockNumber))
              )
          )
        ),
      record: (liquidation) =>
        Effect.map(
          db.run(
            query
              .insertInto("liquidations")
              .values(rowOf(liquidation))
              .onConflict((conflict) => conflict.doNothing())
          ),
          (changedCount) => changedCount === 1
        ),
      listSince: (chainId, blockNumber) =>
        Effect.map(
          db.all(
            query
              .selectFrom("liquidations")
              .selectAll()
              .where("chain_id", "=", chainId)
              .where("block_number", ">=", Number(blockNumber))
              .orderBy("block_number")
              .orderBy("log_index")
          ),
          (rows) => rows.map(recordedLiquidationOf)
        ),
      remove: ({ chainId, logIndex, projectId, transactionHash, transactionId }) =>
        Effect.map(
          db.run(
            query.deleteFrom("liquidations").where(({ and }) =>
              and({
                chain_id: chainId,
                transaction_hash: transactionHash,
                log_index: logIndex,
                project_id: projectId,
                transaction_id: transactionId
              })
            )
          ),
          (removedCount) => removedCount === 1
        ),
      deleteBefore: (chainId, blockNumber) =>
        Effect.asVoid(
          db.run(
            query
              .deleteFrom("liquidations")
              .where("chain_id", "=", chainId)
              .where("block_number", "<", Number(blockNumber))
          )
        )
    })
  })
)
