import { assert, describe, it } from "@effect/vitest"
import { Effect, Scheduler } from "effect"
import { FairScheduler } from "./FairScheduler.ts"

const STEP_MS = 2

/** Runs fibers of two projects on a simulated processor whose time advances with each step. */
const compute = async (counts: Readonly<Record<string, number>>, steps: number) => {
  let now = 0
  const slices: Array<Array<string>> = []
  const scheduler = new FairScheduler(
    () => now,
    (run) =>
      setImmediate(() => {
        slices.push([])
        run()
      }),
    () => now
  )
  const step = (project: string) =>
    Effect.sync(() => {
      now += STEP_MS
      slices.at(-1)!.push(project)
    })
  const fiberOf = (project: string) =>
    Effect.runPromise(
      Effect.andThen(
        Effect.yieldNow,
        Effect.forEach(Array.from({ length: steps }), () => step(project))
      ).pipe(Effect.provideService(Scheduler.Scheduler, scheduler.of(project)))
    )
  await Promise.all(
    Object.entries(counts).flatMap(([project, count]) => Array.from({ length: count }, () => fiberOf(project)))
  )
  return slices.filter((slice) => slice.length > 0)
}

/** A scheduler that counts turns, on a processor that gives its process only this share of the elapsed time. */
const countingTask = (ownShare: number) => {
  let now = 0
  let turn = 0
  const scheduler = new FairScheduler(
    () => now,
    (run) =>
      setImmediate(() => {
        turn += 1
        run()
      }),
    () => now * ownShare
  )
  const pass = (ms: number): void => {
    now += ms
  }
  return { scheduler, pass, turn: () => turn }
}

describe("FairScheduler", () => {
  it("yields to the event loop after each slice, for any amount of work", async () => {
    const slices = await compute({ a: 5, b: 5 }, 30)
    assert.strictEqual(slices.flat().length, 300)
    for (const slice of slices.slice(6)) assert.isAtMost(slice.length, 6)
    for (const slice of await compute({ a: 5 }, 90)) assert.isAtMost(slice.length, 26)
  })

  it("gives a project with one fiber the same time as one with twenty, and the rest to the latter", async () => {
    const order = (await compute({ a: 20, b: 1 }, 10)).flat()
    const untilBIsDone = order.slice(0, order.lastIndexOf("b") + 1)
    const ofA = untilBIsDone.filter((project) => project === "a").length
    assert.isAtMost(ofA, 2 * 10)
    assert.strictEqual(order.length, 210)
  })

  it("starts the concurrent fibers of a fiber in one turn, even if the first of them computes for a long time", async () => {
    const { pass, scheduler, turn } = countingTask(1)
    const turns: Array<number> = []
    const child = Effect.sync(() => {
      turns.push(turn())
      pass(50)
    })
    const childTasks = Effect.all([child, child, child], { concurrency: "unbounded" })
    const otherTask = Effect.repeat(Effect.yieldNow, { times: 5 })
    const startedFibers = [childTasks, otherTask].map((effect, i) =>
      Effect.runPromise(Effect.provideService(effect, Scheduler.Scheduler, scheduler.of(`${i}`)))
    )
    await Promise.all(startedFibers)
    assert.strictEqual(turns.length, 3)
    assert.strictEqual(new Set(turns).size, 1)
  })

  it("continues with a fiber although other processes used the processor for a long time", async () => {
    const { pass, scheduler, turn } = countingTask(0.1)
    const step = Effect.sync(() => {
      pass(100)
      return turn()
    })
    const turns = await Effect.runPromise(
      Effect.provideService(
        Effect.andThen(Effect.yieldNow, Effect.all(Array.from({ length: 9 }, () => step))),
        Scheduler.Scheduler,
        scheduler.of("a")
      )
    )
    // 40 ms of CPU time fit into one slice of 50 ms; 90 ms need two slices.
    assert.strictEqual(new Set(turns.slice(0, 4)).size, 1)
    assert.isAbove(new Set(turns).size, 1)
  })

  it("continues with the others if a task throws", async () => {
    const queuedTasks: Array<() => void> = []
    const scheduler = new FairScheduler(
      () => 0,
      (run) => queuedTasks.push(run)
    )
    const completedTasks: Array<string> = []
    const dispatcher = scheduler.of("a").makeDispatcher()
    dispatcher.scheduleTask(() => {
      throw new Error("broken")
    }, 0)
    scheduler
      .of("b")
      .makeDispatcher()
      .scheduleTask(() => completedTasks.push("b"), 0)
    assert.throws(() => queuedTasks.shift()!(), "broken")
    queuedTasks.shift()!()
    assert.deepStrictEqual(completedTasks, ["b"])
  })
})
