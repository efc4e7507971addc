import { BitcoinChain, type BroadcastRefused } from "@countersign/core/bitcoin/chain"
import type { HexBytes } from "@countersign/core/foundation/primitives"
import { Effect, Layer, Result } from "effect"
import type { HostFailure } from "../../outbound/json-api/index.ts"
import { isAlreadyInMempool, leastFinalRefusal } from "./broadcastRefusal.ts"
import { type CoreHost, coreHost } from "./CoreHost.ts"
import { idOf } from "./esploraBroadcast.ts"

export interface CoreOptions {
  /** URLs with user name and password, in order of preference. */
  readonly urls: ReadonlyArray<string>
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 1_800

/**
 * Combines the operator's own Bitcoin Core nodes with another source. The nodes broadcast transactions, and return fee
 * rates, relay rates and the agreed height. If every node fails, the other source is used. It also provides all other
 * data.
 */
export const layer = ({ timeoutMs = TIMEOUT_MS, urls }: CoreOptions): Layer.Layer<BitcoinChain, never, BitcoinChain> =>
  Layer.effect(
    BitcoinChain,
    Effect.gen(function* () {
      const source = yield* BitcoinChain
      if (urls.length === 0) return source
      const hosts = urls.map((url) => coreHost(url, timeoutMs))

      const requestFromAny = <A>(request: (host: CoreHost) => Effect.Effect<A, HostFailure>) =>
        Effect.firstSuccessOf(hosts.map(request))

      /** If no node accepts the transaction, also broadcasts it to the other source, because mempools differ. */
      const broadcast = Effect.fn("CoreChain.broadcast")(function* (bytes: HexBytes) {
        const refusals: Array<BroadcastRefused> = []
        for (const host of hosts) {
          const result = yield* Effect.result(host.broadcast(bytes))
          if (Result.isFailure(result)) continue
          if (result.success === null || isAlreadyInMempool(result.success)) return
          refusals.push(result.success)
        }
        const broadcastResult = yield* Effect.result(source.broadcast(bytes))
        if (Result.isSuccess(broadcastResult)) return
        const { failure } = broadcastResult
        if (failure._tag === "BROADCAST_REFUSED") refusals.push(failure)
        return yield* Effect.fail(leastFinalRefusal(refusals, hosts.length + 1) ?? failure)
      })

      return BitcoinChain.of({
        ...source,
        agreedHeight: Effect.catch(
          requestFromAny(({ tip }) => Effect.map(tip, ({ height }) => height)),
          () => source.agreedHeight
        ),
        broadcast: (bytes) => {
          const id = idOf(bytes)
          return Result.isFailure(id) ? Effect.fail(id.failure) : broadcast(bytes)
        },
        feeRates: Effect.catch(
          requestFromAny(({ feeRates }) => feeRates),
          () => source.feeRates
        ),
        relayRates: Effect.catch(
          requestFromAny(({ relayRates }) => relayRates),
          () => source.relayRates
        )
      })
    })
  )
