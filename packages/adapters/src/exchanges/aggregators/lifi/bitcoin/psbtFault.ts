import { decimalFromBaseUnits, type HexBytes } from "@countersign/core/foundation/primitives"
import type { ForeignPsbt } from "../../../../chains/bitcoin/index.ts"
import { fault, type RouteFault } from "../../RouteFault.ts"

/** The requested payment, and the deposit address that LI.FI's response contains. */
export interface RequestedPayment {
  /** Output script of the wallet's address. */
  readonly wallet: HexBytes
  /** Output script of the deposit address that the response contains in addition to the PSBT. */
  readonly vault: HexBytes
  /** In satoshis. */
  readonly amountIn: bigint
}

const OP_RETURN = "0x6a"
/**
 * Maximum number of hexadecimal digits of a data output's script: OP_RETURN, two bytes for the push, 80 bytes of data
 * (Bitcoin Core, `MAX_OP_RETURN_RELAY`).
 */
const MAX_MEMO_SCRIPT_DIGITS = 2 + 2 * 83
/** A lower sequence number is a relative lock time (BIP-68) or has no purpose. */
const MIN_SEQUENCE = 0xffff_fffd
const VERSION = 2

const btcText = (satoshis: bigint) => `${decimalFromBaseUnits(satoshis, 8)} BTC`

const formFault = ({ inputs, lockTime, version }: ForeignPsbt): RouteFault | null => {
  if (version !== VERSION || lockTime !== 0)
    return fault("FORM", "its transaction has a lock time, or a version other than 2")
  if (inputs.some(({ sequence }) => sequence < MIN_SEQUENCE)) return fault("FORM", "one of its UTXOs is locked")
  return inputs.some(({ isSigned }) => isSigned)
    ? fault("FORM", "it contains a signature, or requests a signature that does not cover the entire transaction")
    : null
}

const inputsFault = ({ inputs }: ForeignPsbt, { wallet }: RequestedPayment): RouteFault | null => {
  const outpoints = new Set(inputs.map(({ txid, vout }) => `${txid}:${vout}`))
  if (inputs.length === 0 || outpoints.size !== inputs.length)
    return fault("COINS", "it has no input, or spends an output twice")
  return inputs.some(({ script }) => script !== null && script !== wallet)
    ? fault("COINS", "it spends an output that does not belong to the wallet")
    : null
}

/**
 * Finds the first difference between a PSBT and the requested payment; null if there is none. The outputs must be the
 * payment to the vault, one memo, and optionally change to the wallet, in this order. Whether the inputs belong to the
 * wallet, and whether the fee is correct, is verified on-chain.
 */
export const psbtFault = (psbt: ForeignPsbt, payment: RequestedPayment): RouteFault | null => {
  const { amountIn, vault, wallet } = payment
  const firstFault = formFault(psbt) ?? inputsFault(psbt, payment)
  if (firstFault !== null) return firstFault
  const [vaultOutput, memoOutput, change, ...others] = psbt.outputs
  if (vaultOutput?.script !== vault || vault === wallet)
    return fault("VAULT", "its first output does not pay the vault address")
  if (vaultOutput.value !== amountIn)
    return fault("AMOUNT", `it pays ${btcText(vaultOutput.value)} instead of ${btcText(amountIn)}`)
  const memoOutputs = psbt.outputs.filter(({ script }) => script.startsWith(OP_RETURN))
  const isMemo = memoOutput?.script.startsWith(OP_RETURN) === true && memoOutput.value === 0n
  if (!isMemo || memoOutputs.length !== 1 || memoOutput.script.length > MAX_MEMO_SCRIPT_DIGITS) {
    return fault("MEMO", "its second output is not a memo, or the memo is too long")
  }
  if (others.length > 0 || (change !== undefined && change.script !== wallet)) {
    return fault("CHANGE", "it pays another receiver, or sends change to another address than the wallet's")
  }
  return null
}
