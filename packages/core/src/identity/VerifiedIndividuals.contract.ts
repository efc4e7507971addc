import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { at } from "../foundation/primitives/ids.fixture.ts"
import { aProjectId } from "../tenancy/projects/Project.fixture.ts"
import { IndividualId, VerifiedIndividuals } from "./VerifiedIndividuals.ts"

const id = IndividualId.make

/** Contract tests that every `VerifiedIndividuals` store must pass. */
export const verifiedIndividualsContract = <E>(name: string, layer: Layer.Layer<VerifiedIndividuals, E>) =>
  withLayer(layer, { excludeTestServices: true })(`VerifiedIndividuals: ${name}`, (it) => {
    it.effect("returns an individual from the first verification until the revocation", () =>
      Effect.gen(function* () {
        const individuals = yield* VerifiedIndividuals
        const project = aProjectId()
        assert.isFalse(yield* individuals.isVerified(project, "ana"))
        assert.isTrue(yield* individuals.verify(project, { id: id("ana"), verifiedAt: at(2), level: "BASIC" }))
        assert.isFalse(yield* individuals.verify(project, { id: id("ana"), verifiedAt: at(9), level: "BASIC" }))
        assert.isTrue(yield* individuals.verify(project, { id: id("bea"), verifiedAt: at(5), level: "BASIC" }))
        assert.isTrue(yield* individuals.isVerified(project, "ana"))
        assert.deepStrictEqual(yield* individuals.list(project), [
          { id: id("ana"), verifiedAt: at(2), level: "BASIC" },
          { id: id("bea"), verifiedAt: at(5), level: "BASIC" }
        ])
        assert.isTrue(yield* individuals.revoke(project, id("ana")))
        assert.isFalse(yield* individuals.revoke(project, id("ana")))
        assert.isFalse(yield* individuals.isVerified(project, "ana"))
        assert.deepStrictEqual(yield* individuals.list(project), [{ id: id("bea"), verifiedAt: at(5), level: "BASIC" }])
      })
    )

    it.effect("raises a level, and never lowers one", () =>
      Effect.gen(function* () {
        const individuals = yield* VerifiedIndividuals
        const project = aProjectId()
        const readLevel = () => individuals.levelOf(project, "ana")
        assert.isNull(yield* readLevel())
        for (const [newLevel, expectedLevel] of [
          ["BASIC", "BASIC"],
          ["DOCUMENTS", "DOCUMENTS"],
          ["BASIC", "DOCUMENTS"],
          ["BUSINESS", "BUSINESS"],
          ["DOCUMENTS", "BUSINESS"]
        ] as const) {
          yield* individuals.verify(project, { id: id("ana"), verifiedAt: at(2), level: newLevel })
          assert.strictEqual(yield* readLevel(), expectedLevel)
        }
        yield* individuals.revoke(project, id("ana"))
        assert.isNull(yield* readLevel())
      })
    )

    it.effect("separates projects", () =>
      Effect.gen(function* () {
        const individuals = yield* VerifiedIndividuals
        const [projectId, otherProjectId] = [aProjectId(), aProjectId()]
        yield* individuals.verify(projectId, { id: id("ana"), verifiedAt: at(2), level: "BASIC" })
        assert.isFalse(yield* individuals.isVerified(otherProjectId, "ana"))
        assert.isFalse(yield* individuals.revoke(otherProjectId, id("ana")))
        assert.deepStrictEqual(yield* individuals.list(otherProjectId), [])
        assert.isTrue(yield* individuals.isVerified(projectId, "ana"))
      })
    )

    it.effect("returns true to one of several concurrent verifications", () =>
      Effect.gen(function* () {
        const individuals = yield* VerifiedIndividuals
        const project = aProjectId()
        const verifyResults = yield* Effect.forEach(
          [1, 2, 3, 4],
          (time) => individuals.verify(project, { id: id("ana"), verifiedAt: at(time), level: "BASIC" }),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(verifyResults.filter(Boolean), 1)
        assert.lengthOf(yield* individuals.list(project), 1)
      })
    )
  })
