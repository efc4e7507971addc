import { UpstreamUnavailable } from "@countersign/core/errors"
import { HostFailure } from "./host/HostFailure.ts"
import { jsonRpcErrorIn } from "./JsonRpcError.ts"

/** What viem says of an answer of a contract that is not there. */
const NOTHING_THERE = /Cannot decode zero data|returned no data \("0x"\)/u

/** The error of a failed call for the caller, without URLs, because there may be keys in them. */
export const unavailable = (upstream: string, thrown: unknown): UpstreamUnavailable => {
  if (thrown instanceof UpstreamUnavailable) return thrown
  const rpcError = jsonRpcErrorIn(thrown)
  const reason = NOTHING_THERE.test(failureReason(thrown))
    ? "a contract that is needed is not on this chain. `countersign chain status` names it, and what puts it there"
    : rpcError !== null
      ? `it answered with error ${rpcError.code}: ${rpcError.shortMessage}`
      : failureReason(thrown)
  return new UpstreamUnavailable({ upstream, reason: reason.replaceAll(/\b\w+:\/\/\S+/gu, "[URL]") })
}

const failureReason = (thrown: unknown): string => {
  let error = thrown
  while (error instanceof Error) {
    if (error instanceof HostFailure) return error.message
    if (error.cause === undefined) return error.message.split("\n")[0] ?? "unknown"
    error = error.cause
  }
  return "unknown"
}
