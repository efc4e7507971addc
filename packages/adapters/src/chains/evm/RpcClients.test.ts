import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { type JsonRpcServer, RpcFault, serveJsonRpc } from "../../../test/evm/emulators/JsonRpcServer.ts"
import { ManualTime } from "../../../test/evm/ManualTime.ts"
import { PATIENT_RPC } from "../../../test/evm/patientRpc.ts"
import { RpcClients, layer as rpcClientsLayer } from "./RpcClients.ts"
import type { RpcOptions } from "./rpc/rpcConnections.ts"

class Nodes extends Context.Service<Nodes, readonly [JsonRpcServer, JsonRpcServer]>()("test/Nodes") {}

const node = serveJsonRpc({
  eth_blockNumber: async () => "0x2a",
  eth_chainId: async () => "0x1",
  eth_call: async () => {
    throw new RpcFault(3, "execution reverted: no", "0x08c379a0")
  }
})

const nodes = Layer.effect(
  Nodes,
  Effect.map(Effect.all([node, node]), (both) => both as readonly [JsonRpcServer, JsonRpcServer])
)

const DEAD = "http://user:secret@127.0.0.1:1/key"

layer(nodes, { excludeTestServices: true })("RpcClients", (it) => {
  const withUrls = (urls: ReadonlyArray<string>, options: Partial<RpcOptions> = {}) =>
    Effect.provide(rpcClientsLayer({ ...PATIENT_RPC, urls: () => urls, rounds: 2, retryDelayMs: 5, ...options }))
  const blockNumber = Effect.gen(function* () {
    const rpc = yield* RpcClients
    return yield* rpc.call(1, (client) => client.getBlockNumber())
  })

  it.effect("sends calls that start together in one HTTP request", () =>
    Effect.gen(function* () {
      const [first] = yield* Nodes
      let requests = 0
      const count = () => {
        requests += 1
      }
      yield* Effect.gen(function* () {
        const rpc = yield* RpcClients
        yield* blockNumber
        requests = 0
        const calls = Array.from({ length: 20 }, () => rpc.call(1, (client) => client.getBlockNumber()))
        const numbers = yield* Effect.all(calls, { concurrency: "unbounded" })
        assert.deepStrictEqual(new Set(numbers), new Set([42n]))
      }).pipe(withUrls([first.url], { onRequest: count }))
      assert.strictEqual(requests, 1)
    })
  )

  it.effect("checks every URL once, then pauses a dead one and uses the next", () =>
    Effect.gen(function* () {
      const [, second] = yield* Nodes
      let requests = 0
      yield* Effect.gen(function* () {
        yield* blockNumber
        assert.strictEqual(requests, 3)
        yield* blockNumber
        assert.strictEqual(requests, 4)
      }).pipe(
        withUrls([DEAD, second.url], {
          time: new ManualTime(),
          onRequest: () => {
            requests += 1
          }
        })
      )
    })
  )

  it.effect("retries after a rate limit or a lost connection", () =>
    Effect.gen(function* () {
      const [first] = yield* Nodes
      first.inject({ _tag: "Status", status: 429, retryAfterSeconds: 0 })
      assert.strictEqual(yield* blockNumber.pipe(withUrls([first.url])), 42n)
      first.inject({ _tag: "Drop" })
      assert.strictEqual(yield* blockNumber.pipe(withUrls([first.url])), 42n)
    })
  )

  it.effect("fails with UPSTREAM_UNAVAILABLE, which contains the chain but not the URL", () =>
    Effect.gen(function* () {
      const [first] = yield* Nodes
      const refusal = yield* Effect.flip(blockNumber.pipe(withUrls([DEAD])))
      assert.instanceOf(refusal, UpstreamUnavailable)
      assert.strictEqual(refusal.upstream, "Ethereum RPC node")
      assert.match(refusal.reason, /^the connection failed/u)
      assert.notInclude(refusal.message, "secret")
      first.inject({ _tag: "Hang" }, { _tag: "Hang" })
      const lateResponse = yield* Effect.flip(blockNumber.pipe(withUrls([first.url], { timeoutMs: 300 })))
      assert.strictEqual(lateResponse.reason, "no response within 300 ms")
      const emptyError = yield* Effect.flip(blockNumber.pipe(withUrls([])))
      assert.strictEqual(emptyError.reason, "no URL is configured for it")
    })
  )

  it.effect("treats a node's error as its response, and sends the request to no other node", () =>
    Effect.gen(function* () {
      const [first, second] = yield* Nodes
      const call = Effect.gen(function* () {
        const rpc = yield* RpcClients
        return yield* rpc.call(1, (client) =>
          client.request({
            method: "eth_call",
            params: [{ to: "0x0000000000000000000000000000000000000001" }, "latest"]
          })
        )
      })
      const error = yield* Effect.flip(call.pipe(withUrls([first.url, second.url])))
      assert.strictEqual(error.reason, "it returned error 3: execution reverted: no")
      assert.notInclude(second.requestedMethods, "eth_call")
    })
  )
})
