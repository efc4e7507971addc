import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Cause, type Duration, Effect, Option } from "effect"

/** The result of a check: a value, or the reason why the check has no value. */
export type CheckResult<A> =
  | { readonly _tag: "Seen"; readonly value: A }
  | { readonly _tag: "Unseen"; readonly reason: string }

export const observation = <A>(value: A): CheckResult<A> => ({ _tag: "Seen", value })
export const noObservation = (reason: string): CheckResult<never> => ({ _tag: "Unseen", reason })

/** Replaces URLs, because they may contain API keys. */
export const redactUrls = (text: string): string => text.replaceAll(/\b\w+:\/\/\S+/gu, "[URL]")

const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const thrown = Cause.squash(cause)
  if (thrown instanceof UpstreamUnavailable) return thrown.reason
  return redactUrls((thrown instanceof Error ? thrown.message : String(thrown)).split("\n")[0] ?? "unknown")
}

/** Runs a check. Never fails, and interrupts the check at the deadline. */
export const observe = <A, E, R>(
  check: Effect.Effect<A, E, R>,
  deadline: Duration.Input
): Effect.Effect<CheckResult<A>, never, R> =>
  check.pipe(
    Effect.map((value): CheckResult<A> => observation(value)),
    Effect.catchCause((cause) => Effect.succeed<CheckResult<A>>(noObservation(reasonOf(cause)))),
    Effect.timeoutOption(deadline),
    Effect.map(Option.getOrElse(() => noObservation("no response in time")))
  )
