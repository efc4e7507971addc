import type { DateTime } from "effect"
import type { WalletAddress } from "../../foundation/primitives/index.ts"
import type { Movement, TransactionType } from "../history/index.ts"
import type { TaxKind } from "../tax-treatment/index.ts"
import type { Disposal, Lot } from "./lots.ts"
import type { Period } from "./Period.ts"
import type { TaxAsset, TaxToken } from "./TaxAsset.ts"
import type { TaxValues } from "./values.ts"

/** The currencies in which gains are counted. */
export type TaxCurrency = "usd" | "brl"
export type InCurrencies<A> = Readonly<Record<TaxCurrency, A>>

/** A movement of the period, or a part of it, with its values, and what it cost where something went out. */
export interface TaxRow {
  readonly transactionId: string
  /** The same for rows that belong together, such as the two sides of an exchange and its fees. */
  readonly entry: string
  readonly kind: TaxKind
  readonly type: TransactionType
  readonly at: DateTime.Utc
  /** Hash on its chain; null where it was on none. */
  readonly transactionHash: string | null
  readonly asset: TaxAsset
  readonly direction: Movement["direction"]
  readonly role: Movement["role"]
  readonly amount: bigint
  readonly counterparty: string | null
  readonly values: TaxValues
  /** Null for what came in, for what passed through, and for a currency. */
  readonly disposals: InCurrencies<Disposal> | null
}

/** One token over the period: `opening + received - sent - fees - gas = closing`, in base units. */
export interface TaxBalance {
  readonly asset: TaxToken
  readonly opening: bigint
  readonly received: bigint
  readonly sent: bigint
  readonly fees: bigint
  readonly gas: bigint
  /** Below zero where more went out than was recorded as coming in. */
  readonly closing: bigint
  /** What is held at the end, by first in, first out. */
  readonly lots: InCurrencies<ReadonlyArray<Lot>>
  /** Realised in the period; null where a value is missing that it needs. */
  readonly gainsE6: InCurrencies<bigint | null>
}

/** Everything that a tax export says, whatever its layout. */
export interface TaxDataSet {
  readonly walletAddress: WalletAddress
  readonly period: Period
  /** Oldest first. */
  readonly rows: ReadonlyArray<TaxRow>
  /** Of every token that was held or moved, by chain and symbol. A currency is held by a bank and not by the wallet. */
  readonly balances: ReadonlyArray<TaxBalance>
}

/** Movements of the period without a value in one of the currencies. */
export const unvaluedRows = ({ rows }: TaxDataSet): ReadonlyArray<TaxRow> =>
  rows.filter(({ values }) => values.usd === null || values.brl === null)
