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
  /** The wallet's script, which is the script of the UTXOs and of the only output. */
  readonly script: HexBytes
  readonly feeRate: FeeRate
  /** The unconfirmed parent transaction. The fee is in satoshis. */
  readonly parent: { readonly fee: bigint; readonly weight: number }
  /** The outputs of the parent that pay to the wallet. */
  readonly utxos: ReadonlyArray<C>
}

/**
 * Plans a child transaction that spends outputs of a parent. It raises the fee rate of both together, as miners
 * evaluate it (Bitcoin Core, `CTxMemPoolEntry` ancestor score). Its output pays to the wallet. Adds UTXOs from `more`
 * if necessary. Null if these are not sufficient. The fee does not cover unconfirmed ancestors of the parent.
 */
export const planChild = <C extends { readonly value: bigint }>(
  { utxos, feeRate, kind, parent, script }: ChildOrder<C>,
  more: ReadonlyArray<C>
): CoinSelection<C> | null => {
  const addedUtxos = largestFirst(more)
  const missingFee = feeRoundingUp(parent.weight, feeRate) - parent.fee
  for (let count = 0; count <= addedUtxos.length; count++) {
    const spentUtxos = [...utxos, ...addedUtxos.slice(0, count)]
    const weight = transactionWeight(kind, spentUtxos.length, [{ bytes: scriptBytes(script) }])
    const fee = feeRoundingUp(weight, feeRate) + (missingFee > 0n ? missingFee : 0n)
    const change = spentUtxos.reduce((sum, { value }) => sum + value, 0n) - fee
    if (change >= dustLimit(script)) return { utxos: spentUtxos, outputs: [], change, fee, weight, waste: 0n }
  }
  return null
}
