import {
  BitcoinChain,
  type BroadcastRefused,
  DEFAULT_RELAY_RATES,
  NoBitcoinSource
} from "@countersign/core/bitcoin/chain"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { type BitcoinAddress, type Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import { Effect, Layer, Option, Result } from "effect"
import { HostFailure, scaledE18RoundingDown } from "../../outbound/json-api/index.ts"
import { leastFinalRefusal } from "./broadcastRefusal.ts"
import { hashOf } from "./bytes.ts"
import { type EsploraHost, esploraHost } from "./EsploraHost.ts"
import { broadcastAt, idOf } from "./esploraBroadcast.ts"
import { blockAt, historyPage, transactionAt } from "./esploraHistory.ts"
import { AddressStats, FeeEstimates, Outspend, PreciseFees, unspentSumOf } from "./esploraResponses.ts"
import { heightAt, tipAt } from "./esploraTip.ts"
import { utxosAt } from "./esploraUtxos.ts"

export interface EsploraOptions {
  /** Server URLs in order of preference; empty if the service does not support Bitcoin. */
  readonly urls: ReadonlyArray<string>
  readonly timeoutMs?: number
}

/** Short enough that a second server can be queried before the timeout of a portfolio request. */
const TIMEOUT_MS = 1_800

const HASH = /^[\da-f]{64}$/u
const BYTES = /^(?:[\da-f]{2})+$/u
/** Divisor that converts a fee rate per virtual byte, scaled by 10^18, to a rate per 1,000 virtual bytes. */
const E15 = 10n ** 15n

const balanceAt = Effect.fnUntraced(function* (host: EsploraHost, address: BitcoinAddress) {
  const stats = yield* host.get(`/address/${address}`, AddressStats)
  const confirmedBalance = unspentSumOf(stats.chain_stats)
  return stats.address === address && confirmedBalance >= 0n
    ? { confirmed: confirmedBalance, unconfirmed: unspentSumOf(stats.mempool_stats) }
    : yield* Effect.fail(new HostFailure("it returned the balance of another address"))
})

const bytesAt = Effect.fnUntraced(function* (host: EsploraHost, txid: Hash32) {
  const text = yield* host.getText(`/tx/${txid.slice(2)}/hex`, BYTES)
  if (text === null) return null
  const bytes = HexBytes.make(`0x${text}`)
  return Result.getOrNull(idOf(bytes)) === txid
    ? bytes
    : yield* Effect.fail(new HostFailure("it returned the bytes of another transaction"))
})

const spenderAt = Effect.fnUntraced(function* (host: EsploraHost, txid: Hash32, vout: number) {
  const outspend = yield* host.getOrNull(`/tx/${txid.slice(2)}/outspend/${vout}`, Outspend)
  return outspend?.spent === true ? hashOf(outspend.txid) : null
})

/**
 * Reads fee rates. Esplora returns decimal rates per virtual byte. The conversion rounds up, so that the paid rate is
 * never lower.
 */
const feeRatesAt = Effect.fnUntraced(function* (host: EsploraHost) {
  const estimates = Object.entries(yield* host.get("/fee-estimates", FeeEstimates)).flatMap(([blocks, rate]) => {
    const rateE18 = Option.getOrNull(scaledE18RoundingDown(rate))
    return rateE18 === null || !/^\d{1,4}$/u.test(blocks) ? [] : [[Number(blocks), (rateE18 + E15 - 1n) / E15] as const]
  })
  if (estimates.length === 0) return yield* Effect.fail(new HostFailure("it returns no fee estimates"))
  return new Map(estimates.sort(([a], [b]) => a - b))
})

/**
 * Reads the minimum relay fee rate. Esplora does not return it. mempool.space returns it, and its API is otherwise
 * compatible with Esplora.
 */
const minRateAt = (host: EsploraHost) =>
  Effect.map(host.getIfServed("/v1/fees/precise?min=0.1", PreciseFees), (fees) => {
    const rateE18 = fees === null ? null : Option.getOrNull(scaledE18RoundingDown(fees.minimumFee))
    return rateE18 === null ? null : (rateE18 + E15 - 1n) / E15
  })
const RELAY_RATES_FOR = "1 minute"

const relayRatesOf = Effect.fnUntraced(function* (hosts: ReadonlyArray<EsploraHost>) {
  for (const host of hosts) {
    const minRate = yield* minRateAt(host)
    if (minRate !== null) return { ...DEFAULT_RELAY_RATES, minRate }
  }
  return DEFAULT_RELAY_RATES
})

const failWithoutSource = Effect.fail(new NoBitcoinSource())
const noSource = Layer.succeed(
  BitcoinChain,
  BitcoinChain.of({
    agreedHeight: failWithoutSource,
    balanceOf: () => failWithoutSource,
    block: () => failWithoutSource,
    blockHash: () => failWithoutSource,
    broadcast: () => failWithoutSource,
    utxosOf: () => failWithoutSource,
    feeRates: failWithoutSource,
    relayRates: failWithoutSource,
    spenderOf: () => failWithoutSource,
    tip: failWithoutSource,
    tipHeight: failWithoutSource,
    findTransaction: () => failWithoutSource,
    findTransactionBytes: () => failWithoutSource,
    transactionsOf: () => failWithoutSource
  })
)

const makeHosts = ({ timeoutMs = TIMEOUT_MS, urls }: EsploraOptions) =>
  Layer.effect(
    BitcoinChain,
    Effect.gen(function* () {
      const hosts = urls.map((url) => esploraHost(url, timeoutMs))

      /** Returns the response of the first server that responds. */
      const requestFromAny = Effect.fnUntraced(function* <A>(
        request: (host: EsploraHost) => Effect.Effect<A, HostFailure>
      ) {
        const reasons: Array<string> = []
        for (const host of hosts) {
          const response = yield* Effect.result(request(host))
          if (response._tag === "Success") return response.success
          reasons.push(`${host.name}: ${response.failure.message}`)
        }
        return yield* new UpstreamUnavailable({ upstream: "Esplora", reason: reasons.join("; ") })
      })

      /** Like `requestFromAny`, but also tries the next server if a server does not have the item. */
      const requestFromAnyWithItem = <A>(request: (host: EsploraHost) => Effect.Effect<A | null, HostFailure>) => {
        let isReportedMissing = false
        const response = requestFromAny((host) =>
          Effect.flatMap(request(host), (response) => {
            isReportedMissing ||= response === null
            return response === null
              ? Effect.fail(new HostFailure("it does not have the transaction"))
              : Effect.succeed(response)
          })
        )
        return Effect.catch(response, (failure) => (isReportedMissing ? Effect.succeed(null) : Effect.fail(failure)))
      }

      const agreedHeight = Effect.gen(function* () {
        const responses = yield* Effect.forEach(hosts, (host) => Effect.option(heightAt(host)), {
          concurrency: "unbounded"
        })
        const heights = responses.flatMap(Option.toArray).toSorted((a, b) => b - a)
        return heights[1] ?? heights[0] ?? (yield* requestFromAny(heightAt))
      })

      /** Tries the servers in order until one accepts the transaction, because mempools differ. */
      const broadcast = Effect.fn("EsploraChain.broadcast")(function* (bytes: HexBytes) {
        const refusals: Array<BroadcastRefused> = []
        const broadcastResult = requestFromAny((host) =>
          Effect.flatMap(broadcastAt(host, bytes), (refusal) => {
            if (refusal === null) return Effect.void
            refusals.push(refusal)
            return Effect.fail(new HostFailure(`it rejected the transaction: ${refusal.reason}`))
          })
        )
        yield* Effect.catch(broadcastResult, (failure) =>
          Effect.fail<BroadcastRefused | UpstreamUnavailable>(leastFinalRefusal(refusals, hosts.length) ?? failure)
        )
      })

      return BitcoinChain.of({
        agreedHeight,
        balanceOf: Effect.fn("EsploraChain.balance")((address) => requestFromAny((host) => balanceAt(host, address))),
        block: Effect.fn("EsploraChain.block")((hash) => requestFromAny((host) => blockAt(host, hash))),
        blockHash: (height) =>
          Effect.map(
            requestFromAny((host) => host.getText(`/block-height/${height}`, HASH)),
            (hash) => (hash === null ? null : hashOf(hash))
          ),
        broadcast,
        utxosOf: Effect.fn("EsploraChain.coins")((address) =>
          requestFromAny((host) => Effect.flatMap(heightAt(host), (height) => utxosAt(host, address, height)))
        ),
        feeRates: requestFromAny(feeRatesAt),
        relayRates: yield* Effect.cachedWithTTL(relayRatesOf(hosts), RELAY_RATES_FOR),
        spenderOf: ({ txid, vout }) => requestFromAny((host) => spenderAt(host, txid, vout)),
        tip: Effect.map(requestFromAny(tipAt), ({ hash, height }) => ({ hash, height })),
        tipHeight: requestFromAny(heightAt),
        findTransaction: (txid) => requestFromAnyWithItem((host) => transactionAt(host, txid)),
        findTransactionBytes: (txid) => requestFromAnyWithItem((host) => bytesAt(host, txid)),
        transactionsOf: (address, after) => requestFromAny((host) => historyPage(host, address, after))
      })
    })
  )

/** Reads Bitcoin from Esplora servers, with failover in the order of their URLs. */
export const layer = (options: EsploraOptions) => (options.urls.length === 0 ? noSource : makeHosts(options))
