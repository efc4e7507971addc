import { tokenBody } from "@countersign/adapters/api/wire"
import { chainOf } from "@countersign/core/foundation/chains"
import { TokenCatalog } from "@countersign/core/foundation/tokens"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { linkBase } from "../environment/linkBase.ts"
import { namedChainFlag } from "../input/chain.ts"
import { jsonFlag, print } from "../output/print.ts"
import { tableOrHint } from "../output/table.ts"

const TOKENS_MAX = 1_000

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
        const { tokens, total } = yield* (yield* TokenCatalog).search({
          text: search,
          chainIds,
          offset: 0,
          limit: TOKENS_MAX
        })
        const base = yield* linkBase
        const body = { tokens: tokens.map((token) => tokenBody(base, token)), total, page: 1, perPage: TOKENS_MAX }
        yield* print(json, body, () =>
          tableOrHint(
            ["CHAIN", "ID", "SYMBOL", "ADDRESS", "DECIMALS", "NAME"],
            tokens.map((token) => [
              chainOf(token.chainId).name,
              token.chainId,
              token.symbol,
              token.address,
              token.decimals,
              token.name
            ]),
            "No token matches. `countersign token list` shows all tokens."
          )
        )
      })
    )
).pipe(Command.withDescription("List the tokens that can be swapped"))

export const token = Command.make("token").pipe(Command.withSubcommands([list]))
