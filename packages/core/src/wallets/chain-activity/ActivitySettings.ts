import { Context } from "effect"

export interface ActivityPolicy {
  /** Whether chains are watched. */
  readonly isOn: boolean
  /** Whether coin is looked for, for which every block is read, and traced where the node can. */
  readonly withCoin: boolean
  /** Blocks before a wallet's registration whose transfers are looked for: of coin where nodes have the state of past blocks. */
  readonly backfillBlocks: number
}

export const ActivitySettings = Context.Reference<ActivityPolicy>("@countersign/core/chain-activity/ActivitySettings", {
  defaultValue: () => ({ isOn: true, withCoin: true, backfillBlocks: 50_000 })
})
