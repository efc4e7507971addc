import { Redacted } from "effect"
import { type AggregatorSettings, aggregatorDefaults as usual } from "../../exchanges/aggregators/index.ts"
import type { CountersignOptions } from "./CountersignOptions.ts"

type Aggregators = NonNullable<CountersignOptions["aggregators"]>

const aggregatorOf = (
  name: Aggregators["names"][number],
  {
    kyberSwapClientId,
    kyberSwapRequestsPerSecond,
    kyberSwapUrl,
    liFiIntegrator,
    liFiKey,
    liFiUrl,
    timeoutMs = usual.timeoutMs,
    veloraUrl
  }: Aggregators
): AggregatorSettings => {
  switch (name) {
    case "kyberswap":
      return {
        _tag: "KyberSwap",
        url: kyberSwapUrl ?? null,
        clientId: kyberSwapClientId ?? usual.name,
        requestsPerSecond: kyberSwapRequestsPerSecond ?? usual.kyberSwapRequestsPerSecond,
        timeoutMs
      }
    case "lifi":
      return {
        _tag: "LiFi",
        url: liFiUrl ?? null,
        apiKey: liFiKey === undefined ? null : Redacted.make(liFiKey),
        integrator: liFiIntegrator ?? usual.name,
        timeoutMs
      }
    case "velora":
      return { _tag: "Velora", url: veloraUrl ?? null, timeoutMs }
  }
}

/** The aggregators of the options as the composition takes them. */
export const aggregatorsOf = (options: CountersignOptions["aggregators"]): ReadonlyArray<AggregatorSettings> =>
  [...new Set(options?.names)].map((name) => aggregatorOf(name, options!))
