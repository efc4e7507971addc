import type { Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import { networks, Psbt } from "bitcoinjs-lib"
import { Result } from "effect"
import { hashOf, hexOf } from "./bytes.ts"

/** A PSBT of somebody else, as far as it decides a transaction. What it says of its coins is its own word. */
export interface ForeignPsbt {
  readonly version: number
  readonly lockTime: number
  readonly inputs: ReadonlyArray<{
    readonly txid: Hash32
    readonly vout: number
    readonly sequence: number
    /** Null where it tells neither the output nor the transaction that made it. */
    readonly script: HexBytes | null
    /** Whether it has a signature, or asks for one over a part of the transaction alone. */
    readonly isSigned: boolean
  }>
  readonly outputs: ReadonlyArray<{ readonly script: HexBytes; readonly value: bigint }>
}

const FINAL = 0xffff_ffff
const MAGIC = "70736274ff"

/** Reads a PSBT of version 0 (BIP-174) in hexadecimal; null where it is none. */
export const readPsbt = (hex: string): ForeignPsbt | null => {
  const digits = hex.replace(/^0x/u, "").toLowerCase()
  if (!digits.startsWith(MAGIC)) return null
  const read = Result.try((): ForeignPsbt => {
    const psbt = Psbt.fromHex(digits, { network: networks.bitcoin })
    return {
      version: psbt.version,
      lockTime: psbt.locktime,
      inputs: psbt.txInputs.map(({ hash, index, sequence = FINAL }, at) => {
        const { finalScriptSig, finalScriptWitness, partialSig, sighashType, tapKeySig, witnessUtxo } =
          psbt.data.inputs[at]!
        return {
          txid: hashOf(Buffer.from(hash).reverse().toString("hex")),
          vout: index,
          sequence,
          script: witnessUtxo === undefined ? null : hexOf(witnessUtxo.script),
          isSigned: [finalScriptSig, finalScriptWitness, partialSig, sighashType, tapKeySig].some(
            (part) => part !== undefined
          )
        }
      }),
      outputs: psbt.txOutputs.map(({ script, value }) => ({ script: hexOf(script), value }))
    }
  })
  return Result.getOrNull(read)
}
