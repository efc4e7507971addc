import type { UserOperation } from "@countersign/core/operations/user-operations"
import { type Hex, hexToBigInt, size } from "viem"
import { deploymentOf } from "../../deployments/index.ts"
import { aggregateData, aggregateResponses } from "../multicall.ts"
import type { NodeRequest } from "../rpc/nodeResponses.ts"
import { nextNonceData } from "../user-operation/nextNonceData.ts"

const callOf = ({ entryPoint, nonce, sender }: UserOperation) => ({
  target: entryPoint,
  callData: nextNonceData(sender, nonce)
})

/**
 * Checks whether the EntryPoint has used the nonces of these operations of one chain, in order. Sends one `eth_call`.
 */
export const findUsedNonces = async (
  request: NodeRequest,
  operations: ReadonlyArray<UserOperation>,
  block: Hex | "latest"
): Promise<ReadonlyArray<boolean>> => {
  const [first] = operations
  if (first === undefined) return []
  const to = deploymentOf(first.chainId).multicall3
  const response = await request("eth_call", [{ to, data: aggregateData(operations.map(callOf)) }, block])
  const results = aggregateResponses(response)
  return operations.map(({ nonce }, index) => {
    const returnData = results[index]?.returnData ?? "0x"
    return size(returnData) === 32 && hexToBigInt(returnData) > nonce
  })
}
