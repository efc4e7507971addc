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
  /** The wallet's script: of the coins, and of the only output. */
  readonly script: HexBytes
  readonly feeRate: FeeRate
  /** The unconfirmed transaction. */
  readonly parent: { readonly fee: bigint; readonly weight: number }
  /** Its outputs to the wallet. */
  readonly coins: ReadonlyArray<C>
}

/**
 * A transaction that spends outputs of another one and raises both together to a fee rate, as miners evaluate it
 * (Bitcoin Core, `CTxMemPoolEntry` ancestor score). Its output goes to the wallet. Null if `more` is not sufficient.
 * Unconfirmed ancestors of the parent are not paid for.
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
