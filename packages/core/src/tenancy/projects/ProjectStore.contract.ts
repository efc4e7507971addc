import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { aBitcoinAddress, anAddress, at } from "../../foundation/primitives/ids.fixture.ts"
import { ComputeUnitStore } from "../metering/index.ts"
import { aKey, aProject, aProjectId } from "./Project.fixture.ts"
import type { Project, ProjectChanges } from "./Project.ts"
import { ProjectStore } from "./ProjectStore.ts"

export { aKey, aProject, aProjectId } from "./Project.fixture.ts"

/** Contract tests that every `ProjectStore` must pass. */
export const projectStoreContract = <E>(
  name: string,
  stores: Layer.Layer<ProjectStore | ComputeUnitStore, E>
): void => {
  layer(stores)(`ProjectStore on ${name}`, (it) => {
    it.effect("returns a project with all inserted fields", () =>
      Effect.gen(function* () {
        const store = yield* ProjectStore
        const plainProject = aProject()
        const fullProject = aProject({
          name: `Ünïcode "quoted" 'name' \\ 漢字 🪙`,
          treasury: anAddress(),
          bitcoinTreasury: aBitcoinAddress(),
          computeUnits: Number.MAX_SAFE_INTEGER,
          createdAt: at(1)
        })
        yield* Effect.forEach([plainProject, fullProject], store.insert)
        assert.deepStrictEqual(yield* store.find(plainProject.id), Option.some(plainProject))
        assert.deepStrictEqual(yield* store.find(fullProject.id), Option.some(fullProject))
        assert.deepStrictEqual(yield* store.find(aProjectId()), Option.none())
      })
    )

    it.effect("lists projects oldest first", () =>
      Effect.gen(function* () {
        const store = yield* ProjectStore
        const [first, second, third] = [
          aProject({ createdAt: at(10) }),
          aProject({ createdAt: at(20) }),
          aProject({ createdAt: at(30) })
        ]
        yield* Effect.forEach([second, first, third], store.insert)
        const ownProjects = [first, second, third]
        const listedProjects = yield* store.list
        assert.deepStrictEqual(
          listedProjects.filter((project) => ownProjects.some((own) => own.id === project.id)),
          ownProjects
        )
      })
    )

    it.effect("changes only the given fields of a project, and returns the changed project", () =>
      Effect.gen(function* () {
        const store = yield* ProjectStore
        const project = aProject({ computeUnits: 5 })
        const otherProject = aProject()
        yield* Effect.forEach([project, otherProject], store.insert)
        const treasury = anAddress()
        const bitcoinTreasury = aBitcoinAddress()
        const changes: ReadonlyArray<readonly [ProjectChanges, Project]> = [
          [{ treasury }, { ...project, treasury }],
          [{ computeUnits: 0 }, { ...project, treasury, computeUnits: 0 }],
          [{}, { ...project, treasury, computeUnits: 0 }],
          [{ bitcoinTreasury }, { ...project, treasury, bitcoinTreasury, computeUnits: 0 }],
          [{ bitcoinTreasury: null }, { ...project, treasury, computeUnits: 0 }],
          [
            { treasury: null, computeUnits: null },
            { ...project, computeUnits: null }
          ]
        ]
        for (const [change, after] of changes) {
          assert.deepStrictEqual(yield* store.update(project.id, change), Option.some(after))
          assert.deepStrictEqual(yield* store.find(project.id), Option.some(after))
        }
        assert.deepStrictEqual(yield* store.find(otherProject.id), Option.some(otherProject))
        assert.deepStrictEqual(yield* store.update(aProjectId(), { treasury }), Option.none())
        assert.deepStrictEqual(yield* store.update(aProjectId(), {}), Option.none())
      })
    )

    it.effect("keeps names unique, also with concurrent requests", () =>
      Effect.gen(function* () {
        const store = yield* ProjectStore
        const [first, second] = [aProject(), aProject()]
        assert.isTrue(yield* store.insert(first))
        assert.isFalse(yield* store.insert({ ...second, name: first.name }))
        assert.deepStrictEqual(yield* store.find(second.id), Option.none())
        assert.isTrue(yield* store.insert(second))
        assert.isFalse(yield* store.rename(second.id, first.name))
        assert.isTrue(yield* store.rename(second.id, second.name))
        assert.isTrue(yield* store.rename(second.id, `${second.name}, renamed`))
        assert.isTrue(yield* store.rename(first.id, second.name))
        assert.deepStrictEqual(yield* store.find(first.id), Option.some({ ...first, name: second.name }))
      })
    )

    it.effect("deletes a project once, reports the deletion for its keys, and makes its name available", () =>
      Effect.gen(function* () {
        const store = yield* ProjectStore
        const project = aProject()
        const key = aKey({ projectId: project.id })
        yield* store.insert(project)
        yield* store.insertKey(key)
        assert.isTrue(yield* store.remove(project.id, at(10)))
        assert.isFalse(yield* store.remove(project.id, at(20)))
        assert.deepStrictEqual(yield* store.find(project.id), Option.none())
        assert.isFalse((yield* store.list).some(({ id }) => id === project.id))
        assert.deepStrictEqual(
          yield* store.findKey(key.id),
          Option.some({ key, project, deletedAt: at(10), isMoving: false })
        )
        assert.deepStrictEqual(yield* store.update(project.id, { treasury: null }), Option.none())
        assert.deepStrictEqual(yield* store.update(project.id, { treasury: anAddress() }), Option.none())
        assert.isTrue(yield* store.insert(aProject({ name: project.name })))
      })
    )

    it.effect("preserves the spent units while the treasury changes", () =>
      Effect.gen(function* () {
        const store = yield* ProjectStore
        const units = yield* ComputeUnitStore
        const project = aProject({ computeUnits: 200 })
        yield* store.insert(project)
        const treasury = anAddress()
        let spentUnits = 0
        const spendAll = Effect.gen(function* () {
          while (yield* units.deduct(project.id, 1)) {
            spentUnits += 1
            yield* Effect.yieldNow
          }
        })
        const changeTreasury = Effect.gen(function* () {
          while (spentUnits < 200) {
            yield* store.update(project.id, { treasury })
            yield* Effect.yieldNow
          }
        })
        yield* Effect.all(
          [
            ...Array.from({ length: 16 }, () => spendAll),
            changeTreasury,
            changeTreasury,
            changeTreasury,
            changeTreasury
          ],
          {
            concurrency: "unbounded",
            discard: true
          }
        )
        assert.strictEqual(spentUnits, 200)
        assert.deepStrictEqual(yield* store.find(project.id), Option.some({ ...project, treasury, computeUnits: 0 }))
      })
    )

    it.effect("returns a key with its project, also if the key is revoked or has expired", () =>
      Effect.gen(function* () {
        const store = yield* ProjectStore
        const project = aProject({ computeUnits: 7, createdAt: at(5) })
        yield* store.insert(project)
        const keys = [
          aKey({ projectId: project.id }),
          aKey({ projectId: project.id, scopes: [], revokedAt: at(1), expiresAt: at(2), lastUsedAt: at(3) })
        ]
        yield* Effect.forEach(keys, store.insertKey)
        for (const key of keys)
          assert.deepStrictEqual(
            yield* store.findKey(key.id),
            Option.some({ key, project, deletedAt: null, isMoving: false })
          )
        assert.deepStrictEqual(yield* store.findKey("unknown"), Option.none())
      })
    )

    it.effect("lists the keys of one project only, oldest first", () =>
      Effect.gen(function* () {
        const store = yield* ProjectStore
        const [ownProject, otherProject] = [aProject(), aProject()]
        yield* Effect.forEach([ownProject, otherProject], store.insert)
        const olderKey = aKey({ projectId: ownProject.id, createdAt: at(1) })
        const newerKey = aKey({ projectId: ownProject.id, createdAt: at(2) })
        yield* Effect.forEach([newerKey, olderKey, aKey({ projectId: otherProject.id })], store.insertKey)
        assert.deepStrictEqual(yield* store.listKeys(ownProject.id), [olderKey, newerKey])
        assert.deepStrictEqual(yield* store.listKeys(aProjectId()), [])
      })
    )

    it.effect("revokes a key once", () =>
      Effect.gen(function* () {
        const store = yield* ProjectStore
        const project = aProject()
        const key = aKey({ projectId: project.id })
        yield* store.insert(project)
        yield* store.insertKey(key)
        assert.isTrue(yield* store.revokeKey(key.id, at(10)))
        assert.isFalse(yield* store.revokeKey(key.id, at(20)))
        assert.isFalse(yield* store.revokeKey("unknown", at(10)))
        assert.deepStrictEqual(yield* store.listKeys(project.id), [{ ...key, revokedAt: at(10) }])
      })
    )

    it.effect("never replaces a key's last use with an earlier time", () =>
      Effect.gen(function* () {
        const store = yield* ProjectStore
        const project = aProject()
        const key = aKey({ projectId: project.id })
        yield* store.insert(project)
        yield* store.insertKey(key)
        yield* Effect.forEach([at(10), at(30), at(20)], (instant) => store.touchKey(key.id, instant))
        yield* store.touchKey("unknown", at(10))
        assert.deepStrictEqual(yield* store.listKeys(project.id), [{ ...key, lastUsedAt: at(30) }])
      })
    )
  })
}
