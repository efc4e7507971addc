import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { serveJsonRpc } from "../../../test/evm/emulators/JsonRpcServer.ts"
import { accountContracts } from "../deployments/index.ts"
import { probeBundler, probePaymaster } from "./probeServices.ts"

const TIMEOUT_MS = 60_000

const chain = { eth_chainId: async () => "0x89" }

describe("probeBundler", () => {
  it.live("reports the chain and the missing EntryPoints", () =>
    Effect.gen(function* () {
      const { url } = yield* serveJsonRpc({
        ...chain,
        eth_supportedEntryPoints: async () => [accountContracts.entryPoint07.toUpperCase().replace("0X", "0x")]
      })
      const host = new URL(url).host
      const completeResponse = { _tag: "Answered", host, chainId: 137, missingEntryPoints: ["0.8"] } as const
      assert.deepStrictEqual(yield* probeBundler(`${url}/key`, TIMEOUT_MS), completeResponse)
    })
  )

  it.live("fails if the bundler does not have the method for EntryPoints", () =>
    Effect.gen(function* () {
      const { url } = yield* serveJsonRpc(chain)
      assert.deepStrictEqual(yield* probeBundler(url, TIMEOUT_MS), {
        _tag: "Failed",
        host: new URL(url).host,
        failure: { _tag: "Refused", code: -32601, message: "the method eth_supportedEntryPoints does not exist" }
      })
    })
  )
})

describe("probePaymaster", () => {
  it.live("accepts any JSON-RPC response, and nothing else", () =>
    Effect.gen(function* () {
      const service = yield* serveJsonRpc({})
      const probeResult = yield* probePaymaster(service.url, TIMEOUT_MS)
      const host = new URL(service.url).host
      assert.deepStrictEqual(probeResult, { _tag: "Answered", host, chainId: null, missingEntryPoints: [] })
      service.inject({ _tag: "Status", status: 503 })
      const failure = { _tag: "HttpStatus", status: 503 } as const
      assert.deepStrictEqual(yield* probePaymaster(service.url, TIMEOUT_MS), { _tag: "Failed", host, failure })
    })
  )
})
