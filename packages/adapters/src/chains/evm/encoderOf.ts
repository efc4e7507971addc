import type { HexBytes } from "@countersign/core/foundation/primitives"
import {
  type Abi,
  type AbiStateMutability,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  prepareEncodeFunctionData
} from "viem"
import { bytesFromHex } from "./hex.ts"

type PreparedFunction = Pick<EncodeFunctionDataParameters, "abi" | "functionName">

/** Computes each selector once, because selectors are hashes. Overloads are selected by the arguments of each call. */
const preparedFunctions = (abi: Abi) => {
  const preparedByName = new Map<string, PreparedFunction>()
  return (functionName: string): PreparedFunction => {
    const cachedFunction = preparedByName.get(functionName)
    if (cachedFunction !== undefined) return cachedFunction
    const isOverloaded = abi.filter((item) => item.type === "function" && item.name === functionName).length > 1
    const preparedFunction = isOverloaded ? { abi, functionName } : prepareEncodeFunctionData({ abi, functionName })
    preparedByName.set(functionName, preparedFunction)
    return preparedFunction
  }
}

/** Creates an encoder for calls of a contract's functions: `encoderOf(erc20Abi)("transfer", [to, amount])`. */
export const encoderOf = <const abi extends Abi>(abi: abi) => {
  const preparedFunctionOf = preparedFunctions(abi)
  return <name extends ContractFunctionName<abi>>(
    functionName: name,
    args: ContractFunctionArgs<abi, AbiStateMutability, name>
  ): HexBytes =>
    bytesFromHex(encodeFunctionData({ ...preparedFunctionOf(functionName), args } as EncodeFunctionDataParameters))
}
