import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Metric } from "effect"
import { type Fault, type JsonRpcServer, RpcFault, serveJsonRpc } from "../../emulators/JsonRpcServer.ts"
import { type RpcOptions, rpcConnections } from "../rpcConnections.ts"
import { ManualTime } from "../testing/ManualTime.ts"

const DROP: Fault = { _tag: "Drop" }

const node = serveJsonRpc({
  eth_chainId: async () => "0x1",
  eth_blockNumber: async () => "0x2a",
  eth_getBalance: async () => "0x7",
  eth_call: async () => {
    throw new RpcFault(3, "execution reverted: no", "0x08c379a0")
  }
})

const connect = (server: JsonRpcServer, options: Partial<RpcOptions> = {}) =>
  rpcConnections("NODE", { urls: () => [server.url], timeoutMs: 1_000, rounds: 1, ...options })

/** Everything that is told of a host, by metric and outcome. */
const toldOf = ({ url }: JsonRpcServer) => {
  const { host } = new URL(url)
  const told: Record<string, number> = {}
  for (const { attributes, id, state } of Metric.snapshotUnsafe(Context.empty())) {
    if (attributes?.host !== host) continue
    const { chain, host: _, outcome, service, ...others } = attributes
    assert.deepStrictEqual([chain, others], ["1", {}])
    const name = outcome === undefined ? `${service} ${id}` : `${service} ${outcome}`
    if ("value" in state) told[name] = Number(state.value)
    else if ("count" in state) told[name] = Number(state.count)
  }
  return told
}

const settled = (calls: ReadonlyArray<Promise<unknown>>) => Promise.allSettled(calls)

const scenario = (title: string, run: (server: JsonRpcServer) => Promise<void>) =>
  it.live(title, () =>
    Effect.scoped(
      Effect.flatMap(node, (server) =>
        // The URL is read, and not only its host: what stands behind the host must not be told.
        Effect.promise(() => run({ ...server, url: `${server.url}/secret-key` }))
      )
    )
  )

describe("what is counted of a host", () => {
  scenario("is each request of a batch by its own outcome, and each HTTP request by its time", async (server) => {
    const { requestOf } = connect(server)
    const request = (method: string) => requestOf(1)({ method, params: [] })
    await request("eth_getBalance")
    await settled([request("eth_getBalance"), request("eth_call"), request("eth_call"), request("debug_traceCall")])
    assert.deepStrictEqual(toldOf(server), {
      // The two of the check at first use are among them.
      "node answered": 4,
      "node error": 3,
      "node limited": 0,
      "node failed": 0,
      "node rejected": 0,
      "node rpc_http_request_duration_seconds": 3,
      "node rpc_host_up": 1,
      "node rpc_host_block": 42
    })
    assert.notInclude(JSON.stringify(Metric.snapshotUnsafe(Context.empty())), "secret-key")
  })

  scenario("tells failures from rejections, and whether the host is used", async (server) => {
    const time = new ManualTime()
    const { requestOf } = connect(server, { time })
    const request = () => requestOf(1)({ method: "eth_getBalance", params: [] })
    await request()
    server.inject(DROP, DROP, DROP)
    for (let i = 0; i < 3; i++) await settled([request()])
    for (let i = 0; i < 5; i++) await settled([request()])
    const down = toldOf(server)
    assert.deepStrictEqual(
      [down["node answered"], down["node failed"], down["node rejected"], down["node rpc_host_up"]],
      [3, 3, 5, 0]
    )
    time.advance(1_500)
    assert.strictEqual(toldOf(server)["node rpc_host_up"], 1)
    await request()
    // Asked for its chain and its head anew, then for the balance.
    assert.strictEqual(toldOf(server)["node answered"], 6)
  })

  scenario("has limits of the host apart, and requests that found no room", async (server) => {
    const { requestOf } = connect(server, { maxConcurrent: 1, maxWaiting: 2, maxBatchSize: 1 })
    const request = () => requestOf(1)({ method: "eth_getBalance", params: [] })
    await request()
    server.inject({ _tag: "Delay", milliseconds: 20 })
    await settled(Array.from({ length: 5 }, request))
    assert.deepStrictEqual([toldOf(server)["node answered"], toldOf(server)["node rejected"]], [5, 3])
    server.inject({ _tag: "Status", status: 429, retryAfterSeconds: 7 })
    await settled([request()])
    assert.deepStrictEqual([toldOf(server)["node limited"], toldOf(server)["node failed"]], [1, 0])
  })

  scenario("names the service, and tells no block of one that has none", async (server) => {
    const { requestOf } = rpcConnections("PAYMASTER", { urls: () => [server.url], rounds: 1 })
    await requestOf(1)({ method: "eth_getBalance", params: [] })
    assert.deepStrictEqual(toldOf(server), {
      "paymaster answered": 2,
      "paymaster error": 0,
      "paymaster limited": 0,
      "paymaster failed": 0,
      "paymaster rejected": 0,
      "paymaster rpc_http_request_duration_seconds": 2,
      "paymaster rpc_host_up": 1
    })
  })

  scenario("stays when a host is replaced, and its state is not told any more", async (server) => {
    let urls = [server.url]
    const { requestOf } = connect(server, { urls: () => urls })
    await requestOf(1)({ method: "eth_getBalance", params: [] })
    urls = []
    await settled([requestOf(1)({ method: "eth_getBalance", params: [] })])
    assert.deepStrictEqual(toldOf(server), {
      "node answered": 3,
      "node error": 0,
      "node limited": 0,
      "node failed": 0,
      "node rejected": 0,
      "node rpc_http_request_duration_seconds": 2
    })
  })
})
