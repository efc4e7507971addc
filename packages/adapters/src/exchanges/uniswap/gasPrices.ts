import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Clock, Effect } from "effect"
import { RpcClients } from "../../chains/evm/index.ts"

/** Only compares routes and charges nothing: it need not be of this block. */
const FRESH_MS = 15_000

/** The price of a unit of gas on a chain, in wei: roughly, and zero where the node does not say. */
export const makeGasPrices = Effect.gen(function* () {
  const rpc = yield* RpcClients
  const known = new Map<EvmChainId, { readonly wei: bigint; readonly askedAtMs: number }>()
  return Effect.fnUntraced(function* (chainId: EvmChainId) {
    const nowMs = yield* Clock.currentTimeMillis
    const price = known.get(chainId)
    if (price !== undefined && nowMs - price.askedAtMs <= FRESH_MS) return price.wei
    const wei = yield* rpc
      .call(chainId, (client) => client.getGasPrice())
      .pipe(Effect.orElseSucceed(() => price?.wei ?? 0n))
    known.set(chainId, { wei, askedAtMs: nowMs })
    return wei
  })
})
