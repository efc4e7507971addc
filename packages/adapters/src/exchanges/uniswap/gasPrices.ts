import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Clock, Effect } from "effect"
import { RpcClients } from "../../chains/evm/index.ts"

/** Maximum age of a gas price in milliseconds. The price is only used to compare routes, so it may be outdated. */
const FRESH_MS = 15_000

/**
 * Caches the approximate gas price of each chain, in wei. If the node does not return it, uses the previous price, or
 * zero if there is none.
 */
export const makeGasPrices = Effect.gen(function* () {
  const rpc = yield* RpcClients
  const cachedPrices = new Map<EvmChainId, { readonly wei: bigint; readonly requestedAtMs: number }>()
  return Effect.fnUntraced(function* (chainId: EvmChainId) {
    const nowMs = yield* Clock.currentTimeMillis
    const price = cachedPrices.get(chainId)
    if (price !== undefined && nowMs - price.requestedAtMs <= FRESH_MS) return price.wei
    const wei = yield* rpc
      .call(chainId, (client) => client.getGasPrice())
      .pipe(Effect.orElseSucceed(() => price?.wei ?? 0n))
    cachedPrices.set(chainId, { wei, requestedAtMs: nowMs })
    return wei
  })
})
