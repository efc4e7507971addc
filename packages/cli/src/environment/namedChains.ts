import { evmChainIds } from "@countersign/core/chains"
import { Config, Effect, Option } from "effect"

/** Chains whose nodes the environment names; all others' are public. */
export const namedChains = Effect.filter(evmChainIds, (id) =>
  Effect.map(Config.option(Config.String(`RPC_URL_${id}`)), Option.isSome)
)
