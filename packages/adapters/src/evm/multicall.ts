import type { EvmChainId } from "@countersign/core/chains"
import type { UpstreamUnavailable } from "@countersign/core/errors"
import type { Address } from "@countersign/core/primitives"
import type { Effect } from "effect"
import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from "viem"
import { deploymentOf } from "../deployments/index.ts"
import { hex } from "./hex.ts"
import type { RpcClients } from "./RpcClients.ts"

const multicallAbi = parseAbi([
  "struct Call3 { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call3[] calls) view returns (Result[] returnData)",
  "function getCurrentBlockTimestamp() view returns (uint256 timestamp)"
])

export interface ReadCall {
  readonly target: Address
  readonly callData: Hex
}

/** What a read gave; null where it failed, and where there is no contract. */
export type ReadResult = Hex | null

const timestampCall = encodeFunctionData({ abi: multicallAbi, functionName: "getCurrentBlockTimestamp" })

/** Many reads of the latest block in one request, with the block's time in unix seconds. */
export const readTogether = (
  rpc: RpcClients["Service"],
  chainId: EvmChainId,
  calls: ReadonlyArray<ReadCall>
): Effect.Effect<
  { readonly blockTimestamp: number; readonly results: ReadonlyArray<ReadResult> },
  UpstreamUnavailable
> => {
  const { multicall3 } = deploymentOf(chainId)
  const allCalls = [{ target: multicall3, callData: timestampCall }, ...calls]
  const data = encodeFunctionData({
    abi: multicallAbi,
    functionName: "aggregate3",
    args: [allCalls.map(({ callData, target }) => ({ target: hex(target), callData, allowFailure: true }))]
  })
  return rpc.call(chainId, async (client) => {
    const { data: answer = "0x" } = await client.call({ to: hex(multicall3), data })
    const [head, ...results] = decodeFunctionResult({ abi: multicallAbi, functionName: "aggregate3", data: answer })
    return {
      blockTimestamp: Number(BigInt(head!.returnData)),
      // A call to an address without code succeeds and returns nothing.
      results: results.map(({ returnData, success }) => (success && returnData.length > 2 ? returnData : null))
    }
  })
}
