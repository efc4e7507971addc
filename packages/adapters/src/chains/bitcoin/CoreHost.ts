import { type BroadcastRefused, DEFAULT_RELAY_RATES } from "@countersign/core/bitcoin/chain"
import { greater, type HexBytes } from "@countersign/core/foundation/primitives"
import { Effect, Option, Schema } from "effect"
import {
  exchangeText,
  NumberText,
  parseExactJson,
  scaledE18RoundingDown,
  tooLong
} from "../../outbound/json-api/index.ts"
import { waitingOn } from "../../outbound/waits/index.ts"
import { HostFailure, hostFailureFromStatus } from "../evm/index.ts"
import { countRequest, outcomeOf } from "./bitcoinMetrics.ts"
import { broadcastRefusal } from "./broadcastRefusal.ts"
import { hashOf } from "./bytes.ts"

const MAX_ANSWER_BYTES = 1_000_000
/** Bitcoin Core answers so to a request that it does not carry out, with the reason in the body. */
const NOT_CARRIED_OUT: ReadonlyArray<number> = [404, 500]
/** Blocks to wait for that are estimated. */
const TARGETS: ReadonlyArray<number> = [2, 3, 6, 25, 144]
/** Of bitcoins for each thousand virtual bytes, scaled by 10^18: one satoshi. */
const SATOSHI_E18 = 10n ** 10n

const Answer = Schema.Struct({
  result: Schema.Unknown,
  error: Schema.NullOr(Schema.Struct({ code: NumberText, message: Schema.String }))
})
const Estimate = Schema.Struct({ feerate: Schema.optionalKey(NumberText) })

const MempoolInfo = Schema.Struct({
  mempoolminfee: NumberText,
  minrelaytxfee: NumberText,
  /** Since version 24. */
  incrementalrelayfee: Schema.optionalKey(NumberText)
})

/** In satoshis for each thousand virtual bytes, rounded up. */
const rateOf = (bitcoins: string): bigint | null =>
  Option.match(scaledE18RoundingDown(bitcoins), {
    onNone: () => null,
    onSome: (scaled) => (scaled + SATOSHI_E18 - 1n) / SATOSHI_E18
  })

const Info = Schema.Struct({
  blocks: NumberText,
  bestblockhash: Schema.String.check(Schema.isPattern(/^[\da-f]{64}$/u)),
  /** Since version 24. */
  time: Schema.optionalKey(NumberText)
})

const unexpected = () => new HostFailure("its answer has an unexpected form")
const decode = <A>(schema: Schema.Codec<A, unknown>, json: unknown) =>
  Effect.mapError(Schema.decodeUnknownEffect(schema)(json), unexpected)

/** One node of Bitcoin Core, by JSON-RPC. Name and password are in the URL. */
export const makeCoreHost = (given: string, timeoutMs: number) => {
  const url = new URL(given)
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  url.username = ""
  url.password = ""
  const authorization = `Basic ${Buffer.from(credentials).toString("base64")}`

  const call = Effect.fnUntraced(function* (method: string, params: ReadonlyArray<unknown>) {
    const body = JSON.stringify({ jsonrpc: "1.0", id: "countersign", method, params })
    const headers = { "content-type": "application/json", authorization }
    const asked = exchangeText(url.href, { method: "POST", body, headers }, { timeoutMs, maxBytes: MAX_ANSWER_BYTES })
    const { retryAfter, status, text } = yield* waitingOn("node", asked).pipe(
      Effect.tap(() => countRequest(url.host, "answered")),
      Effect.tapError((failure) => countRequest(url.host, outcomeOf(failure)))
    )
    if (text === null) return yield* Effect.fail(tooLong(MAX_ANSWER_BYTES))
    if (status !== 200 && !NOT_CARRIED_OUT.includes(status)) {
      return yield* Effect.fail(hostFailureFromStatus(status, retryAfter))
    }
    const json = yield* Effect.try({ try: () => parseExactJson(text), catch: unexpected })
    return yield* decode(Answer, json)
  })

  const result = <A>(method: string, params: ReadonlyArray<unknown>, schema: Schema.Codec<A, unknown>) =>
    Effect.flatMap(call(method, params), ({ error, result }) =>
      error === null
        ? decode(schema, result)
        : Effect.fail(new HostFailure(`it refused: ${error.message.slice(0, 120)}`))
    )

  return {
    name: url.host,
    /** The latest block that it has verified. */
    tip: Effect.map(result("getblockchaininfo", [], Info), ({ bestblockhash, blocks, time }) => ({
      hash: hashOf(bestblockhash),
      height: Number(blocks),
      minedAtMs: time === undefined ? null : Number(time) * 1_000
    })),
    /** Null where it took it: also where it has it waiting. */
    broadcast: Effect.fnUntraced(function* (bytes: HexBytes): Effect.fn.Return<BroadcastRefused | null, HostFailure> {
      const { error } = yield* call("sendrawtransaction", [bytes.slice(2)])
      return error === null ? null : broadcastRefusal(Number(error.code), error.message)
    }),
    relayRates: Effect.map(
      result("getmempoolinfo", [], MempoolInfo),
      ({ incrementalrelayfee, mempoolminfee, minrelaytxfee }) => {
        const { incremental, least } = DEFAULT_RELAY_RATES
        return {
          least: greater(rateOf(mempoolminfee) ?? least, rateOf(minrelaytxfee) ?? least),
          incremental: incrementalrelayfee === undefined ? incremental : (rateOf(incrementalrelayfee) ?? incremental)
        }
      }
    ),
    /** In satoshis for each thousand virtual bytes, rounded up. A node that has seen few blocks estimates none. */
    feeRates: Effect.gen(function* () {
      const estimates = yield* Effect.forEach(TARGETS, (blocks) =>
        Effect.map(result("estimatesmartfee", [blocks], Estimate), ({ feerate }) => {
          const rate = feerate === undefined ? null : rateOf(feerate)
          return rate === null ? [] : [[blocks, rate] as const]
        })
      )
      const rates = new Map(estimates.flat())
      return rates.size > 0 ? rates : yield* Effect.fail(new HostFailure("it estimates no fees"))
    })
  }
}

export type CoreHost = ReturnType<typeof makeCoreHost>
