import { Redacted } from "effect"
import { type AggregatorSettings, aggregatorDefaults as usual } from "../aggregators/index.ts"
import type { CountersignOptions } from "./CountersignOptions.ts"

/** The aggregators of the options as the composition takes them. */
export const aggregatorsOf = (options: CountersignOptions["aggregators"]): ReadonlyArray<AggregatorSettings> =>
  [...new Set(options?.names)].map((name): AggregatorSettings => {
    const timeoutMs = options!.timeoutMs ?? usual.timeoutMs
    const { kyberSwapClientId, kyberSwapRequestsPerSecond, kyberSwapUrl, liFiIntegrator, liFiKey, liFiUrl } = options!
    return name === "kyberswap"
      ? {
          _tag: "KyberSwap",
          url: kyberSwapUrl ?? null,
          clientId: kyberSwapClientId ?? usual.name,
          requestsPerSecond: kyberSwapRequestsPerSecond ?? usual.kyberSwapRequestsPerSecond,
          timeoutMs
        }
      : {
          _tag: "LiFi",
          url: liFiUrl ?? null,
          apiKey: liFiKey === undefined ? null : Redacted.make(liFiKey),
          integrator: liFiIntegrator ?? usual.name,
          timeoutMs
        }
  })
