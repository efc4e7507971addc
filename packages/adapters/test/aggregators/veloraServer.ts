import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type ContractFunctionArgs, decodeFunctionData, encodeFunctionData, type Hex } from "viem"
import { veloraResponseOrNull } from "../../sandbox/aggregators/veloraResponse.ts"
import { augustusAbi } from "../../src/exchanges/aggregators/index.ts"
import { type AggregatorServer, startAggregatorServer } from "./aggregatorServer.ts"

type Args = ContractFunctionArgs<typeof augustusAbi, "payable", "swapExactAmountIn">

interface BuildResponse {
  readonly to: string
  readonly value: string
  readonly data: Hex
}

export type VeloraServer = AggregatorServer<BuildResponse>

/** Changes the arguments of the call of a route. */
export const withArgs = (built: BuildResponse, change: (...args: Args) => Args): BuildResponse => {
  const { args } = decodeFunctionData({ abi: augustusAbi, data: built.data })
  return {
    ...built,
    data: encodeFunctionData({ abi: augustusAbi, functionName: "swapExactAmountIn", args: change(...args) })
  }
}

export const withSwapData = (built: BuildResponse, fields: Partial<Args[1]>): BuildResponse =>
  withArgs(built, (executor, swap, ...others) => [executor, { ...swap, ...fields }, ...others])

export const startVeloraServer = (rpcUrl: (chainId: EvmChainId) => string): Promise<VeloraServer> =>
  startAggregatorServer<BuildResponse>(veloraResponseOrNull, rpcUrl, (response, cheat, path) =>
    path.startsWith("/transactions/") ? { status: 200, body: cheat(response.body as BuildResponse) } : response
  )
