import { requireServed, ServedChains } from "@countersign/core/foundation/chains"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { callEndpoint } from "../environment/ask.ts"
import { settings } from "../environment/connect.ts"
import { projectFlag } from "../environment/project.ts"
import { walletArgument } from "../input/address.ts"
import { namedChainFlag } from "../input/chain.ts"
import { jsonFlag } from "../output/print.ts"
import { printResponse } from "../output/printResponse.ts"
import { tableOrHint, unreadChains } from "../output/table.ts"

export const balances = Command.make(
  "balances",
  {
    wallet: walletArgument("wallet").pipe(Argument.withDescription("Address of the wallet")),
    chain: namedChainFlag.pipe(
      Flag.withDescription("Only this chain: its id, or the beginning of its name; by default all served chains"),
      Flag.optional
    ),
    project: projectFlag,
    json: jsonFlag
  },
  ({ chain, project, wallet, ...printOptions }) =>
    printResponse(
      printOptions,
      Effect.gen(function* () {
        const { servedChains = ServedChains.defaultValue() } = yield* settings
        if (Option.isSome(chain)) yield* requireServed(servedChains)({ "--chain": chain.value })
        const portfolio = yield* callEndpoint(({ portfolio }) => portfolio.get, project, {
          params: { walletAddress: wallet },
          query: { includeTokens: "true" }
        })
        const isRequested = (entry: { readonly chain: { readonly id: number } }) =>
          Option.isNone(chain) || entry.chain.id === chain.value
        return { tokens: portfolio.tokens.filter(isRequested), unread: portfolio.unread.filter(isRequested) }
      }),
      ({ tokens, unread }) =>
        tableOrHint(
          ["CHAIN", "TOKEN", "BALANCE", "USD", "ADDRESS"],
          tokens.map(({ address, balanceFormatted, balanceUsd, chain: { name }, symbol }) => [
            name,
            symbol,
            balanceFormatted,
            balanceUsd,
            address
          ]),
          unread.length === 0
            ? "The wallet has none of the listed tokens on this chain."
            : "The wallet has none of the listed tokens on the chains that responded."
        ) + unreadChains(unread)
    )
).pipe(
  Command.withDescription("Show the on-chain balances of a wallet"),
  Command.withExamples([
    { command: "countersign wallet balances 0x… --chain base", description: "Show the balances on Base" }
  ])
)
