import { assert, layer as withLayer } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { PersonalAccesses } from "./PersonalAccesses.ts"

/** Contract tests that every `PersonalAccesses` log must pass. */
export const personalAccessesContract = <E>(name: string, layer: Layer.Layer<PersonalAccesses, E>): void => {
  withLayer(layer, { excludeTestServices: true })(`PersonalAccesses: ${name}`, (it) => {
    it.effect("counts the accesses of a day by type and reader, and lists the latest first", () =>
      Effect.gen(function* () {
        const accesses = yield* PersonalAccesses
        const projectId = aProjectId()
        const [morning, evening] = [at(0), at(60)]
        const access = { projectId, identityId: "ind_1", action: "SHOWN", reader: "key1" } as const
        yield* Effect.forEach([morning, evening, morning], (lastAt) => accesses.record({ ...access, lastAt }), {
          concurrency: "unbounded"
        })
        const nextDay = DateTime.add(evening, { days: 1 })
        yield* accesses.record({ ...access, lastAt: nextDay })
        yield* accesses.record({ ...access, reader: "operator", lastAt: morning })
        yield* accesses.record({ ...access, identityId: "ind_2", action: "EXPORTED", lastAt: morning })
        const day = DateTime.formatIsoDateUtc
        const today = { ...access, day: day(morning), times: 3, lastAt: evening }
        const firstAccesses = yield* accesses.list(projectId, "ind_1", 9)
        assert.deepStrictEqual(firstAccesses, [
          { ...access, day: day(nextDay), times: 1, lastAt: nextDay },
          today,
          { ...today, reader: "operator", times: 1, lastAt: morning }
        ])
        assert.lengthOf(yield* accesses.list(projectId, null, 9), 4)
        assert.lengthOf(yield* accesses.list(projectId, null, 2), 2)
        assert.deepStrictEqual(yield* accesses.list(aProjectId(), null, 9), [])
      })
    )
  })
}
