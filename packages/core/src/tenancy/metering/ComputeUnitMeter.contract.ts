import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { type Project, type ProjectId, ProjectStore } from "../projects/index.ts"
import { aProject } from "../projects/Project.fixture.ts"
import { ComputeUnitMeter } from "./ComputeUnitMeter.ts"
import { ComputeUnitStore } from "./ComputeUnitStore.ts"

/** Tests of `ComputeUnitMeter` with every store. Each instance represents a process. */
export const computeUnitMeterContract = <E>(
  name: string,
  stores: Layer.Layer<ProjectStore | ComputeUnitStore, E>
): void => {
  layer(stores)(`ComputeUnitMeter on ${name}`, (it) => {
    const makeMeter = Layer.build(Layer.fresh(ComputeUnitMeter.layer))
    const makeMeters = Effect.all([makeMeter, makeMeter, makeMeter, makeMeter])

    const insertProject = (project: Project) => ProjectStore.use((store) => store.insert(project))
    const readRemainingUnits = (id: ProjectId) => ComputeUnitStore.use((store) => store.readRemaining(id))

    it.effect("allows 64 clients of 4 processes to spend exactly a budget of 1000 units", () =>
      Effect.gen(function* () {
        const project = aProject({ computeUnits: 1_000 })
        yield* insertProject(project)
        const meterList = yield* makeMeters
        let spentUnits = 0
        const runClient = (i: number) =>
          Effect.gen(function* () {
            const { spend } = yield* Effect.provideContext(ComputeUnitMeter, meterList[i % meterList.length]!)
            // Spends until three requests are rejected. After the first rejection, other processes may still return
            // leased units.
            let rejections = 0
            while (rejections < 3) {
              const isSpent = yield* Effect.isSuccess(spend(project, 1))
              if (isSpent) spentUnits += 1
              else rejections += 1
            }
          })
        yield* Effect.forEach(
          Array.from({ length: 64 }, (_, i) => i),
          runClient,
          { concurrency: 64, discard: true }
        )
        assert.strictEqual(spentUnits, 1_000)
        assert.strictEqual(yield* readRemainingUnits(project.id), 0)
      }).pipe(Effect.scoped)
    )

    it.effect("returns unspent leased units", () =>
      Effect.gen(function* () {
        const project = aProject({ computeUnits: 10_000 })
        yield* insertProject(project)
        yield* Effect.gen(function* () {
          const { spend } = yield* Effect.provideContext(ComputeUnitMeter, yield* makeMeter)
          yield* spend(project, 5)
          assert.strictEqual(yield* readRemainingUnits(project.id), 9_950)
        }).pipe(Effect.scoped)
        assert.strictEqual(yield* readRemainingUnits(project.id), 9_995)
      })
    )

    it.effect("rejects a cost above the budget, and spends nothing", () =>
      Effect.gen(function* () {
        const project = aProject({ computeUnits: 4 })
        yield* insertProject(project)
        const { spend } = yield* Effect.provideContext(ComputeUnitMeter, yield* makeMeter)
        const error = yield* Effect.flip(spend(project, 5))
        assert.strictEqual(error._tag, "UNAVAILABLE_COMPUTE_UNITS")
        assert.strictEqual(yield* readRemainingUnits(project.id), 4)
        yield* spend(project, 4)
        assert.strictEqual(yield* readRemainingUnits(project.id), 0)
      }).pipe(Effect.scoped)
    )

    it.effect("checks that enough units are leased or stored, without spending them", () =>
      Effect.gen(function* () {
        const project = aProject({ computeUnits: 60 })
        yield* insertProject(project)
        const { requireUnits, spend } = yield* Effect.provideContext(ComputeUnitMeter, yield* makeMeter)
        yield* requireUnits(project, 60)
        assert.strictEqual((yield* Effect.flip(requireUnits(project, 61)))._tag, "UNAVAILABLE_COMPUTE_UNITS")
        assert.strictEqual(yield* readRemainingUnits(project.id), 60)
        yield* spend(project, 1)
        yield* requireUnits(project, 59)
        assert.strictEqual((yield* Effect.flip(requireUnits(project, 60)))._tag, "UNAVAILABLE_COMPUTE_UNITS")
        yield* spend(project, 59)
      }).pipe(Effect.scoped)
    )

    it.effect("charges nothing to a project without a budget", () =>
      Effect.gen(function* () {
        const project = aProject({ computeUnits: null })
        yield* insertProject(project)
        const { requireUnits, spend } = yield* Effect.provideContext(ComputeUnitMeter, yield* makeMeter)
        yield* requireUnits(project, 1_000_000)
        yield* spend(project, 1_000_000)
        assert.isNull(yield* readRemainingUnits(project.id))
      }).pipe(Effect.scoped)
    )
  })
}
