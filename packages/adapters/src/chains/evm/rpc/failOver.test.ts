import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Fault, type JsonRpcServer, RpcFault, serveJsonRpc } from "../../../../test/evm/emulators/JsonRpcServer.ts"
import { ManualTime } from "../../../../test/evm/ManualTime.ts"
import { PATIENT_RPC } from "../../../../test/evm/patientRpc.ts"
import { HostFailure, ResponseTooLarge } from "../../../outbound/json-api/index.ts"
import { JsonRpcError } from "./JsonRpcError.ts"
import { type RpcOptions, rpcConnections } from "./rpcConnections.ts"

const DROP: Fault = { _tag: "Drop" }

/** A node with this latest block, by default of chain 1. */
const nodeAt = (block: () => number, chainId = 1) =>
  serveJsonRpc({
    eth_chainId: async () => `0x${chainId.toString(16)}`,
    eth_blockNumber: async () => `0x${block().toString(16)}`,
    eth_getBalance: async () => `0x${block().toString(16)}`,
    eth_getLogs: async () => [{ data: "0".repeat(16_000_000) }],
    eth_getTransactionReceipt: async () => ({ data: "0".repeat(16_000_000) }),
    eth_call: async () => {
      throw new RpcFault(-32000, "header not found")
    }
  })

const connect = (nodes: ReadonlyArray<JsonRpcServer>, options: Partial<RpcOptions> = {}) => {
  const { health, requestOf } = rpcConnections("NODE", {
    urls: () => nodes.map(({ url }) => url),
    ...PATIENT_RPC,
    retryDelayMs: 1,
    ...options
  })
  const states = () => health().map(({ state }) => state)
  return { health, states, request: (method: string) => requestOf(1)({ method, params: [] }) }
}

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => assert.fail("it did not fail"),
    (thrown: unknown) => thrown
  )

const messageOf = async (call: Promise<unknown>): Promise<string> => ((await failureOf(call)) as Error).message

const live = (title: string, test: () => Effect.Effect<void, never, never>) => it.live(title, test)

const scenario = (
  run: (nodes: ReadonlyArray<JsonRpcServer>) => Promise<void>,
  ...made: ReadonlyArray<ReturnType<typeof nodeAt>>
) => Effect.scoped(Effect.flatMap(Effect.all(made), (nodes) => Effect.promise(() => run(nodes))))

describe("failOver", () => {
  live("never uses a host that serves another chain", () =>
    scenario(
      async ([other, right]) => {
        const { request, states } = connect([other!, right!], { time: new ManualTime() })
        assert.strictEqual(await request("eth_getBalance"), "0x7")
        assert.notInclude(other!.requestedMethods, "eth_getBalance")
        assert.deepStrictEqual(states(), ["WRONG_CHAIN", "UP"])
        const singleNode = connect([other!])
        assert.strictEqual(await messageOf(singleNode.request("eth_getBalance")), "it serves chain 56")
        assert.notInclude(other!.requestedMethods, "eth_getBalance")
      },
      nodeAt(() => 7, 56),
      nodeAt(() => 7)
    )
  )

  live("requests the chain id of a host once, and again when it recovers", () =>
    scenario(
      async ([node]) => {
        const time = new ManualTime()
        const { request, states } = connect([node!], { time, rounds: 1 })
        const checks = () => node!.requestedMethods.filter((method) => method === "eth_chainId").length
        await request("eth_getBalance")
        await request("eth_getBalance")
        assert.strictEqual(checks(), 1)
        node!.inject(DROP, DROP, DROP)
        for (let i = 0; i < 3; i++) assert.instanceOf(await failureOf(request("eth_getBalance")), HostFailure)
        assert.deepStrictEqual(states(), ["DOWN"])
        const countBefore = node!.requestedMethods.length
        assert.match(await messageOf(request("eth_getBalance")), /connection failed/u)
        assert.strictEqual(node!.requestedMethods.length, countBefore)
        time.advance(1_000)
        assert.deepStrictEqual(states(), ["RECOVERING"])
        assert.strictEqual(await request("eth_getBalance"), "0x7")
        assert.strictEqual(checks(), 2)
        assert.deepStrictEqual(states(), ["UP"])
      },
      nodeAt(() => 7)
    )
  )

  live("pauses a host for the time of its Retry-After, then uses it again", () =>
    scenario(
      async ([node]) => {
        const time = new ManualTime()
        const { request, states } = connect([node!], { time, rounds: 1 })
        await request("eth_getBalance")
        node!.inject({ _tag: "Status", status: 429, retryAfterSeconds: 7 })
        assert.match(await messageOf(request("eth_getBalance")), /HTTP status 429/u)
        const countBefore = node!.requestedMethods.length
        time.advance(6_999)
        assert.match(await messageOf(request("eth_getBalance")), /HTTP status 429/u)
        assert.strictEqual(node!.requestedMethods.length, countBefore)
        assert.deepStrictEqual(states(), ["DOWN"])
        time.advance(1)
        assert.strictEqual(await request("eth_getBalance"), "0x7")
      },
      nodeAt(() => 7)
    )
  )

  live("uses a lagging host last, and still uses it if no other is left", () =>
    scenario(
      async ([lagging, current]) => {
        const { request, states } = connect([lagging!, current!], { rounds: 1, time: new ManualTime() })
        assert.strictEqual(await request("eth_getBalance"), "0x64")
        assert.deepStrictEqual(states(), ["LAGGING", "UP"])
        assert.notInclude(lagging!.requestedMethods, "eth_getBalance")
        current!.inject(DROP)
        assert.strictEqual(await request("eth_getBalance"), "0x50")
      },
      nodeAt(() => 80),
      nodeAt(() => 100)
    )
  )

  live("returns the response of another host if the first one now lags", () => {
    let head = 100
    return scenario(
      async ([first, second]) => {
        const { request } = connect([first!, second!], { time: new ManualTime() })
        await request("eth_blockNumber")
        head = 80
        assert.strictEqual(await request("eth_blockNumber"), "0x64")
        assert.strictEqual(await request("eth_getBalance"), "0x64")
      },
      nodeAt(() => head),
      nodeAt(() => 100)
    )
  })

  live("uses another host if one lacks the block or the method, and fails with the error if all do", () =>
    scenario(
      async ([first, second]) => {
        const { request } = connect([first!, second!], { time: new ManualTime() })
        const error = await failureOf(request("eth_call"))
        assert.instanceOf(error, JsonRpcError)
        assert.include(first!.requestedMethods, "eth_call")
        assert.include(second!.requestedMethods, "eth_call")
        assert.match(await messageOf(request("debug_traceCall")), /does not exist/u)
      },
      nodeAt(() => 1),
      nodeAt(() => 1)
    )
  )

  live("keeps using a host whose responses with logs are too large, and requests them separately", () =>
    scenario(
      async ([node]) => {
        const { request, states } = connect([node!], { time: new ManualTime(), rounds: 1 })
        for (let i = 0; i < 4; i++) {
          const [logs, balance] = await Promise.allSettled([request("eth_getLogs"), request("eth_getBalance")])
          assert.deepStrictEqual(balance, { status: "fulfilled", value: "0x7" })
          assert.deepInclude(logs, { status: "rejected" })
          assert.match(String((logs as PromiseRejectedResult).reason), /the blocks may contain too many/u)
        }
        assert.deepStrictEqual(states(), ["UP"])
      },
      nodeAt(() => 7)
    )
  )

  live("keeps using a host whose receipt is too large, and sends equal concurrent requests for it only once", () =>
    scenario(
      async ([node]) => {
        const { request, states } = connect([node!], { time: new ManualTime(), rounds: 1 })
        await request("eth_getBalance")
        for (let i = 1; i <= 4; i++) {
          const [receipt, sameReceipt, balance] = await Promise.allSettled([
            request("eth_getTransactionReceipt"),
            request("eth_getTransactionReceipt"),
            request("eth_getBalance")
          ])
          assert.deepStrictEqual(balance, { status: "fulfilled", value: "0x7" })
          for (const { reason } of [receipt, sameReceipt] as ReadonlyArray<PromiseRejectedResult>) {
            assert.instanceOf(reason, ResponseTooLarge)
            assert.match(String(reason), /the transaction may have too many logs/u)
          }
          assert.lengthOf(
            node!.requestedMethods.filter((method) => method === "eth_getTransactionReceipt"),
            i
          )
        }
        assert.deepStrictEqual(states(), ["UP"])
      },
      nodeAt(() => 7)
    )
  )

  live("limits the concurrent HTTP requests to a host and the requests that wait for them", () =>
    scenario(
      async ([node]) => {
        const { request } = connect([node!], { maxConcurrent: 1, maxWaiting: 3, maxBatchSize: 1, rounds: 1 })
        await request("eth_getBalance")
        const responses = await Promise.allSettled(Array.from({ length: 5 }, () => request("eth_getBalance")))
        assert.deepStrictEqual(
          responses.map(({ status }) => status),
          ["fulfilled", "fulfilled", "fulfilled", "rejected", "rejected"]
        )
        assert.match(
          await messageOf(Promise.reject((responses[3] as PromiseRejectedResult).reason)),
          /3 requests are already queued/u
        )
      },
      nodeAt(() => 7)
    )
  )

  live("fails at its deadline if a host does not respond", () =>
    scenario(
      async ([node]) => {
        const { request } = connect([node!], { deadlineMs: 100 })
        node!.inject({ _tag: "Hang" })
        assert.match(await messageOf(request("eth_getBalance")), /no response within 100 ms/u)
      },
      nodeAt(() => 7)
    )
  )

  live("reports the state, the block and the last failure of each host, without credentials or path of its URL", () =>
    scenario(
      async ([node]) => {
        const url = node!.url.replace("http://", "http://user:secret@")
        const { health, request } = connect([{ ...node!, url: `${url}/key` }], { rounds: 2 })
        await request("eth_getBalance")
        node!.inject(DROP)
        await request("eth_getBalance")
        const [host] = health()
        assert.strictEqual(host?.host, node!.url.replace("http://", ""))
        assert.strictEqual(host?.state, "UP")
        assert.strictEqual(host?.blockNumber, 7)
        assert.match(host?.lastFailure?.reason ?? "", /connection failed/u)
        assert.notInclude(JSON.stringify(health()), "secret")
        assert.notInclude(JSON.stringify(health()), "key")
      },
      nodeAt(() => 7)
    )
  )
})
