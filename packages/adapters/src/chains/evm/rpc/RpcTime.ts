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

/** Half to one and a half times as long, so that hosts which failed together are not retried simultaneously. */
export const withJitter = (milliseconds: number, { random }: RpcTime): number => milliseconds * (0.5 + random())
