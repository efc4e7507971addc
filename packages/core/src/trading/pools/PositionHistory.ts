import { Context, type Effect } from "effect"
import type { Position } from "../liquidity/index.ts"
import type { Amounts } from "./PoolActivity.ts"

/** The history of a position since it was made. Amounts in base units of the pool's tokens. */
export interface PositionPast {
  /** When it was made, in Unix seconds. */
  readonly since: number
  /** The amounts that were taken out of its liquidity. */
  readonly removed: Amounts
  /** The collected amounts: those, and fees. */
  readonly collected: Amounts
}

/** The past of positions, by the events of their contract. */
export class PositionHistory extends Context.Service<
  PositionHistory,
  {
    /** Null where the chain's nodes don't say: their logs may not go back so far. */
    readonly of: (position: Position) => Effect.Effect<PositionPast | null>
  }
>()("@countersign/core/pools/PositionHistory") {}
