import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { HostFailure } from "../../../outbound/json-api/index.ts"
import { jsonRpcErrorIn } from "./JsonRpcError.ts"

/** viem's messages if the called contract does not exist. */
const NO_CONTRACT_ERROR = /Cannot decode zero data|returned no data \("0x"\)/u

/** Converts a failed call to an error for the caller. It contains no URL, because URLs may contain keys. */
export const toUpstreamUnavailable = (upstream: string, thrown: unknown): UpstreamUnavailable => {
  if (thrown instanceof UpstreamUnavailable) return thrown
  const rpcError = jsonRpcErrorIn(thrown)
  const reason = NO_CONTRACT_ERROR.test(failureReason(thrown))
    ? "a required contract is not deployed on this chain. `countersign chain status` shows the contract and how to deploy it"
    : rpcError !== null
      ? `it returned error ${rpcError.code}: ${rpcError.shortMessage}`
      : failureReason(thrown)
  return new UpstreamUnavailable({ upstream, reason: reason.replaceAll(/\b\w+:\/\/\S+/gu, "[URL]") })
}

/** Returns the `HostFailure` among the causes of an error, otherwise the innermost cause. */
const failureIn = (thrown: unknown): unknown =>
  thrown instanceof Error && !(thrown instanceof HostFailure) && thrown.cause !== undefined
    ? failureIn(thrown.cause)
    : thrown

const failureReason = (thrown: unknown): string => {
  const failure = failureIn(thrown)
  if (failure instanceof HostFailure) return failure.message
  return failure instanceof Error ? (failure.message.split("\n")[0] ?? "unknown") : "unknown"
}

/** Whether a call failed because its trace is too slow or too large. */
export const isTooExpensive = (thrown: unknown): boolean => {
  const failure = failureIn(thrown)
  return failure instanceof HostFailure && failure.kind === "TOO_HEAVY"
}
