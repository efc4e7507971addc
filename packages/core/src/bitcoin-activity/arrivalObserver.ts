import { DateTime, Effect, Layer } from "effect"
import { ArrivalObserver } from "../executions/index.ts"
import { isEvmAddress } from "../primitives/index.ts"
import { BitcoinActivityStore } from "./BitcoinActivityStore.ts"

/** The same for the watcher of Bitcoin as `layerArrivalObserver` of EVM chains. */
export const layerBitcoinArrivalObserver = Layer.effect(
  ArrivalObserver,
  Effect.gen(function* () {
    const notifyOthers = yield* ArrivalObserver
    const store = yield* BitcoinActivityStore
    return Effect.fnUntraced(function* (transfers) {
      yield* notifyOthers(transfers)
      const payments = transfers.flatMap(({ account, block, hash }) =>
        isEvmAddress(account)
          ? []
          : [{ txid: hash, address: account, block: { hash: block.hash, height: Number(block.number) } }]
      )
      if (payments.length === 0) return
      const registered = yield* store.registered(payments.map(({ address }) => address))
      const sightings = payments.filter(({ address }) => registered.has(address))
      if (sightings.length > 0) yield* store.see(sightings, yield* DateTime.now)
    })
  })
)
