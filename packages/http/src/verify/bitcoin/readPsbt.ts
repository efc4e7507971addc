import { Address, NETWORK, OutScript, Transaction } from "@scure/btc-signer"
import { Unreadable } from "../bytes.ts"

/** An input or output of a PSBT, in satoshis. */
export interface TransactionOutput {
  readonly script: string
  readonly value: bigint
}

export interface ReadPsbt {
  /** The transaction id, which does not depend on signatures. */
  readonly txid: string
  readonly inputs: ReadonlyArray<
    TransactionOutput & {
      readonly txid: string
      readonly vout: number
      readonly sequence: number
      readonly isPlain: boolean
      /** Whether the amount is certain: the signature commits to it, or the previous transaction is included. */
      readonly isAmountProven: boolean
    }
  >
  readonly outputs: ReadonlyArray<TransactionOutput>
  readonly version: number
  readonly lockTime: number
}

const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../gu) ?? [], (pair) => Number.parseInt(pair, 16))

export const scriptOf = (address: string): string => hexOf(OutScript.encode(Address(NETWORK).decode(address)))

const lenientOptions = { allowUnknownInputs: true, allowUnknownOutputs: true, disableScriptCheck: true } as const

/** Matches P2TR scripts (BIP-341). Their signatures commit to the amounts and scripts of all inputs. */
const TAPROOT = /^5120[\da-f]{64}$/u

/**
 * Reads the output that an input spends. The library checks the txid of an included previous transaction. If it is not
 * included, the amount is only claimed. A P2PKH signature commits to no amount, and a segwit version 0 signature only
 * to the amount of its own input. An attacker can combine two signatures with different false amounts into one
 * transaction with a high fee (CVE-2020-14199).
 */
const spentOutputOf = (
  transaction: Transaction,
  at: number
): TransactionOutput & { readonly isAmountProven: boolean } => {
  const { index, nonWitnessUtxo, txid, witnessUtxo } = transaction.getInput(at)
  const output = nonWitnessUtxo === undefined ? witnessUtxo : nonWitnessUtxo.outputs[index ?? -1]
  if (output === undefined || txid === undefined)
    throw new Unreadable(`input ${at} does not contain the output that it spends`)
  const spentOutput = { script: hexOf(output.script), value: output.amount }
  const claimedOutput =
    witnessUtxo === undefined ? spentOutput : { script: hexOf(witnessUtxo.script), value: witnessUtxo.amount }
  if (claimedOutput.script !== spentOutput.script || claimedOutput.value !== spentOutput.value)
    throw new Unreadable(`input ${at} contains two different outputs to spend`)
  return { ...spentOutput, isAmountProven: nonWitnessUtxo !== undefined || TAPROOT.test(spentOutput.script) }
}

/** Reads the data of a PSBT to which its signatures commit. */
export const readPsbt = (psbt: string): ReadPsbt => {
  const transaction = Transaction.fromPSBT(bytesOf(psbt), lenientOptions)
  const inputs = Array.from({ length: transaction.inputsLength }, (_, at) => {
    const { index, partialSig, sequence, sighashType, tapKeySig, txid } = transaction.getInput(at)
    return {
      ...spentOutputOf(transaction, at),
      txid: hexOf(txid!),
      vout: index!,
      sequence: sequence ?? 0xffff_ffff,
      isPlain: sighashType === undefined && partialSig === undefined && tapKeySig === undefined
    }
  })
  const outputs = Array.from({ length: transaction.outputsLength }, (_, at): TransactionOutput => {
    const { amount, script } = transaction.getOutput(at)
    return { script: hexOf(script!), value: amount! }
  })
  return {
    txid: Transaction.fromRaw(transaction.unsignedTx, lenientOptions).id,
    inputs,
    outputs,
    version: transaction.version,
    lockTime: transaction.lockTime
  }
}
