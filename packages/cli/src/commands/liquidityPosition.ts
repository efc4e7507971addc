import { Explorers, positionBody } from "@countersign/adapters/wire"
import { NftNumberText } from "@countersign/core/liquidity"
import { LiquidityPositions } from "@countersign/core/pools"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { linkBase } from "../environment/linkBase.ts"
import { asFlags } from "../input/asFlags.ts"
import { chainFlag } from "../input/chain.ts"
import { readAs } from "../input/readAs.ts"
import { drawnRange } from "../output/drawnRange.ts"
import { shownUsd } from "../output/percent.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card, table } from "../output/table.ts"

type Body = ReturnType<typeof positionBody>

const SHOWN_DIGITS = 8

/** A price to eight digits. */
const shownPrice = (price: string): string => String(Number(Number(price).toPrecision(SHOWN_DIGITS)))

const percentText = (percent: string | null): string | null => (percent === null ? null : `${percent} %`)

const forPeople = (body: Body): string => {
  const { currentTick: tick, range, tokens } = body
  const [symbol0, symbol1] = tokens.map(({ symbol }) => symbol)
  return [
    card([
      ["position", `${body.tokenId} on ${body.chain.name}`],
      ["owner", body.owner],
      ["pool", `${symbol0}/${symbol1} ${body.pool.fee} %, ${body.pool.id}`],
      ["price", `${shownPrice(body.currentPrice)} ${symbol1} for 1 ${symbol0}`],
      ["value", shownUsd(body.valueUSD)],
      ["unclaimed fees", shownUsd(body.unclaimedFeesUSD)],
      ["fees so far", shownUsd(body.earnedFeesUSD)],
      ["APR so far", percentText(body.apr)],
      ["estimated APR", percentText(body.estimatedApr)],
      ["made", body.createdAt]
    ]),
    [
      `${shownPrice(range.minPrice)}  ${drawnRange({ ...range, tick })}  ${shownPrice(range.maxPrice)}`,
      body.inRange ? "in range: it earns" : "out of range: it earns nothing at this price"
    ].join("\n"),
    table(
      ["TOKEN", "AMOUNT", "UNCLAIMED FEES", "FEES SO FAR"],
      tokens.map(({ amount, earnedFees, symbol, unclaimedFees }) => [symbol, amount, unclaimedFees, earnedFees])
    )
  ].join("\n\n")
}

export const position = Command.make(
  "position",
  {
    tokenId: Argument.String("tokenId").pipe(
      Argument.withDescription("Number of the position's NFT"),
      readAs(NftNumberText)
    ),
    chain: chainFlag,
    json: jsonFlag
  },
  ({ chain, json, tokenId }) =>
    withServices(
      Effect.gen(function* () {
        const found = yield* (yield* LiquidityPositions).show({ chainId: chain, tokenId: BigInt(tokenId) })
        const body = positionBody(yield* linkBase, yield* Explorers, found)
        yield* print(json, { position: body }, () => forPeople(body))
      }).pipe(asFlags({ chainId: "--chain" }))
    )
).pipe(
  Command.withDescription("Show a position: its range, where the price stands in it, and what it earns"),
  Command.withExamples([{ command: "countersign liquidity position 12 --chain base", description: "On Base" }])
)
