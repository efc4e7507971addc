/** What waiting and counting need of time, so that a test can move it. */
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

/** Half to one and a half times as long: what failed together does not come back together. */
export const withJitter = (milliseconds: number, { random }: RpcTime): number => milliseconds * (0.5 + random())
