import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { nextQueuedWork, shareOf } from "./nextTurn.ts"
import { FairQueue, type Work } from "./TurnQueue.ts"

const LIMITS = { capacity: 32, shared: 8, waitingMax: 40 }

describe("shareOf", () => {
  it.each([
    [1, 32],
    [2, 4],
    [3, 2],
    [50, 1]
  ])("of %i projects is %i each", (projects, share) => {
    assert.strictEqual(shareOf(LIMITS, projects), share)
  })
})

describe("nextTurn", () => {
  const fullWorkload = { atWork: 32, projectsAtWork: 1, projectsPresent: 2 }

  it("starts the first work of a project, regardless of its cost and of other projects' work", () => {
    const newProject = { project: "b", atWork: 0, weight: 6 }
    assert.strictEqual(
      nextQueuedWork([{ project: "a", atWork: 32, weight: 1 }, newProject], fullWorkload, LIMITS),
      newProject
    )
  })

  it("does not allow a project to exceed its share", () => {
    assert.isNull(nextQueuedWork([{ project: "a", atWork: 4, weight: 1 }], { ...fullWorkload, atWork: 5 }, LIMITS))
  })

  it("limits the number of projects with running work", () => {
    const manyProjects = { atWork: 32, projectsAtWork: 32, projectsPresent: 33 }
    assert.isNull(nextQueuedWork([{ project: "b", atWork: 0, weight: 1 }], manyProjects, LIMITS))
  })
})

const Events = Schema.Array(
  Schema.Union([
    Schema.Struct({
      join: Schema.Literals(["a", "b", "c"]),
      weight: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 6 }))
    }),
    Schema.Struct({ leave: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 })) }),
    Schema.Struct({ pass: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 8_000 })) })
  ])
).check(Schema.isMaxLength(120))

describe("TurnQueue", () => {
  it.prop(
    "limits each project to its share, starts work in order, and never delays a project without running work",
    [Events],
    ([events]) => {
      const queue = new FairQueue(LIMITS)
      const startedWork: Array<Work> = []
      let openWork: Array<Work> = []
      let nowMs = 0
      for (const event of events) {
        if ("pass" in event) nowMs += event.pass
        if ("leave" in event && openWork.length > 0) {
          const work = openWork[event.leave % openWork.length]!
          openWork = openWork.filter((other) => other !== work)
          queue.leave(work, nowMs)
          // A repeated call has no effect.
          queue.leave(work, nowMs)
        }
        if ("join" in event) {
          const work = queue.join(event.join, event.weight, nowMs)
          const waitingWork = openWork.filter(({ project, state }) => project === event.join && state === "WAITING")
          const waitingWeight = waitingWork.reduce((sum, { weight }) => sum + weight, 0)
          if (work === null) assert.isAbove(waitingWeight + event.weight, LIMITS.waitingMax)
          else {
            openWork.push(work)
            if (work.state === "WAITING") work.begin = () => startedWork.push(work)
          }
        }
        for (const project of ["a", "b", "c"]) {
          const ownWork = openWork.filter((work) => work.project === project)
          const runningWork = ownWork.filter(({ state }) => state === "AT_WORK")
          const waitingWork = ownWork.filter(({ state }) => state === "WAITING")
          // Work that started before the arrival of another project may exceed the share.
          if (runningWork.length > 1) {
            assert.isAtMost(
              runningWork.reduce((sum, { weight }) => sum + weight, 0),
              LIMITS.capacity
            )
          }
          assert.isFalse(runningWork.length === 0 && waitingWork.length > 0, `${project} waits with nothing at work`)
          const firstWaiting = ownWork.findIndex(({ state }) => state === "WAITING")
          const lastAtWork = ownWork.findLastIndex(({ state }) => state === "AT_WORK")
          assert.isTrue(firstWaiting === -1 || lastAtWork < firstWaiting, `${project} is served in order`)
        }
      }
      for (const work of [...openWork]) queue.leave(work, nowMs)
      assert.isTrue(startedWork.every(({ state }) => state === "OVER"))
      nowMs += 60_000
      const soleProjectWork = Array.from({ length: LIMITS.capacity }, () => queue.join("d", 1, nowMs)!)
      assert.isTrue(
        soleProjectWork.every(({ state }) => state === "AT_WORK"),
        "nothing is left of the others"
      )
    }
  )
})
