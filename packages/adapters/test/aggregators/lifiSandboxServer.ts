import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Effect } from "effect"
import { decodeFunctionData, encodeFunctionData, type Hex } from "viem"
import { lifiResponseOrNull } from "../../sandbox/aggregators/lifiResponse.ts"
import { exchangeAbi, type LiFiStep } from "../../sandbox/aggregators/lifiSwap.ts"
import { acrossFacetAbi, genericSwapAbi } from "../../src/exchanges/aggregators/index.ts"
import { close, listen } from "../support/localServer.ts"
import { callNode } from "./aggregatorServer.ts"

interface Transaction {
  readonly to: string
  readonly data: Hex
  readonly value: string
}

export interface LiFiSandboxServer {
  readonly url: string
  makerBps: bigint
  /** Changes a transaction before it is returned. */
  cheat: ((transaction: Transaction) => Transaction) | null
  readonly stop: () => Promise<void>
}

/** Changes the steps of a swap between two ERC-20 tokens on one chain. Throws for another call. */
export const withSteps = (
  transaction: Transaction,
  change: (step: LiFiStep, index: number) => LiFiStep
): Transaction => {
  const { args, functionName } = decodeFunctionData({ abi: genericSwapAbi, data: transaction.data })
  if (functionName !== "swapTokensMultipleV3ERC20ToERC20") throw new Error(`${functionName} has one step`)
  const [id, integrator, referrer, receiver, minAmount, steps] = args
  const data = encodeFunctionData({
    abi: genericSwapAbi,
    functionName,
    args: [id, integrator, referrer, receiver, minAmount, steps.map(change)]
  })
  return { ...transaction, data }
}

type Transfer = Extract<
  ReturnType<typeof decodeFunctionData<typeof acrossFacetAbi>>,
  { readonly functionName: "swapAndStartBridgeTokensViaAcrossV4" }
>["args"]

/** Changes the terms of a transfer through Across that follows a swap. Throws for another call. */
export const withTransfer = (transaction: Transaction, change: (transfer: Transfer) => Transfer): Transaction => {
  const { args, functionName } = decodeFunctionData({ abi: acrossFacetAbi, data: transaction.data })
  if (functionName !== "swapAndStartBridgeTokensViaAcrossV4") throw new Error(`${functionName} swaps nothing before`)
  return { ...transaction, data: encodeFunctionData({ abi: acrossFacetAbi, functionName, args: change(args) }) }
}

/** Changes the route of a step. */
export const withRoute = (step: LiFiStep, change: (route: Hex) => Hex): LiFiStep => {
  const { args, functionName } = decodeFunctionData({ abi: exchangeAbi, data: step.callData })
  const [tokenIn, amountIn, tokenOut, minAmount, to, route] = args
  const data = encodeFunctionData({
    abi: exchangeAbi,
    functionName,
    args: [tokenIn, amountIn, tokenOut, minAmount, to, change(route)]
  })
  return { ...step, callData: data }
}

/** Serves LI.FI's API, with the pools and bridges of a sandbox, on a free port. A test can change the transactions. */
export const startLiFiSandboxServer = async (sandbox: {
  readonly rpcUrl: (chainId: EvmChainId) => string
  readonly nowSeconds: () => number
}): Promise<LiFiSandboxServer> => {
  const respond = async (method: string, target: string) => {
    const { pathname, searchParams } = new URL(target, "http://lifi")
    const response = await lifiResponseOrNull(
      {
        chain: (chainId) => ({ call: (name, ...params) => callNode(sandbox.rpcUrl(chainId), name, params) }),
        nowSeconds: sandbox.nowSeconds,
        relayer: () => ({ mode: "FILL", delaySeconds: 0 }),
        makerBps: lifi.makerBps
      },
      method,
      pathname,
      searchParams
    )
    if (response === null) return { status: 404, body: { message: "not found" } }
    if (response.status !== 200 || lifi.cheat === null) return response
    const body = response.body as { readonly transactionRequest: Transaction }
    return { status: 200, body: { ...body, transactionRequest: lifi.cheat(body.transactionRequest) } }
  }

  const server = createServer(async (request, response) => {
    const lifiResponse = await respond(request.method ?? "GET", request.url ?? "/")
    response
      .writeHead(lifiResponse.status, { "content-type": "application/json" })
      .end(JSON.stringify(lifiResponse.body))
  })
  await Effect.runPromise(listen(server))
  const lifi: LiFiSandboxServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    makerBps: 0n,
    cheat: null,
    stop: () => Effect.runPromise(close(server))
  }
  return lifi
}
