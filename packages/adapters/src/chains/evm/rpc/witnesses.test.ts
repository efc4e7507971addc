import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { serveJsonRpc } from "../../../../test/evm/emulators/JsonRpcServer.ts"
import { ManualTime } from "../../../../test/evm/ManualTime.ts"
import { PATIENT_RPC } from "../../../../test/evm/patientRpc.ts"
import { rpcConnections } from "./rpcConnections.ts"
import { requestFromEach } from "./Witnesses.ts"

const DEAD = "http://127.0.0.1:1"

/** A node at a block, whose timestamp is this number of seconds ago. */
const nodeAt = (head: string, blockAgeSeconds = 0) =>
  serveJsonRpc({
    eth_chainId: async () => "0x1",
    eth_blockNumber: async () => head,
    eth_getBlockByNumber: async () => ({
      number: head,
      hash: `0x${"1".repeat(64)}`,
      timestamp: `0x${(Math.floor(Date.now() / 1_000) - blockAgeSeconds).toString(16)}`,
      transactions: []
    })
  })

const node = nodeAt("0x7")

/** Connects to nodes, and sends one request to each. */
const connect = async (urls: ReadonlyArray<string>) => {
  const time = new ManualTime()
  const { requestOf, witnessesOf } = rpcConnections("NODE", { ...PATIENT_RPC, urls: () => urls, time, rounds: 1 })
  await requestOf(1)({ method: "eth_blockNumber", params: [] })
  // The first call waits for only one of the nodes. A request to each node ensures that all nodes have been checked.
  await Promise.all(witnessesOf(1).nodes.map(({ request }) => request("eth_blockNumber", [])))
  /** Lets time pass, with a survey of the nodes after every five seconds. */
  const passWithSurveys = async (milliseconds: number) => {
    for (let passedMs = 0; passedMs < milliseconds; passedMs += 5_000) {
      time.advance(5_000)
      await requestOf(1)({ method: "eth_blockNumber", params: [] })
      await Promise.all(witnessesOf(1).nodes.map(({ request }) => request("eth_blockNumber", [])))
    }
  }
  return { passWithSurveys, time, witnesses: () => witnessesOf(1) }
}

const INVENTED_HEAD = "0xf4240"

const live = (title: string, test: (urls: ReadonlyArray<string>) => Promise<void>) =>
  it.live(title, () =>
    Effect.scoped(
      Effect.flatMap(Effect.all([node, node, node]), (nodes) => Effect.promise(() => test(nodes.map(({ url }) => url))))
    )
  )

describe("the witnesses of a chain", () => {
  live("are all of its nodes, of which two have to agree", async ([first, second, third]) => {
    const singleWitness = (await connect([first!])).witnesses()
    assert.deepStrictEqual([singleWitness.nodes.length, singleWitness.required], [1, 1])
    const threeWitnesses = (await connect([first!, second!, third!])).witnesses()
    assert.deepStrictEqual([threeWitnesses.nodes.length, threeWitnesses.required], [3, 2])
    const hosts = [first!, second!, third!].map((url) => new URL(url).host)
    assert.deepStrictEqual(
      threeWitnesses.nodes.map(({ name }) => name),
      hosts
    )
    assert.deepStrictEqual(await requestFromEach(threeWitnesses, ({ request }) => request("eth_blockNumber", [])), [
      "0x7",
      "0x7",
      "0x7"
    ])
    // Nodes that fail are ignored.
    assert.deepStrictEqual(await requestFromEach(threeWitnesses, ({ request }) => request("eth_syncing", [])), [])
  })

  live("are awaited for a minute while one is down", async ([first]) => {
    const { time, witnesses } = await connect([first!, DEAD])
    assert.deepStrictEqual([witnesses().nodes.length, witnesses().required], [1, 2])
    time.advance(59_000)
    assert.strictEqual(witnesses().required, 2)
    time.advance(1_000)
    assert.deepStrictEqual([witnesses().nodes.length, witnesses().required], [1, 1])
  })

  it.live("are all nodes if one of them reports an invented block number", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const nodes = yield* Effect.all([node, node, nodeAt(INVENTED_HEAD)])
        yield* Effect.promise(async () => {
          for (const urls of [nodes.map(({ url }) => url), [nodes[0].url, nodes[2].url]]) {
            const { passWithSurveys, witnesses } = await connect(urls)
            await passWithSurveys(120_000)
            assert.deepStrictEqual([witnesses().nodes.length, witnesses().required], [urls.length, 2])
          }
        })
      })
    )
  )

  it.live("exclude a node that is behind, if the others or its own block's age show it", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const [current, other, recentLagging, oldLagging] = yield* Effect.all([
          nodeAt("0x64"),
          nodeAt("0x64"),
          nodeAt("0x7"),
          nodeAt("0x7", 600)
        ])
        yield* Effect.promise(async () => {
          for (const urls of [
            [recentLagging.url, current.url, other.url],
            [oldLagging.url, current.url]
          ]) {
            const { passWithSurveys, witnesses } = await connect(urls)
            await passWithSurveys(120_000)
            assert.strictEqual(witnesses().nodes.length, urls.length - 1)
          }
        })
      })
    )
  )
})
