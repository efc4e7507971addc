import { Command } from "effect/cli"
import { add } from "./liquidityAdd.ts"
import { create } from "./liquidityCreate.ts"
import { index } from "./liquidityIndex.ts"
import { pool } from "./liquidityPool.ts"
import { pools } from "./liquidityPools.ts"
import { position } from "./liquidityPosition.ts"
import { rebalance } from "./liquidityRebalance.ts"
import { withdraw } from "./liquidityWithdraw.ts"

export const liquidity = Command.make("liquidity").pipe(
  Command.withSubcommands([create, add, withdraw, rebalance, pools, pool, position, index])
)
