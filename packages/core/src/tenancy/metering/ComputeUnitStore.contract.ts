import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { type Project, ProjectStore } from "../projects/index.ts"
import { aProject, aProjectId } from "../projects/Project.fixture.ts"
import { ComputeUnitStore } from "./ComputeUnitStore.ts"

/** Contract tests that every `ComputeUnitStore` must pass. */
export const computeUnitStoreContract = <E>(
  name: string,
  stores: Layer.Layer<ProjectStore | ComputeUnitStore, E>
): void => {
  layer(stores)(`ComputeUnitStore on ${name}`, (it) => {
    const insertProject = (project: Project) => ProjectStore.use((store) => store.insert(project))

    it.effect("spends compute units if there are enough, and otherwise spends nothing", () =>
      Effect.gen(function* () {
        const units = yield* ComputeUnitStore
        const project = aProject({ computeUnits: 10 })
        yield* insertProject(project)
        assert.isTrue(yield* units.deduct(project.id, 7))
        assert.isFalse(yield* units.deduct(project.id, 4))
        assert.strictEqual(yield* units.readRemaining(project.id), 3)
        assert.isTrue(yield* units.deduct(project.id, 3))
        assert.strictEqual(yield* units.readRemaining(project.id), 0)
        assert.isFalse(yield* units.deduct(aProjectId(), 1))
      })
    )

    it.effect("never spends more than the budget, also concurrently", () =>
      Effect.gen(function* () {
        const units = yield* ComputeUnitStore
        const project = aProject({ computeUnits: 31 })
        yield* insertProject(project)
        const takeResults = yield* Effect.all(
          Array.from({ length: 40 }, () => units.deduct(project.id, 3)),
          { concurrency: 40 }
        )
        assert.strictEqual(takeResults.filter((isSpent) => isSpent).length, 10)
        assert.strictEqual(yield* units.readRemaining(project.id), 1)
      })
    )

    it.effect("does not limit a project without a budget", () =>
      Effect.gen(function* () {
        const units = yield* ComputeUnitStore
        const project = aProject()
        yield* insertProject(project)
        assert.isTrue(yield* units.deduct(project.id, 1_000_000))
        assert.isNull(yield* units.readRemaining(project.id))
      })
    )

    it.effect("accepts returned units of a project that has a budget", () =>
      Effect.gen(function* () {
        const units = yield* ComputeUnitStore
        const [limitedProject, unlimitedProject] = [aProject({ computeUnits: 3 }), aProject()]
        yield* Effect.forEach([limitedProject, unlimitedProject], insertProject)
        yield* Effect.forEach([limitedProject.id, unlimitedProject.id, aProjectId()], (id) => units.refund(id, 4))
        assert.strictEqual(yield* units.readRemaining(limitedProject.id), 7)
        assert.isNull(yield* units.readRemaining(unlimitedProject.id))
        assert.isNull(yield* units.readRemaining(aProjectId()))
      })
    )
  })
}
