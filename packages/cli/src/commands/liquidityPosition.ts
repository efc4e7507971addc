import { NftTokenIdText } from "@countersign/core/trading/liquidity"
import { Argument, Command } from "effect/cli"
import { callEndpointAsOperator } from "../environment/ask.ts"
import { asFlags } from "../input/asFlags.ts"
import { chainFlag } from "../input/chain.ts"
import { readAs } from "../input/readAs.ts"
import { drawRange } from "../output/drawnRange.ts"
import { formatUsd } from "../output/percent.ts"
import { jsonFlag } from "../output/print.ts"
import { printResponse } from "../output/printResponse.ts"
import { card, table } from "../output/table.ts"

const SIGNIFICANT_DIGITS = 8

/** Rounds a price to eight significant digits. */
const priceText = (price: string): string => String(Number(Number(price).toPrecision(SIGNIFICANT_DIGITS)))

const percentText = (percent: string | null): string | null => (percent === null ? null : `${percent} %`)

export const position = Command.make(
  "position",
  {
    tokenId: Argument.String("tokenId").pipe(
      Argument.withDescription("Token id of the position's NFT"),
      readAs(NftTokenIdText)
    ),
    chain: chainFlag,
    json: jsonFlag
  },
  ({ chain, tokenId, ...printOptions }) =>
    printResponse(
      printOptions,
      callEndpointAsOperator(({ liquidity }) => liquidity.position, { params: { chainId: chain, tokenId } }).pipe(
        asFlags({ chainId: "--chain" })
      ),
      ({ position: { currentTick: tick, range, tokens, ...body } }) => {
        const [symbol0, symbol1] = tokens.map(({ symbol }) => symbol)
        return [
          card([
            ["position", `${body.tokenId} on ${body.chain.name}`],
            ["owner", body.owner],
            ["pool", `${symbol0}/${symbol1} ${body.pool.fee} %, ${body.pool.id}`],
            ["price", `${priceText(body.currentPrice)} ${symbol1} for 1 ${symbol0}`],
            ["value", formatUsd(body.valueUSD)],
            ["unclaimed fees", formatUsd(body.unclaimedFeesUSD)],
            ["fees so far", formatUsd(body.earnedFeesUSD)],
            ["APR so far", percentText(body.apr)],
            ["estimated APR", percentText(body.estimatedApr)],
            ["made", body.createdAt]
          ]),
          [
            `${priceText(range.minPrice)}  ${drawRange({ ...range, tick })}  ${priceText(range.maxPrice)}`,
            body.inRange ? "in range: it earns fees" : "out of range: it earns no fees at this price"
          ].join("\n"),
          table(
            ["TOKEN", "AMOUNT", "UNCLAIMED FEES", "FEES SO FAR"],
            tokens.map(({ amount, earnedFees, symbol, unclaimedFees }) => [symbol, amount, unclaimedFees, earnedFees])
          )
        ].join("\n\n")
      }
    )
).pipe(
  Command.withDescription("Show a position: its range, the current price and its fees"),
  Command.withExamples([
    { command: "countersign liquidity position 12 --chain base", description: "Show position 12 on Base" }
  ])
)
