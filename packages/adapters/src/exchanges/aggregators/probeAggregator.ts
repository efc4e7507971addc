import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { Effect } from "effect"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { type AggregatorHost, aggregatorHost } from "./AggregatorHost.ts"
import type { AggregatorSettings } from "./aggregatorSettings.ts"
import { KYBERSWAP_URL } from "./kyberswap/index.ts"
import { LIFI_URL } from "./lifi/index.ts"
import { VELORA_URL } from "./velora/index.ts"
import { pricesPath } from "./velora/VeloraApi.ts"

/** Display names of the aggregators. */
export const aggregatorTitles: Record<AggregatorSettings["_tag"], string> = {
  KyberSwap: "KyberSwap",
  LiFi: "LI.FI",
  Velora: "Velora"
}

const ONE = 10n ** 18n

/**
 * Builds the request with which an aggregator is probed: a price of the native token, or for LI.FI a request that does
 * not count as a quote.
 */
const probeOf = (aggregator: AggregatorSettings): { readonly host: AggregatorHost; readonly path: string } => {
  const sharedOptions = { title: aggregatorTitles[aggregator._tag], timeoutMs: aggregator.timeoutMs, pace: null }
  if (aggregator._tag === "LiFi") {
    const { apiKey, url } = aggregator
    const headers = apiKey === null ? {} : { "x-lifi-api-key": apiKey }
    return { host: aggregatorHost({ ...sharedOptions, url: url ?? LIFI_URL, headers }), path: "/tools?chains=1" }
  }
  const { tokens, wrappedNative: wrapped } = deploymentOf(1)
  if (aggregator._tag === "Velora") {
    const tokenIn = { ...wrapped, address: NATIVE_TOKEN }
    const tokenOut = tokens.find(({ symbol }) => symbol === "USDC")!
    const host = aggregatorHost({ ...sharedOptions, url: aggregator.url ?? VELORA_URL, headers: {} })
    return { host, path: pricesPath({ tokenIn, tokenOut, amountIn: ONE }) }
  }
  const { clientId, url } = aggregator
  const query = new URLSearchParams({
    tokenIn: NATIVE_TOKEN,
    tokenOut: wrapped.address,
    amountIn: String(ONE)
  })
  const headers = { "x-client-id": clientId }
  return {
    host: aggregatorHost({ ...sharedOptions, url: url ?? KYBERSWAP_URL, headers }),
    path: `/ethereum/api/v1/routes?${query}`
  }
}

/** Succeeds if the aggregator responds; otherwise fails with the reason. */
export const probeAggregator = Effect.fnUntraced(function* (aggregator: AggregatorSettings) {
  const { host, path } = probeOf(aggregator)
  const { status } = yield* host.ask(path)
  if (status === 200) return
  const reason = `it rejected the request with HTTP status ${status}`
  return yield* new UpstreamUnavailable({ upstream: aggregatorTitles[aggregator._tag], reason })
})
