import { Context } from "effect"

export interface ActivityPolicy {
  /** Whether chains are watched. */
  readonly isOn: boolean
  /**
   * Whether native token transfers are detected. This requires reading every new block, and tracing it if the node
   * supports that.
   */
  readonly withNativeToken: boolean
  /**
   * Number of blocks before a wallet's registration that are searched for transfers. In these blocks, native token
   * transfers are detected only if the nodes have the state of past blocks.
   */
  readonly backfillBlocks: number
}

export const ActivitySettings = Context.Reference<ActivityPolicy>("@countersign/core/chain-activity/ActivitySettings", {
  defaultValue: () => ({ isOn: true, withNativeToken: true, backfillBlocks: 50_000 })
})
