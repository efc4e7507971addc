/** The clock of waits and pauses. Tests replace it. */
export interface RpcTime {
  /** Milliseconds that only go forward. */
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

/** Half to one and a half times as long, so that hosts which failed together are not asked again all at once. */
export const withJitter = (milliseconds: number, { random }: RpcTime): number => milliseconds * (0.5 + random())
