import type { Ratio } from "../../foundation/primitives/index.ts"
import type { Movement, Transaction } from "../history/index.ts"

/**
 * The purpose of a movement for tax.
 *
 * DISPOSAL: given in exchange for something else. ACQUISITION: received in exchange.
 * OWN_TRANSFER: to or from another wallet of the same owner.
 * EXTERNAL_TRANSFER: to or from another party for a reason that the service does not know: a payment, a gift, a salary.
 * INCOME: earned, such as interest or a pool's fees. FEE: a cost, such as gas or interest paid.
 * COLLATERAL: supplied to a lending market, or withdrawn from it. DEBT: borrowed or repaid.
 * LIQUIDITY: put into a liquidity position, or taken out of it.
 * PASS_THROUGH: went out and came in again within the transaction, such as a refund or the token between a swap and a bridge.
 */
export type TaxKind =
  | "DISPOSAL"
  | "ACQUISITION"
  | "OWN_TRANSFER"
  | "EXTERNAL_TRANSFER"
  | "INCOME"
  | "FEE"
  | "COLLATERAL"
  | "DEBT"
  | "LIQUIDITY"
  | "PASS_THROUGH"

/** A movement, or a part of it. */
export interface TaxLeg {
  readonly movement: Movement
  /** In base units, above zero. The legs of a movement sum to its amount. */
  readonly amount: bigint
  readonly kind: TaxKind
  /**
   * The key of the supply, debt or position that the leg changes, shared with its other transactions; null if the leg
   * changes no holding. A supply and a debt are in one token, and its wrapped token has the same key. A DISPOSAL with a
   * holding is taken from that holding, not from the wallet.
   */
  readonly holding: string | null
}

/** Legs that belong together: the two sides of an exchange and its fees. */
export interface TaxEntry {
  readonly legs: ReadonlyArray<TaxLeg>
  /** The share of a position that the LIQUIDITY legs withdraw; absent if no leg withdraws. */
  readonly withdrawnShare?: Ratio
  /** Debt that another party repaid. */
  readonly dischargedDebt?: { readonly holding: string; readonly amount: bigint }
}

/** A transaction from the view of one of its accounts. */
export interface TaxableTransaction {
  readonly transaction: Pick<Transaction, "id" | "type" | "details">
  /** The movements of this account. */
  readonly movements: ReadonlyArray<Movement>
  /** Whether an address is another wallet of the account's owner. */
  readonly isOwn: (address: string | null) => boolean
}

/** Classifies the movements of a transaction for tax. The legs of each movement sum to its amount. */
export type TaxTreatment = (transaction: TaxableTransaction) => ReadonlyArray<TaxEntry>
