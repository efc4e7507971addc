import { fiatRatesContract } from "@countersign/core/contracts/tokens/FiatRates"
import { FiatRates } from "@countersign/core/tokens"
import { Effect, Layer } from "effect"
import { sandboxFiatRates } from "./sandboxFiatRates.ts"

fiatRatesContract(
  "the sandbox's table",
  Layer.succeed(FiatRates, FiatRates.of({ perUsdE18: Effect.succeed(sandboxFiatRates) }))
)
