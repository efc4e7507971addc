import { Explorers, poolBody } from "@countersign/adapters/wire"
import { chainOf } from "@countersign/core/chains"
import { type LiquidityPool, LiquidityPools } from "@countersign/core/pools"
import { decimalFromBaseUnits } from "@countersign/core/primitives"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { linkBase } from "../environment/linkBase.ts"
import { within } from "../input/readAs.ts"
import { shownUsd } from "../output/percent.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card, table } from "../output/table.ts"

/** How far the counting has come, in words. */
const indexText = ({ statistics: { isWhole, knownFrom, transactions } }: LiquidityPool): string => {
  if (knownFrom === null) return "nothing yet: a service that runs counts it, ask again in a moment"
  const since = new Date(knownFrom * 1_000).toISOString()
  if (isWhole) return `everything since ${since}`
  return `since ${since}, going back${transactions === null ? "; not yet as far as this range" : ""}`
}

const forPeople = (pool: LiquidityPool, body: ReturnType<typeof poolBody>): string => {
  const { stats } = body
  return [
    card([
      ["pool", body.id],
      ["chain", chainOf(pool.state.chainId).name],
      ["fee", `${body.fee} %`],
      ["price", body.price],
      ["value", shownUsd(body.totalValueLockedUSD)],
      ["days", stats.rangeInDays],
      ["volume", shownUsd(stats.volumeInUSD)],
      ["fees", shownUsd(stats.feesInUSD)],
      ["transactions", stats.transactionsCount],
      ["counted", indexText(pool)]
    ]),
    table(
      ["TOKEN", "IN THE POOL", "SHARE %", "VOLUME", "FEES"],
      pool.sides.map(({ balance, token }, i) => [
        token.symbol,
        decimalFromBaseUnits(balance, token.decimals),
        body.tokens[i]!.poolShareInPercentage,
        stats.volumes?.[i] ?? null,
        stats.fees?.[i] ?? null
      ])
    )
  ].join("\n\n")
}

export const pool = Command.make(
  "pool",
  {
    id: Argument.String("id").pipe(Argument.withDescription("Id of the pool: chain id, hyphen, address")),
    days: Flag.Int("days").pipe(
      Flag.withDescription("Days that the statistics are of, 1 to 365"),
      within(1, 365),
      Flag.withDefault(30)
    ),
    json: jsonFlag
  },
  ({ days, id, json }) =>
    withServices(
      Effect.gen(function* () {
        const found = yield* (yield* LiquidityPools).show({ id, rangeInDays: days })
        const body = poolBody(yield* linkBase, yield* Explorers, found)
        yield* print(json, { pool: body }, () => forPeople(found, body))
      })
    )
).pipe(
  Command.withDescription("Show a pool, and what happened in it"),
  Command.withExamples([{ command: "countersign liquidity pool 1-0x… --days 7", description: "The last seven days" }])
)
