/**
 * Endpoints that this process claims nothing for: it is sending to them, or leaves them alone for a while because they
 * did not answer.
 */
export const busyEndpoints = () => {
  /** Until when, in epoch milliseconds; infinity while deliveries are being sent. */
  const until = new Map<string, number>()
  return {
    ids: (nowMs: number): ReadonlyArray<string> => {
      for (const [id, endMs] of until) if (endMs <= nowMs) until.delete(id)
      return [...until.keys()]
    },
    begin: (id: string): void => {
      until.set(id, Number.POSITIVE_INFINITY)
    },
    end: (id: string): void => {
      until.delete(id)
    },
    rest: (id: string, untilMs: number): void => {
      until.set(id, untilMs)
    }
  }
}
