import type { HexBytes } from "@countersign/core/foundation/primitives"
import type { RevertReason } from "@countersign/core/operations/user-operations"
import { type DecodeErrorResultReturnType, decodeErrorResult, type Hex, hexToBytes } from "viem"
import { knownErrorsAbi } from "./abi/errors.ts"
import { bytesFromHex } from "./hex.ts"
import { codeMeaning, errorMeaning, messageMeaning, panicMeaning } from "./revertMeanings.ts"

type KnownError = DecodeErrorResultReturnType<typeof knownErrorsAbi>

const NO_REASON = "Reverted without a reason"

/**
 * Maximum nesting of errors, such as a paymaster's error within the EntryPoint's. More levels are an attack on the
 * decoder.
 */
const MAX_DEPTH = 8

/** Decodes the return data of a reverted call. Known errors are shown by name, and nested errors are unwrapped. */
export const revertReason = (raw: HexBytes): RevertReason => ({
  raw,
  decoded: decodeRevert(raw, MAX_DEPTH),
  utf8: printableText(raw)
})

/** Builds a revert reason without return data from a text, such as the tracer's reason. */
export const revertReasonWithoutData = (decoded: string): RevertReason => ({
  raw: bytesFromHex("0x"),
  decoded,
  utf8: ""
})

/** 32-byte codes with which the EntryPoint's `innerHandleOp` reports its failure. */
const entryPointMarks: ReadonlyMap<string, string> = new Map([
  [`0xdeaddead${"0".repeat(56)}`, codeMeaning("AA95 out of gas")],
  [`0xdeadaa51${"0".repeat(56)}`, codeMeaning("AA51 prefund below actualGasCost")]
])

const decodeRevert = (data: Hex, depth: number): string => {
  if (data === "0x") return NO_REASON
  const mark = entryPointMarks.get(data)
  if (mark !== undefined) return mark
  const error = knownErrorOrNull(data)
  if (error === null) return `Unknown error ${data.length > 10 ? `${data.slice(0, 10)}…` : data}`
  const nestedReason = (bytes: Hex): string => (depth === 0 ? "nested too deeply" : decodeRevert(bytes, depth - 1))
  switch (error.errorName) {
    case "Error":
      return messageMeaning(error.args[0])
    case "Panic":
      return panicMeaning(error.args[0])
    case "FailedOp":
      return codeMeaning(error.args[1])
    case "FailedOpWithRevert":
      return `${error.args[1]}: ${nestedReason(error.args[2])}`
    case "PostOpReverted":
      return `AA50 postOp reverted: ${nestedReason(error.args[0])}`
    case "ExecuteError":
      return nestedReason(error.args[1])
    case "WrappedError":
      return nestedReason(error.args[2])
    case "ExecutionFailed":
      // Errors that contain an inner error: the Universal Router adds the failed command, and Safe's module hides the
      // reason.
      return error.args === undefined || error.args.length === 0
        ? "The Safe's call failed"
        : nestedReason(error.args[1])
    default:
      return describeError(error)
  }
}

const knownErrorOrNull = (data: Hex): KnownError | null => {
  try {
    return decodeErrorResult({ abi: knownErrorsAbi, data })
  } catch {
    // The selector is unknown, or the arguments do not match it.
    return null
  }
}

const describeError = ({ errorName, abiItem, args = [] }: KnownError): string => {
  const argumentTexts = args.map((value, index) => {
    const name = "inputs" in abiItem ? abiItem.inputs[index]?.name : undefined
    const text = typeof value === "string" ? value.toLowerCase() : String(value)
    return name === undefined ? text : `${name}: ${text}`
  })
  return errorMeaning(errorName, `${errorName}(${argumentTexts.join(", ")})`)
}

/**
 * Returns sequences of at least three printable UTF-8 characters, because shorter sequences are usually coincidences.
 */
const printableText = (raw: HexBytes): string =>
  (new TextDecoder().decode(hexToBytes(raw)).match(/[^\p{C}\p{Zl}\p{Zp}\ufffd]{3,}/gu) ?? []).join(" ").trim()
