import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type PageOptions, readPage } from "./readPage.ts"

const serve = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer(listener)
      server.listen(0, "127.0.0.1", () =>
        resume(
          Effect.succeed({
            url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
            close: () => {
              server.close()
              server.closeAllConnections()
            }
          })
        )
      )
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ url }) => url))

const openOptions: PageOptions = { allowPrivateTargets: true, maxBytes: 100, timeoutMs: 60_000 }
const closedOptions: PageOptions = { ...openOptions, allowPrivateTargets: false }
const reasonFor = (url: string, options: PageOptions) =>
  Effect.map(Effect.flip(readPage(url, options)), ({ reason }) => reason)

describe("readPage", () => {
  it.live("reads a page, also after up to three redirects", () =>
    Effect.gen(function* () {
      const url = yield* serve((request, response) => {
        const remainingRedirects = Number(request.url?.slice(1))
        if (remainingRedirects === 0) response.end(`{"a":1}`)
        else response.writeHead(302, { location: `/${remainingRedirects - 1}` }).end()
      })
      assert.strictEqual(yield* readPage(`${url}/3`, openOptions), `{"a":1}`)
      assert.strictEqual(yield* reasonFor(`${url}/4`, openOptions), "it redirects too often")
    })
  )

  it.live("reports why it can't: an error, a large body, a closed connection, no response", () =>
    Effect.gen(function* () {
      const url = yield* serve((request, response) => {
        if (request.url === "/error") response.writeHead(404).end()
        if (request.url === "/large") response.end("x".repeat(1_000))
        if (request.url === "/end") response.destroy()
      })
      assert.strictEqual(yield* reasonFor(`${url}/error`, openOptions), "it responded with 404")
      assert.strictEqual(yield* reasonFor(`${url}/large`, openOptions), "it has more than 100 bytes")
      assert.strictEqual(yield* reasonFor(`${url}/end`, openOptions), "ECONNRESET")
      assert.strictEqual(
        yield* reasonFor(`${url}/silent`, { ...openOptions, timeoutMs: 50 }),
        "no response within 50 ms"
      )
    })
  )

  it.live("reads nothing from private networks, by name or by address, and nothing without TLS", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reasonFor("http://a.example/1", closedOptions), "its URL is not https")
      for (const host of ["127.0.0.1", "0x7f.1", "[::1]", "169.254.169.254", "localhost", "db.internal"]) {
        assert.strictEqual(yield* reasonFor(`https://${host}/`, closedOptions), "it is in a private network", host)
      }
      const resolve: PageOptions["resolve"] = (_, response) => response(null, [{ address: "10.0.0.7", family: 4 }])
      assert.match(yield* reasonFor("https://a.example/", { ...closedOptions, resolve }), /private network/u)
    })
  )
})
