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

const UPLOAD_COUNT = 500
const FILE_BYTES = 400_000
const MB = 1_000_000

const largeBusiness = {
  ...business,
  country: "FRANCE",
  owners: Array.from({ length: 20 }, (_, index) => ({ ...person, documentId: `FX${index}` }))
}

const digestOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

describe.skipIf(!process.env.LONG_TESTS)("uploads", () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
  }, 60_000)
  afterAll(() => service?.stop())

  /** Number of used registration numbers. Each can have only one session at a time. */
  let businessCount = 0
  const createDescriptors = async (count: number) => {
    const createdDescriptors: Array<Descriptor & { readonly identityId: string }> = []
    while (createdDescriptors.length < count) {
      const documentId = String(++businessCount)
      const { body, status } = await service.request("POST", BUSINESSES, { ...largeBusiness, documentId })
      assert.strictEqual(status, 201, JSON.stringify(body))
      createdDescriptors.push(...descriptorsIn(body).map((one) => ({ ...one, identityId: body.session.businessId })))
    }
    return createdDescriptors.slice(0, count)
  }

  it("of 200 MB in 500 concurrent files are all stored unchanged", { timeout: 300_000 }, async () => {
    const allDescriptors = await createDescriptors(UPLOAD_COUNT)
    const file = Buffer.concat([Buffer.from("%PDF-1.7 "), Buffer.alloc(FILE_BYTES - 9, 7)])
    const send = async (descriptor: Descriptor) =>
      (await fetch(descriptor.url, { method: "POST", body: formOf(descriptor, file) })).status
    // Retries until the service accepts the file, because it accepts only a part of the files at a time.
    const sendUntilAccepted = async (descriptor: Descriptor) =>
      waitUntil(
        () => send(descriptor),
        (status) => status !== 503
      )
    const rssBefore = process.memoryUsage().rss
    let highestRss = rssBefore
    const rssTimer = setInterval(() => {
      highestRss = Math.max(highestRss, process.memoryUsage().rss)
    }, 20)
    const startMs = performance.now()
    const statuses = await Promise.all(allDescriptors.map(sendUntilAccepted))
    const seconds = (performance.now() - startMs) / 1_000
    clearInterval(rssTimer)
    assert.deepStrictEqual(new Set(statuses), new Set([204]))
    console.log(
      `${UPLOAD_COUNT} uploads of ${FILE_BYTES / 1_000} kB concurrently: ${seconds.toFixed(1)} s; service and client in one process grew by ${((highestRss - rssBefore) / MB).toFixed(0)} MB`
    )
    const storedFiles = readdirSync(join(service.home, "documents"))
    assert.lengthOf(storedFiles, UPLOAD_COUNT)
    assert.isEmpty(storedFiles.filter((name) => name.startsWith("upload-")))
    for (const { fields, identityId } of allDescriptors.filter((_, index) => index % 50 === 0)) {
      const storedFile = await service.run(DocumentFiles.use((files) => files.read({ key: fields.key!, identityId })))
      assert.strictEqual(digestOf(storedFile!), digestOf(file))
    }
  })

  it("of 200 MB in one file are rejected after 25 MiB, and never held in memory", async () => {
    const [{ fields, url } = { fields: {}, url: "" }] = await createDescriptors(1)
    const boundary = "a-boundary"
    const formHead = Object.entries(fields)
      .map(([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join("")
    const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="f"\r\ncontent-type: application/pdf\r\n\r\n%PDF-1.7`
    let sentMegabytes = 0
    const piece = Buffer.alloc(MB, 7)
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from(formHead + file)),
      pull: (controller) => {
        if (sentMegabytes === 200) return controller.close()
        sentMegabytes += 1
        controller.enqueue(piece)
      }
    })
    const rssBefore = process.memoryUsage().rss
    let highestRss = rssBefore
    const rssTimer = setInterval(() => {
      highestRss = Math.max(highestRss, process.memoryUsage().rss)
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
    clearInterval(rssTimer)
    assert.strictEqual(outcome, 413)
    console.log(
      `one upload of 200 MB: refused after ${sentMegabytes} MB; grew by ${((highestRss - rssBefore) / MB).toFixed(0)} MB`
    )
    assert.isBelow(sentMegabytes, 200)
    assert.isEmpty(readdirSync(join(service.home, "documents")).filter((name) => name.startsWith("upload-")))
  })
})
