import { type HexBytes, maxBigInt } from "../../../foundation/primitives/index.ts"
import { dustLimit, scriptBytes } from "./dust.ts"
import { branchAndBound, largestFirst, randomDraw, type ValuedCoin } from "./strategies.ts"
import {
  type FeeRate,
  feeRoundingUp,
  inputWeight,
  outputWeight,
  partFeeRoundingUp,
  type SpendableKind,
  transactionWeight
} from "./weights.ts"

export interface Output {
  readonly script: HexBytes
  /** In satoshis. */
  readonly value: bigint
}

export interface PaymentTerms {
  /** The script type of all UTXOs. They have the same type, because a wallet is a single address. */
  readonly kind: SpendableKind
  readonly outputs: ReadonlyArray<Output>
  /** The script of the change output. */
  readonly changeScript: HexBytes
  readonly feeRate: FeeRate
  /**
   * The fee rate that is expected for later spending. At a lower current rate, the selection consolidates many UTXOs.
   * At a higher rate, it spends few.
   */
  readonly longTermFeeRate: FeeRate
  /**
   * WALLET: the wallet pays the fee in addition to the outputs. FIRST_OUTPUT: the fee is deducted from the first
   * output. A remainder that is too small for change reduces this deduction.
   */
  readonly feeFrom: "FIRST_OUTPUT" | "WALLET"
}

export interface CoinSelection<C> {
  readonly utxos: ReadonlyArray<C>
  readonly outputs: ReadonlyArray<Output>
  /** Zero if there is no change output. */
  readonly change: bigint
  readonly fee: bigint
  /** The maximum weight of the signed transaction. */
  readonly weight: number
  /**
   * The additional cost in satoshis compared with spending at the long-term rate: fees of the inputs, the change output
   * and its later spending, or the excess that goes to the miners.
   */
  readonly waste: bigint
}

const scriptSizesOf = (outputs: ReadonlyArray<Output>) => outputs.map(({ script }) => ({ bytes: scriptBytes(script) }))

const totalOf = (values: ReadonlyArray<{ readonly value: bigint }>): bigint =>
  values.reduce((sum, { value }) => sum + value, 0n)

/** Builds the transaction that spends these UTXOs. Null if their sum is too low. */
const selectionOf = <C>(terms: PaymentTerms, selectedUtxos: ReadonlyArray<ValuedCoin<C>>): CoinSelection<C> | null => {
  const { changeScript, feeFrom, feeRate, kind, longTermFeeRate, outputs } = terms
  const remainder = totalOf(selectedUtxos) - totalOf(outputs)
  const weightOf = (all: ReadonlyArray<Output>) => transactionWeight(kind, selectedUtxos.length, scriptSizesOf(all))
  const [weightWithoutChange, weightWithChange] = [
    weightOf(outputs),
    weightOf([...outputs, { script: changeScript, value: 0n }])
  ]
  const [fee, feeWithChange] = [feeRoundingUp(weightWithoutChange, feeRate), feeRoundingUp(weightWithChange, feeRate)]
  const inputsWaste = BigInt(selectedUtxos.length) * inputWaste(terms)
  const utxos = selectedUtxos.map(({ utxo }) => utxo)
  const change = feeFrom === "WALLET" ? remainder - feeWithChange : remainder
  if (change >= dustLimit(changeScript)) {
    const waste =
      inputsWaste +
      partFeeRoundingUp(weightWithChange - weightWithoutChange, feeRate) +
      partFeeRoundingUp(inputWeight(kind), longTermFeeRate)
    const paidOutputs = feeFrom === "WALLET" ? outputs : deductFee(outputs, feeWithChange)
    return { utxos, outputs: paidOutputs, change, fee: feeWithChange, weight: weightWithChange, waste }
  }
  if (remainder < 0n || (feeFrom === "WALLET" && remainder < fee)) return null
  // A remainder that is too small for change counts toward the fee.
  const paidFee = maxBigInt(remainder, fee)
  return {
    utxos,
    outputs: feeFrom === "WALLET" ? outputs : deductFee(outputs, paidFee - remainder),
    change: 0n,
    fee: paidFee,
    weight: weightWithoutChange,
    waste: inputsWaste + (remainder > fee || feeFrom === "FIRST_OUTPUT" ? remainder : remainder - fee)
  }
}

const deductFee = ([first, ...others]: ReadonlyArray<Output>, fee: bigint): ReadonlyArray<Output> =>
  first === undefined ? [] : [{ ...first, value: first.value - fee }, ...others]

const inputWaste = ({ feeRate, kind, longTermFeeRate }: PaymentTerms): bigint =>
  partFeeRoundingUp(inputWeight(kind), feeRate) - partFeeRoundingUp(inputWeight(kind), longTermFeeRate)

/**
 * Selects UTXOs for a payment: the selection with the least waste among branch and bound (without change), random
 * order, and largest first. Null if the UTXOs are not sufficient. The fee rate is at least the requested one. If the
 * wallet pays the fee, ignores UTXOs whose value does not exceed the fee for their own input.
 */
export const selectCoins = <C extends { readonly value: bigint }>(
  utxos: ReadonlyArray<C>,
  terms: PaymentTerms,
  random: () => number
): CoinSelection<C> | null => {
  const { changeScript, feeFrom, feeRate, kind, longTermFeeRate, outputs } = terms
  const walletPaysFee = feeFrom === "WALLET"
  const inputFee = walletPaysFee ? partFeeRoundingUp(inputWeight(kind), feeRate) : 0n
  const usefulUtxos = utxos.flatMap((utxo): ReadonlyArray<ValuedCoin<C>> => {
    const effectiveValue = utxo.value - inputFee
    return effectiveValue > 0n ? [{ utxo, value: utxo.value, effective: effectiveValue }] : []
  })
  const weightWithoutInputs =
    transactionWeight(kind, usefulUtxos.length, scriptSizesOf(outputs)) - usefulUtxos.length * inputWeight(kind)
  // An estimate: the fee of each part is rounded separately. `selectionOf` computes the fee of the complete
  // transaction.
  const target = totalOf(outputs) + (walletPaysFee ? feeRoundingUp(weightWithoutInputs, feeRate) : 0n)
  // The weight of the complete transaction is rounded up to virtual bytes, which adds at most 3 weight units. With this
  // target the sum of the parts is at least the fee of the complete transaction.
  const sufficientTarget = target + (walletPaysFee ? partFeeRoundingUp(3, feeRate) : 0n)
  const changeFee = walletPaysFee ? partFeeRoundingUp(outputWeight(scriptBytes(changeScript)), feeRate) : 0n
  const targetWithChange = target + changeFee + dustLimit(changeScript)
  const changeCost = changeFee + partFeeRoundingUp(inputWeight(kind), longTermFeeRate)
  const strategies = [
    branchAndBound(usefulUtxos, target, changeCost, inputWaste(terms)),
    randomDraw(usefulUtxos, targetWithChange, random),
    largestFirst(usefulUtxos, targetWithChange),
    largestFirst(usefulUtxos, target),
    largestFirst(usefulUtxos, sufficientTarget)
  ]
  const selections = strategies.flatMap((selected) => (selected === null ? [] : (selectionOf(terms, selected) ?? [])))
  // Even if no strategy selects enough, all UTXOs may suffice, because the sum of the rounded parts can exceed the fee
  // of the complete transaction.
  return selections.length === 0 ? selectionOf(terms, usefulUtxos) : selections.reduce(selectionWithLessWaste)
}

const selectionWithLessWaste = <C>(one: CoinSelection<C>, other: CoinSelection<C>): CoinSelection<C> => {
  const isLess = one.waste === other.waste ? other.utxos.length < one.utxos.length : other.waste < one.waste
  return isLess ? other : one
}

/**
 * Spends all UTXOs whose value exceeds the fee for their own input. The first output receives the remainder after the
 * other outputs and the fee. Null if the remainder is below the dust limit.
 */
export const spendAllCoins = <C extends { readonly value: bigint }>(
  utxos: ReadonlyArray<C>,
  terms: Omit<PaymentTerms, "changeScript" | "feeFrom" | "longTermFeeRate">
): CoinSelection<C> | null => {
  const { feeRate, kind, outputs } = terms
  const [first, ...others] = outputs
  const inputFee = partFeeRoundingUp(inputWeight(kind), feeRate)
  const usefulUtxos = utxos.filter(({ value }) => value > inputFee)
  const weight = transactionWeight(kind, usefulUtxos.length, scriptSizesOf(outputs))
  const fee = feeRoundingUp(weight, feeRate)
  const remainingValue = totalOf(usefulUtxos) - totalOf(others) - fee
  if (first === undefined || remainingValue < dustLimit(first.script)) return null
  return {
    utxos: usefulUtxos,
    outputs: [{ ...first, value: remainingValue }, ...others],
    change: 0n,
    fee,
    weight,
    waste: 0n
  }
}
