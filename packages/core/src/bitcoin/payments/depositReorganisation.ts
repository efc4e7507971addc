import { Effect } from "effect"
import type { Transaction } from "../../accounting/history/index.ts"
import type { Change, Step } from "../../operations/executions/index.ts"
import type { BitcoinChain } from "../chain/index.ts"
import { upstream } from "./walletCoins.ts"

/** The deposit is in no block any more: its own stage goes on with it. */
const depositGone: Change = (before) => ({
  ...before,
  substatus: "REORGED",
  legs: before.legs.map((leg) => ({ ...leg, block: null, state: "PENDING", confirmations: 0 })),
  movements: [],
  executedAt: null
})

/**
 * For stages after a deposit on Bitcoin's chain: the step back to the deposit's own where its block is gone; null where the chain
 * has it, and where no leg of those before is on that chain.
 */
export const depositReorganisation = (chain: BitcoinChain["Service"]) =>
  Effect.fnUntraced(function* ({ legs }: Transaction, at: number) {
    const leg = legs.find(({ chainId, stage }) => chainId === 0 && stage < at)
    if (leg?.hash == null) return null
    const found = yield* upstream(chain.transaction(leg.hash))
    return found?.block == null ? ({ _tag: "Back", to: leg.stage, change: depositGone } satisfies Step) : null
  })
