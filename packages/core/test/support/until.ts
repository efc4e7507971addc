import { inspect } from "node:util"

/** The first pause between two polls. Without pauses the test would take CPU time from the service that it waits for. */
const POLL_MS = 15
/** Pauses grow with the waited time up to this, because each poll costs the service some milliseconds. */
const LONGEST_POLL_MS = 100
const SHARE_OF_WAIT = 0.2
/** The timeout for a condition that is never met. It is so long that no test depends on the speed of the machine. */
const CEILING_MS = 120_000

export interface UntilOptions {
  /** The first and shortest pause. Use a longer one if each poll is expensive. */
  readonly pollMs?: number
}

/** Polls until `isSo` accepts the value, and returns it. Fails with the last value after two minutes. */
export const until = async <A>(
  read: () => A | Promise<A>,
  isSo: (value: A) => boolean,
  { pollMs = POLL_MS }: UntilOptions = {}
): Promise<A> => {
  const startedAt = performance.now()
  for (;;) {
    const value = await read()
    if (isSo(value)) return value
    const waitedMs = performance.now() - startedAt
    if (waitedMs > CEILING_MS) throw new Error(`Not so after ${CEILING_MS / 1000} s: ${inspect(value, { depth: 6 })}`)
    const pauseMs = Math.max(pollMs, Math.min(waitedMs * SHARE_OF_WAIT, LONGEST_POLL_MS))
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** Polls until the condition holds. Fails after two minutes. */
export const untilTrue = async (holds: () => boolean | Promise<boolean>, options?: UntilOptions): Promise<void> => {
  await until(holds, (value) => value, options)
}
