import { inspect } from "node:util"

/**
 * First pause between two polls, in milliseconds. Without pauses, the polls would take CPU time from the tested
 * service.
 */
const POLL_MS = 15
/**
 * Maximum pause in milliseconds. Pauses grow with the elapsed time, because each poll costs the service some
 * milliseconds.
 */
const MAX_POLL_MS = 100
const PAUSE_SHARE = 0.2
/**
 * Timeout in milliseconds for a condition that never becomes true. It is long, so that no test depends on the speed of
 * the machine.
 */
const TIMEOUT_MS = 120_000

export interface UntilOptions {
  /** First and shortest pause, in milliseconds. Use a longer pause if a poll is expensive. */
  readonly pollMs?: number
}

/**
 * Polls until `isReached` returns true for the value, and returns this value. Fails after two minutes, with the last value.
 */
export const waitUntil = async <A>(
  read: () => A | Promise<A>,
  isReached: (value: A) => boolean,
  { pollMs = POLL_MS }: UntilOptions = {}
): Promise<A> => {
  const startedAt = performance.now()
  for (;;) {
    const value = await read()
    if (isReached(value)) return value
    const waitedMs = performance.now() - startedAt
    if (waitedMs > TIMEOUT_MS) throw new Error(`Not so after ${TIMEOUT_MS / 1000} s: ${inspect(value, { depth: 6 })}`)
    const pauseMs = Math.max(pollMs, Math.min(waitedMs * PAUSE_SHARE, MAX_POLL_MS))
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** Polls until the condition is true. Fails after two minutes. */
export const waitUntilTrue = async (
  condition: () => boolean | Promise<boolean>,
  options?: UntilOptions
): Promise<void> => {
  await waitUntil(condition, (value) => value, options)
}
