import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import type { EvmChainId } from "@countersign/core/chains"
import { type ContractFunctionArgs, decodeFunctionData, encodeFunctionData, type Hex } from "viem"
import { type EmulatorAnswer, kyberSwapAnswerOrNull } from "../../sandbox/aggregators/kyberSwapAnswer.ts"
import { kyberSwapRouterAbi } from "../../src/aggregators/index.ts"

type Execution = ContractFunctionArgs<typeof kyberSwapRouterAbi, "payable", "swap">[0]

interface Built {
  readonly data: Hex
  readonly routerAddress: string
  readonly transactionValue: string
}

/** An answer in place of the right one. */
export interface InjectedAnswer {
  readonly status: number
  readonly text: string
  readonly retryAfter?: string
}

export interface KyberSwapServer {
  readonly url: string
  readonly requests: Array<{ readonly target: string; readonly headers: IncomingHttpHeaders; readonly body: string }>
  makerBps: bigint
  /** What a transaction is changed to before it is answered. */
  cheat: ((built: Built) => Built) | null
  /** Answers of the requests to come, one each. */
  readonly injected: Array<InjectedAnswer>
  readonly stop: () => Promise<void>
}

/** The call of a route with another description, or another executor's data. */
export const withExecution = (built: Built, change: (execution: Execution) => Execution): Built => {
  const { args } = decodeFunctionData({ abi: kyberSwapRouterAbi, data: built.data })
  const data = encodeFunctionData({
    abi: kyberSwapRouterAbi,
    functionName: "swap",
    args: [change(args[0] as Execution)]
  })
  return { ...built, data }
}

export const withDescription = (built: Built, fields: Partial<Execution["desc"]>): Built =>
  withExecution(built, (execution) => ({ ...execution, desc: { ...execution.desc, ...fields } }))

const callNode = async (url: string, method: string, params: ReadonlyArray<unknown>): Promise<unknown> => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  })
  const { error, result } = (await response.json()) as { readonly result?: unknown; readonly error?: unknown }
  if (error !== undefined) throw new Error(`${method} failed`)
  return result
}

/** KyberSwap's API over a sandbox's pools, which does what a test says instead, on a free port. */
export const startKyberSwapServer = async (rpcUrl: (chainId: EvmChainId) => string): Promise<KyberSwapServer> => {
  const respond = async (method: string, target: string, body: string): Promise<EmulatorAnswer> => {
    const { pathname, searchParams } = new URL(target, "http://kyberswap")
    const answer = await kyberSwapAnswerOrNull(
      {
        chain: (chainId) => ({ call: (name, ...params) => callNode(rpcUrl(chainId), name, params) }),
        nowSeconds: () => Math.floor(Date.now() / 1_000),
        makerBps: kyberSwap.makerBps
      },
      { method, path: pathname, query: searchParams, body }
    )
    if (answer === null) return { status: 404, body: { message: "not found" } }
    if (!pathname.endsWith("/build") || answer.status !== 200 || kyberSwap.cheat === null) return answer
    const { data, ...rest } = answer.body as { readonly data: Built }
    return { status: 200, body: { ...rest, data: kyberSwap.cheat(data) } }
  }

  const server = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const target = request.url ?? "/"
    kyberSwap.requests.push({ target, headers: request.headers, body })
    const injected = kyberSwap.injected.shift()
    if (injected !== undefined) {
      if (injected.retryAfter !== undefined) response.setHeader("retry-after", injected.retryAfter)
      return void response.writeHead(injected.status, { "content-type": "application/json" }).end(injected.text)
    }
    const answer = await respond(request.method ?? "GET", target, body)
    response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
  const kyberSwap: KyberSwapServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    makerBps: 0n,
    cheat: null,
    injected: [],
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
  return kyberSwap
}
