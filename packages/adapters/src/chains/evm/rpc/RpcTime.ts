import type { CircuitTime } from "../../../outbound/json-api/index.ts"

/** The clock for delays and pauses. Tests replace it. */
export interface RpcTime extends CircuitTime {
  readonly sleep: (milliseconds: number) => Promise<void>
}

export const systemTime: RpcTime = {
  now: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  random: Math.random
}
