import { assert, layer } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, type Layer } from "effect"
import { UnitOfWork } from "./UnitOfWork.ts"

/** A store of numbers that shows what a unit of work has committed. */
export interface Probe<R> {
  readonly write: (mark: number) => Effect.Effect<void, never, R>
  readonly isWritten: (mark: number) => Effect.Effect<boolean, never, R>
}

/** Contract tests that every `UnitOfWork` must pass. */
export const unitOfWorkContract = <R, E>(
  name: string,
  layerUnitOfWork: Layer.Layer<UnitOfWork | R, E>,
  probe: Probe<R>
): void => {
  let lastMark = 0
  const nextMarks = (count: number): ReadonlyArray<number> => Array.from({ length: count }, () => ++lastMark)
  const areWritten = (marks: ReadonlyArray<number>) => Effect.forEach(marks, probe.isWritten)

  layer(layerUnitOfWork)(`UnitOfWork on ${name}`, (it) => {
    it.effect("stores all changes, and returns the result of the effect", () =>
      Effect.gen(function* () {
        const unitOfWork = yield* UnitOfWork
        const ownMarks = nextMarks(2)
        const response = yield* unitOfWork.run(Effect.as(Effect.forEach(ownMarks, probe.write), "answer"))
        assert.strictEqual(response, "answer")
        assert.deepStrictEqual(yield* areWritten(ownMarks), [true, true])
      })
    )

    it.effect("stores nothing if the effect fails, and fails with its error", () =>
      Effect.gen(function* () {
        const unitOfWork = yield* UnitOfWork
        const ownMarks = nextMarks(2)
        const error = yield* Effect.flip(
          unitOfWork.run(Effect.andThen(Effect.forEach(ownMarks, probe.write), Effect.fail("refused" as const)))
        )
        assert.strictEqual(error, "refused")
        assert.deepStrictEqual(yield* areWritten(ownMarks), [false, false])
      })
    )

    it.effect("stores nothing if the effect dies", () =>
      Effect.gen(function* () {
        const unitOfWork = yield* UnitOfWork
        const ownMarks = nextMarks(1)
        const exit = yield* Effect.exit(
          unitOfWork.run(Effect.andThen(Effect.forEach(ownMarks, probe.write), Effect.die(new Error("a bug"))))
        )
        assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
        assert.deepStrictEqual(yield* areWritten(ownMarks), [false])
      })
    )

    it.effect("stores nothing if the effect is interrupted", () =>
      Effect.gen(function* () {
        const unitOfWork = yield* UnitOfWork
        const ownMarks = nextMarks(1)
        const workStarted = yield* Deferred.make<void>()
        const fiber = yield* Effect.forkChild(
          unitOfWork.run(
            Effect.gen(function* () {
              yield* Effect.forEach(ownMarks, probe.write)
              yield* Deferred.succeed(workStarted, undefined)
              yield* Effect.never
            })
          )
        )
        yield* Deferred.await(workStarted)
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(yield* areWritten(ownMarks), [false])
      })
    )

    it.effect("reads its own changes", () =>
      Effect.gen(function* () {
        const unitOfWork = yield* UnitOfWork
        const ownMarks = nextMarks(1)
        assert.deepStrictEqual(
          yield* unitOfWork.run(Effect.andThen(Effect.forEach(ownMarks, probe.write), areWritten(ownMarks))),
          [true]
        )
      })
    )

    it.effect("joins a nested unit to the outer one, which commits or rolls back both", () =>
      Effect.gen(function* () {
        const unitOfWork = yield* UnitOfWork
        const [inner, outer] = nextMarks(2)
        yield* Effect.flip(
          unitOfWork.run(
            Effect.gen(function* () {
              yield* unitOfWork.run(unitOfWork.run(probe.write(inner!)))
              yield* probe.write(outer!)
              return yield* Effect.fail("refused" as const)
            })
          )
        )
        assert.deepStrictEqual(yield* areWritten([inner!, outer!]), [false, false])
      })
    )

    it.effect("continues after a nested unit fails, without its changes", () =>
      Effect.gen(function* () {
        const unitOfWork = yield* UnitOfWork
        const [before, inner, after] = nextMarks(3)
        yield* unitOfWork.run(
          Effect.gen(function* () {
            yield* probe.write(before!)
            yield* Effect.flip(unitOfWork.run(Effect.andThen(probe.write(inner!), Effect.fail("refused" as const))))
            yield* probe.write(after!)
          })
        )
        assert.deepStrictEqual(yield* areWritten([before!, inner!, after!]), [true, false, true])
      })
    )

    it.effect("stores the changes of the outer unit's other fibers if a nested unit fails", () =>
      Effect.gen(function* () {
        const unitOfWork = yield* UnitOfWork
        const [inner, ...siblings] = nextMarks(9)
        const failingWork = unitOfWork.run(
          Effect.gen(function* () {
            yield* probe.write(inner!)
            for (let turn = 0; turn < 5; turn++) yield* Effect.yieldNow
            return yield* Effect.fail("refused" as const)
          })
        )
        yield* unitOfWork.run(
          Effect.all([Effect.ignore(failingWork), ...siblings.map(probe.write)], {
            concurrency: "unbounded",
            discard: true
          })
        )
        assert.deepStrictEqual(yield* areWritten([inner!, ...siblings]), [false, ...siblings.map(() => true)])
      })
    )

    it.effect("isolates concurrent units", () =>
      Effect.gen(function* () {
        const unitOfWork = yield* UnitOfWork
        const ownMarks = nextMarks(24)
        yield* Effect.forEach(
          ownMarks,
          (mark) =>
            Effect.ignore(
              unitOfWork.run(
                Effect.andThen(probe.write(mark), mark % 3 === 0 ? Effect.fail("refused") : Effect.yieldNow)
              )
            ),
          { concurrency: 12, discard: true }
        )
        assert.deepStrictEqual(
          yield* areWritten(ownMarks),
          ownMarks.map((mark) => mark % 3 !== 0)
        )
      })
    )
  })
}
