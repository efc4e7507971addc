import { inspect } from "node:util"

/** Between two polls: without a pause the test would take the processor from the service that it waits for. */
const POLL_MS = 15
/** For what never happens. It is so long that no test depends on how fast the machine is. */
const CEILING_MS = 120_000

export interface UntilOptions {
  /** A longer pause where each poll is expensive. */
  readonly pollMs?: number
}

/** Polls until `isSo` accepts the value, and returns it. Fails with the last value after two minutes. */
export const until = async <A>(
  read: () => A | Promise<A>,
  isSo: (value: A) => boolean,
  { pollMs = POLL_MS }: UntilOptions = {}
): Promise<A> => {
  const deadline = performance.now() + CEILING_MS
  for (;;) {
    const value = await read()
    if (isSo(value)) return value
    if (performance.now() > deadline)
      throw new Error(`Not so after ${CEILING_MS / 1000} s: ${inspect(value, { depth: 6 })}`)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** Polls until the condition holds. Fails after two minutes. */
export const untilTrue = async (holds: () => boolean | Promise<boolean>, options?: UntilOptions): Promise<void> => {
  await until(holds, (value) => value, options)
}
