import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { documentsContract } from "@countersign/core/contracts/identity/documents/Documents"
import type { UpstreamUnavailable } from "@countersign/core/errors"
import { Documents, PersonalVault } from "@countersign/core/identity"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, ManagedRuntime, Redacted, Stream } from "effect"
import { aProjectId } from "../../../core/src/projects/Project.fixture.ts"
import { S3_REGION, type S3Emulator, s3Keys, startS3Emulator } from "../../test/identity/S3Emulator.ts"
import { layerSqlite, SealedVault, SecretKeys } from "../kysely/index.ts"
import { secretKeyOf } from "../kysely/secrets/index.ts"
import type { DocumentStore } from "./documentStore.ts"
import { folderStore } from "./folderStore.ts"
import * as SealedDocuments from "./SealedDocuments.ts"
import { DocumentFiles } from "./SealedDocuments.ts"
import { type S3Settings, s3Store } from "./s3Store.ts"

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

const read = (document: { readonly key: string; readonly identityId: string }) =>
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
  { read, upload }
)
documentsContract("S3", layerOver(folders.s3, s3With), { read, upload })

describe("documents in S3", () => {
  const runtime = ManagedRuntime.make(layerOver(folders.s3, s3With))
  afterAll(() => runtime.dispose())
  const PDF = Buffer.from("%PDF-1.7 Geheimnis von Ana")

  const aDescriptor = (key: string) =>
    runtime.runPromise(
      Effect.gen(function* () {
        yield* (yield* PersonalVault).seal("ind_s3", "a person")
        const expiresAt = DateTime.add(yield* DateTime.now, { minutes: 15 })
        return yield* (yield* Documents).descriptorOf({
          key,
          projectId: aProjectId(),
          identityId: "ind_s3",
          expiresAt
        })
      })
    )
  const presence = (store: DocumentStore): Effect.Effect<boolean, UpstreamUnavailable> => store.has("kyc_1/front")

  it("are sealed there, and leave nothing in the folder that receives them", async () => {
    const descriptor = await aDescriptor("kyc_s3/front")
    assert.isNull(await runtime.runPromise(upload(descriptor, PDF, "application/pdf")))
    const [[path, object] = []] = [...s3.objects].filter(([name]) => name.includes("kyc_s3"))
    assert.strictEqual(path, "/bucket/documents%20of%20people/kyc_s3/front")
    assert.notInclude(object!.toString("latin1"), "Geheimnis")
    assert.isEmpty(readdirSync(folders.s3))
  })

  it("are not taken, and nothing of them is kept, while the store does not answer", async () => {
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
  ])("are asked for in vain with %s, which is told", async (_, changes) => {
    const failure = await Effect.runPromise(Effect.flip(presence(s3With(changes))))
    assert.strictEqual(failure.message, "S3 is unavailable: status 403. Try again shortly.")
  })

  it("are not opened where a byte of them was changed", async () => {
    const path = "/bucket/documents%20of%20people/kyc_s3/front"
    const object = Buffer.from(s3.objects.get(path)!)
    object[40] = object[40]! ^ 1
    s3.objects.set(path, object)
    const opened = runtime.runPromiseExit(read({ key: "kyc_s3/front", identityId: "ind_s3" }))
    assert.strictEqual((await opened)._tag, "Failure")
  })
})

describe("documents in a folder", () => {
  it("are files with nothing of their content in the clear", () => {
    const names = readdirSync(folders.folder)
    assert.isNotEmpty(names)
    for (const name of names) {
      assert.match(name, /^kyc_[\w-]+\.front$/u)
      assert.notInclude(readFileSync(join(folders.folder, name)).toString("latin1"), "%PDF")
    }
  })
})
