import { Command } from "effect/cli"
import { index } from "./liquidityIndex.ts"
import { add, create, rebalance, withdraw } from "./liquidityOperations.ts"
import { pool } from "./liquidityPool.ts"
import { pools } from "./liquidityPools.ts"
import { position } from "./liquidityPosition.ts"

export const liquidity = Command.make("liquidity").pipe(
  Command.withSubcommands([create, add, withdraw, rebalance, pools, pool, position, index])
)
