import type { Bytes } from "./bytes.ts"
import type { LenderKind } from "./contracts.ts"
import type { LendingAction } from "./LendingAct.ts"
import type { OpenPosition } from "./ledger.ts"
import type { Pair } from "./liquidityMath.ts"
import type { PoolName } from "./PositionAct.ts"
import type { Ticks } from "./prices.ts"

/** A request in one shape for all kinds. */

/** One element of what was asked for: a transfer, or a swap with what its quote promises. Amounts are in base units. */
export interface Element {
  readonly tokenIn: Bytes
  readonly amount: bigint
  readonly to: Bytes
  /** The part of the amount that percentage fees take, rounded down. */
  readonly serviceFee: bigint
  readonly extraFee: { readonly to: Bytes; readonly amount: bigint } | null
  readonly deductsGas: boolean
  /** Null for a transfer. What is put into a position has no receiver. */
  readonly out: { readonly token: Bytes; readonly least: bigint } | "POSITION" | null
}

/** The legs of a lending operation. */
export interface LendingTerms {
  readonly kind: LenderKind
  readonly legs: ReadonlyArray<{
    readonly action: LendingAction
    readonly token: Bytes
    /** Base units; everything there is where it is MAX. */
    readonly amount: bigint | "MAX"
    /** The amount that the quote shows. */
    readonly shown: bigint
    /** Which side of a market of Morpho Blue; null where it was not said. */
    readonly isCollateral: boolean | null
    /** The market that is named; null where it is open. */
    readonly marketId: Bytes | null
    /** Whether gas is taken out of its amount. */
    readonly bearsGas: boolean
  }>
  /** The market that the quote shows; null where it shows none. */
  readonly shownMarket: Bytes | null
  /** Ids of the markets that may be used. */
  readonly markets: ReadonlySet<Bytes>
  /** Everything that the wallet has on a side of a market of Morpho Blue: shares, or base units of collateral; null where it is not known. */
  readonly allOf: (marketId: Bytes, side: "SUPPLY" | "DEBT" | "COLLATERAL") => bigint | null
}

/** The amounts taken out of a position. */
export interface Taking {
  readonly tokenId: bigint
  readonly ticks: Ticks
  /** How much of its liquidity, and whether that is all. */
  readonly liquidity: bigint
  readonly isAll: boolean
  /** The quote's figures for it; null where it has none. */
  readonly shown: {
    readonly liquidity: bigint | null
    readonly burned: boolean | null
    readonly removed: Pair
    readonly collected: Pair
  }
}

/** The amounts put into a position. */
export interface Placing {
  /** Null for a new one. */
  readonly tokenId: bigint | null
  readonly recipient: Bytes
  readonly pool: PoolName
  readonly isRange: (ticks: Ticks) => boolean
  /** The existing position; null for a new one. */
  readonly ticks: Ticks | null
  readonly createsPool: boolean
  /** A Q64.96 root as a price in whole tokens, in the request's order of the tokens. */
  readonly priceOf: (root: bigint) => number
  /** The quote's figures for it, in the pool's token order. */
  readonly shown: Ticks & { readonly liquidity: bigint; readonly amounts: Pair; readonly leftovers: Pair }
}

/** The amounts that a withdrawal pays out. */
interface Payout {
  readonly to: Bytes
  readonly token: Bytes
  readonly least: bigint
}

/** The parts of an operation on a position, each null where it has none. */
export interface LiquidityTerms {
  readonly manager: Bytes
  /** The position that something is taken out of. */
  readonly open: OpenPosition | null
  readonly taking: Taking | null
  readonly placing: Placing | null
  readonly payout: Payout | null
  /** Fees in percent of what is taken out; of a deposit they are payments before it. */
  readonly shares: { readonly service: number; readonly extra: { readonly to: Bytes; readonly percent: number } | null }
  /** In percent. */
  readonly slippage: number
}

/** A request of any kind, in one shape. */
export interface Terms {
  readonly chainId: number
  readonly wallet: Bytes
  readonly gasToken: Bytes
  /** The chain that tokens go to, where that is another one. */
  readonly chainIdOut?: number
  readonly elements: ReadonlyArray<Element>
  /** Null of other operations. */
  readonly lending: LendingTerms | null
  readonly liquidity: LiquidityTerms | null
  /** The most that gas can cost, as the quote says: in whole coins, and in whole tokens of the one that pays. */
  readonly shownGas: { readonly coin: string; readonly token: string }
  /** Fields in which the quote repeats the request: what it says, what was asked, where. */
  readonly echoes: ReadonlyArray<{ readonly path: string; readonly said: unknown; readonly asked: unknown }>
}
