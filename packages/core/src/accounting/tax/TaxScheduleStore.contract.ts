import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, Redacted } from "effect"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { ProjectStore } from "../../tenancy/projects/index.ts"
import { aProject, aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { TaxRunStore } from "./TaxRunStore.ts"
import { aTaxRun, aTaxSchedule } from "./TaxSchedule.fixture.ts"
import type { TaxSchedule } from "./TaxSchedule.ts"
import { TaxScheduleStore } from "./TaxScheduleStore.ts"

export { aTaxRun, aTaxSchedule } from "./TaxSchedule.fixture.ts"

/** Reveals the email address, because `Redacted` values compare as equal regardless of their content. */
const revealEmail = (schedule: TaxSchedule) => ({ ...schedule, email: Redacted.value(schedule.email) })

/** Contract tests that every `TaxScheduleStore` must pass. */
export const taxScheduleStoreContract = <E>(
  name: string,
  stores: Layer.Layer<TaxScheduleStore | TaxRunStore | ProjectStore, E>
): void => {
  layer(stores)(`TaxScheduleStore on ${name}`, (it) => {
    it.effect("returns a schedule as it was inserted, only for its own project and wallet", () =>
      Effect.gen(function* () {
        const store = yield* TaxScheduleStore
        const schedule = aTaxSchedule({
          emailCustomization: { subject: "Ação 🪙", locale: "pt-BR", introText: "a\nb" }
        })
        const { projectId, walletAddress } = schedule
        assert.isTrue(yield* store.insert(schedule))
        assert.deepStrictEqual((yield* store.list(projectId, walletAddress)).map(revealEmail), [revealEmail(schedule)])
        assert.deepStrictEqual(yield* store.list(aProjectId(), walletAddress), [])
        assert.deepStrictEqual(yield* store.list(projectId, aTaxSchedule().walletAddress), [])
      })
    )

    it.effect("lists the schedules of an individual, only for the individual's project", () =>
      Effect.gen(function* () {
        const store = yield* TaxScheduleStore
        const individual = { type: "individual", individualId: 'of "this" test' } as const
        const schedule = aTaxSchedule({ individual })
        yield* Effect.forEach([schedule, aTaxSchedule({ individual }), aTaxSchedule()], store.insert)
        const schedules = yield* store.listByIndividual(schedule.projectId, individual.individualId)
        assert.deepStrictEqual(schedules.map(revealEmail), [revealEmail(schedule)])
      })
    )

    it.effect("erases an individual, and keeps the schedules of others", () =>
      Effect.gen(function* () {
        const store = yield* TaxScheduleStore
        const individual = { type: "individual", individualId: "forgotten" } as const
        const schedule = aTaxSchedule({ individual })
        const otherProjectSchedule = aTaxSchedule({ individual })
        yield* Effect.forEach([schedule, otherProjectSchedule], store.insert)
        yield* store.erase(schedule.projectId, individual.individualId)
        assert.deepStrictEqual(yield* store.listByIndividual(schedule.projectId, individual.individualId), [])
        assert.deepStrictEqual(yield* store.list(schedule.projectId, schedule.walletAddress), [])
        const remainingSchedules = yield* store.listByIndividual(
          otherProjectSchedule.projectId,
          individual.individualId
        )
        assert.deepStrictEqual(remainingSchedules.map(revealEmail), [revealEmail(otherProjectSchedule)])
        // An individual that is added again gets a new encryption key.
        const otherSchedule = aTaxSchedule({ individual, projectId: schedule.projectId })
        yield* store.insert(otherSchedule)
        const schedules = yield* store.listByIndividual(schedule.projectId, individual.individualId)
        assert.deepStrictEqual(schedules.map(revealEmail), [revealEmail(otherSchedule)])
      })
    )

    it.effect("deletes the schedules and their runs with their project", () =>
      Effect.gen(function* () {
        const [store, runs, projects] = [yield* TaxScheduleStore, yield* TaxRunStore, yield* ProjectStore]
        const project = aProject()
        yield* projects.insert(project)
        const schedule = aTaxSchedule({ projectId: project.id, nextEndAt: at(-9_000) })
        const lateSchedule = aTaxSchedule({ projectId: project.id, nextEndAt: at(-9_000) })
        const otherSchedule = aTaxSchedule({ nextEndAt: at(-9_000) })
        yield* Effect.forEach([schedule, otherSchedule], store.insert)
        yield* store.openRun(schedule, aTaxRun(schedule), at(-8_000))
        yield* projects.remove(project.id, at(0))
        assert.deepStrictEqual(yield* runs.list(schedule.projectId, schedule.id, 10), [])
        // A request that began before the deletion stores its schedule after it.
        yield* store.insert(lateSchedule)
        const dueIds = (yield* store.listDue(at(-7_000), 10)).map(({ id }) => id)
        assert.deepStrictEqual(
          [schedule, lateSchedule, otherSchedule].map(({ id }) => dueIds.includes(id)),
          [false, false, true]
        )
        yield* store.remove(otherSchedule.projectId, otherSchedule.walletAddress)
      })
    )

    it.effect("stores one schedule per wallet and preset, also with concurrent requests", () =>
      Effect.gen(function* () {
        const store = yield* TaxScheduleStore
        const { projectId, walletAddress } = aTaxSchedule()
        const insertResults = yield* Effect.forEach(
          Array.from({ length: 8 }),
          () => store.insert(aTaxSchedule({ projectId, walletAddress })),
          { concurrency: 8 }
        )
        assert.strictEqual(insertResults.filter((isInserted) => isInserted).length, 1)
        assert.isTrue(yield* store.insert(aTaxSchedule({ walletAddress })))
      })
    )

    it.effect("returns schedules with a month that has ended, the longest overdue first, up to a limit", () =>
      Effect.gen(function* () {
        const store = yield* TaxScheduleStore
        const schedules = [-3_000, -5_000, -4_000].map((offsetMs) => aTaxSchedule({ nextEndAt: at(offsetMs) }))
        yield* Effect.forEach(schedules, store.insert)
        const dueSchedules = yield* store.listDue(at(-4_000), 10)
        assert.deepStrictEqual(
          dueSchedules.map(({ id }) => id),
          [schedules[1]!.id, schedules[2]!.id]
        )
        assert.deepStrictEqual((yield* store.listDue(at(-4_000), 1)).map(revealEmail), [revealEmail(schedules[1]!)])
      })
    )

    it.effect(
      "stores one run per month with any number of concurrent processes, and continues with the next month",
      () =>
        Effect.gen(function* () {
          const store = yield* TaxScheduleStore
          const runs = yield* TaxRunStore
          const schedule = aTaxSchedule()
          yield* store.insert(schedule)
          const openResults = yield* Effect.forEach(
            Array.from({ length: 8 }),
            () => store.openRun(schedule, aTaxRun(schedule), at(2_000)),
            { concurrency: 8 }
          )
          assert.strictEqual(openResults.filter((isOpened) => isOpened).length, 1)
          assert.strictEqual((yield* runs.list(schedule.projectId, schedule.id, 10)).length, 1)
          const [movedSchedule] = yield* store.list(schedule.projectId, schedule.walletAddress)
          assert.deepStrictEqual(movedSchedule?.nextEndAt, at(2_000))
          assert.isTrue(yield* store.openRun(movedSchedule!, aTaxRun(movedSchedule!, { month: "2026-06" }), at(3_000)))
          assert.deepStrictEqual(
            (yield* runs.list(schedule.projectId, schedule.id, 10)).map(({ month }) => month),
            ["2026-06", "2026-05"]
          )
        })
    )

    it.effect("deletes a schedule with its runs, only for its own project", () =>
      Effect.gen(function* () {
        const store = yield* TaxScheduleStore
        const runs = yield* TaxRunStore
        const schedule = aTaxSchedule()
        const { projectId, walletAddress } = schedule
        yield* store.insert(schedule)
        yield* store.openRun(schedule, aTaxRun(schedule), at(2_000))
        assert.isFalse(yield* store.remove(aProjectId(), walletAddress))
        assert.isTrue(yield* store.remove(projectId, walletAddress))
        assert.isFalse(yield* store.remove(projectId, walletAddress))
        assert.deepStrictEqual(yield* runs.list(schedule.projectId, schedule.id, 10), [])
        assert.isFalse(yield* store.openRun(schedule, aTaxRun(schedule), at(3_000)))
        assert.isTrue(yield* store.insert(schedule))
      })
    )
  })
}
