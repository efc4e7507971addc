import { type ChainId, chainOf, chains } from "@countersign/core/chains"
import { TokenCatalog } from "@countersign/core/tokens"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { NotFound } from "../environment/errors.ts"
import { jsonFlag, print } from "../output/print.ts"
import { table } from "../output/table.ts"

/** A chain by its id or by a part of its name. */
export const chosenChain = (text: string): Effect.Effect<ChainId, NotFound> => {
  const found = chains.find(({ id, name }) => String(id) === text || name.toLowerCase().startsWith(text.toLowerCase()))
  return found === undefined
    ? Effect.fail(
        new NotFound({
          what: `There is no chain "${text}".`,
          hint: `The chains are ${chains.map(({ id, name }) => `${name} (${id})`).join(", ")}.`
        })
      )
    : Effect.succeed(found.id)
}

export const chainFlag = Flag.String("chain").pipe(
  Flag.withDescription("Id of the chain, or the beginning of its name"),
  Flag.withDefault("1")
)

const list = Command.make(
  "list",
  {
    chain: Flag.String("chain").pipe(Flag.withDescription("Only this chain: id or name"), Flag.optional),
    search: Flag.String("search").pipe(
      Flag.withDescription("Part of a symbol or name, or an address"),
      Flag.withDefault("")
    ),
    json: jsonFlag
  },
  ({ chain, json, search }) =>
    withServices(
      Effect.gen(function* () {
        const chainIds = Option.isNone(chain) ? [] : [yield* chosenChain(chain.value)]
        const { tokens } = yield* (yield* TokenCatalog).search({ text: search, chainIds, offset: 0, limit: 1_000 })
        yield* print(json, tokens, () =>
          table(
            ["CHAIN", "SYMBOL", "ADDRESS", "DECIMALS", "NAME"],
            tokens.map((token) => [
              chainOf(token.chainId).name,
              token.symbol,
              token.address,
              token.decimals,
              token.name
            ])
          )
        )
      })
    )
).pipe(Command.withDescription("List the tokens that can be swapped"))

export const token = Command.make("token").pipe(
  Command.withDescription("The catalogue of tokens"),
  Command.withSubcommands([list])
)
