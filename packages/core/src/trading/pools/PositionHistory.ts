import { Context, type Effect } from "effect"
import type { Position } from "../liquidity/index.ts"
import type { Amounts } from "./PoolActivity.ts"

/** A position's history since its creation. Amounts are in base units of the pool's tokens. */
export interface PositionLifetime {
  /** Creation time in Unix seconds. */
  readonly since: number
  /** The amounts that removed liquidity has yielded. */
  readonly removed: Amounts
  /** The collected amounts: from removed liquidity and from fees. */
  readonly collected: Amounts
}

/** Reads position histories from the events of the position manager. */
export class PositionHistory extends Context.Service<
  PositionHistory,
  {
    /**
     * Returns a position's history. Null if the chain's nodes do not return it, because their logs may not reach back
     * to the creation.
     */
    readonly readLifetime: (position: Position) => Effect.Effect<PositionLifetime | null>
  }
>()("@countersign/core/pools/PositionHistory") {}
