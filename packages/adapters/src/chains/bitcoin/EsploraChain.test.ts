import { BitcoinChain } from "@countersign/core/bitcoin/chain"
import { bitcoinChainContract } from "@countersign/core/contracts/bitcoin/chain/BitcoinChain"
import { BitcoinAddress } from "@countersign/core/foundation/primitives"
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import { Effect, Metric } from "effect"
import { makeChainFixture } from "../../../test/bitcoin/chainFixture.ts"
import { type EsploraFault, startEsploraEmulator } from "../../../test/bitcoin/EsploraEmulator.ts"
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
  // The total satoshis that the address has received exceed the precision of a floating-point number.
  balances.set(RICH, {
    fundedAmount: 9_007_199_254_740_993n,
    spentAmount: 9_007_199_254_740_990n,
    waitingIn: 0n,
    waitingOut: 0n
  })
  balances.set(SPENDING, { fundedAmount: 5_000n, spentAmount: 1_000n, waitingIn: 500n, waitingOut: 4_000n })
  balances.set(RECEIVING, { fundedAmount: 0n, spentAmount: 0n, waitingIn: 21n, waitingOut: 0n })
}

const HEIGHT = 900_000
const fixture = makeChainFixture([first.chain, second.chain], HEIGHT)

bitcoinChainContract("Esplora", EsploraChain.layer({ urls: [first.url], timeoutMs: 60_000 }), {
  height: HEIGHT,
  ...fixture,
  balances: new Map([
    [RICH, { confirmed: 3n, unconfirmed: 0n }],
    [SPENDING, { confirmed: 4_000n, unconfirmed: -3_500n }],
    [RECEIVING, { confirmed: 0n, unconfirmed: 21n }]
  ])
})

beforeEach(() => {
  for (const { paths, state } of [first, second]) {
    state.fault = null
    state.height = HEIGHT
    paths.length = 0
  }
})

const withChain = <A, E>(urls: ReadonlyArray<string>, use: Effect.Effect<A, E, BitcoinChain>, timeoutMs = 60_000) =>
  Effect.provide(use, EsploraChain.layer({ urls, timeoutMs }))

const balance = BitcoinChain.use((chain) => chain.balanceOf(SPENDING))
const reasonOf = (urls: ReadonlyArray<string>, timeoutMs?: number) =>
  withChain(
    urls,
    Effect.map(Effect.flip(balance), ({ message }) => message),
    timeoutMs
  )

const faults: ReadonlyArray<readonly [string, EsploraFault, RegExp]> = [
  ["limits the rate", { _tag: "Status", status: 429, retryAfter: "7" }, /HTTP status 429/u],
  ["is broken", { _tag: "Status", status: 502, text: "<html>" }, /HTTP status 502/u],
  [
    "rejects the request",
    { _tag: "Status", status: 400, text: "Too many history entries" },
    /rejected the request: Too many history/u
  ],
  ["rejects the request with a page", { _tag: "Status", status: 400, text: "<html>no</html>" }, /HTTP status 400/u],
  ["is not an Esplora server", { _tag: "Status", status: 404, text: "endpoint does not exist" }, /HTTP status 404/u],
  ["returns another body", { _tag: "Body", text: "<html></html>" }, /unexpected format/u],
  ["omits sums", { _tag: "Body", text: `{"address":"${SPENDING}"}` }, /unexpected format/u],
  [
    "returns another address",
    {
      _tag: "Body",
      text: `{"address":"${RICH}","chain_stats":{"funded_txo_sum":1,"spent_txo_sum":0},"mempool_stats":{"funded_txo_sum":0,"spent_txo_sum":0}}`
    },
    /the balance of another address/u
  ],
  [
    "has more spent than received",
    {
      _tag: "Body",
      text: `{"address":"${SPENDING}","chain_stats":{"funded_txo_sum":0,"spent_txo_sum":1},"mempool_stats":{"funded_txo_sum":0,"spent_txo_sum":0}}`
    },
    /the balance of another address/u
  ],
  ["is silent", { _tag: "Silence" }, /no response within 300 ms/u],
  ["hangs up", { _tag: "HangUp" }, /connection failed/u]
]

describe("an Esplora server", () => {
  it.live.each(faults)("that %s is replaced by the next server, or reported with its reason", ([, fault, reason]) =>
    Effect.gen(function* () {
      first.state.fault = fault
      const timeoutMs = fault._tag === "Silence" ? 300 : 60_000
      // On a slow machine the other server may also exceed the short timeout.
      const response = yield* Effect.retry(withChain([first.url, second.url], balance, timeoutMs), { times: 50 })
      assert.deepStrictEqual(response, { confirmed: 4_000n, unconfirmed: -3_500n })
      const message = yield* reasonOf([first.url], timeoutMs)
      assert.match(message, reason)
      assert.include(message, new URL(first.url).host)
    })
  )

  it.effect("gets no request for the time of its Retry-After header", () =>
    Effect.gen(function* () {
      first.state.fault = { _tag: "Status", status: 429, retryAfter: "60" }
      yield* withChain([first.url, second.url], Effect.all([balance, balance, balance]))
      assert.strictEqual(first.paths.length, 1)
      assert.strictEqual(second.paths.length, 3)
    })
  )

  it.effect("is backed off after three failures, and the reason is returned", () =>
    Effect.gen(function* () {
      first.state.fault = { _tag: "Status", status: 500 }
      const request = Effect.flip(balance)
      const responses = yield* withChain([first.url], Effect.all([request, request, request, request]))
      assert.strictEqual(first.paths.length, 3)
      assert.match(responses[3].message, /next request is sent in \d+ s/u)
    })
  )

  it.effect("can't raise the agreed height without a second server", () =>
    Effect.gen(function* () {
      const agreedHeightOf = (...urls: ReadonlyArray<string>) =>
        withChain(
          urls,
          BitcoinChain.use(({ agreedHeight }) => agreedHeight)
        )
      first.state.height = HEIGHT + 50_000
      assert.strictEqual(yield* agreedHeightOf(first.url, second.url), HEIGHT)
      first.state.fault = { _tag: "Status", status: 500 }
      assert.strictEqual(yield* agreedHeightOf(first.url, second.url), HEIGHT)
      second.state.fault = { _tag: "Status", status: 500 }
      assert.strictEqual((yield* Effect.flip(agreedHeightOf(first.url, second.url)))._tag, "UPSTREAM_UNAVAILABLE")
    })
  )

  it.effect("has metrics of its requests by outcome and of its height", () =>
    Effect.gen(function* () {
      first.state.fault = { _tag: "Status", status: 429, retryAfter: "60" }
      yield* withChain(
        [first.url, second.url],
        Effect.andThen(
          Effect.all([balance, balance]),
          BitcoinChain.use(({ tip }) => tip)
        )
      )
      const host = (url: string) => new URL(url).host
      const metrics = (yield* Metric.snapshot)
        .filter(({ id }) => id.startsWith("bitcoin_") || id.startsWith("http_host_"))
        .map(({ attributes, id, state }) => {
          const value = "count" in state ? state.count : "value" in state ? state.value : null
          return `${id} ${attributes?.host} ${attributes?.outcome ?? ""} ${value}`
        })
      assert.includeMembers(metrics, [
        `http_host_requests_total ${host(first.url)} limited 1`,
        `http_host_requests_total ${host(first.url)} rejected 2`,
        `http_host_requests_total ${host(second.url)} answered 4`,
        `http_host_up ${host(first.url)}  0`,
        `http_host_up ${host(second.url)}  1`,
        `bitcoin_host_block ${host(second.url)}  900000`
      ])
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.live("with a key in its URL's path never exposes the key", () =>
    Effect.gen(function* () {
      first.state.fault = { _tag: "Status", status: 500 }
      const message = yield* reasonOf([`${first.url}/secret-key/api/`])
      assert.deepStrictEqual(first.paths, [`/secret-key/api/address/${SPENDING}`])
      assert.notInclude(message, "secret")
    })
  )
})

describe("UTXOs", () => {
  it.live("are read from the history if an address has too many for a list", () =>
    Effect.gen(function* () {
      const { utxos } = fixture.history
      const readUtxos = BitcoinChain.use((chain) => chain.utxosOf(fixture.history.address))
      second.chain.maxUtxos = utxos.length - 1
      const result = yield* withChain([second.url], readUtxos)
      second.chain.maxUtxos = 500
      const names = (of: typeof result) =>
        of.map(({ isCoinbase, txid, vout }) => `${txid}:${vout} ${isCoinbase}`).sort()
      assert.deepStrictEqual(names(result), names(utxos))
    })
  )
})

describe("fee rates", () => {
  it.live("are exact, per 1,000 bytes, and rounded up", () =>
    Effect.gen(function* () {
      first.state.fees = '{"6":1.0270000001,"2":87.882,"1008":1e-1,"25":0}'
      const rates = yield* withChain(
        [first.url],
        Effect.flatMap(BitcoinChain, ({ feeRates }) => feeRates)
      )
      assert.deepStrictEqual(
        [...rates],
        [
          [2, 87_882n],
          [6, 1_028n],
          [1_008, 100n]
        ]
      )
    })
  )
})

describe("a transaction", () => {
  const mempool = (code: number, message: string): EsploraFault => ({
    _tag: "Status",
    status: 400,
    text: `sendrawtransaction RPC error: ${JSON.stringify({ code, message })}`
  })
  const broadcastTransaction = BitcoinChain.use((chain) => chain.broadcast(fixture.broadcast.minedBytes))
  const refusal = (urls: ReadonlyArray<string>) =>
    withChain(
      urls,
      Effect.map(Effect.flip(broadcastTransaction), (failure) => ("kind" in failure ? failure.kind : failure.message))
    )

  it.live("that one of two servers rejects is sent to the other", () =>
    Effect.gen(function* () {
      first.state.fault = mempool(-26, "min relay fee not met, 1 < 110")
      yield* withChain(
        [first.url, second.url],
        BitcoinChain.use((chain) => chain.broadcast(fixture.broadcast.validPayment.bytes))
      )
    })
  )

  it.live("gets the least final of the servers' rejections", () =>
    Effect.gen(function* () {
      first.state.fault = mempool(-26, "mandatory-script-verify-flag-failed")
      second.state.fault = mempool(-26, "mempool min fee not met")
      assert.strictEqual(yield* refusal([first.url, second.url]), "POLICY")
      second.state.fault = null
      assert.strictEqual(yield* refusal([first.url, second.url]), "KNOWN")
    })
  )

  it.live("is not finally rejected if one server rejects it and the other does not respond", () =>
    Effect.gen(function* () {
      for (const reason of ["mandatory-script-verify-flag-failed", "mempool min fee not met"]) {
        first.state.fault = mempool(-26, reason)
        second.state.fault = { _tag: "Body", text: "<html>ok</html>" }
        assert.strictEqual(yield* refusal([first.url, second.url]), "UNDECIDED")
      }
    })
  )

  it.live("that a server rejects in the newer format is rejected", () =>
    Effect.gen(function* () {
      first.state.fault = {
        _tag: "Status",
        status: 400,
        text: "sendrawtransaction RPC error -26: bad-txns-in-belowout"
      }
      assert.strictEqual(yield* refusal([first.url]), "INVALID")
    })
  )

  it.live("is not rejected by a response that does not refer to it", () =>
    Effect.gen(function* () {
      first.state.fault = { _tag: "Body", text: "<html>ok</html>" }
      assert.match(yield* refusal([first.url]), /does not report whether it accepted/u)
    })
  )

  it.live("that one server does not have is requested from the next server", () =>
    Effect.gen(function* () {
      first.state.fault = { _tag: "Status", status: 404, text: "Transaction not found" }
      const readTransaction = BitcoinChain.use((chain) => chain.findTransaction(fixture.history.transactions[0]!.txid))
      assert.deepStrictEqual(
        yield* withChain([first.url, second.url], readTransaction),
        fixture.history.transactions[0]!
      )
      assert.isNull(yield* withChain([first.url], readTransaction))
    })
  )

  it.live("with another id is not accepted", () =>
    Effect.gen(function* () {
      const [wanted, another] = fixture.history.transactions
      first.state.fault = { _tag: "Body", text: first.chain.entry(another!.txid.slice(2))!.transaction.toHex() }
      const readBytes = BitcoinChain.use((chain) => chain.findTransactionBytes(wanted!.txid))
      assert.match((yield* withChain([first.url], Effect.flip(readBytes))).message, /the bytes of another transaction/u)
    })
  )
})

describe("a missing Esplora server", () => {
  it.effect("is reported with the setting that configures one", () =>
    Effect.gen(function* () {
      assert.match(yield* reasonOf([]), /No Bitcoin data source is configured.*ESPLORA_URLS/u)
    })
  )
})
