import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

/** A day of a pool as Uniswap's subgraph has it. */
export interface EmulatedDay {
  /** Unix seconds at its beginning, UTC. */
  readonly date: number
  readonly txCount: string
  readonly volumeUSD: string
  readonly feesUSD: string
  readonly volumeToken0: string
  readonly volumeToken1: string
}

export interface EmulatedSubgraph {
  createdAtTimestamp: string
  days: ReadonlyArray<EmulatedDay>
  blockTimestamp: number
  hasIndexingErrors: boolean
}

/** What goes wrong with a request. */
export type SubgraphFault =
  | { readonly status: number; readonly retryAfterSeconds?: number }
  | { readonly body: string }
  | { readonly delayMs: number }

/** A subgraph of one pool over HTTP, ended with its scope. It keeps to the variables of a query, and not to its text. */
export const serveSubgraph = (pool: string, state: EmulatedSubgraph) =>
  Effect.gen(function* () {
    const faults: Array<SubgraphFault> = []
    const requests: Array<unknown> = []
    const answerTo = ({ from, pool: asked }: { readonly from: number; readonly pool: string }) => ({
      data: {
        pool: asked === pool ? { createdAtTimestamp: state.createdAtTimestamp } : null,
        poolDayDatas: asked === pool ? state.days.filter(({ date }) => date >= from) : [],
        _meta: { hasIndexingErrors: state.hasIndexingErrors, block: { timestamp: state.blockTimestamp } }
      }
    })
    const server = createServer((incoming, response) => {
      const chunks: Array<Buffer> = []
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
      incoming.on("end", () => {
        const { variables } = JSON.parse(Buffer.concat(chunks).toString())
        requests.push(variables)
        const fault = faults.shift()
        if (fault !== undefined && "status" in fault) {
          if (fault.retryAfterSeconds !== undefined) response.setHeader("retry-after", fault.retryAfterSeconds)
          response.writeHead(fault.status).end("refused")
          return
        }
        const body = fault !== undefined && "body" in fault ? fault.body : JSON.stringify(answerTo(variables))
        setTimeout(() => response.end(body), fault !== undefined && "delayMs" in fault ? fault.delayMs : 0)
      })
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    const { port } = server.address() as AddressInfo
    return {
      url: `http://127.0.0.1:${port}/secret-key`,
      requests,
      inject: (...more: ReadonlyArray<SubgraphFault>) => void faults.push(...more)
    }
  })
