import { DateTime, Effect, Layer } from "effect"
import { isEvmAddress } from "../../foundation/primitives/index.ts"
import { ArrivalObserver } from "../../operations/executions/index.ts"
import { ActivityStore } from "../../wallets/chain-activity/index.ts"
import { BitcoinActivityStore } from "./BitcoinActivityStore.ts"

/**
 * Schedules another check of payments that an operation has recorded. If the Bitcoin watcher has already recorded the
 * same payment as a deposit, the check cancels that history entry.
 */
export const layerBitcoinArrivalObserver = Layer.effect(
  ArrivalObserver,
  Effect.gen(function* () {
    const notifyOthers = yield* ArrivalObserver
    const activity = yield* ActivityStore
    const store = yield* BitcoinActivityStore
    return Effect.fnUntraced(function* (transfers) {
      yield* notifyOthers(transfers)
      const payments = transfers.flatMap(({ account, block, hash }) =>
        isEvmAddress(account)
          ? []
          : [{ txid: hash, address: account, block: { hash: block.hash, height: Number(block.number) } }]
      )
      if (payments.length === 0) return
      if (!(yield* activity.listChains).some(({ chainId }) => chainId === 0)) return
      const registeredAddresses = yield* store.findRegistered(payments.map(({ address }) => address))
      const detectedTransfers = payments.filter(({ address }) => registeredAddresses.has(address))
      if (detectedTransfers.length > 0) yield* store.recordDetected(detectedTransfers, yield* DateTime.now)
    })
  })
)
