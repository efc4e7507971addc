import type { NodeFault } from "../../../adapters/test/faults/FaultProxy.ts"

export interface FaultCase {
  readonly name: string
  readonly fault: NodeFault
  /** The error if the service has no other node; null if the faulty node still works well enough. */
  readonly singleNodeFailure: RegExp | null
}

/** Ways in which a node fails, with the service's reaction to each. */
export const faultCases: ReadonlyArray<FaultCase> = [
  { name: "hangs", fault: { _tag: "Hangs" }, singleNodeFailure: /no response within \d+ ms/u },
  { name: "resets the connection", fault: { _tag: "ConnectionReset" }, singleNodeFailure: /the connection failed/u },
  {
    name: "answers 429 without Retry-After",
    fault: { _tag: "Status", status: 429 },
    singleNodeFailure: /HTTP status 429/u
  },
  {
    name: "answers 429 with Retry-After",
    fault: { _tag: "Status", status: 429, retryAfter: "1" },
    singleNodeFailure: /HTTP status 429/u
  },
  { name: "answers 500", fault: { _tag: "Status", status: 500 }, singleNodeFailure: /HTTP status 500/u },
  {
    name: "answers JSON that is not JSON-RPC",
    fault: { _tag: "Says", text: '{"status":"ok"}', contentType: "application/json" },
    singleNodeFailure: /lacks a result/u
  },
  {
    name: "answers with a login page",
    fault: { _tag: "Says", text: "<!doctype html><title>Sign in</title>", contentType: "text/html" },
    singleNodeFailure: /not JSON-RPC/u
  },
  { name: "answers with other requests' ids", fault: { _tag: "WrongIds" }, singleNodeFailure: /lacks a result/u },
  { name: "answers with invalid results", fault: { _tag: "NonsenseResults" }, singleNodeFailure: /is not valid/u },
  { name: "omits responses", fault: { _tag: "MissingAnswer" }, singleNodeFailure: /lacks a result/u },
  { name: "truncates its responses", fault: { _tag: "TruncatedBody" }, singleNodeFailure: /the connection failed/u },
  {
    name: "answers a few bytes a second",
    fault: { _tag: "SlowBytes", bytesPerSecond: 20 },
    singleNodeFailure: /no response within/u
  },
  { name: "is 20 blocks behind", fault: { _tag: "Lags", blocks: 20 }, singleNodeFailure: null },
  { name: "changes to another chain", fault: { _tag: "OtherChain", chainId: 56 }, singleNodeFailure: null }
]
