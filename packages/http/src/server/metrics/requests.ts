import { type Context, Metric } from "effect"
import { metricByLabels } from "./metricByLabels.ts"

const seriesOf = metricByLabels(
  Metric.histogram("http_server_request_duration_seconds", {
    description: "Seconds from the arrival of a request to its response",
    boundaries: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  }),
  "method",
  "route",
  "status"
)

/** Counts a request and its response. The label is the route pattern, because a path may contain a wallet address. */
export const observeRequest = (
  method: string,
  route: string,
  status: number,
  seconds: number,
  context: Context.Context<never>
): void => seriesOf(method, route, String(status)).updateUnsafe(seconds, context)
