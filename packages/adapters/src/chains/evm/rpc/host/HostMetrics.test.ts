import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Metric } from "effect"
import {
  type Fault,
  type JsonRpcServer,
  RpcFault,
  serveJsonRpc
} from "../../../../../test/evm/emulators/JsonRpcServer.ts"
import { ManualTime } from "../../../../../test/evm/ManualTime.ts"
import { PATIENT_RPC } from "../../../../../test/evm/patientRpc.ts"
import { type RpcOptions, rpcConnections } from "../rpcConnections.ts"

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
  rpcConnections("NODE", { ...PATIENT_RPC, urls: () => [server.url], rounds: 1, ...options })

const snapshotsOf = ({ url }: JsonRpcServer) =>
  Metric.snapshotUnsafe(Context.empty()).filter(({ attributes }) => attributes?.host === new URL(url).host)

/** Returns all metrics of a host, by metric and outcome. */
const metricsOf = (server: JsonRpcServer) => {
  const values: Record<string, number> = {}
  for (const { attributes, id, state } of snapshotsOf(server)) {
    const { chain, host: _, outcome, service, ...others } = attributes ?? {}
    assert.deepStrictEqual([chain, others], ["1", {}])
    const name = outcome === undefined ? `${service} ${id}` : `${service} ${outcome}`
    if ("value" in state) values[name] = Number(state.value)
    else if ("count" in state) values[name] = Number(state.count)
  }
  return values
}

/**
 * A node on a port that no earlier test in this process used. Otherwise the metrics would include those of the earlier
 * host.
 */
const unusedNode = Effect.repeat(node, { until: (server) => snapshotsOf(server).length === 0 })

const awaitAll = (calls: ReadonlyArray<Promise<unknown>>) => Promise.allSettled(calls)

const scenario = (title: string, run: (server: JsonRpcServer) => Promise<void>) =>
  it.live(title, () =>
    Effect.scoped(
      Effect.flatMap(unusedNode, (server) =>
        // The metrics must not contain the path of the URL.
        Effect.promise(() => run({ ...server, url: `${server.url}/secret-key` }))
      )
    )
  )

describe("HostMetrics", () => {
  scenario("count each request of a batch by its outcome, and each HTTP request by its time", async (server) => {
    const { requestOf } = connect(server)
    const request = (method: string) => requestOf(1)({ method, params: [] })
    await request("eth_getBalance")
    await awaitAll([request("eth_getBalance"), request("eth_call"), request("eth_call"), request("debug_traceCall")])
    assert.deepStrictEqual(metricsOf(server), {
      // Two of these requests belong to the check at the first use.
      "node answered": 4,
      "node error": 3,
      "node limited": 0,
      "node failed": 0,
      "node rejected": 0,
      "node rpc_http_request_duration_seconds": 4,
      "node rpc_host_up": 1,
      "node rpc_host_block": 42
    })
    assert.notInclude(JSON.stringify(Metric.snapshotUnsafe(Context.empty())), "secret-key")
  })

  scenario("distinguish failures from rejections, and show whether the host is used", async (server) => {
    const time = new ManualTime()
    const { requestOf } = connect(server, { time })
    const request = () => requestOf(1)({ method: "eth_getBalance", params: [] })
    await request()
    server.inject(DROP, DROP, DROP)
    for (let i = 0; i < 3; i++) await awaitAll([request()])
    for (let i = 0; i < 5; i++) await awaitAll([request()])
    const downServerMetrics = metricsOf(server)
    assert.deepStrictEqual(
      [
        downServerMetrics["node answered"],
        downServerMetrics["node failed"],
        downServerMetrics["node rejected"],
        downServerMetrics["node rpc_host_up"]
      ],
      [3, 3, 5, 0]
    )
    time.advance(1_500)
    assert.strictEqual(metricsOf(server)["node rpc_host_up"], 1)
    await request()
    // The requests read the chain id and the latest block, and then the balance.
    assert.strictEqual(metricsOf(server)["node answered"], 6)
  })

  scenario("count rate limits of the host, and requests above the queue limit, separately", async (server) => {
    const { requestOf } = connect(server, { maxConcurrent: 1, maxWaiting: 2, maxBatchSize: 1 })
    const request = () => requestOf(1)({ method: "eth_getBalance", params: [] })
    await request()
    await awaitAll(Array.from({ length: 5 }, request))
    assert.deepStrictEqual([metricsOf(server)["node answered"], metricsOf(server)["node rejected"]], [5, 3])
    server.inject({ _tag: "Status", status: 429, retryAfterSeconds: 7 })
    await awaitAll([request()])
    assert.deepStrictEqual([metricsOf(server)["node limited"], metricsOf(server)["node failed"]], [1, 0])
  })

  scenario("name the service, and show no block for a service without blocks", async (server) => {
    const { requestOf } = rpcConnections("PAYMASTER", { ...PATIENT_RPC, urls: () => [server.url], rounds: 1 })
    await requestOf(1)({ method: "eth_getBalance", params: [] })
    assert.deepStrictEqual(metricsOf(server), {
      "paymaster answered": 2,
      "paymaster error": 0,
      "paymaster limited": 0,
      "paymaster failed": 0,
      "paymaster rejected": 0,
      "paymaster rpc_http_request_duration_seconds": 2,
      "paymaster rpc_host_up": 1
    })
  })

  scenario("keep the counts of a host that is replaced, and remove its state", async (server) => {
    let urls = [server.url]
    const { requestOf } = connect(server, { urls: () => urls })
    await requestOf(1)({ method: "eth_getBalance", params: [] })
    urls = []
    await awaitAll([requestOf(1)({ method: "eth_getBalance", params: [] })])
    assert.deepStrictEqual(metricsOf(server), {
      "node answered": 3,
      "node error": 0,
      "node limited": 0,
      "node failed": 0,
      "node rejected": 0,
      "node rpc_http_request_duration_seconds": 2
    })
  })
})
