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
    const meter = Layer.build(Layer.fresh(ComputeUnitMeter.layer))
    const meters = Effect.all([meter, meter, meter, meter])

    const insert = (project: Project) => ProjectStore.use((store) => store.insert(project))
    const remainingUnits = (id: ProjectId) => ComputeUnitStore.use((store) => store.remaining(id))

    it.effect("allows 64 clients of 4 processes to spend exactly a budget of 1000 units", () =>
      Effect.gen(function* () {
        const project = aProject({ computeUnits: 1_000 })
        yield* insert(project)
        const meterList = yield* meters
        let spentUnits = 0
        const client = (i: number) =>
          Effect.gen(function* () {
            const { spend } = yield* Effect.provideContext(ComputeUnitMeter, meterList[i % meterList.length]!)
            // Spends until three requests are rejected. After the first rejection, other processes may still return
            // leased units.
            let refusals = 0
            while (refusals < 3) {
              const isSpent = yield* Effect.isSuccess(spend(project, 1))
              if (isSpent) spentUnits += 1
              else refusals += 1
            }
          })
        yield* Effect.forEach(
          Array.from({ length: 64 }, (_, i) => i),
          client,
          { concurrency: 64, discard: true }
        )
        assert.strictEqual(spentUnits, 1_000)
        assert.strictEqual(yield* remainingUnits(project.id), 0)
      }).pipe(Effect.scoped)
    )

    it.effect("returns unspent leased units", () =>
      Effect.gen(function* () {
        const project = aProject({ computeUnits: 10_000 })
        yield* insert(project)
        yield* Effect.gen(function* () {
          const { spend } = yield* Effect.provideContext(ComputeUnitMeter, yield* meter)
          yield* spend(project, 5)
          assert.strictEqual(yield* remainingUnits(project.id), 9_950)
        }).pipe(Effect.scoped)
        assert.strictEqual(yield* remainingUnits(project.id), 9_995)
      })
    )

    it.effect("rejects a cost above the budget, and spends nothing", () =>
      Effect.gen(function* () {
        const project = aProject({ computeUnits: 4 })
        yield* insert(project)
        const { spend } = yield* Effect.provideContext(ComputeUnitMeter, yield* meter)
        const error = yield* Effect.flip(spend(project, 5))
        assert.strictEqual(error._tag, "UNAVAILABLE_COMPUTE_UNITS")
        assert.strictEqual(yield* remainingUnits(project.id), 4)
        yield* spend(project, 4)
        assert.strictEqual(yield* remainingUnits(project.id), 0)
      }).pipe(Effect.scoped)
    )

    it.effect("checks that enough units are leased or stored, without spending them", () =>
      Effect.gen(function* () {
        const project = aProject({ computeUnits: 60 })
        yield* insert(project)
        const { requireUnits, spend } = yield* Effect.provideContext(ComputeUnitMeter, yield* meter)
        yield* requireUnits(project, 60)
        assert.strictEqual((yield* Effect.flip(requireUnits(project, 61)))._tag, "UNAVAILABLE_COMPUTE_UNITS")
        assert.strictEqual(yield* remainingUnits(project.id), 60)
        yield* spend(project, 1)
        yield* requireUnits(project, 59)
        assert.strictEqual((yield* Effect.flip(requireUnits(project, 60)))._tag, "UNAVAILABLE_COMPUTE_UNITS")
        yield* spend(project, 59)
      }).pipe(Effect.scoped)
    )

    it.effect("charges nothing to a project without a budget", () =>
      Effect.gen(function* () {
        const project = aProject({ computeUnits: null })
        yield* insert(project)
        const { requireUnits, spend } = yield* Effect.provideContext(ComputeUnitMeter, yield* meter)
        yield* requireUnits(project, 1_000_000)
        yield* spend(project, 1_000_000)
        assert.isNull(yield* remainingUnits(project.id))
      }).pipe(Effect.scoped)
    )
  })
}
