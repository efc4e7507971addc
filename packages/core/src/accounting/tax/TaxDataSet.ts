import type { DateTime } from "effect"
import type { WalletAddress } from "../../foundation/primitives/index.ts"
import type { Movement, TransactionType } from "../history/index.ts"
import type { TaxKind } from "../tax-treatment/index.ts"
import type { Disposal, Lot } from "./lots.ts"
import type { Period } from "./Period.ts"
import type { TaxAsset, TaxToken } from "./TaxAsset.ts"
import type { TaxValues } from "./values.ts"

/** The currencies in which gains are computed. */
export type TaxCurrency = "usd" | "brl"
export type ByTaxCurrency<A> = Readonly<Record<TaxCurrency, A>>

/** A movement of the period, or a part of a movement, with its values. An outflow also has its cost. */
export interface TaxRow {
  readonly transactionId: string
  /** The id that rows share if they belong together, such as the two sides of an exchange and its fees. */
  readonly entry: string
  readonly kind: TaxKind
  readonly type: TransactionType
  readonly at: DateTime.Utc
  /** The on-chain transaction hash. Null if there is none. */
  readonly transactionHash: string | null
  readonly asset: TaxAsset
  readonly direction: Movement["direction"]
  readonly role: Movement["role"]
  readonly amount: bigint
  readonly counterparty: string | null
  readonly values: TaxValues
  /** Null for inflows, pass-through amounts and fiat currencies. */
  readonly disposals: ByTaxCurrency<Disposal> | null
}

/** One token over the period: `opening + received - sent - fees - gas = closing`, in base units. */
export interface TaxBalance {
  readonly asset: TaxToken
  readonly opening: bigint
  readonly received: bigint
  readonly sent: bigint
  readonly fees: bigint
  readonly gas: bigint
  /** Negative if the recorded outflows exceed the recorded inflows. */
  readonly closing: bigint
  /** The remaining lots at the end of the period, computed by FIFO. */
  readonly lots: ByTaxCurrency<ReadonlyArray<Lot>>
  /** Gains realized in the period. Null if a required value is missing. */
  readonly gainsE6: ByTaxCurrency<bigint | null>
}

/** The content of a tax export, independent of its layout. */
export interface TaxDataSet {
  readonly walletAddress: WalletAddress
  readonly period: Period
  /** Oldest first. */
  readonly rows: ReadonlyArray<TaxRow>
  /**
   * The balances of tokens that were held or moved in the period, sorted by chain and symbol. Fiat currencies have no
   * balance, because the bank holds them and not the wallet.
   */
  readonly balances: ReadonlyArray<TaxBalance>
}

/** Returns the movements of the period that have no value in one of the currencies. */
export const unvaluedRows = ({ rows }: TaxDataSet): ReadonlyArray<TaxRow> =>
  rows.filter(({ values }) => values.usd === null || values.brl === null)
