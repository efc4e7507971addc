import { greater, type HexBytes } from "../../foundation/primitives/index.ts"
import {
  type CoinSelection,
  dustLimit,
  type FeeRate,
  feeRoundingUp,
  type Output,
  type SpendableKind,
  scriptBytes,
  sumOf,
  transactionWeight,
  virtualBytes
} from "../chain/index.ts"

export interface ReplacementOrder<C> {
  readonly kind: SpendableKind
  readonly script: HexBytes
  readonly feeRate: FeeRate
  /**
   * The rate that a replacement pays in addition to the earlier fee, for its own size (Bitcoin Core,
   * `incrementalrelayfee`).
   */
  readonly incrementalFeeRate: FeeRate
  /** The coins of the replaced transaction. All are spent again, so that only one of both can be mined. */
  readonly coins: ReadonlyArray<C>
  readonly fee: bigint
  /** Maximum weight of the replaced transaction. */
  readonly weight: number
  /** Without change. Empty for a cancellation to the wallet. */
  readonly outputs: ReadonlyArray<Output>
}

export const largestFirst = <C extends { readonly value: bigint }>(coins: ReadonlyArray<C>) =>
  coins.toSorted((a, b) => (a.value === b.value ? 0 : a.value < b.value ? 1 : -1))

/** Signatures can be two bytes shorter than the weight of a transaction assumes. A byte has up to four weight units. */
const SIGNATURE_WEIGHT = 8

/** The minimum fee at which nodes relay a replacement: the fee rises by the increment (BIP-125, rules 3 and 4), and the rate rises too. */
const leastFee = (
  { coins, fee, incrementalFeeRate, weight: before }: ReplacementOrder<unknown>,
  weight: number
): bigint => {
  const lightest = virtualBytes(before - SIGNATURE_WEIGHT * coins.length)
  const atSameRate = (fee * BigInt(virtualBytes(weight))) / BigInt(lightest)
  return greater(fee + feeRoundingUp(weight, incrementalFeeRate), atSameRate + 1n)
}

/**
 * A transaction that replaces another one (BIP-125): with the same coins, more coins if their change does not
 * cover the fee, and a fee at which nodes relay it. Null where `more` does not suffice.
 */
export const planReplacement = <C extends { readonly value: bigint }>(
  order: ReplacementOrder<C>,
  more: ReadonlyArray<C>
): CoinSelection<C> | null => {
  const { coins, feeRate, kind, outputs, script } = order
  const added = largestFirst(more)
  const feeOf = (weight: number) => greater(feeRoundingUp(weight, feeRate), leastFee(order, weight))
  for (let count = 0; count <= added.length; count++) {
    const spent = [...coins, ...added.slice(0, count)]
    const weightOf = (all: ReadonlyArray<Output>) =>
      transactionWeight(
        kind,
        spent.length,
        all.map((output) => ({ bytes: scriptBytes(output.script) }))
      )
    const spare = sumOf(spent) - sumOf(outputs)
    const changed = weightOf([...outputs, { script, value: 0n }])
    const change = spare - feeOf(changed)
    if (change >= dustLimit(script)) {
      return { coins: spent, outputs, change, fee: feeOf(changed), weight: changed, waste: 0n }
    }
    const plain = weightOf(outputs)
    if (outputs.length > 0 && spare >= feeOf(plain)) {
      return { coins: spent, outputs, change: 0n, fee: spare, weight: plain, waste: 0n }
    }
  }
  return null
}

/** The rate of a transaction, rounded down. */
export const rateOf = (fee: bigint, weight: number): FeeRate => (fee * 1_000n) / BigInt(virtualBytes(weight))
