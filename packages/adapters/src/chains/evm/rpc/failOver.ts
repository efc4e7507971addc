import { HostFailure, withJitter } from "../../../outbound/json-api/index.ts"
import type { ChainHead } from "./ChainHead.ts"
import { HostSurvey, type SurveyOptions } from "./HostSurvey.ts"
import type { RpcHost } from "./host/RpcHost.ts"
import type { JsonRpcRequest } from "./host/responses.ts"
import { isNodeSpecific, JsonRpcError } from "./JsonRpcError.ts"
import type { RpcTime } from "./RpcTime.ts"

export interface FailOverOptions extends SurveyOptions {
  /** Maximum number of attempts per host. */
  readonly rounds: number
  /** Pause before the second round in milliseconds; doubled for each further round. */
  readonly retryDelayMs: number
  /** Maximum duration of a call in milliseconds. */
  readonly deadlineMs: number
  /**
   * Longest pause of the hosts for which a call waits, in milliseconds. If the pause is longer, the call fails
   * immediately.
   */
  readonly longestPauseMs: number
}

/**
 * Combines several hosts into one. A request goes to the first healthy host, and to the next one if that host does not
 * respond. Lagging hosts come last. An error response is final, unless the error concerns the host and not the request.
 * Fails at the latest when the deadline is reached.
 */
export const failOver = (
  hosts: ReadonlyArray<RpcHost>,
  head: ChainHead,
  options: FailOverOptions
): ((request: JsonRpcRequest) => Promise<unknown>) => {
  const { deadlineMs, time } = options
  const survey = new HostSurvey(hosts, head, options)

  const tryInRounds = async (request: JsonRpcRequest, deadlineAt: number): Promise<unknown> => {
    for (let round = 0; ; round++) {
      await survey.refresh()
      try {
        return (await tryEachHost(hosts, request, deadlineAt, time)).result
      } catch (thrown) {
        const mayBeHandledByOther = thrown instanceof HostFailure && thrown.kind !== "TOO_HEAVY"
        const pauseMs = mayBeHandledByOther ? pauseAfter(round, hosts, deadlineAt, options) : null
        if (pauseMs === null) throw thrown
        await time.sleep(pauseMs)
      }
    }
  }

  return async (request) => {
    const deadline = startDeadline(deadlineMs, () => hosts[0]?.failure.message)
    try {
      return await Promise.race([tryInRounds(request, time.now() + deadlineMs), deadline.expiry])
    } finally {
      deadline.cancel()
    }
  }
}

interface HostResponse {
  readonly result: unknown
}

const usableHostsInOrder = (hosts: ReadonlyArray<RpcHost>): ReadonlyArray<RpcHost> => {
  const usableHosts = hosts.filter((host) => host.isUsable)
  return [...usableHosts.filter((host) => !host.isLagging), ...usableHosts.filter((host) => host.isLagging)]
}

const tryEachHost = async (
  hosts: ReadonlyArray<RpcHost>,
  request: JsonRpcRequest,
  deadlineAt: number,
  time: RpcTime
): Promise<HostResponse> => {
  let failure: Error | null = null
  let laggingResponse: HostResponse | null = null
  const usableHosts = usableHostsInOrder(hosts)
  if (usableHosts.length === 0) for (const host of hosts) host.countRejected()
  for (const host of usableHosts) {
    try {
      const result = await host.request(request, deadlineAt)
      if (!host.isLagging) return { result }
      // The host lagged before, or its response shows that it lags. Another host may have newer data, so this response
      // is used only if no other host responds.
      laggingResponse ??= { result }
    } catch (thrown) {
      if (thrown instanceof JsonRpcError && !isNodeSpecific(thrown)) throw thrown
      failure = thrown instanceof Error ? thrown : new HostFailure(String(thrown))
    }
    if (time.now() >= deadlineAt) break
  }
  if (laggingResponse !== null) return laggingResponse
  throw failure ?? hosts[0]?.failure ?? new HostFailure("no URL is configured for it")
}

/** Returns the pause before the next round; null if another round can't help. */
const pauseAfter = (
  round: number,
  hosts: ReadonlyArray<RpcHost>,
  deadlineAt: number,
  { longestPauseMs, retryDelayMs, rounds, time }: FailOverOptions
): number | null => {
  if (hosts.length === 0 || round + 1 >= rounds) return null
  const shortestWaitMs = Math.min(...hosts.map((host) => host.waitMs))
  if (shortestWaitMs > longestPauseMs) return null
  const pauseMs = Math.max(shortestWaitMs, withJitter(retryDelayMs * 2 ** round, time))
  return time.now() + pauseMs < deadlineAt ? pauseMs : null
}

const startDeadline = (deadlineMs: number, reason: () => string | undefined) => {
  let timer: NodeJS.Timeout | undefined
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HostFailure(`no response within ${deadlineMs} ms (${reason()})`)), deadlineMs)
  })
  return { expiry, cancel: () => clearTimeout(timer) }
}
