import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { waitUntilEffect } from "../../../../core/test/support/untilEffect.ts"
import { type Method, RpcFault, serveJsonRpc } from "../../../test/evm/emulators/JsonRpcServer.ts"
import { FaultProxy, type NodeFault } from "../../../test/faults/FaultProxy.ts"
import type { ProbeFailure } from "./probeHost.ts"
import { probeNodes } from "./probeNodes.ts"

const OPTIONS = { timeoutMs: 60_000, maxLagBlocks: 10, detectsSimulationMethod: true }
const TIMESTAMP = 1_780_000_000

const quantity = (value: number) => `0x${value.toString(16)}`

const aNode = (blockNumber: number, methods: Readonly<Record<string, Method>> = {}) =>
  serveJsonRpc({
    eth_chainId: async () => "0x1",
    eth_blockNumber: async () => quantity(blockNumber),
    eth_getBlockByNumber: async () => ({
      number: quantity(blockNumber),
      hash: `0x${"0".repeat(64)}`,
      timestamp: quantity(TIMESTAMP),
      transactions: []
    }),
    debug_traceCall: async () => ({ type: "CALL", from: `0x${"0".repeat(40)}`, gasUsed: "0x0", input: "0x" }),
    ...methods
  })

const proxyOf = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(() => FaultProxy.start(() => url)),
    (proxy) => Effect.promise(() => proxy.stop())
  )

const failures: ReadonlyArray<readonly [string, NodeFault, ProbeFailure]> = [
  ["that hangs", { _tag: "Hangs" }, { _tag: "Hung", timeoutMs: 300 }],
  ["that sends one byte at a time", { _tag: "SlowBytes", bytesPerSecond: 20 }, { _tag: "Hung", timeoutMs: 300 }],
  ["that resets the connection", { _tag: "ConnectionReset" }, { _tag: "Reset" }],
  ["that limits the rate", { _tag: "Status", status: 429 }, { _tag: "Limited", retryAfterMs: null }],
  [
    "that limits the rate with a Retry-After",
    { _tag: "Status", status: 429, retryAfter: "7" },
    { _tag: "Limited", retryAfterMs: 7_000 }
  ],
  ["that responds with status 500", { _tag: "Status", status: 500 }, { _tag: "HttpStatus", status: 500 }],
  [
    "that responds with an HTML page",
    { _tag: "Says", text: "<!doctype html><title>Sign in</title>", contentType: "text/html" },
    { _tag: "NoJsonRpc" }
  ],
  [
    "that responds with malformed JSON",
    { _tag: "Says", text: '{"jsonrpc":"2.0","id":', contentType: "application/json" },
    { _tag: "NoJsonRpc" }
  ],
  [
    "that responds with other JSON",
    { _tag: "Says", text: '{"status":"ok"}', contentType: "application/json" },
    { _tag: "NoJsonRpc" }
  ],
  ["that responds with ids of other requests", { _tag: "WrongIds" }, { _tag: "NoJsonRpc" }],
  ["that responds with impossible results", { _tag: "NonsenseResults" }, { _tag: "NoJsonRpc" }]
]

describe("probeNodes", () => {
  it.live("reports the state of each node, in the order of the URLs", () =>
    Effect.gen(function* () {
      const [ahead, behind] = [yield* aNode(100), yield* aNode(91)]
      const [lagging] = [yield* aNode(79)]
      const host = ({ url }: { readonly url: string }) => new URL(url).host
      const urls = [lagging.url, behind.url, `${ahead.url}/a-key-in-the-path`]
      assert.deepStrictEqual(yield* probeNodes(1, urls, { ...OPTIONS, maxLagBlocks: 11 }), [
        {
          _tag: "Answered",
          host: host(lagging),
          head: { blockNumber: 79, timestamp: TIMESTAMP, blocksBehind: 21 },
          simulationMethod: "TRACE"
        },
        {
          _tag: "Answered",
          host: host(behind),
          head: { blockNumber: 91, timestamp: TIMESTAMP, blocksBehind: 0 },
          simulationMethod: "TRACE"
        },
        {
          _tag: "Answered",
          host: host(ahead),
          head: { blockNumber: 100, timestamp: TIMESTAMP, blocksBehind: 0 },
          simulationMethod: "TRACE"
        }
      ])
    })
  )

  it.live("reports that a node does not support traces, or serves another chain", () =>
    Effect.gen(function* () {
      const refuse = async () => {
        throw new RpcFault(-32601, "the method debug_traceCall does not exist")
      }
      const [withoutTraces, other] = [
        yield* aNode(100, { debug_traceCall: refuse }),
        yield* aNode(9_000, { eth_chainId: async () => "0x38" })
      ]
      const [first, second] = yield* probeNodes(1, [withoutTraces.url, other.url], OPTIONS)
      assert.isTrue(first?._tag === "Answered" && first.simulationMethod === "NONE" && first.head.blocksBehind === 0)
      const simulating = yield* aNode(100, { debug_traceCall: refuse, eth_simulateV1: async () => [] })
      const [by] = yield* probeNodes(1, [simulating.url], OPTIONS)
      assert.isTrue(by?._tag === "Answered" && by.simulationMethod === "SIMULATE")
      const [unasked] = yield* probeNodes(1, [withoutTraces.url], { ...OPTIONS, detectsSimulationMethod: false })
      assert.isTrue(unasked?._tag === "Answered" && unasked.simulationMethod === null)
      assert.strictEqual(withoutTraces.requestedMethods.filter((method) => method === "debug_traceCall").length, 1)
      assert.deepStrictEqual(second, { _tag: "OtherChain", host: new URL(other.url).host, chainId: 56 })
    })
  )

  for (const [name, fault, failure] of failures) {
    it.live(`reports a node ${name}, and the node after it`, () =>
      Effect.gen(function* () {
        const node = yield* aNode(100)
        const proxy = yield* proxyOf(node.url)
        proxy.fault = fault
        const timeoutMs = failure._tag === "Hung" ? failure.timeoutMs : OPTIONS.timeoutMs
        // On a slow machine the other node may also exceed the short timeout.
        const [first] = yield* waitUntilEffect(
          probeNodes(1, [proxy.url, node.url], { ...OPTIONS, timeoutMs }),
          ([, second]) => second?._tag === "Answered"
        )
        assert.deepStrictEqual(first, { _tag: "Failed", host: new URL(proxy.url).host, failure })
      })
    )
  }

  it.live("reports a host with a closed port, and one that responds with an error", () =>
    Effect.gen(function* () {
      const stoppedNode = yield* Effect.scoped(aNode(1))
      const refusing = yield* aNode(1, {
        eth_chainId: async () => {
          throw new RpcFault(-32000, "unauthorized")
        }
      })
      const [first, second] = yield* probeNodes(1, [stoppedNode.url, refusing.url], OPTIONS)
      assert.deepStrictEqual(first, {
        _tag: "Failed",
        host: new URL(stoppedNode.url).host,
        failure: { _tag: "Unreachable", code: "ECONNREFUSED" }
      })
      assert.deepStrictEqual(second, {
        _tag: "Failed",
        host: new URL(refusing.url).host,
        failure: { _tag: "Refused", code: -32000, message: "unauthorized" }
      })
    })
  )
})
