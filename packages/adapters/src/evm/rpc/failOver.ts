import { HostFailure } from "./HostFailure.ts"
import type { JsonRpcHost, JsonRpcRequest } from "./JsonRpcHost.ts"

export interface FailOverOptions {
  /** How often the list of hosts is gone through at most. */
  readonly rounds: number
  /** Wait before the second round; it doubles from round to round. */
  readonly retryDelayMs: number
  /** No attempt begins after this. */
  readonly deadlineMs: number
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Several hosts as one: a request goes to the host that answered last, and on to the next where one gives no answer.
 * Errors that a host answers with are answers and end the search.
 */
export const failOver = (
  hosts: ReadonlyArray<JsonRpcHost>,
  options: FailOverOptions
): ((request: JsonRpcRequest) => Promise<unknown>) => {
  let preferred = 0
  return async (request) => {
    const deadline = performance.now() + options.deadlineMs
    let failure = new HostFailure("no URL is configured for it")
    for (let round = 0; round < options.rounds; round++) {
      const first = preferred
      for (let step = 0; step < hosts.length; step++) {
        const index = (first + step) % hosts.length
        const host = hosts[index]
        if (host === undefined) break
        try {
          const result = await host.request(request)
          preferred = index
          return result
        } catch (thrown) {
          if (!(thrown instanceof HostFailure)) throw thrown
          failure = thrown
        }
        if (performance.now() >= deadline) throw failure
      }
      const wait = failure.retryAfterMs ?? options.retryDelayMs * 2 ** round
      if (hosts.length === 0 || round + 1 === options.rounds || performance.now() + wait >= deadline) break
      await sleep(wait)
    }
    throw failure
  }
}
