import { dustLimit, feeRoundingUp, type SpendableKind, transactionWeight } from "@countersign/core/bitcoin/chain"
import type { BitcoinAddress } from "@countersign/core/foundation/primitives"
import { networks, Psbt, payments } from "bitcoinjs-lib"
import { bytesOf } from "../../../src/chains/bitcoin/bytes.ts"
import { addressToScript } from "../../../src/chains/bitcoin/readAddress.ts"

/** A UTXO of a wallet, as Esplora returns it. */
export interface WalletUtxo {
  readonly txid: string
  readonly vout: number
  readonly value: bigint
}

export interface PaymentRequest {
  readonly address: BitcoinAddress
  readonly kind: SpendableKind
  readonly coins: ReadonlyArray<WalletUtxo>
  readonly vault: Uint8Array
  readonly satoshis: bigint
  readonly data: Uint8Array
  /** In sat/vB. */
  readonly feeRate: number
}

/** Sequence number that does not signal replaceability, as in LI.FI's payments. */
const SEQUENCE = 0xffff_ffff
const RATE_UNITS = 1_000

const opReturnScriptOf = (data: Uint8Array): Uint8Array => payments.embed({ data: [data] }).output!

/**
 * Builds a PSBT in hexadecimal. Its outputs are, in this order, the vault, an OP_RETURN with the order, and the change
 * unless it is dust. Spends the largest UTXOs first. Null if the UTXOs do not suffice.
 */
export const paymentPsbtOrNull = ({
  address,
  coins,
  data,
  feeRate,
  kind,
  satoshis,
  vault
}: PaymentRequest): string | null => {
  const ownScript = addressToScript(address)
  const script = bytesOf(ownScript)
  const opReturnScript = opReturnScriptOf(data)
  const rate = BigInt(Math.ceil(feeRate * RATE_UNITS))
  const outputs = [vault, opReturnScript, script].map(({ length: bytes }) => ({ bytes }))
  const sortedUtxos = [...coins].sort((a, b) => Number(b.value - a.value))
  let inputSum = 0n
  for (let count = 1; count <= sortedUtxos.length; count++) {
    inputSum += sortedUtxos[count - 1]!.value
    const change = inputSum - satoshis - feeRoundingUp(transactionWeight(kind, count, outputs), rate)
    if (change < 0n) continue
    const psbt = new Psbt({ network: networks.bitcoin })
    psbt.setVersion(2)
    for (const { txid, value, vout } of sortedUtxos.slice(0, count)) {
      psbt.addInput({ hash: txid, index: vout, sequence: SEQUENCE, witnessUtxo: { script, value } })
    }
    psbt.addOutput({ script: vault, value: satoshis })
    psbt.addOutput({ script: opReturnScript, value: 0n })
    if (change >= dustLimit(ownScript)) psbt.addOutput({ script, value: change })
    return psbt.toHex()
  }
  return null
}
