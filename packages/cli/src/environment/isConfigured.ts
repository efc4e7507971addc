import { evmChainIds } from "@countersign/core/foundation/chains"
import { Config, Effect, Option } from "effect"

/** Whether the environment configures the operator's own service. If not, commands use the sandbox. */
export const isConfigured = Effect.gen(function* () {
  const names = ["DATABASE_URL", ...evmChainIds.map((id) => `RPC_URL_${id}`)]
  const values = yield* Effect.forEach(names, (name) => Config.option(Config.String(name)))
  return values.some(Option.isSome)
})
