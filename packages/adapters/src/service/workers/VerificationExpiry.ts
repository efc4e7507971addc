import { Verifications } from "@countersign/core/identity"
import { DataSubjects } from "@countersign/core/tenancy/data-subjects"
import { RetentionPolicy } from "@countersign/core/tenancy/retention"
import { DateTime, Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

const IDLE_MS = 60_000

/**
 * Expires verification sessions without submitted documents, and erases identities that were rejected long ago, while
 * the layer exists. Several processes may run this worker.
 */
export const layer: Layer.Layer<never, never, DataSubjects | Verifications> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { expire } = yield* Verifications
    const { eraseRejected: eraseRefused } = yield* DataSubjects
    const { refusedIdentityDays } = yield* RetentionPolicy
    const round = Effect.gen(function* () {
      const refusedBefore = DateTime.subtract(yield* DateTime.now, { milliseconds: refusedIdentityDays * 86_400_000 })
      if ((yield* expire) + (yield* eraseRefused(refusedBefore)) === 0) yield* Effect.sleep(IDLE_MS)
    })
    yield* forkRounds(round, "expiring and erasing verifications failed")
  })
)
