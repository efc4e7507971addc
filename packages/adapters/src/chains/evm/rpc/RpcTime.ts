/** The clock of delays and pauses. Tests replace it. */
export interface RpcTime {
  /** Monotonic milliseconds. */
  readonly now: () => number
  readonly sleep: (milliseconds: number) => Promise<void>
  /** Between 0 and 1, for jitter. */
  readonly random: () => number
}

export const systemTime: RpcTime = {
  now: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  random: Math.random
}

/** A random duration of half to one and a half times the argument, so that failed hosts are not retried together. */
export const withJitter = (milliseconds: number, { random }: RpcTime): number => milliseconds * (0.5 + random())
