import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { request } from "node:http"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SandboxChains } from "./index.ts"

/** Attacks that a page in a browser can try against a sandbox on the same machine. */

const CHAIN = 1

interface Attempt {
  readonly method?: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const statusOf = (gatewayUrl: string, { body, headers, method = "POST", path }: Attempt): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(gatewayUrl)
    const clientRequest = request({ hostname, port, method, path, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    clientRequest.on("error", reject)
    clientRequest.end(body)
  })

const canConnect = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port })
    socket.once("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.once("error", () => resolve(false))
  })

const withSandbox = <A>(run: (sandbox: SandboxChains["Service"], home: string) => Promise<A>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const home = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "countersign-pages-"))),
        (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
      )
      const use = SandboxChains.use((sandbox) => Effect.promise(() => run(sandbox, home)))
      return yield* Effect.provide(use, SandboxChains.layer({ home, eager: [CHAIN] }))
    })
  )

const JSON_TYPE = { "content-type": "application/json" }
const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "evm_mine", params: [] })

describe("A page in a browser", () => {
  it.live("can control neither the gateway nor a chain, through the gateway or directly", () =>
    withSandbox(async ({ gatewayUrl }, home) => {
      const bodies: ReadonlyArray<readonly [string, string]> = [
        [`/chains/${CHAIN}`, call],
        ["/clock", '{"advanceSeconds":60}'],
        ["/fund", "{}"],
        ["/bitcoin-control", '{"mine":1}'],
        ["/reset", ""]
      ]
      for (const [path, body] of bodies) {
        const foreignPages: ReadonlyArray<readonly [number, Record<string, string>]> = [
          [403, { ...JSON_TYPE, origin: "https://evil.example" }],
          [403, { ...JSON_TYPE, origin: "null" }],
          // A request from a page of another server on this machine.
          [403, { ...JSON_TYPE, origin: "http://127.0.0.1:1" }],
          [403, { ...JSON_TYPE, host: "evil.example" }],
          [403, { ...JSON_TYPE, host: "127.0.0.1.evil.example" }],
          [415, { "content-type": "text/plain" }],
          [415, { "content-type": "application/x-www-form-urlencoded" }],
          [415, { "content-type": "text/plain; application/json" }],
          [415, {}]
        ]
        for (const [status, headers] of foreignPages) {
          assert.strictEqual(
            await statusOf(gatewayUrl, { path, headers, body }),
            status,
            `${path} ${JSON.stringify(headers)}`
          )
        }
      }
      const get: Attempt = { method: "GET", path: "/status", headers: {} }
      assert.strictEqual(await statusOf(gatewayUrl, { ...get, headers: { origin: "https://evil.example" } }), 403)
      assert.strictEqual(await statusOf(gatewayUrl, get), 200)
      const ownHeaders = { ...JSON_TYPE, origin: gatewayUrl }
      assert.strictEqual(await statusOf(gatewayUrl, { path: `/chains/${CHAIN}`, headers: ownHeaders, body: call }), 200)

      const pid = readFileSync(join(home, "chains", `${CHAIN}`, "anvil.pid"), "utf8")
      const commandLine = execFileSync("ps", ["-ww", "-o", "args=", "-p", pid]).toString()
      const [, host = "", port = ""] = /--host ([\d.]+) --port (\d+)/u.exec(commandLine) ?? []
      assert.isTrue(await canConnect(host, Number(port)))
      if (process.platform === "linux") {
        assert.notStrictEqual(host, "127.0.0.1")
        for (const guess of ["127.0.0.1", "::1", "127.0.0.2"])
          assert.isFalse(await canConnect(guess, Number(port)), guess)
      }
    })
  )
})
