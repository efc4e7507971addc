import { Command } from "effect/cli"
import { add } from "./liquidityAdd.ts"
import { create } from "./liquidityCreate.ts"
import { rebalance } from "./liquidityRebalance.ts"
import { withdraw } from "./liquidityWithdraw.ts"

export const liquidity = Command.make("liquidity").pipe(Command.withSubcommands([create, add, withdraw, rebalance]))
