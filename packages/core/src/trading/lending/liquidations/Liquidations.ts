import { Context, Effect, Layer } from "effect"
import { chainOf, type EvmChainId } from "../../../foundation/chains/index.ts"
import { maxBigInt, minBigInt } from "../../../foundation/primitives/index.ts"
import { Finality } from "../../../operations/executions/index.ts"
import { ChainReader } from "../../../operations/user-operations/index.ts"
import { LendingMarkets, type LiquidationSearch } from "../LendingMarket.ts"
import { LoanStore, type WatchedLoan } from "./LoanStore.ts"
import { liquidationRecords } from "./liquidationRecords.ts"

/** Maximum number of blocks per log query. Public nodes accept this number. */
const STEP_BLOCKS = 1_000n
/** Maximum number of wallets per log query. */
const STEP_WALLETS = 200

/** Detects on-chain liquidations of watched wallets, and records each one once per project in the wallet's history. */
export class Liquidations extends Context.Service<
  Liquidations,
  {
    /**
     * Searches the next blocks of every served chain that has watched wallets. Returns the number of new liquidations.
     */
    readonly searchDue: Effect.Effect<number>
  }
>()("@countersign/core/lending/Liquidations") {
  static readonly layer = Layer.effect(
    Liquidations,
    Effect.gen(function* () {
      const loans = yield* LoanStore
      const { chainIds, providers } = yield* LendingMarkets
      const reader = yield* ChainReader
      const finality = yield* Finality
      const { record, revert } = yield* liquidationRecords

      /**
       * Searches a block range for liquidations of these wallets, and records each one for every project that watches
       * the wallet. Returns the number of new records.
       */
      const search = Effect.fnUntraced(function* (
        chainId: EvmChainId,
        range: Pick<LiquidationSearch, "fromBlock" | "toBlock">,
        watchedLoans: ReadonlyArray<WatchedLoan>
      ) {
        const accounts = [...new Set(watchedLoans.map(({ walletAddress }) => walletAddress))]
        const detectedLiquidations = yield* Effect.forEach(
          providers.filter((provider) => provider.serves(chainId)),
          (provider) =>
            Effect.map(provider.listLiquidations({ chainId, accounts, ...range }), (liquidations) =>
              liquidations.flatMap((liquidation) =>
                watchedLoans
                  .filter(({ walletAddress }) => walletAddress === liquidation.account)
                  .map(({ projectId }) => ({ provider, projectId, liquidation }))
              )
            )
        )
        const recordResults = yield* Effect.forEach(
          detectedLiquidations.flat(),
          ({ liquidation, projectId, provider }) => record(chainId, provider, projectId, liquidation)
        )
        return recordResults.filter((isNew) => isNew).length
      })

      /**
       * Continues after the last checked block. Earlier blocks that a reorg may still remove are checked again, and
       * liquidations in orphaned blocks are reverted.
       */
      const checkChain = Effect.fnUntraced(function* (chainId: EvmChainId) {
        const firstPage = yield* loans.listWatched(chainId, null, STEP_WALLETS)
        if (firstPage.length === 0) return 0
        const { number: head } = yield* reader.readHead(chainId)
        const unfinalizedBlocks = BigInt(finality(chainId).blocks)
        const cursor = (yield* loans.findCursor(chainId)) ?? head
        const fromBlock = maxBigInt(0n, minBigInt(cursor, head) - unfinalizedBlocks)
        const toBlock = minBigInt(head, fromBlock + STEP_BLOCKS - 1n)
        yield* Effect.forEach(yield* loans.listSince(chainId, fromBlock), revert, { discard: true })
        let count = 0
        for (let watchedLoans = firstPage; watchedLoans.length > 0; ) {
          count += yield* search(chainId, { fromBlock, toBlock }, watchedLoans)
          watchedLoans = yield* loans.listWatched(chainId, watchedLoans.at(-1)!.walletAddress, STEP_WALLETS)
        }
        yield* loans.moveCursor(chainId, toBlock)
        return count
      })

      return Liquidations.of({
        searchDue: Effect.gen(function* () {
          const counts = yield* Effect.forEach(
            chainIds(),
            (chainId) =>
              Effect.catch(checkChain(chainId), (error) =>
                Effect.as(
                  Effect.logWarning(`the search for liquidations on ${chainOf(chainId).name} failed`, {
                    reason: error.message
                  }),
                  0
                )
              ),
            { concurrency: "unbounded" }
          )
          return counts.reduce((sum, count) => sum + count, 0)
        })
      })
    })
  )
}
