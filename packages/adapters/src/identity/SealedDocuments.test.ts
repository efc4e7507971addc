import { randomUUID } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { documentsContract } from "@countersign/core/contracts/identity/documents/Documents"
import { aProjectId } from "@countersign/core/contracts/tenancy/projects/ProjectStore"
import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Documents, PersonalVault } from "@countersign/core/identity"
import type { ProjectId } from "@countersign/core/tenancy/projects"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Layer, ManagedRuntime, Redacted, Result, Stream } from "effect"
import { S3_REGION, type S3Emulator, s3Keys, startS3Emulator } from "../../test/identity/S3Emulator.ts"
import { layerSqlite, SealedVault, SecretKeys } from "../storage/kysely/index.ts"
import { secretKeyOf } from "../storage/kysely/secrets/index.ts"
import type { S3Settings } from "../storage/s3/index.ts"
import type { DocumentStore } from "./documentStore.ts"
import { folderStore } from "./folderStore.ts"
import * as SealedDocuments from "./SealedDocuments.ts"
import { DocumentFiles } from "./SealedDocuments.ts"
import { s3Store } from "./s3Store.ts"
import type { UploadLimits } from "./uploadBudget.ts"
import type { Policy } from "./uploadPolicy.ts"

const home = mkdtempSync(join(tmpdir(), "countersign-documents-"))
let s3: S3Emulator
beforeAll(async () => {
  s3 = await startS3Emulator()
})
afterAll(async () => {
  await s3.stop()
  rmSync(home, { recursive: true, force: true })
})

const s3With = (changes: Partial<S3Settings> = {}) =>
  s3Store({
    url: s3.url,
    region: S3_REGION,
    accessKeyId: s3Keys.accessKeyId,
    secretAccessKey: Redacted.make(s3Keys.secretAccessKey),
    ...changes
  })

const secretKey = secretKeyOf(Buffer.alloc(32, 5))
const layerOver = (folder: string, store: () => DocumentStore) =>
  Layer.unwrap(
    Effect.sync(() => Layer.merge(SealedDocuments.layer({ folder, store: store() }), SealedVault.layer))
  ).pipe(Layer.provide(layerSqlite(":memory:")), Layer.provide(Layer.succeed(SecretKeys, [secretKey])))

const readDocument = (document: { readonly key: string; readonly identityId: string }) =>
  Effect.orDie(DocumentFiles.use((files) => files.read(document)))

const upload = (descriptor: { readonly fields: object }, file: Uint8Array, type: string) =>
  Effect.gen(function* () {
    const files = yield* DocumentFiles
    const policy = yield* files.policyOf(new Map(Object.entries(descriptor.fields)))
    const half = Math.ceil(file.length / 2)
    const pieces = Stream.fromIterable([file.subarray(0, half), file.subarray(half)])
    const { commit } = yield* files.receive(policy, type, pieces)
    yield* commit
    return null
  }).pipe(
    Effect.scoped,
    Effect.catch(({ _tag }) => Effect.succeed<string | null>(_tag))
  )

const folders = { folder: join(home, "folder"), s3: join(home, "s3") }
documentsContract(
  "a folder",
  layerOver(folders.folder, () => folderStore(folders.folder)),
  { read: readDocument, upload }
)
documentsContract("S3", layerOver(folders.s3, s3With), { read: readDocument, upload })

describe("documents in S3", () => {
  const runtime = ManagedRuntime.make(layerOver(folders.s3, s3With))
  afterAll(() => runtime.dispose())
  const PDF = Buffer.from("%PDF-1.7 Geheimnis von Ana")

  const aDescriptor = (key: string) =>
    runtime.runPromise(
      Effect.gen(function* () {
        yield* (yield* PersonalVault).seal("ind_s3", "a person")
        const expiresAt = DateTime.add(yield* DateTime.now, { minutes: 15 })
        return yield* (yield* Documents).descriptorOf({ key, projectId: aProjectId(), identityId: "ind_s3", expiresAt })
      })
    )
  const presence = (store: DocumentStore): Effect.Effect<boolean, UpstreamUnavailable> => store.has("kyc_1/front")

  it("are stored encrypted, and leave nothing in the upload folder", async () => {
    const descriptor = await aDescriptor("kyc_s3/front")
    assert.isNull(await runtime.runPromise(upload(descriptor, PDF, "application/pdf")))
    const [[path, object] = []] = [...s3.objects].filter(([name]) => name.includes("kyc_s3"))
    assert.strictEqual(path, "/bucket/documents%20of%20people/kyc_s3/front")
    assert.notInclude(object!.toString("latin1"), "Geheimnis")
    assert.isEmpty(readdirSync(folders.s3))
  })

  it("are rejected, and no part of them is stored, while the store does not respond", async () => {
    const descriptor = await aDescriptor("kyc_s3/back")
    for (const fault of [{ status: 503 }, { status: 409 }, { status: 501 }, "HANG_UP"] as const) {
      s3.state.fault = fault
      assert.strictEqual(
        await runtime.runPromise(upload(descriptor, PDF, "application/pdf")),
        "UPSTREAM_UNAVAILABLE",
        JSON.stringify(fault)
      )
    }
    s3.state.fault = null
    assert.isFalse([...s3.objects.keys()].some((path) => path.endsWith("kyc_s3/back")))
    assert.isEmpty(readdirSync(folders.s3))
    assert.isNull(await runtime.runPromise(upload(descriptor, PDF, "application/pdf")))
  })

  it.each([
    ["another secret", { secretAccessKey: Redacted.make("another") }],
    ["another key", { accessKeyId: "AKIDOTHER" }],
    ["another region", { region: "us-west-2" }]
  ])("can't be read with %s, and the failure is reported", async (_, changes) => {
    const failure = await Effect.runPromise(Effect.flip(presence(s3With(changes))))
    assert.strictEqual(failure.message, "S3 is unavailable: it responded with HTTP status 403. Try again shortly.")
  })

  it("are not decrypted if they were changed or truncated, and the failure is reported", async () => {
    const path = "/bucket/documents%20of%20people/kyc_s3/front"
    const object = Buffer.from(s3.objects.get(path)!)
    const changedObject = Buffer.from(object)
    changedObject[40] = changedObject[40]! ^ 1
    for (const damagedObject of [changedObject, object.subarray(0, 20), Buffer.from("<Error/>")]) {
      s3.objects.set(path, damagedObject)
      const read = DocumentFiles.use((files) => files.read({ key: "kyc_s3/front", identityId: "ind_s3" }))
      assert.match((await runtime.runPromise(Effect.flip(read))).message, /it returned a damaged document/u)
    }
  })
})

describe("documents in a folder", () => {
  it("are stored in files without plaintext", () => {
    const names = readdirSync(folders.folder)
    assert.isNotEmpty(names)
    for (const name of names) {
      assert.match(name, /^kyc_[\w-]+\.front$/u)
      assert.notInclude(readFileSync(join(folders.folder, name)).toString("latin1"), "%PDF")
    }
  })
})

const MIB = 1_048_576

describe.each([
  ["a folder", () => folderStore(join(home, "bounded"))],
  ["S3", s3With]
])("pending uploads into %s", (name, store) => {
  const folder = join(home, "bounded")
  const unlimitedBudget = { projectBytes: 1_024 * MIB, processBytes: 1_024 * MIB, freeBytes: 0 }
  const withLimits = <A, E>(
    limits: Partial<UploadLimits>,
    work: Effect.Effect<A, E, Documents | PersonalVault | DocumentFiles>
  ) =>
    Effect.runPromise(
      Effect.provide(
        work,
        Layer.unwrap(
          Effect.sync(() =>
            Layer.merge(
              SealedDocuments.layer({ folder, store: store(), limits: { ...unlimitedBudget, ...limits } }),
              SealedVault.layer
            )
          )
        ).pipe(Layer.provide(layerSqlite(":memory:")), Layer.provide(Layer.succeed(SecretKeys, [secretKey])))
      )
    )

  const aPolicy = (document: { readonly projectId: ProjectId; readonly identityId?: string }) =>
    Effect.gen(function* () {
      const { identityId = "ind_bounded", projectId } = document
      yield* (yield* PersonalVault).seal(identityId, "a person")
      const expiresAt = DateTime.add(yield* DateTime.now, { minutes: 15 })
      const key = `kyc_${randomUUID()}/front`
      const { fields } = yield* (yield* Documents).descriptorOf({ key, projectId, identityId, expiresAt })
      return yield* (yield* DocumentFiles).policyOf(new Map(Object.entries(fields)))
    })

  /** Sends this many MiB, and pauses in the middle of the body until the test continues. */
  const beginUpload = (policy: Policy, mib: number) =>
    Effect.gen(function* () {
      const [sent, goOn] = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
      const body = Stream.concat(
        Stream.fromIterable([Buffer.concat([Buffer.from("%PDF-1.7 "), Buffer.alloc(mib * MIB - 9, 7)])]),
        Stream.fromEffect(
          Effect.andThen(Deferred.succeed(sent, undefined), Effect.as(Deferred.await(goOn), Buffer.from("end")))
        )
      )
      const upload = DocumentFiles.use((files) =>
        Effect.scoped(Effect.flatMap(files.receive(policy, "application/pdf", body), ({ commit }) => commit))
      )
      const fiber = yield* Effect.forkChild(Effect.result(upload))
      return {
        isReceiving: Effect.raceFirst(
          Effect.as(Deferred.await(sent), "RECEIVING" as const),
          Effect.map(Fiber.join(fiber), (result) => (Result.isFailure(result) ? result.failure._tag : "ENDED"))
        ),
        end: Effect.andThen(
          Deferred.succeed(goOn, undefined),
          Effect.map(Fiber.join(fiber), (result) => (Result.isFailure(result) ? result.failure._tag : null))
        )
      }
    })

  const outcomes = (uploads: ReadonlyArray<{ readonly isReceiving: Effect.Effect<string> }>) =>
    Effect.forEach(uploads, ({ isReceiving }) => isReceiving)

  it("are limited to one for each descriptor", () =>
    withLimits(
      {},
      Effect.gen(function* () {
        const policy = yield* aPolicy({ projectId: aProjectId() })
        const first = yield* beginUpload(policy, 1)
        assert.strictEqual(yield* first.isReceiving, "RECEIVING")
        const otherUploads = yield* Effect.forEach(Array.from({ length: 9 }), () => beginUpload(policy, 1))
        assert.deepStrictEqual(new Set(yield* outcomes(otherUploads)), new Set(["UPLOAD_IN_PROGRESS"]))
        assert.lengthOf(
          readdirSync(folder).filter((file) => file.startsWith("upload-")),
          1
        )
        assert.isNull(yield* first.end)
        assert.isEmpty(readdirSync(folder).filter((file) => file.startsWith("upload-")))
      })
    ))

  it.each([
    ["a project", { projectBytes: 5 * MIB }, "RECEIVING"],
    ["the process", { processBytes: 5 * MIB }, "OVERLOADED"]
  ])("have at most the number of bytes that %s allows", (_, limits, outcomeOfOther) =>
    withLimits(
      limits,
      Effect.gen(function* () {
        const [projectId, other] = [aProjectId(), aProjectId()]
        const begin = (project: ProjectId) =>
          Effect.flatMap(aPolicy({ projectId: project }), (policy) => beginUpload(policy, 2))
        const [first, second, third] = [yield* begin(projectId), yield* begin(projectId), yield* begin(projectId)]
        assert.deepStrictEqual((yield* outcomes([first, second, third])).toSorted(), [
          "OVERLOADED",
          "RECEIVING",
          "RECEIVING"
        ])
        const laterUpload = yield* begin(other)
        assert.strictEqual(yield* laterUpload.isReceiving, outcomeOfOther)
        for (const upload of [first, second, laterUpload]) yield* upload.end
        const next = yield* begin(projectId)
        assert.strictEqual(yield* next.isReceiving, "RECEIVING")
        assert.isNull(yield* next.end)
      })
    )
  )

  it("are rejected if the disk would have too little space left", () =>
    withLimits(
      { freeBytes: Number.MAX_SAFE_INTEGER },
      Effect.gen(function* () {
        const upload = yield* beginUpload(yield* aPolicy({ projectId: aProjectId() }), 1)
        assert.strictEqual(yield* upload.isReceiving, "OVERLOADED")
      })
    ))

  it("are rejected at the end, and leave nothing, if the identity was erased in the meantime", () =>
    withLimits(
      {},
      Effect.gen(function* () {
        const identityId = `ind_erased_${name.replace(" ", "_")}`
        const policy = yield* aPolicy({ projectId: aProjectId(), identityId })
        const upload = yield* beginUpload(policy, 1)
        assert.strictEqual(yield* upload.isReceiving, "RECEIVING")
        assert.isTrue(yield* (yield* PersonalVault).erase(identityId))
        assert.strictEqual(yield* upload.end, "UPLOAD_REFUSED")
        assert.isEmpty([...(yield* (yield* Documents).existingKeys([policy.key]))])
        assert.isEmpty(readdirSync(folder).filter((file) => file.startsWith("upload-")))
      })
    ))

  it("of a killed process are removed at the next start", () => {
    mkdirSync(folder, { recursive: true })
    const [old, fresh] = [join(folder, "upload-old"), join(folder, "upload-fresh")]
    for (const path of [old, fresh]) writeFileSync(path, "sealed")
    utimesSync(old, 1, 1)
    return withLimits(
      {},
      Documents.use(() => Effect.void)
    ).then(() => {
      assert.isFalse(existsSync(old))
      assert.isTrue(existsSync(fresh))
      rmSync(fresh)
    })
  })
})
