import { Context, Effect, Layer, Schedule, Semaphore } from "effect"
import type { Project, ProjectId } from "../projects/index.ts"
import { ComputeUnitStore } from "./ComputeUnitStore.ts"
import { ComputeUnitsExhausted } from "./errors.ts"

/**
 * Maximum number of units in a lease, unless a request needs more. Because of leases, not every request writes the row
 * of a busy project.
 */
const LEASE = 50

/**
 * Returns how many of the remaining units a process leases when it needs some. Zero if the budget is too low. Leases
 * shrink with the budget, so that no process holds the last units without using them.
 */
const leaseSize = (remaining: number, needed: number): number =>
  remaining < needed ? 0 : Math.max(needed, Math.min(LEASE, Math.floor(remaining / 16)))

/** Interval in which unused leased units are returned. */
const RETURN_INTERVAL = "2 seconds"

interface Lease {
  units: number
  /** Whether units were spent since the last check. */
  used: boolean
  readonly turn: Semaphore.Semaphore
}

/**
 * Spends the compute units of projects. A process leases blocks of units from the store, and returns unused ones, also
 * when it ends. The spent units do not exceed the budget, unless the budget is changed, or the response to a refund is
 * lost. If a process is killed, its leased units are lost.
 */
export class ComputeUnitMeter extends Context.Service<
  ComputeUnitMeter,
  {
    /** Spends all of the units or none. A project without a budget is not limited. */
    readonly spend: (project: Project, units: number) => Effect.Effect<void, ComputeUnitsExhausted>
    /** Fails if `spend` would fail. Spends nothing. */
    readonly requireUnits: (project: Project, units: number) => Effect.Effect<void, ComputeUnitsExhausted>
  }
>()("@countersign/core/metering/ComputeUnitMeter") {
  static readonly layer = Layer.effect(
    ComputeUnitMeter,
    Effect.gen(function* () {
      const store = yield* ComputeUnitStore
      const leases = new Map<ProjectId, Lease>()

      const leaseOf = (id: ProjectId): Lease => {
        const knownLease = leases.get(id)
        if (knownLease !== undefined) return knownLease
        const lease: Lease = { units: 0, used: false, turn: Semaphore.makeUnsafe(1) }
        leases.set(id, lease)
        return lease
      }

      /** Leases units from the store. Retries if another process has changed the budget. */
      const leaseUnits = (id: ProjectId, needed: number): Effect.Effect<number> =>
        Effect.flatMap(store.readRemaining(id), (remaining) => {
          if (remaining === null) return Effect.succeed(needed)
          const size = leaseSize(remaining, needed)
          if (size === 0) return Effect.succeed(0)
          return Effect.flatMap(store.deduct(id, size), (isTaken) =>
            isTaken ? Effect.succeed(size) : leaseUnits(id, needed)
          )
        })

      /**
       * Refunds the units to the store, and then removes them from the lease. In the other order they would be lost if
       * the refund failed. If only the response to the refund is lost, the units are in both the store and the lease.
       */
      const returnLease = (id: ProjectId, lease: Lease): Effect.Effect<void> =>
        Effect.suspend(() =>
          lease.units === 0
            ? Effect.void
            : Effect.map(store.refund(id, lease.units), () => {
                lease.units = 0
              })
        ).pipe(Effect.uninterruptible)

      const spend = Effect.fnUntraced(function* (project: Project, units: number) {
        if (project.computeUnits === null || units === 0) return
        const lease = leaseOf(project.id)
        const isSpent = yield* Semaphore.withPermit(
          lease.turn,
          Effect.gen(function* () {
            if (lease.units < units) lease.units += yield* leaseUnits(project.id, units - lease.units)
            if (lease.units < units) {
              // The units are not sufficient for this request, but may be for a cheaper one in another process.
              yield* returnLease(project.id, lease)
              return false
            }
            lease.units -= units
            lease.used = true
            return true
          }).pipe(Effect.uninterruptible)
        )
        if (!isSpent) return yield* new ComputeUnitsExhausted({ needed: units })
      })

      const requireUnits = Effect.fnUntraced(function* (project: Project, units: number) {
        if (project.computeUnits === null || units === 0) return
        const lease = leaseOf(project.id)
        // Waits while another request takes a lease, because the units are then neither in the store nor in the lease.
        const hasUnits = yield* Semaphore.withPermit(
          lease.turn,
          Effect.suspend(() =>
            lease.units >= units
              ? Effect.succeed(true)
              : Effect.map(
                  store.readRemaining(project.id),
                  (remaining) => remaining === null || lease.units + remaining >= units
                )
          )
        )
        if (!hasUnits) return yield* new ComputeUnitsExhausted({ needed: units })
      })

      const returnLeasesWhere = (isIdle: (lease: Lease) => boolean) =>
        Effect.suspend(() =>
          Effect.forEach(
            [...leases],
            ([id, lease]) =>
              Semaphore.withPermit(
                lease.turn,
                Effect.suspend(() => {
                  const wasIdle = isIdle(lease)
                  lease.used = false
                  return wasIdle ? returnLease(id, lease) : Effect.void
                })
              ),
            { discard: true }
          )
        )

      yield* Effect.addFinalizer(() => returnLeasesWhere(() => true))
      yield* returnLeasesWhere((lease) => !lease.used).pipe(
        Effect.catchCause((cause) => Effect.logWarning("unused compute units could not be returned", cause)),
        Effect.repeat(Schedule.spaced(RETURN_INTERVAL)),
        Effect.forkScoped
      )
      return ComputeUnitMeter.of({ spend, requireUnits })
    })
  )
}
