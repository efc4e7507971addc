import { chainOf } from "@countersign/core/foundation/chains"
import { type IndexedPool, PoolIndexStore } from "@countersign/core/trading/pools"
import { DateTime, Effect } from "effect"
import { Command } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { pipsToPercent } from "../output/percent.ts"
import { jsonFlag, print } from "../output/print.ts"
import { tableOrHint } from "../output/table.ts"
import { add, create, rebalance, withdraw } from "./liquidityOperations.ts"
import { pool } from "./liquidityPool.ts"
import { pools } from "./liquidityPools.ts"
import { position } from "./liquidityPosition.ts"

const instantOf = (milliseconds: number): string => DateTime.formatIso(DateTime.makeUnsafe(milliseconds))

const poolJson = ({ askedAt, pool, progress }: IndexedPool) => ({
  ...pool,
  askedAt: DateTime.formatIso(askedAt),
  firstBlock: progress?.first.number ?? null,
  lastBlock: progress?.last.number ?? null,
  from: progress === null ? null : instantOf(progress.first.at * 1_000),
  headSeenAt: progress?.headSeenAt == null ? null : instantOf(progress.headSeenAt),
  complete: progress?.isWhole ?? false,
  blocksAtOnce: progress?.span ?? null
})

const index = Command.make("index", { json: jsonFlag }, ({ json }) =>
  withServices(
    Effect.gen(function* () {
      const pools = (yield* (yield* PoolIndexStore).list).map(poolJson)
      yield* print(json, { pools }, () =>
        tableOrHint(
          ["CHAIN", "POOL", "FEE", "INDEXED FROM", "UP TO BLOCK", "HEAD SEEN", "COMPLETE", "LAST REQUEST"],
          pools.map((pool) => [
            chainOf(pool.chainId).name,
            pool.address,
            pipsToPercent(pool.feePips),
            pool.from,
            pool.lastBlock,
            pool.headSeenAt,
            pool.complete ? "yes" : "no",
            pool.askedAt
          ]),
          "No pool is indexed. `countersign liquidity pool` starts indexing a pool."
        )
      )
    })
  )
).pipe(Command.withDescription("Show the indexed pools and their indexing progress"))

export const liquidity = Command.make("liquidity").pipe(
  Command.withSubcommands([create, add, withdraw, rebalance, pools, pool, position, index])
)
