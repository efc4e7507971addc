import type { Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import {
  type CoinSelection,
  dustLimit,
  type FeeRate,
  feeRoundingUp,
  type Output,
  type SpendableKind,
  scriptBytes,
  sumOf,
  transactionWeight
} from "../chain/index.ts"
import { outpointText } from "./usableUtxos.ts"
import type { PayableUtxo } from "./walletUtxos.ts"

/** UTXOs and change that a third party has chosen for a payment of the wallet. */
export interface FixedUtxos {
  readonly coins: ReadonlyArray<{ readonly txid: Hash32; readonly vout: number; readonly sequence: number }>
  /** In satoshis. Zero if there is no change output. */
  readonly change: bigint
}

export interface FixedOrder extends FixedUtxos {
  readonly kind: SpendableKind
  /** The wallet's script. */
  readonly script: HexBytes
  readonly outputs: ReadonlyArray<Output>
  /** Maximum fee rate, in satoshis per 1,000 virtual bytes. */
  readonly maxFeeRate: FeeRate
  /** The minimum relay rate. */
  readonly minFeeRate: FeeRate
}

/**
 * Returns a payment that spends the chosen UTXOs at their on-chain values, or the reason for a rejection, as a clause.
 */
export const selectionOfFixedUtxos = (
  { change, coins: chosenInputs, kind, minFeeRate, maxFeeRate, outputs, script }: FixedOrder,
  usableUtxos: ReadonlyArray<PayableUtxo>
): CoinSelection<PayableUtxo> | string => {
  const knownUtxos = new Map(usableUtxos.map((utxo) => [outpointText(utxo), utxo]))
  const utxos = chosenInputs.flatMap((one) => knownUtxos.get(outpointText(one)) ?? [])
  if (utxos.length === 0 || utxos.length !== chosenInputs.length) {
    return "it spends UTXOs that the wallet does not have, or that are unconfirmed, immature or spent by another payment of the wallet"
  }
  if (new Set(utxos).size !== utxos.length) return "it spends a UTXO twice"
  if (change !== 0n && change < dustLimit(script)) return "its change is below the minimum output that nodes relay"
  const all = change === 0n ? outputs : [...outputs, { script, value: change }]
  const weight = transactionWeight(
    kind,
    utxos.length,
    all.map((output) => ({ bytes: scriptBytes(output.script) }))
  )
  const fee = sumOf(utxos) - sumOf(all)
  const [minFee, maxFee] = [feeRoundingUp(weight, minFeeRate), feeRoundingUp(weight, maxFeeRate)]
  if (fee < minFee || fee > maxFee)
    return `its miner fee is ${fee} satoshis, but ${minFee} to ${maxFee} satoshis are allowed`
  return { utxos, outputs, change, fee, weight, waste: 0n }
}
