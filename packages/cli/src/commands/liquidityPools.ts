import { chainOf } from "@countersign/core/foundation/chains"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { callEndpointAsOperator } from "../environment/ask.ts"
import { asFlags } from "../input/asFlags.ts"
import { chainFlag } from "../input/chain.ts"
import { requireWithin } from "../input/readAs.ts"
import { resolveTokenAddress } from "../input/token.ts"
import { formatUsd } from "../output/percent.ts"
import { jsonFlag } from "../output/print.ts"
import { printResponse } from "../output/printResponse.ts"
import { tableOrHint } from "../output/table.ts"

const DAYS = 30

const tokenFlag = (name: string) =>
  Flag.String(name).pipe(Flag.withDescription("Only pools with this token: symbol or address"), Flag.optional)

export const pools = Command.make(
  "pools",
  {
    chain: chainFlag,
    token0: tokenFlag("token0"),
    token1: tokenFlag("token1"),
    fee: Flag.Finite("fee").pipe(
      Flag.withDescription("Only pools with this fee in percent, such as 0.05"),
      Flag.optional
    ),
    take: Flag.Int("take").pipe(
      Flag.withDescription("Number of pools, 1 to 100"),
      requireWithin(1, 100),
      Flag.withDefault(20)
    ),
    json: jsonFlag
  },
  ({ chain, fee, take, token0, token1, ...printOptions }) => {
    const addressOf = (text: Option.Option<string>) =>
      Option.isNone(text) ? Effect.undefined : resolveTokenAddress(chain, text.value)
    const search = Effect.gen(function* () {
      return yield* callEndpointAsOperator(({ liquidity }) => liquidity.pools, {
        query: {
          chainId: chain,
          token0: yield* addressOf(token0),
          token1: yield* addressOf(token1),
          fee: Option.getOrUndefined(fee),
          rangeInDays: DAYS,
          take
        }
      })
    })
    const flags = { chainId: "--chain", token0: "--token0", token1: "--token1", fee: "--fee" }
    return printResponse(printOptions, search.pipe(asFlags(flags)), ({ pools }) =>
      tableOrHint(
        ["TOKENS", "FEE", "VALUE", `VOLUME ${DAYS} D`, `FEES ${DAYS} D`, "POOL"],
        pools.map(({ fee, id, stats, tokens, totalValueLockedUSD }) => [
          tokens.map(({ symbol }) => symbol).join("/"),
          `${fee} %`,
          formatUsd(totalValueLockedUSD),
          formatUsd(stats.volumeInUSD),
          formatUsd(stats.feesInUSD),
          id
        ]),
        `No Uniswap V3 pool on ${chainOf(chain).name} matches.`
      )
    )
  }
).pipe(
  Command.withDescription("Find Uniswap V3 pools, sorted by value"),
  Command.withExamples([
    { command: "countersign liquidity pools --token0 USDC --token1 WETH", description: "Find the pools of two tokens" }
  ])
)
