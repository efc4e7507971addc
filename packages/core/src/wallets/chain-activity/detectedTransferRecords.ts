import { DateTime, Effect, Option } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import { NATIVE_TOKEN } from "../../foundation/primitives/index.ts"
import { TokenCatalog } from "../../foundation/tokens/index.ts"
import type { WatchProgress } from "./Activity.ts"
import { ActivityStore, type WatchedChain } from "./ActivityStore.ts"
import type { BlockRangeActivity } from "./ChainActivity.ts"
import { type DetectedTokens, detectedTransfersOf } from "./detectedTransfers.ts"
import { makeStoreStep } from "./watchCycle.ts"

/** Maximum number of recorded transactions per wallet that move only unlisted tokens. Further ones are only counted. */
const MAX_UNLISTED = 100

/** Detects the touches of registered wallets in blocks, and stores them with the progress of the chain. */
export const detectedTransferRecords = Effect.gen(function* () {
  const store = yield* ActivityStore
  const catalog = yield* TokenCatalog
  const storeProgress = yield* makeStoreStep

  const isUnlisted = Effect.fnUntraced(function* (chainId: EvmChainId, { tokens }: DetectedTokens) {
    for (const token of tokens) {
      if (token === null || token === NATIVE_TOKEN) return false
      if (Option.isSome(yield* catalog.find(chainId, token))) return false
    }
    return true
  })

  /**
   * Returns the detected transfers to store. The number of transfers that move only unlisted tokens is limited per
   * wallet, to limit spam.
   */
  const limitUnlisted = Effect.fnUntraced(function* (
    chainId: EvmChainId,
    detectedTransfers: ReadonlyArray<DetectedTokens>
  ) {
    const [unlisted, listed]: [Array<DetectedTokens>, Array<DetectedTokens>] = [[], []]
    for (const detectedTransfer of detectedTransfers) {
      const transferList = (yield* isUnlisted(chainId, detectedTransfer)) ? unlisted : listed
      transferList.push(detectedTransfer)
    }
    const storedTransfers = [...listed]
    for (const [address, group] of Map.groupBy(unlisted, ({ detectedTransfer }) => detectedTransfer.address)) {
      const countBefore = yield* store.countUnlisted(address, group.length)
      storedTransfers.push(...group.slice(0, Math.max(0, MAX_UNLISTED - countBefore)))
    }
    return storedTransfers.map(({ detectedTransfer }) => detectedTransfer)
  })

  return {
    /** Returns the detected transfers of registered wallets in these blocks. */
    foundIn: Effect.fnUntraced(function* (chainId: EvmChainId, { touches }: BlockRangeActivity) {
      if (touches.length === 0) return []
      const registeredAddresses = yield* store.findRegistered(new Set(touches.map(({ account }) => account)))
      return detectedTransfersOf(chainId, touches, registeredAddresses)
    }),
    /** Stores a step atomically. Returns false if another worker has the claim on the chain. */
    keep: (
      claimedChain: WatchedChain<EvmChainId>,
      progress: WatchProgress,
      detectedTransfers: ReadonlyArray<DetectedTokens>,
      otherWrites?: Effect.Effect<unknown>
    ) =>
      storeProgress(
        claimedChain,
        progress,
        detectedTransfers.length === 0
          ? otherWrites
          : Effect.gen(function* () {
              yield* store.recordDetected(
                yield* limitUnlisted(claimedChain.chainId, detectedTransfers),
                yield* DateTime.now
              )
              if (otherWrites !== undefined) yield* otherWrites
            })
      )
  }
})
