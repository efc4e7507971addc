import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { waitUntil, waitUntilTrue } from "../../../core/test/support/until.ts"
import { descriptorsIn, formOf, INDIVIDUALS, person } from "../support/verifications.ts"
import { type BoundedService, startBounded } from "./boundedService.ts"
import { RawClient } from "./RawClient.ts"

/** Larger than the buffers of two sockets. */
const DOCUMENT_BYTES = 20 * 1_048_576

let service: BoundedService
beforeAll(async () => {
  service = await startBounded({ sendTimeoutMs: 240_000 })
})
afterAll(() => service.close())

/** Creates a large document of a project. Returns its path. */
const createLargeDocument = async (apiKey: string): Promise<string> => {
  const startResponse = await fetch(`${service.baseUrl}${INDIVIDUALS}`, {
    method: "POST",
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify({ ...person, documentId: "LARGE1" })
  })
  const body = (await startResponse.json()) as { readonly session: { readonly id: string } }
  const [descriptor] = descriptorsIn(body)
  const file = Buffer.concat([Buffer.from("%PDF-1.7 "), Buffer.alloc(DOCUMENT_BYTES)])
  const { status } = await fetch(descriptor!.url, { method: "POST", body: formOf(descriptor!, file) })
  assert.strictEqual(status, 204)
  return `/api/v1/admin/identity-sessions/${body.session.id}/documents/front`
}

describe("documents of reviews", () => {
  it("are rejected while the memory limit of open downloads is reached, and other requests are not", async () => {
    const [apiKey, otherKey] = [service.apiKey, await service.newApiKey()]
    const [path, otherPath] = [await createLargeDocument(apiKey), await createLargeDocument(otherKey)]
    const get = (documentPath: string, key: string) =>
      fetch(service.baseUrl + documentPath, { headers: { "x-api-key": key } })
    const statusOf = async (documentPath: string, key: string) => {
      const response = await get(documentPath, key)
      const { byteLength } = await response.arrayBuffer()
      return { status: response.status, byteLength }
    }
    const readers = await RawClient.openMany(service.port, 8)
    for (const { socket } of readers) {
      socket.pause()
      socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nx-api-key: ${apiKey}\r\n\r\n`)
    }
    // Waits until each reader has received the start of the document, or a rejection.
    await waitUntilTrue(() => readers.every(({ socket }) => socket.bytesRead > 0))
    assert.strictEqual((await statusOf(path, apiKey)).status, 503)
    assert.deepStrictEqual(await statusOf(otherPath, otherKey), { status: 200, byteLength: DOCUMENT_BYTES + 9 })
    assert.strictEqual((await statusOf("/api/v1/wallets", apiKey)).status, 200)
    for (const { socket } of readers) socket.destroy()
    await waitUntil(
      () => statusOf(path, apiKey),
      ({ status }) => status === 200
    )
  })
})
