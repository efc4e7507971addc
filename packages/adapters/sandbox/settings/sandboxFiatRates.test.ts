import { fiatRatesContract } from "@countersign/core/contracts/foundation/tokens/FiatRates"
import { constantRates, FiatRates } from "@countersign/core/foundation/tokens"
import { Layer } from "effect"
import { sandboxFiatRates } from "./sandboxFiatRates.ts"

fiatRatesContract("the sandbox's table", Layer.succeed(FiatRates, constantRates(sandboxFiatRates)))
