import { type HexBytes, maxBigInt } from "../../foundation/primitives/index.ts"
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
   * Fee rate of a replacement's additional fee: the fee must exceed the earlier fee by at least this rate times the
   * replacement's size (Bitcoin Core, `incrementalrelayfee`).
   */
  readonly incrementalFeeRate: FeeRate
  /**
   * The UTXOs of the replaced transaction. The replacement spends all of them, so only one of the two transactions can
   * be mined.
   */
  readonly utxos: ReadonlyArray<C>
  readonly fee: bigint
  /** Maximum weight of the replaced transaction. */
  readonly weight: number
  /** The outputs except the change. Empty if the replacement returns everything to the wallet. */
  readonly outputs: ReadonlyArray<Output>
}

export const largestFirst = <C extends { readonly value: bigint }>(utxos: ReadonlyArray<C>) =>
  utxos.toSorted((a, b) => (a.value === b.value ? 0 : a.value < b.value ? 1 : -1))

/**
 * Usual difference in weight units between the maximum weight and the actual weight of a signature: at most two bytes
 * of up to four weight units each. Shorter signatures are very rare.
 */
const SIGNATURE_WEIGHT = 8

/**
 * Returns the minimum fee at which nodes relay a replacement. Both the fee (BIP-125, rules 3 and 4) and the fee rate
 * must rise.
 */
const minFee = (
  { utxos, fee, incrementalFeeRate, weight: replacedWeight }: ReplacementOrder<unknown>,
  weight: number
): bigint => {
  const lowestVirtualBytes = virtualBytes(replacedWeight - SIGNATURE_WEIGHT * utxos.length)
  const feeAtSameRate = (fee * BigInt(virtualBytes(weight))) / BigInt(lowestVirtualBytes)
  return maxBigInt(fee + feeRoundingUp(weight, incrementalFeeRate), feeAtSameRate + 1n)
}

/**
 * Plans a transaction that replaces another one (BIP-125), with a fee at which nodes relay it. It spends the same
 * UTXOs. If the change does not cover the fee, it also spends UTXOs from `more`. Null if these are not sufficient.
 */
export const planReplacement = <C extends { readonly value: bigint }>(
  order: ReplacementOrder<C>,
  more: ReadonlyArray<C>
): CoinSelection<C> | null => {
  const { utxos, feeRate, kind, outputs, script } = order
  const addedUtxos = largestFirst(more)
  const feeOf = (weight: number) => maxBigInt(feeRoundingUp(weight, feeRate), minFee(order, weight))
  for (let count = 0; count <= addedUtxos.length; count++) {
    const spentUtxos = [...utxos, ...addedUtxos.slice(0, count)]
    const weightOf = (all: ReadonlyArray<Output>) =>
      transactionWeight(
        kind,
        spentUtxos.length,
        all.map((output) => ({ bytes: scriptBytes(output.script) }))
      )
    const remainder = sumOf(spentUtxos) - sumOf(outputs)
    const weightWithChange = weightOf([...outputs, { script, value: 0n }])
    const change = remainder - feeOf(weightWithChange)
    if (change >= dustLimit(script)) {
      return { utxos: spentUtxos, outputs, change, fee: feeOf(weightWithChange), weight: weightWithChange, waste: 0n }
    }
    const weightWithoutChange = weightOf(outputs)
    if (outputs.length > 0 && remainder >= feeOf(weightWithoutChange)) {
      return { utxos: spentUtxos, outputs, change: 0n, fee: remainder, weight: weightWithoutChange, waste: 0n }
    }
  }
  return null
}

/** Returns the fee rate of a transaction. Rounded down. */
export const rateOf = (fee: bigint, weight: number): FeeRate => (fee * 1_000n) / BigInt(virtualBytes(weight))
