import { DateTime, Effect, Layer } from "effect"
import { isEvmChainId } from "../../foundation/chains/index.ts"
import { isEvmAddress } from "../../foundation/primitives/index.ts"
import { ArrivalObserver } from "../../operations/executions/index.ts"
import { ActivityStore } from "./ActivityStore.ts"

/**
 * Schedules another check of transfers that an operation has recorded. If the EVM chain watcher has already recorded
 * the same transfer as a deposit, the check cancels that history entry.
 */
export const layerArrivalObserver = Layer.effect(
  ArrivalObserver,
  Effect.gen(function* () {
    const notifyOthers = yield* ArrivalObserver
    const activity = yield* ActivityStore
    return Effect.fnUntraced(function* (transfers) {
      yield* notifyOthers(transfers)
      const evmTransfers = transfers.flatMap(({ account, block, chainId, hash }) =>
        isEvmChainId(chainId) && isEvmAddress(account) ? [{ account, block, chainId, hash }] : []
      )
      if (evmTransfers.length === 0) return
      const watchedChains = new Set((yield* activity.listChains).map(({ chainId }) => chainId))
      const registeredAddresses = yield* activity.findRegistered(new Set(evmTransfers.map(({ account }) => account)))
      const detectedTransfers = evmTransfers
        .filter(({ account, chainId }) => watchedChains.has(chainId) && registeredAddresses.has(account))
        .map(({ account, block, chainId, hash }) => ({
          chainId,
          transactionHash: hash,
          address: account,
          blockNumber: Number(block.number),
          blockHash: block.hash,
          coin: []
        }))
      if (detectedTransfers.length > 0) yield* activity.recordDetected(detectedTransfers, yield* DateTime.now)
    })
  })
)
