import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type ContractFunctionArgs, decodeFunctionData, encodeFunctionData, type Hex } from "viem"
import { kyberSwapResponseOrNull } from "../../sandbox/aggregators/kyberSwapResponse.ts"
import { kyberSwapRouterAbi } from "../../src/exchanges/aggregators/index.ts"
import { type AggregatorServer, startAggregatorServer } from "./aggregatorServer.ts"

type Execution = ContractFunctionArgs<typeof kyberSwapRouterAbi, "payable", "swap">[0]

interface BuildResponse {
  readonly data: Hex
  readonly routerAddress: string
  readonly transactionValue: string
}

export type KyberSwapServer = AggregatorServer<BuildResponse>

/** Changes the description or the executor data in the call of a route. */
export const withExecution = (built: BuildResponse, change: (execution: Execution) => Execution): BuildResponse => {
  const { args } = decodeFunctionData({ abi: kyberSwapRouterAbi, data: built.data })
  const data = encodeFunctionData({
    abi: kyberSwapRouterAbi,
    functionName: "swap",
    args: [change(args[0] as Execution)]
  })
  return { ...built, data }
}

export const withDescription = (built: BuildResponse, fields: Partial<Execution["desc"]>): BuildResponse =>
  withExecution(built, (execution) => ({ ...execution, desc: { ...execution.desc, ...fields } }))

export const startKyberSwapServer = (rpcUrl: (chainId: EvmChainId) => string): Promise<KyberSwapServer> =>
  startAggregatorServer<BuildResponse>(kyberSwapResponseOrNull, rpcUrl, (response, cheat, path) => {
    if (!path.endsWith("/build")) return response
    const { data, ...rest } = response.body as { readonly data: BuildResponse }
    return { status: 200, body: { ...rest, data: cheat(data) } }
  })
