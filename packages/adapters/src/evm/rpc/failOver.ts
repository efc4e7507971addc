import type { ChainHead } from "./ChainHead.ts"
import { HostFailure } from "./host/HostFailure.ts"
import type { JsonRpcRequest } from "./host/JsonRpcHost.ts"
import type { RpcHost } from "./host/RpcHost.ts"
import { JsonRpcError, mayDifferElsewhere } from "./JsonRpcError.ts"
import { type RpcTime, withJitter } from "./RpcTime.ts"

export interface FailOverOptions {
  /** How often the list of hosts is gone through at most. */
  readonly rounds: number
  /** Wait before the second round; it doubles from round to round. */
  readonly retryDelayMs: number
  /** Every call has its end by then, whatever the hosts do. */
  readonly deadlineMs: number
  /** How long a call waits for a host that is left alone: past that, failing at once is the better answer. */
  readonly patienceMs: number
  /** How long a first call waits for hosts that are slower to tell where they are than another. */
  readonly hurdleMs: number
  /** How often the hosts are compared, while there is traffic. */
  readonly surveyMs: number
  readonly time: RpcTime
}

/**
 * Several hosts as one: a request goes to the first that is well, and on to the next where one gives no answer. Hosts
 * that are behind the others come last. Errors that a host answers with are answers and end the search, but for those
 * that tell of the host rather than of the request. Fails by the deadline at the latest.
 */
export const failOver = (
  hosts: ReadonlyArray<RpcHost>,
  head: ChainHead,
  options: FailOverOptions
): ((request: JsonRpcRequest) => Promise<unknown>) => {
  const { time } = options
  let surveyedAt = Number.NEGATIVE_INFINITY

  const survey = async (): Promise<void> => {
    surveyedAt = time.now()
    const asked = hosts.filter((host) => host.isUsable || host.isDue)
    await Promise.all(asked.map((host) => host.check()))
    head.surveyed(hosts.filter((host) => host.isUsable))
  }

  /** Finds out about hosts that may have come up. Waits for it only where no other is usable. */
  const lookAround = async (): Promise<void> => {
    const isLate = hosts.length > 1 && time.now() - surveyedAt >= options.surveyMs
    if (!isLate && !hosts.some((host) => host.isDue)) return
    const surveying = survey()
    if (hosts.some((host) => host.isUsable)) return
    await Promise.race([surveying, time.sleep(options.hurdleMs)])
    if (!hosts.some((host) => host.isUsable)) await surveying
  }

  const inOrder = (): ReadonlyArray<RpcHost> => {
    const usable = hosts.filter((host) => host.isUsable)
    return [...usable.filter((host) => !host.isLagging), ...usable.filter((host) => host.isLagging)]
  }

  const goThrough = async (request: JsonRpcRequest, deadlineAt: number): Promise<Answered> => {
    let failure: Error = hosts[0]?.failure ?? new HostFailure("no URL is configured for it")
    let late: Answered | null = null
    const usable = inOrder()
    if (usable.length === 0) for (const host of hosts) host.rejected()
    for (const [i, host] of usable.entries()) {
      try {
        const result = await host.request(request, deadlineAt)
        if (!host.isLagging) return { result }
        // Found out by this very answer, or known before: one that is not behind may know better.
        late ??= { result }
      } catch (thrown) {
        const isLast = i + 1 === hosts.length
        if (thrown instanceof JsonRpcError && (isLast || !mayDifferElsewhere(thrown))) throw thrown
        failure = thrown instanceof Error ? thrown : new HostFailure(String(thrown))
      }
      if (time.now() >= deadlineAt) break
    }
    if (late !== null) return late
    throw failure
  }

  /** How long to wait before the hosts are gone through again; null when that is of no use. */
  const pauseAfter = (round: number, deadlineAt: number): number | null => {
    if (hosts.length === 0 || round + 1 >= options.rounds) return null
    const untilOneMayAnswer = Math.min(...hosts.map((host) => host.waitMs))
    if (untilOneMayAnswer > options.patienceMs) return null
    const pause = Math.max(untilOneMayAnswer, withJitter(options.retryDelayMs * 2 ** round, time))
    return time.now() + pause < deadlineAt ? pause : null
  }

  const search = async (request: JsonRpcRequest, deadlineAt: number): Promise<unknown> => {
    for (let round = 0; ; round++) {
      await lookAround()
      try {
        return (await goThrough(request, deadlineAt)).result
      } catch (thrown) {
        const pause = thrown instanceof HostFailure ? pauseAfter(round, deadlineAt) : null
        if (pause === null) throw thrown
        await time.sleep(pause)
      }
    }
  }

  return async (request) => {
    const deadline = withDeadline(options.deadlineMs, () => hosts[0]?.failure.message)
    try {
      return await Promise.race([search(request, time.now() + options.deadlineMs), deadline.passed])
    } finally {
      deadline.cancel()
    }
  }
}

interface Answered {
  readonly result: unknown
}

const withDeadline = (deadlineMs: number, reason: () => string | undefined) => {
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HostFailure(`no answer within ${deadlineMs} ms (${reason()})`)), deadlineMs)
  })
  return { passed, cancel: () => clearTimeout(timer) }
}
