import { BitcoinChain } from "@countersign/core/bitcoin"
import { bitcoinChainContract } from "@countersign/core/contracts/bitcoin/BitcoinChain"
import { BitcoinAddress } from "@countersign/core/primitives"
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type EsploraFault, startEsploraEmulator } from "../../test/bitcoin/EsploraEmulator.ts"
import { esploraHeights } from "./EsploraChain.ts"
import { EsploraChain } from "./index.ts"

const [first, second] = [await startEsploraEmulator(), await startEsploraEmulator()]
afterAll(() => {
  first.stop()
  second.stop()
})

const RICH = BitcoinAddress.make("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq")
const SPENDING = BitcoinAddress.make("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa")
const RECEIVING = BitcoinAddress.make("bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0")

for (const { balances } of [first, second]) {
  // More went through than a float counts.
  balances.set(RICH, { funded: 9_007_199_254_740_993n, spent: 9_007_199_254_740_990n, waitingIn: 0n, waitingOut: 0n })
  balances.set(SPENDING, { funded: 5_000n, spent: 1_000n, waitingIn: 500n, waitingOut: 4_000n })
  balances.set(RECEIVING, { funded: 0n, spent: 0n, waitingIn: 21n, waitingOut: 0n })
}

bitcoinChainContract("Esplora", EsploraChain.layer({ urls: [first.url] }), {
  height: 900_000,
  balances: new Map([
    [RICH, { confirmed: 3n, unconfirmed: 0n }],
    [SPENDING, { confirmed: 4_000n, unconfirmed: -3_500n }],
    [RECEIVING, { confirmed: 0n, unconfirmed: 21n }]
  ])
})

beforeEach(() => {
  for (const { paths, state } of [first, second]) {
    state.fault = null
    state.height = 900_000
    paths.length = 0
  }
})

const TIMEOUT_MS = 150

const withChain = <A, E>(urls: ReadonlyArray<string>, use: Effect.Effect<A, E, BitcoinChain>) =>
  Effect.provide(use, EsploraChain.layer({ urls, timeoutMs: TIMEOUT_MS }))

const balance = BitcoinChain.use((chain) => chain.balance(SPENDING))
const reasonOf = (urls: ReadonlyArray<string>) =>
  withChain(
    urls,
    Effect.map(Effect.flip(balance), ({ message }) => message)
  )

const faults: ReadonlyArray<readonly [string, EsploraFault, RegExp]> = [
  ["limits the rate", { _tag: "Status", status: 429, retryAfter: "7" }, /HTTP status 429/u],
  ["is broken", { _tag: "Status", status: 502, text: "<html>" }, /HTTP status 502/u],
  ["refuses", { _tag: "Status", status: 400, text: "Too many history entries" }, /refused: Too many history/u],
  ["refuses with a page", { _tag: "Status", status: 400, text: "<html>no</html>" }, /HTTP status 400/u],
  ["is no Esplora", { _tag: "Status", status: 404, text: "endpoint does not exist" }, /HTTP status 404/u],
  ["says something else", { _tag: "Body", text: "<html></html>" }, /unexpected form/u],
  ["leaves sums out", { _tag: "Body", text: `{"address":"${SPENDING}"}` }, /unexpected form/u],
  [
    "tells of another address",
    {
      _tag: "Body",
      text: `{"address":"${RICH}","chain_stats":{"funded_txo_sum":1,"spent_txo_sum":0},"mempool_stats":{"funded_txo_sum":0,"spent_txo_sum":0}}`
    },
    /not those of this address/u
  ],
  [
    "has more spent than received",
    {
      _tag: "Body",
      text: `{"address":"${SPENDING}","chain_stats":{"funded_txo_sum":0,"spent_txo_sum":1},"mempool_stats":{"funded_txo_sum":0,"spent_txo_sum":0}}`
    },
    /not those of this address/u
  ],
  ["is silent", { _tag: "Silence" }, /no answer within 150 ms/u],
  ["hangs up", { _tag: "HangUp" }, /connection failed/u]
]

describe("a host of Esplora", () => {
  it.live.each(faults)("that %s is stood in for by the next, or named with its reason", ([, fault, reason]) =>
    Effect.gen(function* () {
      first.state.fault = fault
      const found = yield* withChain([first.url, second.url], balance)
      assert.deepStrictEqual(found, { confirmed: 4_000n, unconfirmed: -3_500n })
      const message = yield* reasonOf([first.url])
      assert.match(message, reason)
      assert.include(message, new URL(first.url).host)
    })
  )

  it.live("is left alone for as long as it asks", () =>
    Effect.gen(function* () {
      first.state.fault = { _tag: "Status", status: 429, retryAfter: "60" }
      yield* withChain([first.url, second.url], Effect.all([balance, balance, balance]))
      assert.strictEqual(first.paths.length, 1)
      assert.strictEqual(second.paths.length, 3)
    })
  )

  it.live("is left alone after three failures, and its reason is told", () =>
    Effect.gen(function* () {
      first.state.fault = { _tag: "Status", status: 500 }
      const asked = Effect.flip(balance)
      const answers = yield* withChain([first.url], Effect.all([asked, asked, asked, asked]))
      assert.strictEqual(first.paths.length, 3)
      assert.match(answers[3].message, /asked again in \d+ s/u)
    })
  )

  it.live("whose URL has a key in its path shows none of it", () =>
    Effect.gen(function* () {
      first.state.fault = { _tag: "Status", status: 500 }
      const message = yield* reasonOf([`${first.url}/secret-key/api/`])
      assert.deepStrictEqual(first.paths, [`/secret-key/api/address/${SPENDING}`])
      assert.notInclude(message, "secret")
    })
  )

  it.live("tells its height beside the others', or why it does not", () =>
    Effect.gen(function* () {
      second.state.height = 899_990
      const urls = [first.url, second.url, "http://127.0.0.1:1"]
      const heights = yield* esploraHeights({ urls, timeoutMs: TIMEOUT_MS })
      assert.deepStrictEqual(
        heights.map(({ height }) => height),
        [900_000, 899_990, null]
      )
      assert.match(heights[2]!.reason!, /connection failed/u)
    })
  )
})

describe("no host", () => {
  it.effect("is said, with the setting that names one", () =>
    Effect.gen(function* () {
      assert.match(yield* reasonOf([]), /No source of Bitcoin's chain is configured.*ESPLORA_URLS/u)
    })
  )
})
