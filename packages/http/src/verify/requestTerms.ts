import type { Bytes } from "./bytes.ts"
import type { LenderKind } from "./contracts.ts"
import type { LendingAction } from "./LendingAct.ts"
import type { OpenPosition } from "./ledger.ts"
import type { AmountPair } from "./liquidityMath.ts"
import type { PoolKey } from "./PositionAct.ts"
import type { Ticks } from "./prices.ts"

/** The common format of all requests. */

/** One transfer or swap of the request, with the quoted output for a swap. Amounts are in base units. */
export interface Element {
  readonly tokenIn: Bytes
  readonly amount: bigint
  readonly to: Bytes
  /** The fee of `transactionFeePercent`, rounded down. */
  readonly serviceFee: bigint
  readonly extraFee: { readonly to: Bytes; readonly amount: bigint } | null
  readonly deductsGas: boolean
  /** Null for a transfer. POSITION for a deposit into a position, which has no receiver. */
  readonly out: { readonly token: Bytes; readonly minAmount: bigint } | "POSITION" | null
}

/** The legs of a lending operation. */
export interface LendingTerms {
  readonly kind: LenderKind
  readonly legs: ReadonlyArray<{
    readonly action: LendingAction
    readonly token: Bytes
    /** In base units. MAX means all of the balance or debt. */
    readonly amount: bigint | "MAX"
    /** The amount in the quote, in base units. */
    readonly shown: bigint
    /**
     * Whether the leg concerns the collateral of a Morpho Blue market; null for Aave, and if the request does not
     * specify it.
     */
    readonly isCollateral: boolean | null
    /** The requested market; null if the request specifies no market. */
    readonly marketId: Bytes | null
    /** Whether the gas fee is deducted from the amount of this leg. */
    readonly bearsGas: boolean
  }>
  /** The market id in the quote; null if the quote contains none. */
  readonly shownMarket: Bytes | null
  /** Ids of the allowed markets. */
  readonly markets: ReadonlySet<Bytes>
  /**
   * Returns the wallet's balance on a side of a Morpho Blue market: shares, or base units of collateral. Null if
   * unknown.
   */
  readonly allOf: (marketId: Bytes, side: "SUPPLY" | "DEBT" | "COLLATERAL") => bigint | null
}

/** A withdrawal from a position. */
export interface RequestedWithdrawal {
  readonly tokenId: bigint
  readonly ticks: Ticks
  /** The liquidity to withdraw. `isAll` is true if this is all liquidity of the position. */
  readonly liquidity: bigint
  readonly isAll: boolean
  /** The amounts that the quote states; null where the quote states none. */
  readonly shown: {
    readonly liquidity: bigint | null
    readonly burned: boolean | null
    readonly removed: AmountPair
    readonly collected: AmountPair
  }
}

/** A deposit into a position. */
export interface RequestedDeposit {
  /** NFT id; null for a new position. */
  readonly tokenId: bigint | null
  readonly recipient: Bytes
  readonly pool: PoolKey
  readonly isRange: (ticks: Ticks) => boolean
  /** Ticks of the existing position; null for a new position. */
  readonly ticks: Ticks | null
  readonly createsPool: boolean
  /** Converts the square root of a price (Q64.96) to a price between display units, in the request's token order. */
  readonly priceOf: (root: bigint) => number
  /** The values that the quote states, in the pool's token order. */
  readonly shown: Ticks & { readonly liquidity: bigint; readonly amounts: AmountPair; readonly leftovers: AmountPair }
}

/** The single-token output of a withdrawal. */
interface Payout {
  readonly to: Bytes
  readonly token: Bytes
  readonly minAmount: bigint
}

/** The terms of an operation on a position. A part that the operation does not include is null. */
export interface LiquidityTerms {
  readonly manager: Bytes
  /** The position from which the operation withdraws. */
  readonly open: OpenPosition | null
  readonly taking: RequestedWithdrawal | null
  readonly placing: RequestedDeposit | null
  readonly payout: Payout | null
  /** Fees in percent of the withdrawn amounts. The fees of a deposit are paid before it and are not included here. */
  readonly shares: { readonly service: number; readonly extra: { readonly to: Bytes; readonly percent: number } | null }
  /** In percent. */
  readonly slippage: number
}

/** A request of any type in the common format. */
export interface Terms {
  readonly chainId: number
  readonly wallet: Bytes
  readonly gasToken: Bytes
  /** The destination chain; absent for a same-chain request. */
  readonly chainIdOut?: number
  readonly elements: ReadonlyArray<Element>
  /** Null if the operation has no lending. */
  readonly lending: LendingTerms | null
  readonly liquidity: LiquidityTerms | null
  /** The maximum gas cost that the quote states, in units of the native token and of the gas token. */
  readonly shownGas: { readonly nativeToken: string; readonly token: string }
  /** The quote fields that must repeat the request. */
  readonly echoes: ReadonlyArray<{ readonly path: string; readonly said: unknown; readonly requestedValue: unknown }>
}
