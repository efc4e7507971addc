import { createHash } from "node:crypto"
import * as secp256k1 from "@bitcoinerlab/secp256k1"
import { networks, Psbt, payments } from "bitcoinjs-lib"
import { type ChainIndex, hexText, type IndexedOutput } from "./ChainIndex.ts"

const MATURITY = 100
const VERSION = 2
/** Fee in satoshis per input and per output. The resulting fee rate exceeds 1 sat/vB. */
const FEE_PER_PART = 400n

const privateKey = Uint8Array.from(createHash("sha256").update("countersign sandbox miner").digest())
const publicKey = secp256k1.pointFromScalar(privateKey, true)!
const signer = { publicKey, sign: (hash: Uint8Array) => secp256k1.sign(hash, privateKey) }

/** The script that receives the block rewards. */
export const minerScript = payments.p2wpkh({ pubkey: publicKey, network: networks.bitcoin }).output!

const matureUtxos = (index: ChainIndex) =>
  index.history(hexText(minerScript)).flatMap(({ block, transaction }) => {
    const isMature = block !== null && (!transaction.isCoinbase() || block.height + MATURITY <= index.tip.height)
    return transaction.outs.flatMap(({ script, value }, vout) => {
      const txid = transaction.getId()
      const isFree = hexText(script) === hexText(minerScript) && index.spender(txid, vout) === undefined
      return isMature && isFree ? [{ txid, vout, value }] : []
    })
  })

/** Builds a transaction of the miner with these outputs. Null if the miner's funds do not suffice. */
export const paymentBy = (index: ChainIndex, outputs: ReadonlyArray<IndexedOutput>): string | null => {
  const psbt = new Psbt({ network: networks.bitcoin })
  psbt.setVersion(VERSION)
  const outputSum = outputs.reduce((sum, { value }) => sum + value, 0n)
  let inputSum = 0n
  let fee = FEE_PER_PART * BigInt(outputs.length + 1)
  for (const { txid, value, vout } of matureUtxos(index)) {
    if (inputSum >= outputSum + fee) break
    psbt.addInput({ hash: txid, index: vout, witnessUtxo: { script: minerScript, value } })
    inputSum += value
    fee += FEE_PER_PART
  }
  if (inputSum < outputSum + fee) return null
  for (const { script, value } of outputs) psbt.addOutput({ script, value })
  if (inputSum - outputSum - fee >= FEE_PER_PART)
    psbt.addOutput({ script: minerScript, value: inputSum - outputSum - fee })
  psbt.signAllInputs(signer)
  psbt.finalizeAllInputs()
  return psbt.extractTransaction(true).toHex()
}
