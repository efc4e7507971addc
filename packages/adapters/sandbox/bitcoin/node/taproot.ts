import * as secp256k1 from "@bitcoinerlab/secp256k1"
import { Transaction } from "bitcoinjs-lib"
import type { Bcoin, ScriptErrorOf } from "./bcoin.ts"

interface SpentOutput {
  readonly script: Uint8Array
  readonly value: bigint
}

const ANNEX = 0x50
const SIGHASH_SINGLE = 3
const SIGHASH_TYPES: ReadonlyArray<number> = [0, 1, 2, 3, 0x81, 0x82, 0x83]

export const isTaproot = (script: Uint8Array): boolean =>
  script.length === 34 && script[0] === 0x51 && script[1] === 0x20

/**
 * Returns which rule of BIP-341 an input violates; null if the input is valid. Only key path spends are supported,
 * because scripts are not executed.
 */
export const taprootFault = (
  transaction: Transaction,
  index: number,
  spentOutputs: ReadonlyArray<SpentOutput>
): string | null => {
  const { script, witness: inputWitness } = transaction.ins[index]!
  if (script.length > 0) return "WITNESS_MALLEATED"
  const lastItem = inputWitness.at(-1)
  const annex = inputWitness.length >= 2 && lastItem?.[0] === ANNEX ? lastItem : undefined
  const witness = annex === undefined ? inputWitness : inputWitness.slice(0, -1)
  if (witness.length !== 1)
    return witness.length === 0 ? "WITNESS_PROGRAM_WITNESS_EMPTY" : "SCRIPT_PATH_IS_NOT_RUN_HERE"
  const [signature] = witness as [Uint8Array]
  const type = signature.length === 65 ? signature[64]! : 0
  if (signature.length !== 64 && (signature.length !== 65 || type === 0)) return "SCHNORR_SIG_SIZE"
  if (!SIGHASH_TYPES.includes(type)) return "SCHNORR_SIG_HASHTYPE"
  if ((type & 0x1f) === SIGHASH_SINGLE && index >= transaction.outs.length) return "SCHNORR_SIG_HASHTYPE"
  const hash = transaction.hashForWitnessV1(
    index,
    spentOutputs.map((output) => output.script),
    spentOutputs.map((output) => output.value),
    type,
    undefined,
    annex
  )
  const key = spentOutputs[index]!.script.slice(2)
  return secp256k1.verifySchnorr(hash, key, signature.slice(0, 64)) ? null : "SCHNORR_SIG"
}

/**
 * Adds the taproot rules to bcoin, which does not have them. Without these rules anyone could spend taproot outputs.
 */
export const enforceTaproot = ({ Script, TX }: Bcoin, ScriptError: ScriptErrorOf): void => {
  TX.prototype.check = function check(view, flags) {
    if (this.inputs.length === 0) throw new ScriptError("UNKNOWN_ERROR", "No inputs.")
    if (this.isCoinbase()) return
    const previousOutputs = this.inputs.map(({ prevout }) => {
      const previousOutput = view.getOutput(prevout)
      if (previousOutput === null) throw new ScriptError("UNKNOWN_ERROR", "No coin available.")
      return previousOutput
    })
    const spentOutputs = previousOutputs.map(({ script, value }) => ({
      script: Uint8Array.from(script.raw),
      value: BigInt(value)
    }))
    const hasTaproot =
      (flags & Script.flags.VERIFY_WITNESS) !== 0 && spentOutputs.some(({ script }) => isTaproot(script))
    const transaction = hasTaproot ? Transaction.fromBuffer(Uint8Array.from(this.toRaw())) : null
    for (const [index, previousOutput] of previousOutputs.entries()) {
      if (transaction === null || !isTaproot(spentOutputs[index]!.script)) {
        this.checkInput(index, previousOutput, flags)
        continue
      }
      const fault = taprootFault(transaction, index, spentOutputs)
      if (fault !== null) throw new ScriptError(fault, `taproot: ${fault}`)
    }
  }
}
