import { BitcoinChain, NoBitcoinSource } from "@countersign/core/bitcoin"
import { UpstreamUnavailable } from "@countersign/core/errors"
import { Effect, Layer, Schema } from "effect"
import { HostFailure } from "../evm/index.ts"
import { type EsploraHost, makeEsploraHost } from "./EsploraHost.ts"

export interface EsploraOptions {
  /** In the order in which they are asked; none where Bitcoin is not read. */
  readonly urls: ReadonlyArray<string>
  readonly timeoutMs?: number
}

/** So that a second host is asked before an overview stops waiting. */
const TIMEOUT_MS = 1_800

/** A whole number: all that ever went through an address may be more than a float counts. */
const Satoshis = Schema.String.check(Schema.isPattern(/^\d{1,19}$/u))
const Sums = Schema.Struct({ funded_txo_sum: Satoshis, spent_txo_sum: Satoshis })
const AddressStats = Schema.Struct({ address: Schema.String, chain_stats: Sums, mempool_stats: Sums })
const Height = Schema.String.check(Schema.isPattern(/^\d{1,9}$/u))

const changeOf = ({ funded_txo_sum, spent_txo_sum }: typeof Sums.Type): bigint =>
  BigInt(funded_txo_sum) - BigInt(spent_txo_sum)

const heightAt = (host: EsploraHost) => Effect.map(host.get("/blocks/tip/height", Height), Number)

/** The height that each host tells, or why it tells none. What `doctor` compares. */
export const esploraHeights = ({ timeoutMs = TIMEOUT_MS, urls }: EsploraOptions) =>
  Effect.forEach(
    urls,
    (url) =>
      Effect.flatMap(makeEsploraHost(url, timeoutMs), (host) =>
        heightAt(host).pipe(
          Effect.map((height) => ({ host: host.name, height, reason: null })),
          Effect.catch(({ message }) => Effect.succeed({ host: host.name, height: null, reason: message }))
        )
      ),
    { concurrency: "unbounded" }
  )

const noSource = Layer.succeed(
  BitcoinChain,
  BitcoinChain.of({ balance: () => Effect.fail(new NoBitcoinSource()), tipHeight: Effect.fail(new NoBitcoinSource()) })
)

const overHosts = ({ timeoutMs = TIMEOUT_MS, urls }: EsploraOptions) =>
  Layer.effect(
    BitcoinChain,
    Effect.gen(function* () {
      const hosts = yield* Effect.forEach(urls, (url) => makeEsploraHost(url, timeoutMs))

      /** The answer of the first host that gives one. */
      const fromAny = Effect.fnUntraced(function* <A>(ask: (host: EsploraHost) => Effect.Effect<A, HostFailure>) {
        const reasons: Array<string> = []
        for (const host of hosts) {
          const answer = yield* Effect.result(ask(host))
          if (answer._tag === "Success") return answer.success
          reasons.push(`${host.name}: ${answer.failure.message}`)
        }
        return yield* new UpstreamUnavailable({ upstream: "Esplora", reason: reasons.join("; ") })
      })

      return BitcoinChain.of({
        tipHeight: fromAny(heightAt),
        balance: Effect.fn("EsploraChain.balance")(function* (address) {
          return yield* fromAny((host) =>
            Effect.flatMap(host.get(`/address/${address}`, AddressStats), (stats) => {
              const confirmed = changeOf(stats.chain_stats)
              return stats.address === address && confirmed >= 0n
                ? Effect.succeed({ confirmed, unconfirmed: changeOf(stats.mempool_stats) })
                : Effect.fail(new HostFailure("its sums are not those of this address"))
            })
          )
        })
      })
    })
  )

/** Bitcoin's chain as hosts of Esplora tell it, each standing in for those before it. */
export const layer = (options: EsploraOptions) => (options.urls.length === 0 ? noSource : overHosts(options))
