import { Argument, Command, Flag } from "effect/cli"
import { callEndpointAsOperator } from "../environment/ask.ts"
import { requireWithin } from "../input/readAs.ts"
import { formatUsd } from "../output/percent.ts"
import { jsonFlag } from "../output/print.ts"
import { printResponse } from "../output/printResponse.ts"
import { card, table } from "../output/table.ts"

interface Stats {
  readonly complete: boolean
  readonly indexedFrom: string | null
  readonly transactionsCount: number | null
}

/** Formats the indexing progress of a pool. */
const indexText = ({ complete, indexedFrom, transactionsCount }: Stats): string => {
  if (indexedFrom === null) return "not yet. A running service indexes the pool: try again in a moment"
  if (complete) return `complete since ${indexedFrom}`
  return `since ${indexedFrom}, and still indexing earlier blocks${transactionsCount === null ? "; the requested time range is not complete yet" : ""}`
}

export const pool = Command.make(
  "pool",
  {
    id: Argument.String("id").pipe(Argument.withDescription("Id of the pool: chain id, hyphen, contract address")),
    days: Flag.Int("days").pipe(
      Flag.withDescription("Time range of the statistics in days, 1 to 365"),
      requireWithin(1, 365),
      Flag.withDefault(30)
    ),
    json: jsonFlag
  },
  ({ days, id, ...printOptions }) =>
    printResponse(
      printOptions,
      callEndpointAsOperator(({ liquidity }) => liquidity.pool, { params: { id }, query: { rangeInDays: days } }),
      ({ pool: { stats, tokens, ...body } }) =>
        [
          card([
            ["pool", body.id],
            ["chain", body.chain.name],
            ["fee", `${body.fee} %`],
            ["price", body.price],
            ["value", formatUsd(body.totalValueLockedUSD)],
            ["days", stats.rangeInDays],
            ["volume", formatUsd(stats.volumeInUSD)],
            ["fees", formatUsd(stats.feesInUSD)],
            ["transactions", stats.transactionsCount],
            ["counted", indexText(stats)]
          ]),
          table(
            ["TOKEN", "IN THE POOL", "SHARE %", "VOLUME", "FEES"],
            tokens.map(({ amount, poolShareInPercentage, symbol }, i) => [
              symbol,
              amount,
              poolShareInPercentage,
              stats.volumes?.[i] ?? null,
              stats.fees?.[i] ?? null
            ])
          )
        ].join("\n\n")
    )
).pipe(
  Command.withDescription("Show a pool and its statistics"),
  Command.withExamples([
    {
      command: "countersign liquidity pool 1-0x… --days 7",
      description: "Show a pool with the statistics of the last seven days"
    }
  ])
)
