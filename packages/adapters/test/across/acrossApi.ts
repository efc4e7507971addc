import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"
import { suggestedFees } from "../../sandbox/across/suggestedFees.ts"
import { close, listen } from "../support/localServer.ts"

/** A fault that replaces the response to a request. */
export type ApiFault =
  | { readonly _tag: "Answer"; readonly status: number; readonly text: string; readonly retryAfter?: string }
  /** The correct response with other values of these fields. */
  | { readonly _tag: "Changed"; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly _tag: "Hang" }

export interface AcrossApi {
  readonly url: string
  readonly requests: ReadonlyArray<{ readonly query: URLSearchParams; readonly headers: IncomingHttpHeaders }>
  /** Sets faults for the next requests, one for each, in order. */
  readonly inject: (...faults: ReadonlyArray<ApiFault>) => void
}

const NOW_SECONDS = 1_800_000_000

/** Serves Across's API on a free port with the sandbox's prices. Stops with the scope. */
export const serveAcrossApi: Effect.Effect<AcrossApi, never, Scope.Scope> = Effect.gen(function* () {
  const requests: Array<AcrossApi["requests"][number]> = []
  const faults: Array<ApiFault> = []
  const server = createServer((incoming, response) => {
    const { pathname, searchParams: query } = new URL(incoming.url ?? "/", "http://x")
    requests.push({ query, headers: incoming.headers })
    const fault = faults.shift()
    if (fault?._tag === "Hang") return
    if (fault?._tag === "Answer") {
      if (fault.retryAfter !== undefined) response.setHeader("retry-after", fault.retryAfter)
      return void response.writeHead(fault.status).end(fault.text)
    }
    if (pathname !== "/api/suggested-fees") return void response.writeHead(404).end("{}")
    const { body, status } = suggestedFees(query, { mode: "FILL", delaySeconds: 0 }, NOW_SECONDS)
    response.writeHead(status, { "content-type": "application/json" })
    response.end(JSON.stringify({ ...(body as object), ...fault?.fields }))
  })
  yield* Effect.acquireRelease(listen(server), () => close(server))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    requests,
    inject: (...newFaults) => void faults.push(...newFaults)
  }
})
