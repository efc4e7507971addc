import { dustLimit, feeRoundingUp, type SpendableKind, transactionWeight } from "@countersign/core/bitcoin/chain"
import type { BitcoinAddress } from "@countersign/core/foundation/primitives"
import { networks, Psbt, payments } from "bitcoinjs-lib"
import { bytesOf } from "../../../src/chains/bitcoin/bytes.ts"
import { scriptOfAddress } from "../../../src/chains/bitcoin/readAddress.ts"

/** A coin of a wallet, as an Esplora tells it. */
export interface WalletCoin {
  readonly txid: string
  readonly vout: number
  readonly value: bigint
}

export interface PaymentAsked {
  readonly address: BitcoinAddress
  readonly kind: SpendableKind
  readonly coins: ReadonlyArray<WalletCoin>
  readonly vault: Uint8Array
  readonly satoshis: bigint
  readonly data: Uint8Array
  /** Satoshis for a virtual byte. */
  readonly feeRate: number
}

/** LI.FI's payments can't be replaced. */
const SEQUENCE = 0xffff_ffff
const RATE_UNITS = 1_000

const carrierOf = (data: Uint8Array): Uint8Array => payments.embed({ data: [data] }).output!

/**
 * A PSBT in hexadecimal that pays a vault, tells it in a data carrier what for, and gives the rest back, in this order; null
 * where the coins are not enough. The largest coins go first.
 */
export const paymentPsbtOrNull = ({
  address,
  coins,
  data,
  feeRate,
  kind,
  satoshis,
  vault
}: PaymentAsked): string | null => {
  const ownScript = scriptOfAddress(address)
  const script = bytesOf(ownScript)
  const carrier = carrierOf(data)
  const rate = BigInt(Math.ceil(feeRate * RATE_UNITS))
  const outputs = [vault, carrier, script].map(({ length: bytes }) => ({ bytes }))
  const largestFirst = [...coins].sort((a, b) => Number(b.value - a.value))
  let given = 0n
  for (let count = 1; count <= largestFirst.length; count++) {
    given += largestFirst[count - 1]!.value
    const change = given - satoshis - feeRoundingUp(transactionWeight(kind, count, outputs), rate)
    if (change < 0n) continue
    const psbt = new Psbt({ network: networks.bitcoin })
    psbt.setVersion(2)
    for (const { txid, value, vout } of largestFirst.slice(0, count)) {
      psbt.addInput({ hash: txid, index: vout, sequence: SEQUENCE, witnessUtxo: { script, value } })
    }
    psbt.addOutput({ script: vault, value: satoshis })
    psbt.addOutput({ script: carrier, value: 0n })
    if (change >= dustLimit(ownScript)) psbt.addOutput({ script, value: change })
    return psbt.toHex()
  }
  return null
}
