import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Projects } from "@countersign/core/tenancy/projects"
import { type CountersignEvent, createClient, NotAllowedError, UnavailableError } from "@countersign/http/client"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { waitUntilTrue } from "../../../core/test/support/until.ts"
import { serverSentEvents } from "../../src/client/serverSentEvents.ts"
import { type BoundedService, startBounded } from "../limits/boundedService.ts"
import { startCuttingProxy } from "./cuttingProxy.ts"
import { appendEvent } from "./storedEvents.ts"

let service: BoundedService
beforeAll(async () => {
  service = await startBounded({ requestTimeoutMs: 240_000 })
})
afterAll(() => service.close())

/** Collects events in the background. */
const collect = (events: AsyncIterable<CountersignEvent>) => {
  const collectedEvents: Array<CountersignEvent> = []
  const collection = (async () => {
    for await (const event of events) collectedEvents.push(event)
  })()
  return { collected: collectedEvents, ended: collection, ids: () => collectedEvents.map(({ id }) => id) }
}

const waitUntilReading = (
  project: Awaited<ReturnType<BoundedService["newProject"]>>,
  reader: ReturnType<typeof collect>
) =>
  waitUntilTrue(async () => {
    await appendEvent(service, project.id)
    return reader.collected.length > 0
  })

describe("events of the client", () => {
  it("arrive until the signal is aborted, with the body of a webhook", async () => {
    const project = await service.newProject()
    const abortController = new AbortController()
    const client = createClient({ url: service.baseUrl, apiKey: project.apiKey })
    const reader = collect(client.events({ signal: abortController.signal, types: ["webhook.test"] }))
    await waitUntilReading(project, reader)
    const id = await appendEvent(service, project.id)
    await waitUntilTrue(() => reader.ids().includes(id))
    const { cursor, projectId, type } = reader.collected[0]!
    assert.deepStrictEqual([projectId, type], [project.id, "webhook.test"])
    abortController.abort()
    await reader.ended

    const secondReader = collect(client.events({ after: cursor, signal: AbortSignal.timeout(120_000) }))
    await waitUntilTrue(() => secondReader.ids().includes(id))
    assert.includeMembers(secondReader.ids(), reader.ids())
  })

  it("end with the loop that reads them, which closes the connection", async () => {
    const project = await service.newProject()
    const client = createClient({ url: service.baseUrl, apiKey: project.apiKey })
    const appendTimer = setInterval(() => appendEvent(service, project.id), 100)
    for await (const { id } of client.events()) {
      assert.match(id, /^msg_/u)
      break
    }
    clearInterval(appendTimer)
    // The number of opened and closed streams exceeds the maximum number of concurrent streams per key.
    for (let i = 0; i < 40; i++) {
      const events = client.events({ signal: AbortSignal.timeout(120_000), after: `${Date.now()}.msg_0` })
      await appendEvent(service, project.id)
      await events.next()
      await events.return()
    }
  })

  it("are neither lost nor repeated, however often the connection breaks", async () => {
    const project = await service.newProject()
    // After a reconnection the service repeats the events of one minute. Each connection is cut only after more events
    // than that, so that the stream makes progress.
    const proxy = await startCuttingProxy(service.port, () => 8_000 + Math.floor(Math.random() * 8_000))
    const abortController = new AbortController()
    const client = createClient({ url: proxy.url, apiKey: project.apiKey })
    const storedIds: Array<string> = []
    for (let i = 0; i < 400; i++) storedIds.push(await appendEvent(service, project.id, -4_000_000 + i * 9_000))
    const cursorBefore = `${Date.now() - 5_000_000}.msg_0`
    const reader = collect(client.events({ after: cursorBefore, signal: abortController.signal }))
    await waitUntilTrue(() => reader.collected.length > 300)
    // Every third event is stored late.
    for (let i = 0; i < 30; i++) {
      storedIds.push(await appendEvent(service, project.id, i % 3 === 0 ? -20_000 - i : 0))
      await waitUntilTrue(() => reader.collected.length > 300 + i)
    }
    await waitUntilTrue(() => {
      const ids = new Set(reader.ids())
      return storedIds.every((id) => ids.has(id))
    })
    assert.strictEqual(new Set(reader.ids()).size, reader.collected.length)
    assert.isAbove(proxy.cuts(), 10)
    abortController.abort()
    await reader.ended
    proxy.stop()
  })

  it("fail once the key is revoked, with the error of the API", async () => {
    const project = await service.newProject()
    const client = createClient({ url: service.baseUrl, apiKey: project.apiKey })
    const reader = collect(client.events())
    const errorPromise = reader.ended.then(
      () => null,
      (error) => error
    )
    await waitUntilReading(project, reader)
    await service.run(Projects.use((projects) => projects.revokeKey(project.keyId)))
    assert.instanceOf(await errorPromise, NotAllowedError)
  })

  it("fail if the service cannot be reached at first, after the retries of the client", async () => {
    const client = createClient({ url: "http://127.0.0.1:1", apiKey: "key", retries: 1 })
    const error = await client
      .events()
      .next()
      .then(
        () => null,
        (thrown) => thrown
      )
    assert.instanceOf(error, UnavailableError)
    assert.strictEqual(error?.id, "NO_ANSWER")
  })

  it("continue when the service restarts", async () => {
    let connectionCount = 0
    const server = createServer((request, response) => {
      connectionCount += 1
      if (connectionCount === 2) return void response.writeHead(502).end("<h1>Bad gateway</h1>")
      const lastEventId = request.headers["last-event-id"] ?? "0"
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.end(
        `retry: 1\nid: ${lastEventId}\n\nid: ${Number(lastEventId) + 1}\ndata: {"id":"msg_${connectionCount}"}\n\n`
      )
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    const events = createClient({ url: `http://127.0.0.1:${port}`, apiKey: "key", retries: 0 }).events()
    assert.deepStrictEqual((await events.next()).value?.id, "msg_1")
    assert.deepStrictEqual((await events.next()).value?.id, "msg_3")
    await events.return()
    server.close()
  })
})

describe("server-sent events", () => {
  const parse = async (text: string, size: number) => {
    const bytes = new TextEncoder().encode(text)
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (let i = 0; i < bytes.length; i += size) controller.enqueue(bytes.slice(i, i + size))
        controller.close()
      }
    })
    return Array.fromAsync(serverSentEvents(body, 60_000))
  }
  const text =
    ': hello\nretry: 100\nid: 1\n\nid: 2\ndata: {"ä":1}\nevent: other\n\ndata:first\ndata:  second\nid\n\ndata: cut off'

  it.each(["\n", "\r\n", "\r"])("are parsed from pieces of any size: lines end with %j", async (end) => {
    const expected = [
      { id: "1", retry: 100, data: null },
      { id: "2", retry: 100, data: '{"ä":1}' },
      { id: "", retry: 100, data: "first\n second" }
    ]
    for (let size = 1; size < 20; size++)
      assert.deepStrictEqual(await parse(text.replaceAll("\n", end), size), expected, `pieces of ${size} bytes`)
  })
})
