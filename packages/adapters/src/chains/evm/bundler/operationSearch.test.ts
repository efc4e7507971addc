import { Hash32 } from "@countersign/core/foundation/primitives"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { decodeFunctionData, encodeAbiParameters, encodeFunctionResult, type Hex } from "viem"
import { RpcFault, serveJsonRpc } from "../../../../test/evm/emulators/JsonRpcServer.ts"
import { ManualTime } from "../../../../test/evm/ManualTime.ts"
import { PATIENT_RPC } from "../../../../test/evm/patientRpc.ts"
import { randomOperation, seededRandom } from "../../../../test/evm/randomOperation.ts"
import { multicall3Abi } from "../abi/multicall3.ts"
import { RpcClients, layer as rpcClientsLayer } from "../RpcClients.ts"
import { operationSearch } from "./operationSearch.ts"

const random = seededRandom(7)
const hashOf = (index: number) => Hash32.make(`0x${index.toString(16).padStart(64, "0")}`)
const operation = randomOperation(random, "0.8")

const NEXT_NONCE = encodeAbiParameters([{ type: "uint256" }], [operation.nonce + 1n])
const THIS_NONCE = encodeAbiParameters([{ type: "uint256" }], [operation.nonce])

interface Filter {
  readonly address: string
  readonly fromBlock: string
  readonly toBlock: string
  readonly topics: readonly [string, ReadonlyArray<string>]
}

/** A node with the events of these operations, and a search that uses the node. */
const makeFixture = Effect.gen(function* () {
  const includedHashes = new Set<string>()
  const filters: Array<Filter> = []
  /**
   * `isNonceUsed` applies to all operations, which differ only in their hashes. `eventBlock` is the block of their
   * events; null if every range of blocks contains them. The node has no logs before `firstBlock` and after `lastBlock`.
   */
  const chain = {
    head: 100,
    isNonceUsed: false,
    eventBlock: null as number | null,
    firstBlock: 0,
    lastBlock: Number.POSITIVE_INFINITY
  }
  const node = yield* serveJsonRpc({
    eth_chainId: async () => "0x1",
    eth_blockNumber: async () => `0x${chain.head.toString(16)}`,
    eth_getBlockByNumber: async () => ({
      number: `0x${chain.head.toString(16)}`,
      hash: hashOf(chain.head),
      timestamp: "0x0",
      transactions: []
    }),
    eth_call: async ([call]) => {
      const { data } = call as { readonly data: Hex }
      const calls = decodeFunctionData({ abi: multicall3Abi, data }).args?.[0] as ReadonlyArray<unknown>
      return encodeFunctionResult({
        abi: multicall3Abi,
        functionName: "aggregate3",
        result: calls.map(() => ({ success: true, returnData: chain.isNonceUsed ? NEXT_NONCE : THIS_NONCE }))
      })
    },
    eth_getLogs: async ([filter]) => {
      const { address, fromBlock, toBlock, topics } = filter as Filter
      filters.push(filter as Filter)
      const lastBlock = toBlock === "latest" ? chain.head : Number(toBlock)
      if (lastBlock - Number(fromBlock) >= 1_000) throw new RpcFault(-32_602, "the range exceeds 1000 blocks")
      if (Number(fromBlock) < chain.firstBlock || Number(fromBlock) > chain.lastBlock)
        throw new RpcFault(-32_000, "the logs of this range are not available")
      if (Number(fromBlock) > chain.head) return []
      const { eventBlock } = chain
      if (eventBlock !== null && (eventBlock < Number(fromBlock) || eventBlock > lastBlock)) return []
      return topics[1]
        .filter((hash) => includedHashes.has(hash))
        .map((hash) => ({
          address,
          topics: [topics[0], hash],
          data: "0x",
          blockNumber: fromBlock,
          blockHash: hashOf(1),
          transactionHash: hashOf(2),
          logIndex: "0x0"
        }))
    }
  })
  const time = new ManualTime()
  const rpc = yield* Effect.provide(RpcClients, rpcClientsLayer({ ...PATIENT_RPC, urls: () => [node.url], time }))
  const { find } = operationSearch(rpc, time)
  /** Searches for this many operations concurrently. Returns which of them were found. */
  const search = (count: number, from = 0, firstBlock = 0) =>
    Effect.promise(async () => {
      const allOperations = Array.from({ length: count }, (_, index) =>
        find({ operation, hash: hashOf(from + index), fromBlock: BigInt(firstBlock + index) })
      )
      time.advance(3)
      return (await Promise.all(allOperations)).map(({ event }) => event !== null)
    })
  /** Searches concurrently for operations with these first blocks. Returns for each whether it was found, or FAILED. */
  const searchFrom = (...firstBlocks: ReadonlyArray<number>) =>
    Effect.promise(async () => {
      const allOperations = firstBlocks.map((firstBlock, index) =>
        find({ operation, hash: hashOf(index), fromBlock: BigInt(firstBlock) })
      )
      time.advance(3)
      const results = await Promise.allSettled(allOperations)
      return results.map((result) => (result.status === "rejected" ? "FAILED" : result.value.event !== null))
    })
  const countOf = (method: string) => node.requestedMethods.filter((one) => one === method).length
  return { asked: countOf, chain, filters, included: includedHashes, search, searchFrom, time }
})

it.live("makes one request for all concurrent searches, and returns to each its own result", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { asked, filters, included, search } = yield* makeFixture
      included.add(hashOf(1))
      assert.deepStrictEqual(yield* search(3), [false, true, false])
      assert.strictEqual(asked("eth_getLogs"), 1)
      assert.deepStrictEqual([filters[0]!.fromBlock, filters[0]!.toBlock], ["0x0", "latest"])
      yield* search(600, 1_000)
      assert.deepStrictEqual(
        filters.slice(1).map(({ fromBlock, topics }) => [Number(fromBlock), topics[1].length]),
        [
          [0, 250],
          [250, 250],
          [500, 100]
        ]
      )
    })
  )
)

it.live("does not search again for an operation that is no longer recent until the chain has another head", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { asked, chain, filters, included, search, time } = yield* makeFixture
      yield* search(2)
      yield* search(2)
      assert.strictEqual(asked("eth_getLogs"), 2)
      // The length of the block range is computed from a head that is at most two minutes old.
      assert.strictEqual(asked("eth_getBlockByNumber"), 1)
      time.advance(2_000)
      for (let round = 0; round < 5; round++) yield* search(2)
      // Callers within half a second share one request for the head.
      assert.strictEqual(asked("eth_getBlockByNumber"), 2)
      assert.strictEqual(asked("eth_getLogs"), 3)
      assert.strictEqual(filters.at(-1)!.toBlock, "0x64")
      chain.head += 1
      included.add(hashOf(1))
      time.advance(1_000)
      assert.deepStrictEqual(yield* search(2), [false, true])
      assert.strictEqual(asked("eth_getLogs"), 4)
      // On Ethereum up to twelve blocks may be reorganized.
      assert.deepStrictEqual([filters.at(-1)!.fromBlock, filters.at(-1)!.toBlock], ["0x58", "0x65"])
    })
  )
)

it.live("searches again at the same head after a while", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { asked, included, search, time } = yield* makeFixture
      yield* search(1)
      time.advance(2_000)
      yield* search(1)
      included.add(hashOf(0))
      time.advance(2_000)
      assert.deepStrictEqual(yield* search(1), [false])
      time.advance(15_000)
      assert.deepStrictEqual(yield* search(1), [true])
      assert.strictEqual(asked("eth_getLogs"), 3)
    })
  )
)

it.live("searches all blocks of an operation again if its nonce is used", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { chain, filters, search, time } = yield* makeFixture
      time.advance(1)
      yield* search(2)
      time.advance(2_000)
      yield* search(2)
      chain.head += 50
      chain.isNonceUsed = true
      time.advance(2_000)
      assert.deepStrictEqual(yield* search(2), [false, false])
      assert.deepStrictEqual(
        filters.slice(-2).map(({ fromBlock, toBlock }) => [fromBlock, toBlock]),
        [
          ["0x58", "0x96"],
          ["0x0", "0x96"]
        ]
      )
    })
  )
)

it.live("finds an operation whose first block does not exist, because a node reported a wrong head", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { chain, included, search, time } = yield* makeFixture
      const aboveHead = chain.head + 1_000
      assert.deepStrictEqual(yield* search(1, 0, aboveHead), [false])
      included.add(hashOf(0))
      chain.head += 1
      chain.isNonceUsed = true
      time.advance(2_000)
      assert.deepStrictEqual(yield* search(1, 0, aboveHead), [true])
    })
  )
)

it.live("searches a long range in pieces, oldest first, and stops when it has found all operations", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { chain, filters, included, search } = yield* makeFixture
      chain.head = 5_100
      chain.isNonceUsed = true
      chain.eventBlock = 1_500
      included.add(hashOf(0))
      assert.deepStrictEqual(yield* search(1, 0, 100), [true])
      assert.deepStrictEqual(
        filters.map(({ fromBlock, toBlock }) => [Number(fromBlock), Number(toBlock)]),
        [
          [100, 1_099],
          [1_100, 2_099]
        ]
      )
      chain.eventBlock = 5_100
      assert.deepStrictEqual(yield* search(1, 0, 100), [true])
      // A reorg has moved the event. The second search begins at block 1,100 - 12, in pieces of 1,000 blocks.
      assert.deepStrictEqual([Number(filters.at(-1)!.fromBlock), filters.at(-1)!.toBlock], [5_088, "latest"])
    })
  )
)

it.live("continues a failed search of a long range at the piece that failed", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { chain, filters, included, searchFrom } = yield* makeFixture
      chain.head = 5_100
      chain.isNonceUsed = true
      chain.eventBlock = 4_500
      included.add(hashOf(0))
      chain.lastBlock = 3_000
      assert.deepStrictEqual(yield* searchFrom(100), ["FAILED"])
      const failedCount = filters.length
      chain.lastBlock = Number.POSITIVE_INFINITY
      assert.deepStrictEqual(yield* searchFrom(100), [true])
      // It continues at the piece that failed, minus the twelve blocks that a reorg may replace.
      assert.strictEqual(Number(filters[failedCount]!.fromBlock), 3_100 - 12)
    })
  )
)

it.live("searches no blocks for an old operation with an unused nonce, so that it does not extend other searches", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { chain, filters, included, searchFrom } = yield* makeFixture
      chain.head = 5_000
      included.add(hashOf(1))
      assert.deepStrictEqual(yield* searchFrom(0, 4_990), [false, true])
      assert.deepStrictEqual(
        filters.map(({ fromBlock, topics }) => [Number(fromBlock), topics[1]]),
        [[4_990, [hashOf(1)]]]
      )
    })
  )
)

it.live("fails only the search for an old operation if the node rejects its range", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { chain, included, searchFrom } = yield* makeFixture
      chain.head = 5_000
      chain.isNonceUsed = true
      chain.eventBlock = 4_995
      chain.firstBlock = 1_000
      included.add(hashOf(1))
      assert.deepStrictEqual(yield* searchFrom(0, 4_990), ["FAILED", true])
    })
  )
)
