import type { Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import { networks, Psbt } from "bitcoinjs-lib"
import { Result } from "effect"
import { hashOf, hexOf } from "./bytes.ts"

/** The transaction in a PSBT that a third party built. The PSBT's data about spent outputs must be verified. */
export interface ForeignPsbt {
  readonly version: number
  readonly lockTime: number
  readonly inputs: ReadonlyArray<{
    readonly txid: Hash32
    readonly vout: number
    readonly sequence: number
    /** Script of the spent output; null if the PSBT does not contain the output as `witnessUtxo`. */
    readonly script: HexBytes | null
    /**
     * Whether the PSBT contains a signature for the input, or a sighash type, which can exclude parts of the
     * transaction from a signature.
     */
    readonly isSigned: boolean
  }>
  readonly outputs: ReadonlyArray<{ readonly script: HexBytes; readonly value: bigint }>
}

const FINAL = 0xffff_ffff
const MAGIC = "70736274ff"

/** Parses a PSBT version 0 (BIP-174) in hexadecimal; null if it is invalid. */
export const readPsbt = (hex: string): ForeignPsbt | null => {
  const digits = hex.replace(/^0x/u, "").toLowerCase()
  if (!digits.startsWith(MAGIC)) return null
  const decodedPsbt = Result.try((): ForeignPsbt => {
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
  return Result.getOrNull(decodedPsbt)
}
