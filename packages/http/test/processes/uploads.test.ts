import { createHash } from "node:crypto"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { DocumentFiles } from "@countersign/adapters/identity"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { waitUntil } from "../../../core/test/support/until.ts"
import { startTestService, type TestService } from "../support/testService.ts"
import { BUSINESSES, business, type Descriptor, descriptorsIn, formOf, person } from "../support/verifications.ts"

/**
 * Tests many large concurrent uploads: their duration, and the memory that they need. Runs only with `LONG_TESTS=1`.
 */

const UPLOADS = 500
const BYTES = 400_000
const MB = 1_000_000

const largeBusiness = {
  ...business,
  country: "FRANCE",
  owners: Array.from({ length: 20 }, (_, index) => ({ ...person, documentId: `FX${index}` }))
}

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

describe.skipIf(!process.env.LONG_TESTS)("uploads", () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
  }, 60_000)
  afterAll(() => service?.stop())

  /** Number of used registration numbers. Each can have only one session at a time. */
  let businesses = 0
  const descriptors = async (minCount: number) => {
    const matches: Array<Descriptor & { readonly identityId: string }> = []
    while (matches.length < minCount) {
      const documentId = String(++businesses)
      const { body, status } = await service.request("POST", BUSINESSES, { ...largeBusiness, documentId })
      assert.strictEqual(status, 201, JSON.stringify(body))
      matches.push(...descriptorsIn(body).map((one) => ({ ...one, identityId: body.session.businessId })))
    }
    return matches.slice(0, minCount)
  }

  it("of 200 MB in 500 concurrent files are all stored unchanged", { timeout: 300_000 }, async () => {
    const allDescriptors = await descriptors(UPLOADS)
    const file = Buffer.concat([Buffer.from("%PDF-1.7 "), Buffer.alloc(BYTES - 9, 7)])
    const send = async (descriptor: Descriptor) =>
      (await fetch(descriptor.url, { method: "POST", body: formOf(descriptor, file) })).status
    // Retries until the service accepts the file, because it accepts only a part of the files at a time.
    const sendUntilTaken = async (descriptor: Descriptor) =>
      waitUntil(
        () => send(descriptor),
        (status) => status !== 503
      )
    const rssBefore = process.memoryUsage().rss
    let highest = rssBefore
    const watch = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage().rss)
    }, 20)
    const startMs = performance.now()
    const statuses = await Promise.all(allDescriptors.map(sendUntilTaken))
    const seconds = (performance.now() - startMs) / 1_000
    clearInterval(watch)
    assert.deepStrictEqual(new Set(statuses), new Set([204]))
    console.log(
      `${UPLOADS} uploads of ${BYTES / 1_000} kB concurrently: ${seconds.toFixed(1)} s; service and client in one process grew by ${((highest - rssBefore) / MB).toFixed(0)} MB`
    )
    const keptFiles = readdirSync(join(service.home, "documents"))
    assert.lengthOf(keptFiles, UPLOADS)
    assert.isEmpty(keptFiles.filter((name) => name.startsWith("upload-")))
    for (const { fields, identityId } of allDescriptors.filter((_, index) => index % 50 === 0)) {
      const storedFile = await service.run(DocumentFiles.use((files) => files.read({ key: fields.key!, identityId })))
      assert.strictEqual(digest(storedFile!), digest(file))
    }
  })

  it("of 200 MB in one file are rejected after 25 MiB, and never held in memory", async () => {
    const [{ fields, url } = { fields: {}, url: "" }] = await descriptors(1)
    const boundary = "a-boundary"
    const head = Object.entries(fields)
      .map(([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join("")
    const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="f"\r\ncontent-type: application/pdf\r\n\r\n%PDF-1.7`
    let sentBytes = 0
    const piece = Buffer.alloc(MB, 7)
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from(head + file)),
      pull: (controller) => {
        if (sentBytes === 200) return controller.close()
        sentBytes += 1
        controller.enqueue(piece)
      }
    })
    const rssBefore = process.memoryUsage().rss
    let highest = rssBefore
    const watch = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage().rss)
    }, 5)
    const outcome = await fetch(url, {
      method: "POST",
      headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
      body,
      duplex: "half"
    } as RequestInit).then(
      ({ status }) => status,
      // The service has closed the connection before the client has read the response.
      () => 413
    )
    clearInterval(watch)
    assert.strictEqual(outcome, 413)
    console.log(
      `one upload of 200 MB: refused after ${sentBytes} MB; grew by ${((highest - rssBefore) / MB).toFixed(0)} MB`
    )
    assert.isBelow(sentBytes, 200)
    assert.isEmpty(readdirSync(join(service.home, "documents")).filter((name) => name.startsWith("upload-")))
  })
})
