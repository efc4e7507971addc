import { fiatRatesContract } from "@countersign/core/contracts/tokens/FiatRates"
import { constantRates, FiatRates } from "@countersign/core/tokens"
import { Layer } from "effect"
import { sandboxFiatRates } from "./sandboxFiatRates.ts"

fiatRatesContract("the sandbox's table", Layer.succeed(FiatRates, constantRates(sandboxFiatRates)))
