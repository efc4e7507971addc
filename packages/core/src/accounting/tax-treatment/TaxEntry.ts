import type { Ratio } from "../../foundation/primitives/index.ts"
import type { Movement, Transaction } from "../history/index.ts"

/**
 * The purpose of a movement for tax.
 *
 * DISPOSAL: given in exchange for another asset. ACQUISITION: received in exchange. OWN_TRANSFER: to or from another
 * wallet of the same owner. EXTERNAL_TRANSFER: to or from another party for a reason that is not recorded, such as a
 * payment, a gift or a salary. INCOME: earned, such as interest or a pool's fees. FEE: a cost, such as gas or paid
 * interest. COLLATERAL: supplied to or withdrawn from a lending market. DEBT: borrowed or repaid. LIQUIDITY: deposited
 * into or withdrawn from a liquidity position. PASS_THROUGH: sent and received again within the transaction, such as a
 * refund or the token between a swap and a bridge.
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

/** A movement, or a part of a movement, with its tax purpose. */
export interface TaxLeg {
  readonly movement: Movement
  /** Base units, above zero. The legs of a movement add up to its amount. */
  readonly amount: bigint
  readonly kind: TaxKind
  /**
   * The key of the supply, debt or position that the leg changes. All legs that change the same one have the same key,
   * also in other transactions. Null if the leg changes none. A supply or a debt has a single token, and the wrapped
   * token has the same key as the native token. A DISPOSAL with a holding disposes of tokens in that holding, not in
   * the wallet.
   */
  readonly holding: string | null
}

/** Legs that belong together: the two sides of an exchange, and its fees. */
export interface TaxEntry {
  readonly legs: ReadonlyArray<TaxLeg>
  /** The share of a position that the LIQUIDITY legs withdraw. Absent if no leg withdraws a share. */
  readonly withdrawnShare?: Ratio
  /** Debt of this account that another party repaid. Absent if there is none. */
  readonly dischargedDebt?: { readonly holding: string; readonly amount: bigint }
}

/** A transaction, seen from one of its accounts. */
export interface TaxableTransaction {
  readonly transaction: Pick<Transaction, "id" | "type" | "details">
  /** The movements of this account. */
  readonly movements: ReadonlyArray<Movement>
  /** Returns whether an address is another wallet of the account's owner. */
  readonly isOwn: (address: string | null) => boolean
}

/** Classifies the movements of a transaction for tax. The legs of each movement add up to its amount. */
export type TaxTreatment = (transaction: TaxableTransaction) => ReadonlyArray<TaxEntry>
