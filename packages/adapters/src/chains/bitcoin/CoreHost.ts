import { type BroadcastRefused, DEFAULT_RELAY_RATES } from "@countersign/core/bitcoin/chain"
import { type HexBytes, maxBigInt } from "@countersign/core/foundation/primitives"
import { Effect, Option, Schema } from "effect"
import {
  decodeJson,
  exactJsonIn,
  HostFailure,
  httpHost,
  NumberText,
  scaledE18RoundingDown,
  unexpectedStatus
} from "../../outbound/json-api/index.ts"
import { broadcastRefusalOrNull } from "./broadcastRefusal.ts"
import { hashOf } from "./bytes.ts"

const MAX_RESPONSE_BYTES = 1_000_000
const circuit = { failuresToOpen: 3, cooldownMs: 5_000, longestCooldownMs: 300_000 }
/** HTTP statuses with which Bitcoin Core reports a failed request. The body contains the reason. */
const RPC_ERROR_STATUSES: ReadonlyArray<number> = [404, 500]
/** Confirmation targets of the fee estimates, in blocks. */
const TARGETS: ReadonlyArray<number> = [2, 3, 6, 25, 144]
/** One satoshi per 1,000 virtual bytes, in BTC scaled by 10^18. */
const SATOSHI_E18 = 10n ** 10n

const RpcResponse = Schema.Struct({
  result: Schema.Unknown,
  error: Schema.NullOr(Schema.Struct({ code: NumberText, message: Schema.String }))
})
const Estimate = Schema.Struct({ feerate: Schema.optionalKey(NumberText) })

const MempoolInfo = Schema.Struct({
  mempoolminfee: NumberText,
  minrelaytxfee: NumberText,
  /** Returned by Bitcoin Core 24 and later. */
  incrementalrelayfee: Schema.optionalKey(NumberText)
})

/** Converts a fee rate to satoshis per 1,000 virtual bytes, rounded up. */
const rateOf = (bitcoins: string): bigint | null =>
  Option.match(scaledE18RoundingDown(bitcoins), {
    onNone: () => null,
    onSome: (scaled) => (scaled + SATOSHI_E18 - 1n) / SATOSHI_E18
  })

const Info = Schema.Struct({
  blocks: NumberText,
  bestblockhash: Schema.String.check(Schema.isPattern(/^[\da-f]{64}$/u)),
  /** Returned by Bitcoin Core 23 and later. */
  time: Schema.optionalKey(NumberText)
})

const errorResponse = (message: string) => new HostFailure(`it responded with an error: ${message.slice(0, 120)}`)

const unexpectedFormat = () => new HostFailure("its response has an unexpected format")

/** Creates a client for one Bitcoin Core node over JSON-RPC. The URL contains the user name and the password. */
export const coreHost = (url: string, timeoutMs: number) => {
  const host = httpHost({ title: "Bitcoin Core", url, timeoutMs, maxBytes: MAX_RESPONSE_BYTES, circuit })

  const call = (method: string, params: ReadonlyArray<unknown>) =>
    host.exchange(
      {
        method: "POST",
        path: "",
        body: JSON.stringify({ jsonrpc: "1.0", id: "countersign", method, params }),
        headers: { "content-type": "application/json" }
      },
      (response) =>
        response.status === 200 || RPC_ERROR_STATUSES.includes(response.status)
          ? Effect.flatMap(Effect.mapError(exactJsonIn(response), unexpectedFormat), (json) =>
              decodeJson(RpcResponse, json)
            )
          : unexpectedStatus(response)
    )

  const requestResult = <A>(method: string, params: ReadonlyArray<unknown>, schema: Schema.Codec<A, unknown>) =>
    Effect.flatMap(call(method, params), ({ error, result }) =>
      error === null ? decodeJson(schema, result) : Effect.fail(errorResponse(error.message))
    )

  return {
    name: host.name,
    /** Reads the latest validated block. */
    tip: Effect.map(requestResult("getblockchaininfo", [], Info), ({ bestblockhash, blocks, time }) => ({
      hash: hashOf(bestblockhash),
      height: Number(blocks),
      minedAtMs: time === undefined ? null : Number(time) * 1_000
    })),
    /** Broadcasts a transaction. Returns the rejection; null if the node accepted the transaction. */
    broadcast: Effect.fnUntraced(function* (bytes: HexBytes): Effect.fn.Return<BroadcastRefused | null, HostFailure> {
      const { error } = yield* call("sendrawtransaction", [bytes.slice(2)])
      if (error === null) return null
      return (
        broadcastRefusalOrNull(Number(error.code), error.message) ?? (yield* Effect.fail(errorResponse(error.message)))
      )
    }),
    relayRates: Effect.map(
      requestResult("getmempoolinfo", [], MempoolInfo),
      ({ incrementalrelayfee, mempoolminfee, minrelaytxfee }) => {
        const { incremental, minRate } = DEFAULT_RELAY_RATES
        return {
          minRate: maxBigInt(rateOf(mempoolminfee) ?? minRate, rateOf(minrelaytxfee) ?? minRate),
          incremental: incrementalrelayfee === undefined ? incremental : (rateOf(incrementalrelayfee) ?? incremental)
        }
      }
    ),
    /**
     * Estimates fee rates in satoshis per 1,000 virtual bytes, rounded up. A node that was started recently has no
     * estimates.
     */
    feeRates: Effect.gen(function* () {
      const estimates = yield* Effect.forEach(TARGETS, (blocks) =>
        Effect.map(requestResult("estimatesmartfee", [blocks], Estimate), ({ feerate }) => {
          const rate = feerate === undefined ? null : rateOf(feerate)
          return rate === null ? [] : [[blocks, rate] as const]
        })
      )
      const rates = new Map(estimates.flat())
      return rates.size > 0 ? rates : yield* Effect.fail(new HostFailure("it returns no fee estimates"))
    })
  }
}

export type CoreHost = ReturnType<typeof coreHost>
