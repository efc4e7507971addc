import { assert, describe, it } from "@effect/vitest"
import type { Hex } from "viem"
import { HostFailure } from "../../outbound/json-api/index.ts"
import { type BlockResponse, JsonRpcError, type RpcClients } from "../evm/index.ts"
import { blockTracer } from "./blockTracer.ts"

const [a, b, c]: ReadonlyArray<Hex> = ["a", "b", "c"].map((digit): Hex => `0x${digit.repeat(40)}`)
const hash: Hex = `0x${"1".repeat(64)}`
const block: BlockResponse = { number: "0x1", hash: `0x${"2".repeat(64)}`, timestamp: "0x5", transactions: [hash] }
const blockWithTransaction = { ...block, transactions: [{ hash, from: a, to: b, value: "0x5" }] }

const call = { gasUsed: "0x0", input: "0x", type: "CALL" }
const traces = [
  {
    txHash: hash,
    result: { ...call, from: a, to: b, value: "0x5", calls: [{ ...call, from: b, to: c, value: "0x3" }] }
  }
]
const flat = [
  { type: "call", action: { from: a, to: b, value: "0x5" }, traceAddress: [], transactionHash: hash },
  { type: "call", action: { from: b, to: c, value: "0x3" }, traceAddress: [0], transactionHash: hash }
]

const methodError = () => new JsonRpcError(-32_601, "the method does not exist", undefined)

/** A stub node that returns a fixed response for each RPC method. */
const makeFixture = (responses: Readonly<Record<string, () => unknown>>) => {
  const methods: Array<string> = []
  let now = 0
  const request = async (_: number, method: string) => {
    methods.push(method)
    const response = responses[method]!()
    if (response instanceof Error) throw response
    return response
  }
  const tracer = blockTracer({ request } as unknown as RpcClients["Service"], () => now)
  const search = async (searchedBlock = block) => {
    methods.length = 0
    const { isTraced, transfers } = await tracer.nativeTransfersOf(1, searchedBlock)
    return { methods: [...methods], isTraced, amounts: transfers.map(({ transfer }) => transfer.amount) }
  }
  return {
    search,
    tracer,
    pass: (ms: number) => {
      now += ms
    }
  }
}

describe("the trace of a block", () => {
  it("uses geth's method if the node supports it", async () => {
    const { search } = makeFixture({ debug_traceBlockByNumber: () => traces })
    const expected = { methods: ["debug_traceBlockByNumber"], isTraced: true, amounts: [5n, 3n] }
    assert.deepStrictEqual(await search(), expected)
  })

  it("uses flat traces if the node supports only these, which is detected once", async () => {
    const { search } = makeFixture({ debug_traceBlockByNumber: methodError, trace_block: () => flat })
    const { amounts, methods, isTraced } = await search()
    assert.deepStrictEqual([amounts, isTraced], [[5n, 3n], true])
    assert.deepStrictEqual(methods, ["debug_traceBlockByNumber", "trace_block"])
    assert.deepStrictEqual((await search()).methods, ["trace_block"])
  })

  it("is missing if the node supports no method, and is requested again after a while", async () => {
    const { search, pass, tracer } = makeFixture({
      debug_traceBlockByNumber: methodError,
      trace_block: methodError,
      eth_getBlockByNumber: () => blockWithTransaction
    })
    const untracedResult = await search()
    assert.deepStrictEqual([untracedResult.amounts, untracedResult.isTraced], [[5n], false])
    assert.isTrue(tracer.needsTransactions(1))
    assert.deepStrictEqual((await search()).methods, ["eth_getBlockByNumber"])
    pass(600_001)
    assert.strictEqual((await search()).methods[0], "debug_traceBlockByNumber")
  })

  it("is skipped for a block that is too expensive, and requested again after a failure of the node", async () => {
    let failure: Error | null = new HostFailure("too large", "TOO_HEAVY")
    const { search } = makeFixture({
      debug_traceBlockByNumber: () => failure ?? traces,
      eth_getBlockByNumber: () => blockWithTransaction
    })
    assert.isFalse((await search()).isTraced)
    failure = null
    assert.isTrue((await search()).isTraced)
    failure = new HostFailure("the connection failed")
    for (let attempt = 0; attempt < 2; attempt++) {
      let isFailed = false
      await search().catch(() => {
        isFailed = true
      })
      assert.isTrue(isFailed)
    }
    failure = null
    assert.isTrue((await search()).isTraced)
  })

  const searchFails = async (search: () => Promise<unknown>): Promise<boolean> =>
    search().then(
      () => false,
      () => true
    )
  const otherError = () => new JsonRpcError(-32_000, "block not found", undefined)

  it("is requested again after an error that does not concern the method", async () => {
    let error: Error | null = null
    const { search } = makeFixture({ debug_traceBlockByNumber: () => error ?? traces, trace_block: methodError })
    for (const isProven of [false, true]) {
      error = otherError()
      assert.isTrue(await searchFails(search), `${isProven}`)
      error = null
      assert.deepStrictEqual(await search(), {
        methods: ["debug_traceBlockByNumber"],
        isTraced: true,
        amounts: [5n, 3n]
      })
    }
  })

  it("is skipped only for the block for which the node returns errors three times", async () => {
    const failingHash: Hex = `0x${"3".repeat(64)}`
    let isFailing = true
    const { search } = makeFixture({
      debug_traceBlockByNumber: () => (isFailing ? otherError() : traces),
      trace_block: methodError,
      eth_getBlockByNumber: () => ({ ...blockWithTransaction, hash: failingHash })
    })
    const searchFailingBlock = () => search({ ...block, hash: failingHash })
    for (let attempt = 0; attempt < 2; attempt++) assert.isTrue(await searchFails(searchFailingBlock))
    const untracedResult = await searchFailingBlock()
    assert.deepStrictEqual([untracedResult.amounts, untracedResult.isTraced], [[5n], false])
    isFailing = false
    assert.isTrue((await search()).isTraced)
    isFailing = true
    assert.isTrue(await searchFails(search))
  })

  it("is requested with the same method after one failure for each of several blocks", async () => {
    let failure: Error | null = new HostFailure("the connection failed")
    const { search } = makeFixture({ debug_traceBlockByNumber: () => failure ?? traces })
    for (const digit of ["3", "4", "5"]) {
      assert.isTrue(await searchFails(() => search({ ...block, hash: `0x${digit.repeat(64)}` })))
    }
    failure = null
    assert.deepStrictEqual((await search()).methods, ["debug_traceBlockByNumber"])
  })

  it("is not requested for each block from a node that rejects both methods with an unknown error", async () => {
    const error = () => new JsonRpcError(-32_046, "Cannot fulfill request", undefined)
    const { search } = makeFixture({
      debug_traceBlockByNumber: error,
      trace_block: error,
      eth_getBlockByNumber: () => null
    })
    let traceCount = 0
    for (let number = 0; number < 100; number++) {
      const numbered = { ...blockWithTransaction, hash: `0x${number.toString(16).padStart(64, "0")}` as const }
      for (let attempt = 0; attempt < 3; attempt++) {
        const result = await search(numbered).catch(() => null)
        if (result === null) continue
        traceCount += result.methods.length
        assert.deepInclude(result, { isTraced: false, amounts: [5n] })
        break
      }
    }
    assert.isAtMost(traceCount, 2 * 20)
  })

  it("includes the traced transactions of a block in which the node can't trace another transaction", async () => {
    const otherHash: Hex = `0x${"3".repeat(64)}`
    const transactions = [...blockWithTransaction.transactions, { hash: otherHash, from: a, to: c, value: "0x7" }]
    const { search } = makeFixture({
      debug_traceBlockByNumber: () => [...traces, { txHash: otherHash, error: "execution timeout" }],
      eth_getBlockByNumber: () => ({ ...block, transactions })
    })
    assert.deepInclude(await search({ ...block, transactions: [hash, otherHash] }), {
      isTraced: false,
      amounts: [5n, 3n, 7n]
    })
  })

  it("is skipped for a block with a transaction that the node can't trace", async () => {
    let isFailing = true
    const { search } = makeFixture({
      debug_traceBlockByNumber: () => (isFailing ? [{ txHash: hash, error: "execution timeout" }] : traces),
      eth_getBlockByNumber: () => blockWithTransaction
    })
    assert.deepInclude(await search(), { isTraced: false, amounts: [5n] })
    isFailing = false
    assert.isTrue((await search()).isTraced)
  })
})
