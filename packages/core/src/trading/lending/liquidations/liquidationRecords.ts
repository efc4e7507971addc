import { DateTime, Effect, Option } from "effect"
import { HistoryStore, type MovementValue, movementValue, Transactions } from "../../../accounting/history/index.ts"
import { chainOf, type EvmChainId } from "../../../foundation/chains/index.ts"
import { UpstreamUnavailable } from "../../../foundation/errors/index.ts"
import { Entropy, UnitOfWork } from "../../../foundation/primitives/index.ts"
import { TokenCatalog, TokenPrices, tokenKey } from "../../../foundation/tokens/index.ts"
import { ChainReader } from "../../../operations/user-operations/index.ts"
import type { ProjectId } from "../../../tenancy/projects/index.ts"
import { WalletStore } from "../../../wallets/registry/index.ts"
import type { LendingMarket, Liquidation } from "../LendingMarket.ts"
import { LoanStore, type RecordedLiquidation } from "./LoanStore.ts"
import { liquidationTransaction, reorgedTransaction } from "./liquidationTransaction.ts"

/** Records liquidations in the wallets' histories, and reverts them if a reorg removed their block. */
export const liquidationRecords = Effect.gen(function* () {
  const loans = yield* LoanStore
  const reader = yield* ChainReader
  const history = yield* HistoryStore
  const transactions = yield* Transactions
  const wallets = yield* WalletStore
  const catalog = yield* TokenCatalog
  const prices = yield* TokenPrices
  const entropy = yield* Entropy
  const unitOfWork = yield* UnitOfWork

  const valueOf = Effect.fnUntraced(function* (
    chainId: EvmChainId,
    { collateralAmount, collateralToken }: Liquidation
  ): Effect.fn.Return<MovementValue> {
    const token = yield* catalog.find(chainId, collateralToken)
    if (Option.isNone(token)) return { usd: null }
    const tokenPrices = yield* prices.findPrices([token.value])
    return movementValue(collateralAmount, token.value, tokenPrices.get(tokenKey(token.value)))
  })

  const record = Effect.fnUntraced(function* (
    chainId: EvmChainId,
    provider: LendingMarket,
    projectId: ProjectId,
    liquidation: Liquidation
  ) {
    const { blockHash, blockNumber, logIndex, transactionHash } = liquidation
    // A single faulty node could report a block that does not exist, so two nodes must agree on it, unless the chain
    // has only one.
    const { hash } = yield* reader.agreedBlockAt(chainId, blockNumber)
    if (hash !== blockHash) {
      const reason = `two nodes do not agree on block ${blockNumber}`
      return yield* new UpstreamUnavailable({ upstream: `${chainOf(chainId).name} RPC node`, reason })
    }
    const recordedAt = yield* DateTime.now
    const id = yield* entropy.uuid
    const value = yield* valueOf(chainId, liquidation)
    const recordedLiquidation: RecordedLiquidation = {
      projectId,
      chainId,
      transactionHash,
      logIndex,
      transactionId: id,
      blockNumber,
      blockHash
    }
    const write = Effect.gen(function* () {
      if (!(yield* loans.record(recordedLiquidation))) return false
      const detectedLiquidation = { id, projectId, chainId, provider: provider.id, liquidation, value, at: recordedAt }
      yield* transactions.add(liquidationTransaction(detectedLiquidation))
      yield* wallets.recordTransaction(projectId, liquidation.account, recordedAt)
      return true
    })
    return yield* unitOfWork.run(write)
  })

  const revert = Effect.fnUntraced(function* (recordedLiquidation: RecordedLiquidation) {
    const { hash } = yield* reader.agreedBlockAt(recordedLiquidation.chainId, recordedLiquidation.blockNumber)
    if (hash === null || hash === recordedLiquidation.blockHash) return
    const recordedAt = yield* DateTime.now
    const remove = Effect.gen(function* () {
      if (!(yield* loans.remove(recordedLiquidation))) return
      const { projectId, transactionId } = recordedLiquidation
      const transaction = Option.getOrNull(yield* history.find(projectId, transactionId))
      if (transaction !== null) yield* transactions.change(transaction, reorgedTransaction(transaction, recordedAt))
    })
    yield* unitOfWork.run(remove)
  })

  return { record, revert }
})
