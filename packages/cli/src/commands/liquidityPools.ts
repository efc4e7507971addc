import { Explorers, poolsBody } from "@countersign/adapters/wire"
import { chainOf } from "@countersign/core/chains"
import { LiquidityPools, poolId, usdTextOrNull } from "@countersign/core/pools"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { linkBase } from "../environment/linkBase.ts"
import { asFlags } from "../input/asFlags.ts"
import { chainFlag } from "../input/chain.ts"
import { within } from "../input/readAs.ts"
import { chosenToken } from "../input/token.ts"
import { percentOfPips, shownUsd } from "../output/percent.ts"
import { jsonFlag, print } from "../output/print.ts"
import { tableOrHint } from "../output/table.ts"

const DAYS = 30

const tokenFlag = (name: string) =>
  Flag.String(name).pipe(Flag.withDescription("A token of the pools, by symbol or address"), Flag.optional)

export const pools = Command.make(
  "pools",
  {
    chain: chainFlag,
    token0: tokenFlag("token0"),
    token1: tokenFlag("token1"),
    fee: Flag.Finite("fee").pipe(Flag.withDescription("Fee of the pools in percent, such as 0.05"), Flag.optional),
    take: Flag.Int("take").pipe(Flag.withDescription("How many, 1 to 100"), within(1, 100), Flag.withDefault(20)),
    json: jsonFlag
  },
  ({ chain, fee, json, take, token0, token1 }) =>
    withServices(
      Effect.gen(function* () {
        const addressOf = (text: Option.Option<string>) =>
          Option.isNone(text)
            ? Effect.succeed(null)
            : Effect.map(chosenToken(chain, text.value), ({ address }) => address)
        const page = yield* (yield* LiquidityPools).search({
          chainId: chain,
          token0: yield* addressOf(token0),
          token1: yield* addressOf(token1),
          feePercent: Option.getOrNull(fee),
          rangeInDays: DAYS,
          lastId: null,
          take
        })
        yield* print(json, poolsBody(yield* linkBase, yield* Explorers, page), () =>
          tableOrHint(
            ["TOKENS", "FEE", "VALUE", `VOLUME ${DAYS} D`, `FEES ${DAYS} D`, "POOL"],
            page.pools.map(({ sides, state, statistics, valueUsdE6 }) => [
              sides.map(({ token }) => token.symbol).join("/"),
              percentOfPips(state.feePips),
              shownUsd(usdTextOrNull(valueUsdE6)),
              shownUsd(usdTextOrNull(statistics.volumeUsdE6)),
              shownUsd(usdTextOrNull(statistics.feesUsdE6)),
              poolId(state)
            ]),
            `No pool of Uniswap V3 on ${chainOf(chain).name} is like that.`
          )
        )
      }).pipe(asFlags({ chainId: "--chain", token0: "--token0", token1: "--token1", fee: "--fee" }))
    )
).pipe(
  Command.withDescription("Find pools of Uniswap V3, the most valuable first"),
  Command.withExamples([
    { command: "countersign liquidity pools --token0 USDC --token1 WETH", description: "Of two tokens" }
  ])
)
