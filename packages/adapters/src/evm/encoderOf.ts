import type { HexBytes } from "@countersign/core/primitives"
import {
  type Abi,
  type AbiStateMutability,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type EncodeFunctionDataParameters,
  encodeFunctionData
} from "viem"
import { bytesFromHex } from "./hex.ts"

/** The call data of the functions of a contract: `encoderOf(erc20Abi)("transfer", [to, amount])`. */
export const encoderOf =
  <const abi extends Abi>(abi: abi) =>
  <name extends ContractFunctionName<abi>>(
    functionName: name,
    args: ContractFunctionArgs<abi, AbiStateMutability, name>
  ): HexBytes =>
    bytesFromHex(encodeFunctionData({ abi, functionName, args } as EncodeFunctionDataParameters))
