import { Context, Fiber } from "effect"

/** What is known of a request while it is answered; filled in on its way through. */
export interface RequestInfo {
  /** Names the request in its answer, in error bodies and in the log. */
  readonly traceId: string
  route: string
  projectId: string | null
  computeUnits: number
  deprecated: boolean
}

export const RequestInfo = Context.Reference<RequestInfo>("@countersign/http/server/RequestInfo", {
  defaultValue: () => ({ traceId: "-", route: "-", projectId: null, computeUnits: 0, deprecated: false })
})

/** The record of the request that the current fiber answers. */
export const requestInfo = (): RequestInfo => Fiber.getCurrent()!.getRef(RequestInfo)
