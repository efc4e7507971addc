import { Schema } from "effect"
import { EvmChainId } from "../../../foundation/chains/index.ts"
import { Address } from "../../../foundation/primitives/index.ts"
import { UnpaidGas } from "../../losses/index.ts"
import { Use } from "../../quotes/index.ts"

/** The maximum amount of one of the wallet's tokens that operations spend, in base units. */
export const Spending = Schema.Struct({
  token: Address,
  /** The amount that their calls send out of the wallet. */
  value: Schema.BigInt,
  /**
   * The part of `value` that uses beyond the operations' block still spend, such as a provider's transferFrom. Fees
   * leave with the operations. All of `value` if absent.
   */
  held: Schema.optionalKey(Schema.BigInt),
  /** The maximum cost of their gas. */
  gas: Schema.BigInt
})
export type Spending = typeof Spending.Type

/** The amounts reserved for an execution, on the chain of its operations. */
export const Reservation = Schema.Struct({
  chainId: EvmChainId,
  spending: Schema.Array(Spending),
  uses: Schema.Array(Use),
  /** The nonces of its operations: once all are used, it spends nothing more. */
  nonces: Schema.Array(Schema.BigInt),
  /**
   * The block with its operations: balances at this block or later no longer include what it spent. Null before that.
   */
  block: Schema.NullOr(Schema.BigInt),
  /** Whether its operations are in a block and its uses last beyond that. Then `block` is null, and its gas is paid. */
  isHeld: Schema.optionalKey(Schema.Boolean),
  /** The gas that its operations may leave unpaid; null if they cannot. */
  unpaid: Schema.NullOr(UnpaidGas)
})
export type Reservation = typeof Reservation.Type
