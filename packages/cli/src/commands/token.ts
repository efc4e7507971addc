import { chainOf } from "@countersign/core/chains"
import { TokenCatalog } from "@countersign/core/tokens"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { namedChainFlag } from "../input/chain.ts"
import { jsonFlag, print } from "../output/print.ts"
import { tableOrHint } from "../output/table.ts"

const list = Command.make(
  "list",
  {
    chain: namedChainFlag.pipe(Flag.optional),
    search: Flag.String("search").pipe(
      Flag.withDescription("Part of a symbol or name, or an address"),
      Flag.withDefault("")
    ),
    json: jsonFlag
  },
  ({ chain, json, search }) =>
    withServices(
      Effect.gen(function* () {
        const chainIds = Option.toArray(chain)
        const { tokens } = yield* (yield* TokenCatalog).search({ text: search, chainIds, offset: 0, limit: 1_000 })
        yield* print(json, tokens, () =>
          tableOrHint(
            ["CHAIN", "SYMBOL", "ADDRESS", "DECIMALS", "NAME"],
            tokens.map((token) => [
              chainOf(token.chainId).name,
              token.symbol,
              token.address,
              token.decimals,
              token.name
            ]),
            "No token fits. `countersign token list` shows them all."
          )
        )
      })
    )
).pipe(Command.withDescription("List the tokens that can be swapped"))

export const token = Command.make("token").pipe(Command.withSubcommands([list]))
