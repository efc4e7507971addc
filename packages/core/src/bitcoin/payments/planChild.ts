import type { HexBytes } from "../../foundation/primitives/index.ts"
import {
  type CoinSelection,
  dustLimit,
  type FeeRate,
  feeRoundingUp,
  type SpendableKind,
  scriptBytes,
  transactionWeight
} from "../chain/index.ts"
import { largestFirst } from "./planReplacement.ts"

export interface ChildOrder<C> {
  readonly kind: SpendableKind
  /** Of the wallet: where the coins are, and everything goes. */
  readonly script: HexBytes
  readonly feeRate: FeeRate
  /** The transaction that waits. */
  readonly parent: { readonly fee: bigint; readonly weight: number }
  /** What it pays to the wallet. */
  readonly coins: ReadonlyArray<C>
}

/**
 * A transaction that spends what another one pays and brings both of them together to a fee rate, which miners go by (Bitcoin
 * Core, `CTxMemPoolEntry` ancestor score). All goes back to the wallet. Null where `more` does not suffice. Transactions before
 * the parent that wait too are not paid for.
 */
export const planChild = <C extends { readonly value: bigint }>(
  { coins, feeRate, kind, parent, script }: ChildOrder<C>,
  more: ReadonlyArray<C>
): CoinSelection<C> | null => {
  const added = largestFirst(more)
  const lacking = feeRoundingUp(parent.weight, feeRate) - parent.fee
  for (let count = 0; count <= added.length; count++) {
    const spent = [...coins, ...added.slice(0, count)]
    const weight = transactionWeight(kind, spent.length, [{ bytes: scriptBytes(script) }])
    const fee = feeRoundingUp(weight, feeRate) + (lacking > 0n ? lacking : 0n)
    const change = spent.reduce((sum, { value }) => sum + value, 0n) - fee
    if (change >= dustLimit(script)) return { coins: spent, outputs: [], change, fee, weight, waste: 0n }
  }
  return null
}
