import { chainBody, tokenBody } from "@countersign/adapters/api/wire"
import { chainOf, isEvmChainId } from "@countersign/core/foundation/chains"
import { decimalFromBaseUnits } from "@countersign/core/foundation/primitives"
import {
  type Token,
  TokenPrices,
  tokenKey,
  type UsdPriceE18,
  usdValueRoundingDown,
  valuesOf
} from "@countersign/core/foundation/tokens"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { CommandRefused } from "../environment/errors.ts"
import { linkBase } from "../environment/linkBase.ts"
import { chainFlag } from "../input/chain.ts"
import { readAsPair } from "../input/readAs.ts"
import { resolveToken } from "../input/token.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card, table, tableOrHint } from "../output/table.ts"

// Imported on demand, because the help does not load the services.
const poolsModule = Effect.promise(() => import("@countersign/adapters/exchanges/pools"))

type Survey = Effect.Success<ReturnType<typeof import("@countersign/adapters/exchanges/pools")["surveyPair"]>>
type Pool = Survey["pools"][number]

const PIPS_OF_A_PERCENT_DIGITS = 4
const percentOf = ({ feePips }: Pool): string => decimalFromBaseUnits(BigInt(feePips), PIPS_OF_A_PERCENT_DIGITS)

const SIGNIFICANT_DIGITS = 8

/** Formats a price with eight significant digits, rounded down. `priceE18` is scaled by 10^18. */
const priceText = (priceE18: bigint): string => {
  const unit = 10n ** BigInt(Math.max(0, String(priceE18).length - SIGNIFICANT_DIGITS))
  return decimalFromBaseUnits((priceE18 / unit) * unit, 18)
}

/** Returns the value of both tokens of a pool in US dollars. Null if a price is unknown. */
const depthUsd = (
  { amounts }: Pool,
  tokens: readonly [Token, Token],
  prices: ReadonlyMap<string, UsdPriceE18>
): string | null => {
  const values = tokens.map((token, i) => {
    const price = prices.get(tokenKey(token))
    return price === undefined ? null : usdValueRoundingDown(amounts[i]!, token, price)
  })
  const [a, b] = values
  return a == null || b == null ? null : String(Math.round(Number(a) + Number(b)))
}

const poolJson = (pool: Pool, tokens: readonly [Token, Token], depth: string | null) => ({
  venue: pool.venue,
  contract: pool.contract,
  poolId: pool.poolId,
  feePercent: percentOf(pool),
  price: decimalFromBaseUnits(pool.priceE18, 18),
  inversePrice: decimalFromBaseUnits(pool.inversePriceE18, 18),
  amounts: pool.amounts.map((amount, i) => decimalFromBaseUnits(amount, tokens[i]!.decimals)),
  depthUsd: depth,
  ticksRead: pool.ticksRead
})

export const pools = Command.make(
  "pools",
  {
    pair: Argument.String("pair").pipe(
      Argument.withDescription("Two tokens by symbol or address, such as USDC/WETH; `native` means the native token"),
      readAsPair
    ),
    chain: chainFlag,
    json: jsonFlag
  },
  ({ chain, json, pair }) =>
    withServices(
      Effect.gen(function* () {
        const [first, second] = pair
        if (!isEvmChainId(chain)) return yield* new CommandRefused({ reason: `${chainOf(chain).name} has no pools.` })
        const tokens = [yield* resolveToken(chain, first), yield* resolveToken(chain, second)] as const
        const { surveyPair } = yield* poolsModule
        const survey = yield* surveyPair(chain, ...tokens)
        const prices = valuesOf(yield* (yield* TokenPrices).findPrices(tokens))
        const base = yield* linkBase
        const rows = survey.pools.map((pool) => ({ pool, depth: depthUsd(pool, tokens, prices) }))
        const body = {
          chain: chainBody(base, chain),
          tokens: tokens.map((token) => tokenBody(base, token)),
          block: { number: Number(survey.block.number), hash: survey.block.hash },
          pools: rows.map(({ depth, pool }) => poolJson(pool, tokens, depth)),
          leftOut: survey.skipped
        }
        const [a, b] = tokens.map(({ symbol }) => symbol)
        yield* print(json, body, () =>
          [
            card([
              ["chain", chainOf(chain).name],
              ["block", String(survey.block.number)]
            ]),
            tableOrHint(
              ["EXCHANGE", "FEE %", `${b} FOR 1 ${a}`, `${a} FOR 1 ${b}`, "DEPTH USD", "TICKS", "POOL"],
              rows.map(({ depth, pool }) => [
                pool.venue,
                percentOf(pool),
                priceText(pool.priceE18),
                priceText(pool.inversePriceE18),
                depth,
                pool.ticksRead,
                pool.poolId ?? pool.contract
              ]),
              `No pool of ${a} and ${b} is known on ${chainOf(chain).name}. Swaps may still use a path through other tokens.`
            ),
            ...(survey.skipped.length === 0
              ? []
              : [
                  table(
                    ["SKIPPED", "WHY", "POOL"],
                    survey.skipped.map(({ poolId, reason, venue }) => [venue, reason, poolId])
                  )
                ])
          ].join("\n\n")
        )
      })
    )
).pipe(
  Command.withDescription("Show the known pools of two tokens, and the pools that swaps do not use"),
  Command.withExamples([
    { command: "countersign pools USDC/WETH --chain base", description: "Show the pools of two tokens on Base" }
  ])
)
