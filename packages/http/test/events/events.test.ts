import { type ProjectId, Projects } from "@countersign/core/tenancy/projects"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { waitUntil, waitUntilTrue } from "../../../core/test/support/until.ts"
import { type BoundedService, startBounded } from "../limits/boundedService.ts"
import { appendEvent, idsOf, type OpenStream, openStream } from "./storedEvents.ts"

/** Tests GET /api/v1/events without the client. */

let service: BoundedService
beforeAll(async () => {
  service = await startBounded({ requestTimeoutMs: 240_000 })
})
afterAll(() => service.close())

const openEvents = (apiKey: string, options?: Parameters<typeof openStream>[2]) =>
  openStream(service.baseUrl, apiKey, options)
const waitUntilOpen = (stream: OpenStream) => waitUntilTrue(() => stream.messages.length > 0)
const waitForIds = (stream: OpenStream, ids: ReadonlyArray<string>) =>
  waitUntil(
    () => idsOf(stream),
    (receivedIds) => receivedIds.length >= ids.length
  )

const appendMany = async (project: ProjectId, count: number) => {
  const ids: Array<string> = []
  for (let i = 0; i < count; i++) ids.push(await appendEvent(service, project, i))
  return ids
}

describe("GET /api/v1/events", () => {
  it("streams events from now on, without buffering by proxies", async () => {
    const { apiKey, id } = await service.newProject()
    await appendEvent(service, id, -10)
    const stream = await openEvents(apiKey)
    const { headers, status } = stream.response
    assert.strictEqual(status, 200)
    assert.match(headers.get("content-type") ?? "", /^text\/event-stream/u)
    assert.strictEqual(headers.get("cache-control"), "no-store")
    assert.strictEqual(headers.get("x-accel-buffering"), "no")
    await waitUntilOpen(stream)
    assert.match(stream.text, /^retry: \d{4}\nid: \d+\.msg_0\n\n/u)
    const ids = await appendMany(id, 3)
    assert.deepStrictEqual(await waitForIds(stream, ids), ids)
    const { data, id: messageId } = stream.messages.at(-1)!
    assert.strictEqual(messageId, data!.cursor)
    assert.hasAllKeys(data, ["id", "cursor", "projectId", "type", "timestamp", "data"])
    stream.close()
  })

  it.each(["header", "query"])(
    "continues after the cursor of the %s, and repeats the events of the last minute",
    async (cursorLocation) => {
      const { apiKey, id } = await service.newProject()
      await appendEvent(service, id, -120_000)
      const firstStream = await openEvents(apiKey)
      await waitUntilOpen(firstStream)
      const ids = await appendMany(id, 3)
      await waitForIds(firstStream, ids)
      firstStream.close()
      const missedIds = await appendMany(id, 250)
      const { cursor } = firstStream.messages.at(-1)!.data as { readonly cursor: string }
      const secondStream = await openEvents(
        apiKey,
        cursorLocation === "header" ? { lastEventId: cursor } : { query: `?after=${cursor}` }
      )
      assert.deepStrictEqual(await waitForIds(secondStream, [...ids, ...missedIds]), [...ids, ...missedIds])
      secondStream.close()
    }
  )

  it("returns events that are stored late", async () => {
    const { apiKey, id } = await service.newProject()
    const stream = await openEvents(apiKey)
    await waitUntilOpen(stream)
    const laterEventId = await appendEvent(service, id, 50_000)
    await waitForIds(stream, [laterEventId])
    const lateEventId = await appendEvent(service, id, 20_000)
    assert.deepStrictEqual(await waitForIds(stream, [laterEventId, lateEventId]), [laterEventId, lateEventId])
    stream.close()
  })

  it("returns no events of other projects, not even after a cursor of another project", async () => {
    const [ownProject, otherProject] = [await service.newProject(), await service.newProject()]
    const otherStream = await openEvents(otherProject.apiKey)
    await waitUntilOpen(otherStream)
    const otherId = await appendEvent(service, otherProject.id, 0)
    await waitForIds(otherStream, [otherId])
    const cursor = String(otherStream.messages.at(-1)!.data!.cursor)
    const stream = await openEvents(ownProject.apiKey, { lastEventId: cursor })
    await waitUntilOpen(stream)
    await appendEvent(service, otherProject.id, 1)
    const ownId = await appendEvent(service, ownProject.id, 2)
    assert.deepStrictEqual(await waitForIds(stream, [ownId]), [ownId])
    otherStream.close()
    stream.close()
  })

  it("returns only the event types in the query", async () => {
    const { apiKey, id } = await service.newProject()
    const stream = await openEvents(apiKey, { query: "?types=wallet.*,transaction.created" })
    await waitUntilOpen(stream)
    await appendEvent(service, id, 0)
    const wantedEventId = await appendEvent(service, id, 1, { type: "wallet.registered" })
    assert.deepStrictEqual(await waitForIds(stream, [wantedEventId]), [wantedEventId])
    stream.close()
  })

  it("omits the events that the key may not read, and rejects a query for them", async () => {
    const { apiKey, id } = await service.newProject(["read", "fiat"])
    const stream = await openEvents(apiKey)
    await waitUntilOpen(stream)
    await appendEvent(service, id, 0, { type: "kyc.session.created" })
    const fiatEventId = await appendEvent(service, id, 1, { type: "ramp.deposit.created" })
    const plainEventId = await appendEvent(service, id, 2)
    assert.deepStrictEqual(await waitForIds(stream, [fiatEventId, plainEventId]), [fiatEventId, plainEventId])
    stream.close()
    const refusal = await openEvents(apiKey, { query: "?types=kyc.session.*" })
    assert.strictEqual(refusal.response.status, 403)
    assert.include(await refusal.response.json(), { id: "FORBIDDEN_SCOPE" })
    const { apiKey: quoteOnlyKey } = await service.newProject(["quote"])
    assert.strictEqual((await openEvents(quoteOnlyKey)).response.status, 403)
  })

  it.each([
    ["a malformed cursor", "yesterday", "invalid"],
    ["events that may be removed already", "1000.msg_1", "expired"]
  ])("does not continue after %s", async (_, lastEventId, code) => {
    const { apiKey } = await service.newProject()
    const { response } = await openEvents(apiKey, { lastEventId })
    assert.strictEqual(response.status, 400)
    const { errors } = (await response.json()) as { readonly errors: ReadonlyArray<object> }
    assert.include(errors[0], { path: "query.after", code })
  })

  it("ends when the key is revoked, before the next event", async () => {
    const { apiKey, id, keyId } = await service.newProject()
    const stream = await openEvents(apiKey)
    await waitUntilOpen(stream)
    await service.run(Projects.use((projects) => projects.revokeKey(keyId)))
    await appendEvent(service, id, 0)
    await waitUntilTrue(() => stream.hasEnded)
    assert.deepStrictEqual(idsOf(stream), [])
  })

  it("limits the open streams of a key, and accepts new ones once some have ended", async () => {
    const { apiKey } = await service.newProject()
    const streams = await Promise.all(Array.from({ length: 20 }, () => openEvents(apiKey)))
    for (const { response } of streams) assert.strictEqual(response.status, 200)
    const refusal = await openEvents(apiKey)
    assert.strictEqual(refusal.response.status, 503)
    assert.include(await refusal.response.json(), { id: "OVERLOADED" })
    const { apiKey: otherKey } = await service.newProject()
    const otherStream = await openEvents(otherKey)
    assert.strictEqual(otherStream.response.status, 200)
    for (const stream of [...streams, otherStream]) stream.close()
    await waitUntil(
      async () => {
        const stream = await openEvents(apiKey)
        stream.close()
        return stream.response.status
      },
      (status) => status === 200
    )
  })

  it("stays open without events, with heartbeats that advance the last event id", async () => {
    const { apiKey } = await service.newProject()
    const stream = await openEvents(apiKey)
    const messages = await waitUntil(
      () => stream.messages,
      ({ length }) => length > 1
    )
    assert.isNull(messages[1]!.data)
    assert.match(messages[1]!.id, /^\d+\.msg_0$/u)
    assert.isFalse(stream.hasEnded)
    stream.close()
  })

  it("ends at shutdown without waiting for its readers", async () => {
    const stoppingService = await startBounded({ requestTimeoutMs: 240_000 })
    const stream = await openStream(stoppingService.baseUrl, stoppingService.apiKey)
    await waitUntilOpen(stream)
    let isClosed = false
    const closePromise = stoppingService.close().then(() => {
      isClosed = true
    })
    await waitUntilTrue(() => stream.hasEnded)
    // The reader of an interrupted response fails, because the last chunk is missing.
    assert.isTrue(stream.response.bodyUsed)
    await closePromise
    assert.isTrue(isClosed)
  })
})
