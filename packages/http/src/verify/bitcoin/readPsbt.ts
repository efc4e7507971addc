import { Address, NETWORK, OutScript, Transaction } from "@scure/btc-signer"
import { Unreadable } from "../bytes.ts"

/** A coin that a PSBT spends, or an output of it, in satoshis. */
export interface Coin {
  readonly script: string
  readonly value: bigint
}

export interface ReadPsbt {
  /** Without signatures. */
  readonly txid: string
  readonly inputs: ReadonlyArray<
    Coin & { readonly txid: string; readonly vout: number; readonly sequence: number; readonly isPlain: boolean }
  >
  readonly outputs: ReadonlyArray<Coin>
  readonly version: number
  readonly lockTime: number
}

const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../gu) ?? [], (pair) => Number.parseInt(pair, 16))

/** The script that an address of the main network stands for. */
export const scriptOf = (address: string): string => hexOf(OutScript.encode(Address(NETWORK).decode(address)))

const lenient = { allowUnknownInputs: true, allowUnknownOutputs: true, disableScriptCheck: true } as const

/** What is known of a coin: from the whole transaction that made it, where the PSBT brings that. */
const coinOf = (transaction: Transaction, at: number): Coin => {
  const { index, nonWitnessUtxo, txid, witnessUtxo } = transaction.getInput(at)
  const output = nonWitnessUtxo?.outputs[index ?? -1] ?? witnessUtxo
  if (output === undefined || txid === undefined) throw new Unreadable(`input ${at} does not say which coin it spends`)
  const coin = { script: hexOf(output.script), value: output.amount }
  const told = witnessUtxo === undefined ? coin : { script: hexOf(witnessUtxo.script), value: witnessUtxo.amount }
  if (told.script !== coin.script || told.value !== coin.value)
    throw new Unreadable(`input ${at} tells two different coins`)
  return coin
}

/** Everything of a PSBT that its signature commits to. The library refuses a previous transaction with another id. */
export const readPsbt = (psbt: string): ReadPsbt => {
  const transaction = Transaction.fromPSBT(bytesOf(psbt), lenient)
  const inputs = Array.from({ length: transaction.inputsLength }, (_, at) => {
    const { index, partialSig, sequence, sighashType, tapKeySig, txid } = transaction.getInput(at)
    return {
      ...coinOf(transaction, at),
      txid: hexOf(txid!),
      vout: index!,
      sequence: sequence ?? 0xffff_ffff,
      isPlain: sighashType === undefined && partialSig === undefined && tapKeySig === undefined
    }
  })
  const outputs = Array.from({ length: transaction.outputsLength }, (_, at): Coin => {
    const { amount, script } = transaction.getOutput(at)
    return { script: hexOf(script!), value: amount! }
  })
  return {
    txid: Transaction.fromRaw(transaction.unsignedTx, lenient).id,
    inputs,
    outputs,
    version: transaction.version,
    lockTime: transaction.lockTime
  }
}
