import { DateTime, Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Step, Work } from "../../operations/executions/index.ts"
import type { FiatProvider } from "../provider/FiatProvider.ts"
import type { StoredFiatOrder } from "./FiatOrderStore.ts"
import { transitionOrder, withRemainingAllowance } from "./orderMove.ts"
import { waitMs, withoutTransfers } from "./orderStep.ts"
import type { orderSteps } from "./orderSteps.ts"

/** Hours for which providers recognize a repeated request by its idempotency key. */
const KEY_HOURS = 24

/** Creates the steps that submit a withdrawal to its provider. */
export const submissionSteps = ({ stepTo }: Pick<Effect.Success<typeof orderSteps>, "stepTo">) => {
  const failureStep = Effect.fnUntraced(function* (work: Work, storedOrder: StoredFiatOrder, reason: string) {
    const now = yield* DateTime.now
    const orderAfter = withRemainingAllowance(transitionOrder(storedOrder.order, "FAILED", now, reason))
    return stepTo(work, storedOrder, withoutTransfers(orderAfter), now)
  })

  /**
   * Notifies the provider that it can collect the token. It is not repeated after a success, because the provider's
   * order id is then known.
   */
  const submit = Effect.fnUntraced(function* (
    work: Work,
    provider: FiatProvider,
    storedOrder: StoredFiatOrder
  ): Effect.fn.Return<Step, UpstreamUnavailable> {
    const now = yield* DateTime.now
    const submission = yield* Effect.result(provider.submitWithdrawal(storedOrder.order))
    if (submission._tag === "Failure") {
      if (submission.failure._tag !== "FIAT_REFUSAL") return yield* Effect.fail(submission.failure)
      const { reason } = submission.failure
      // After this time the provider may reject a repeated request although it has accepted an earlier one.
      const isKeyKept = DateTime.isLessThan(now, DateTime.add(work.execution.acceptedAt, { hours: KEY_HOURS }))
      if (isKeyKept) return yield* failureStep(work, storedOrder, reason)
      const reviewReason = `${reason}. An earlier request may have created the withdrawal at the provider`
      const orderInReview = transitionOrder(storedOrder.order, "IN_REVIEW", now, reviewReason)
      return orderInReview === storedOrder.order
        ? ({ _tag: "Wait", afterMs: waitMs(work, now) } satisfies Step)
        : stepTo(work, storedOrder, withoutTransfers(orderInReview), now)
    }
    const orderAfter = { ...transitionOrder(storedOrder.order, "PROCESSING", now), providerOrder: submission.success }
    return stepTo(work, storedOrder, withoutTransfers(orderAfter), now)
  })

  return { failureStep, submit }
}
