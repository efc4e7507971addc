import { Effect } from "effect"
import type { Transaction } from "../../accounting/history/index.ts"
import type { Change, Step } from "../../operations/executions/index.ts"
import type { BitcoinChain } from "../chain/index.ts"
import { mayBeOnChain } from "./mayBeOnChain.ts"
import { mapToUpstream } from "./walletUtxos.ts"

/** A reorg removed the deposit's block, so the deposit's own stage continues. */
const removeDepositBlock: Change = (before) => ({
  ...before,
  substatus: "REORGED",
  legs: before.legs.map((leg) => ({ ...leg, block: null, state: "PENDING", confirmations: 0 })),
  movements: [],
  executedAt: null
})

/**
 * Checks whether a reorg removed the block of a swap's Bitcoin deposit. If so, returns the step that makes the
 * execution return to the deposit's stage. Null if the deposit is confirmed, if the server is behind, or if no earlier
 * leg is on Bitcoin. Used by the stages that follow a Bitcoin deposit.
 */
export const depositReorg = (chain: BitcoinChain["Service"]) =>
  Effect.fnUntraced(function* ({ legs }: Transaction, stageIndex: number) {
    const leg = legs.find(({ chainId, stage }) => chainId === 0 && stage < stageIndex)
    if (leg?.hash == null) return null
    const bitcoinTransaction = yield* mapToUpstream(chain.findTransaction(leg.hash))
    if (bitcoinTransaction?.block != null) return null
    if (leg.block !== null && (yield* mayBeOnChain(chain)(leg.block))) return null
    return { _tag: "Back", to: leg.stage, change: removeDepositBlock } satisfies Step
  })
