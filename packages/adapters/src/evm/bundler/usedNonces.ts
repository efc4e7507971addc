import type { UserOperation } from "@countersign/core/user-operations"
import { decodeFunctionResult, encodeFunctionData, type Hex, hexToBigInt, size } from "viem"
import { deploymentOf } from "../../deployments/index.ts"
import { multicall3Abi } from "../abi/multicall3.ts"
import { nextNonceData } from "../user-operation/nextNonceData.ts"

const callOf = ({ entryPoint, nonce, sender }: UserOperation) => ({
  target: entryPoint,
  callData: nextNonceData(sender, nonce),
  allowFailure: true
})

/** Of operations of one chain, in their order, whether their EntryPoint has used their nonces: one `eth_call`. */
export const usedNonces = async (
  request: (method: string, params: ReadonlyArray<unknown>) => Promise<unknown>,
  operations: ReadonlyArray<UserOperation>,
  block: Hex | "latest"
): Promise<ReadonlyArray<boolean>> => {
  const [first] = operations
  if (first === undefined) return []
  const to = deploymentOf(first.chainId).multicall3
  const data = encodeFunctionData({
    abi: multicall3Abi,
    functionName: "aggregate3",
    args: [operations.map(callOf)]
  })
  const answer = (await request("eth_call", [{ to, data }, block])) as Hex
  const results = decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data: answer })
  return operations.map(({ nonce }, index) => {
    const returned = results[index]?.returnData ?? "0x"
    return size(returned) === 32 && hexToBigInt(returned) > nonce
  })
}
