import { PastPrices } from "@countersign/core/market-data"
import { Effect, Layer } from "effect"

/** Stands for the sources of past prices, of which there are none here. */
export const layerNoPastPrices = Layer.succeed(
  PastPrices,
  PastPrices.of({
    prices: (requests) => Effect.succeed(requests.map(() => null)),
    rate: () => Effect.succeed(null)
  })
)
