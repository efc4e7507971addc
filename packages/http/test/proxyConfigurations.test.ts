import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { MAX_DOCUMENT_BYTES, UPLOAD_PATH } from "@countersign/adapters/identity"
import { settings } from "@countersign/adapters/service/settings"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { waitUntilTrue } from "../../core/test/support/until.ts"
import { appendEvent } from "./events/storedEvents.ts"
import { type BoundedService, startBounded } from "./limits/boundedService.ts"
import { proxies, proxyConfiguration, startProxy } from "./support/proxies.ts"
import { type Descriptor, formOf, INDIVIDUALS, person } from "./support/verifications.ts"

const MEBIBYTE = 1_048_576

const matchNumber = (configuration: string, pattern: RegExp): number => Number(pattern.exec(configuration)?.[1])

describe("the proxy configurations", () => {
  it.each([
    ["nginx.conf", `location = ${UPLOAD_PATH} \\{[^}]*client_max_body_size (\\d+)m;`],
    ["Caddyfile", `@uploads path ${UPLOAD_PATH}\\n\\s*request_body @uploads \\{\\s*max_size (\\d+)MiB`]
  ])("let %s pass the largest document and the other fields of its form", (name, limitPattern) => {
    const bytes = matchNumber(proxyConfiguration(name), new RegExp(limitPattern, "u")) * MEBIBYTE
    assert.isAtLeast(bytes, MAX_DOCUMENT_BYTES + MEBIBYTE)
  })

  it.each([
    ["nginx.conf", /^ {4}client_max_body_size (\d+)m;/mu],
    ["Caddyfile", /@others not path [^\n]*\n\s*request_body @others \{\s*max_size (\d+)MiB/u]
  ])("let %s limit the bodies of all other requests to the default of MAX_BODY_BYTES", (name, limitPattern) => {
    assert.strictEqual(
      matchNumber(proxyConfiguration(name), limitPattern) * MEBIBYTE,
      Number(settings.MAX_BODY_BYTES.default)
    )
  })

  it.each([
    ["nginx.conf", /proxy_read_timeout (\d+)s;/u, /keepalive_timeout (\d+)s;/u],
    ["Caddyfile", /response_header_timeout (\d+)s/u, /keepalive (\d+)s/u]
  ])(
    "let %s wait longer than the service, and keep idle connections for a shorter time",
    (name, responsePattern, idlePattern) => {
      const configuration = proxyConfiguration(name)
      assert.isAbove(matchNumber(configuration, responsePattern) * 1_000, Number(settings.REQUEST_TIMEOUT_MS.default))
      assert.isBelow(matchNumber(configuration, idlePattern) * 1_000, Number(settings.KEEP_ALIVE_TIMEOUT_MS.default))
    }
  )

  it("use only directives that nginx 1.22 supports", () => {
    const configuration = proxyConfiguration("nginx.conf")
    assert.match(configuration, /listen 443 ssl http2;/u)
    // `http2 on` exists since nginx 1.25.1.
    assert.notMatch(configuration, /http2 on;/u)
  })
})

const jsonHeaders = { "content-type": "application/json" }

for (const proxy of proxies) {
  const title = proxy.isInstalled ? proxy.name : `${proxy.name} (skipped: ${proxy.name} or openssl is not installed)`
  describe.skipIf(!proxy.isInstalled)(title, () => {
    let service: BoundedService
    let proxyClient: Awaited<ReturnType<typeof startProxy>>
    beforeAll(async () => {
      service = await startBounded({ requestTimeoutMs: 240_000 })
      proxyClient = await startProxy(proxy, service.port)
    })
    afterAll(async () => {
      await proxyClient?.stop()
      await service?.close()
    })

    const createDescriptor = async (): Promise<Descriptor> => {
      const body = Buffer.from(JSON.stringify({ ...person, documentId: `PROXY${Math.random()}` }))
      const startResponse = await proxyClient.send("POST", INDIVIDUALS, body, {
        ...jsonHeaders,
        "x-api-key": service.apiKey
      })
      assert.strictEqual(startResponse.status, 201, startResponse.text)
      return JSON.parse(startResponse.text).frontDocumentUpload
    }
    const upload = async (bytes: number) => {
      const file = Buffer.concat([Buffer.from("%PDF-1.7 "), Buffer.alloc(bytes, 7)])
      const form = new Response(formOf(await createDescriptor(), file))
      const headers = { "content-type": form.headers.get("content-type") ?? "" }
      return proxyClient.send("POST", UPLOAD_PATH, Buffer.from(await form.arrayBuffer()), headers)
    }

    it("serves the API over TLS and HTTP/2", async () => {
      const { headers, status } = await proxyClient.send("GET", "/healthz")
      assert.strictEqual(status, 200)
      assert.strictEqual(proxyClient.protocol(), "h2")
      assert.strictEqual(headers["strict-transport-security"], "max-age=31536000")
    })

    it("passes a document of 20 MiB, and rejects a larger one", async () => {
      assert.strictEqual((await upload(20 * MEBIBYTE)).status, 204)
      const refusal = await upload(27 * MEBIBYTE)
      assert.strictEqual(refusal.status, 413)
      // Proxy and service have the same limit, so either of them may reject the document first.
      assert.include(["PAYLOAD_TOO_LARGE", "DOCUMENT_TOO_LARGE"], JSON.parse(refusal.text).id)
    })

    it("rejects JSON of 2 MiB with the error body of the API", async () => {
      const body = Buffer.from(JSON.stringify({ text: "x".repeat(2 * MEBIBYTE) }))
      const { headers, status, text } = await proxyClient.send("POST", INDIVIDUALS, body, {
        ...jsonHeaders,
        "x-api-key": service.apiKey
      })
      assert.strictEqual(status, 413)
      assert.match(headers["content-type"] ?? "", /^application\/json/u)
      const error = JSON.parse(text)
      assert.include(error, { statusCode: 413, id: "PAYLOAD_TOO_LARGE", doc_url: "/docs/errors#PAYLOAD_TOO_LARGE" })
      assert.match(error.traceId, /^[0-9a-f-]{32,36}$/u)
    })

    it("passes events on immediately", async () => {
      const { apiKey, id } = await service.newProject()
      const { stream } = proxyClient.begin("GET", "/api/v1/events", { "x-api-key": apiKey, "accept-encoding": "gzip" })
      let text = ""
      stream.on("data", (part) => {
        text += part
      })
      await waitUntilTrue(() => text.includes("retry:"))
      const eventId = await appendEvent(service, id)
      await waitUntilTrue(() => text.includes(eventId))
      stream.close()
    })

    it.each(["/metrics", "/readyz"])("restricts %s to the internal network", async (path) => {
      assert.strictEqual((await proxyClient.send("GET", path)).status, 404)
    })
  })

  describe.skipIf(!proxy.isInstalled)(`${title}, as its upstream sees it`, () => {
    /** All received requests, with the number of body bytes so far. */
    const receivedRequests: Array<{ readonly message: IncomingMessage; bytes: number }> = []
    const upstream = createServer((message, response) => {
      const request = { message, bytes: 0 }
      receivedRequests.push(request)
      if (message.url === "/broken") return message.socket.destroy()
      message.on("data", (part) => {
        request.bytes += part.length
      })
      message.on("end", () => response.end("{}"))
    })
    let proxyClient: Awaited<ReturnType<typeof startProxy>>
    beforeAll(async () => {
      await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve))
      proxyClient = await startProxy(proxy, (upstream.address() as AddressInfo).port)
    })
    afterAll(async () => {
      await proxyClient?.stop()
      upstream.closeAllConnections()
      upstream.close()
    })
    const requestsOf = (path: string) => receivedRequests.filter(({ message }) => message.url === path)

    it("replaces X-Forwarded-For of the client with its address", async () => {
      await proxyClient.send("GET", "/address", undefined, { "x-forwarded-for": "192.0.2.1" })
      const headers = requestsOf("/address")[0]?.message.headers
      assert.strictEqual(headers?.["x-forwarded-for"], "127.0.0.1")
      assert.match(headers?.host ?? "", /^localhost(?::\d+)?$/u)
    })

    it("streams a document while it arrives", async () => {
      const { answer: responsePromise, stream } = proxyClient.begin("POST", UPLOAD_PATH)
      stream.write(Buffer.alloc(MEBIBYTE))
      await waitUntilTrue(() => (requestsOf(UPLOAD_PATH)[0]?.bytes ?? 0) > 0)
      stream.end()
      assert.strictEqual((await responsePromise).status, 200)
    })

    it("sends a request once, even if the connection breaks", async () => {
      await proxyClient.send("GET", "/before")
      assert.strictEqual((await proxyClient.send("POST", "/broken", Buffer.from("{}"), jsonHeaders)).status, 502)
      assert.lengthOf(requestsOf("/broken"), 1)
    })
  })
}
