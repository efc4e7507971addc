import { DateTime, Effect, Layer } from "effect"
import { ArrivalObserver } from "../executions/index.ts"
import { ActivityStore } from "./ActivityStore.ts"

/** Has the watcher check transfers again that an operation has recorded, so that it withdraws a deposit it recorded first. */
export const layerArrivalObserver = Layer.effect(
  ArrivalObserver,
  Effect.gen(function* () {
    const activity = yield* ActivityStore
    return Effect.fnUntraced(function* (transfers) {
      if (transfers.length === 0) return
      const watched = new Set((yield* activity.chains).map(({ chainId }) => chainId))
      const registered = yield* activity.registered(new Set(transfers.map(({ account }) => account)))
      const sightings = transfers
        .filter(({ account, chainId }) => watched.has(chainId) && registered.has(account))
        .map(({ account, block, chainId, hash }) => ({
          chainId,
          transactionHash: hash,
          address: account,
          blockNumber: Number(block.number),
          blockHash: block.hash,
          coin: []
        }))
      if (sightings.length > 0) yield* activity.see(sightings, yield* DateTime.now)
    })
  })
)
