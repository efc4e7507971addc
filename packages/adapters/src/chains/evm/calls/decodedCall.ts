import type { ChainId } from "@countersign/core/foundation/chains"
import type { Call } from "@countersign/core/operations/user-operations"
import { type AbiParameter, decodeAbiParameters, type Hex, hexToBytes, toFunctionSelector } from "viem"
import { contractName } from "../contractNames.ts"
import { knownFunctionsAbi, routerCommands, v4Actions } from "./knownFunctions.ts"

/** An argument as text: integers in base units, arrays and structs as JSON. */
export interface DecodedArgument {
  readonly name: string
  readonly type: string
  readonly value: string
}

export interface DecodedStep {
  readonly function: string
  readonly arguments: ReadonlyArray<DecodedArgument>
}

/** A call with the names of its contract and function, as far as they are known. */
export interface DecodedCall {
  readonly contract: string | null
  readonly function: string | null
  readonly arguments: ReadonlyArray<DecodedArgument>
  /** The steps that a router executes within the call, in order. */
  readonly steps: ReadonlyArray<DecodedStep>
}

const bigintAsText = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value)

const textOf = (value: unknown): string => {
  const text = typeof value === "object" ? JSON.stringify(value, bigintAsText) : String(value)
  // viem returns checksummed addresses. Addresses are in lower case everywhere else.
  return text.replace(/0x[0-9a-fA-F]{40}\b/gu, (address) => address.toLowerCase())
}

const argumentsOf = (inputs: ReadonlyArray<AbiParameter>, values: ReadonlyArray<unknown>) =>
  inputs.map(({ name = "", type }, i): DecodedArgument => ({ name, type, value: textOf(values[i]) }))

const decodeOrNull = <A>(decode: () => A): A | null => {
  try {
    return decode()
  } catch {
    // The function is unknown, or the arguments do not match its selector.
    return null
  }
}

/** Computes each selector once, because selectors are hashes. */
const functionsBySelector = new Map(
  knownFunctionsAbi.flatMap((item) => (item.type === "function" ? [[toFunctionSelector(item), item] as const] : []))
)

const functionIn = (data: Hex) => {
  const knownFunction = functionsBySelector.get(data.slice(0, 10) as Hex)
  if (knownFunction === undefined) return null
  const inputs: ReadonlyArray<AbiParameter> = knownFunction.inputs
  const args = inputs.length === 0 ? [] : decodeOrNull(() => decodeAbiParameters(inputs, `0x${data.slice(10)}`))
  return args === null ? null : { name: knownFunction.name, args, inputs }
}

type Instructions = Readonly<Record<number, { readonly name: string; readonly inputs: ReadonlyArray<AbiParameter> }>>

/**
 * Decodes commands of one byte, each with its input. Keeps the raw input of a command that is unknown or can't be
 * decoded.
 */
const instructionsIn = (
  instructionSet: Instructions,
  codes: Hex,
  inputs: ReadonlyArray<Hex>
): ReadonlyArray<DecodedStep> =>
  [...hexToBytes(codes)].flatMap((code, i) => {
    const instruction = instructionSet[code]
    const input = inputs[i] ?? "0x"
    const values = instruction && decodeOrNull(() => decodeAbiParameters(instruction.inputs, input))
    if (instruction === undefined || values === null || values === undefined) {
      const name = `0x${code.toString(16).padStart(2, "0")}`
      return [{ function: name, arguments: [{ name: "input", type: "bytes", value: input }] }]
    }
    return instruction.name === "V4_SWAP"
      ? instructionsIn(v4Actions, values[0] as Hex, values[1] as ReadonlyArray<Hex>)
      : [{ function: instruction.name, arguments: argumentsOf(instruction.inputs, values) }]
  })

const stepsOf = (name: string, args: ReadonlyArray<unknown>): ReadonlyArray<DecodedStep> => {
  if (name === "execute") return instructionsIn(routerCommands, args[0] as Hex, args[1] as ReadonlyArray<Hex>)
  if (name !== "multicall") return []
  return (args.at(-1) as ReadonlyArray<Hex>).map((data): DecodedStep => {
    const step = functionIn(data)
    return step === null
      ? { function: data.slice(0, 10), arguments: [] }
      : { function: step.name, arguments: argumentsOf(step.inputs, step.args) }
  })
}

/**
 * Decodes a call into the names of its contract, function and arguments, as far as they are known. Uses only the
 * calldata.
 */
export const decodedCall = (chainId: ChainId, { data, to }: Pick<Call, "data" | "to">): DecodedCall => {
  const contract = contractName(chainId, to)
  const knownFunction = functionIn(data)
  return knownFunction === null
    ? { contract, function: null, arguments: [], steps: [] }
    : {
        contract,
        function: knownFunction.name,
        arguments: argumentsOf(knownFunction.inputs, knownFunction.args),
        steps: stepsOf(knownFunction.name, knownFunction.args)
      }
}
