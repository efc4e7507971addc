import { DateTime, Effect } from "effect"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { BitcoinAddress, Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import { ExecutionStore } from "../../operations/executions/index.ts"
import { type Quote, QuoteStore } from "../../operations/quotes/index.ts"
import { BitcoinChain, type NoBitcoinSource, type Utxo } from "../chain/index.ts"
import { outpointText, quotedInputs, type UtxoState } from "./usableUtxos.ts"

export type PayableUtxo = Omit<Utxo, "isCoinbase">

/** Reports a missing server configuration with the same error as an outage of all servers. */
export const mapToUpstream = <A, E>(
  read: Effect.Effect<A, E | UpstreamUnavailable | NoBitcoinSource>
): Effect.Effect<A, Exclude<E, NoBitcoinSource> | UpstreamUnavailable> =>
  Effect.mapError(read, (error) =>
    (error as { readonly _tag?: string })._tag === "NO_BITCOIN_SOURCE"
      ? new UpstreamUnavailable({ upstream: "Bitcoin", reason: (error as NoBitcoinSource).message })
      : (error as Exclude<E, NoBitcoinSource> | UpstreamUnavailable)
  )

const spentOutpointsOf = (quotes: ReadonlyArray<Quote>): ReadonlySet<string> =>
  new Set(quotes.flatMap(quotedInputs).map(outpointText))

const CONCURRENCY = 8

/** Reads the UTXOs of a wallet, and determines which of them open quotes and pending payments spend. */
export const walletUtxos = Effect.gen(function* () {
  const chain = yield* BitcoinChain
  const quotes = yield* QuoteStore
  const executions = yield* ExecutionStore

  /** Returns the unconfirmed transactions whose inputs all belong to the wallet. */
  const ownUnconfirmedOf = Effect.fnUntraced(function* (utxos: ReadonlyArray<Utxo>, script: HexBytes) {
    const unconfirmedTxids = [...new Set(utxos.filter(({ block }) => block === null).map(({ txid }) => txid))]
    const unconfirmedTransactions = yield* Effect.forEach(
      unconfirmedTxids,
      (txid) => mapToUpstream(chain.findTransaction(txid)),
      {
        concurrency: CONCURRENCY
      }
    )
    const ownTransactions = unconfirmedTransactions.filter((one) =>
      one?.inputs.every((input) => input.script === script)
    )
    return new Set<Hash32>(ownTransactions.flatMap((one) => one?.txid ?? []))
  })

  return {
    of: Effect.fnUntraced(function* (address: BitcoinAddress, script: HexBytes, withChange: boolean) {
      const now = yield* DateTime.now
      const [allUtxos, tipHeight, openQuotes, pendingQuotes] = yield* Effect.all(
        [
          mapToUpstream(chain.utxosOf(address)),
          mapToUpstream(chain.agreedHeight),
          quotes.listUnsigned(address, now),
          executions.listPendingQuotes(address)
        ],
        { concurrency: "unbounded" }
      )
      const utxos = allUtxos.filter((utxo) => utxo.script === script)
      const state: UtxoState = {
        tipHeight,
        ownWaiting: withChange ? yield* ownUnconfirmedOf(utxos, script) : new Set(),
        quoted: spentOutpointsOf(openQuotes),
        pendingSpends: spentOutpointsOf(pendingQuotes)
      }
      return { utxos, state }
    }),
    /** Reads the transactions that created these UTXOs. */
    previous: Effect.fnUntraced(function* (utxos: ReadonlyArray<Pick<Utxo, "txid">>) {
      const txids = [...new Set(utxos.map(({ txid }) => txid))]
      const previousBytes = yield* Effect.forEach(
        txids,
        (txid) =>
          Effect.flatMap(mapToUpstream(chain.findTransactionBytes(txid)), (bytes) =>
            bytes === null
              ? Effect.fail(
                  new UpstreamUnavailable({ upstream: "Esplora", reason: `it did not find transaction ${txid}` })
                )
              : Effect.succeed([txid as string, bytes] as const)
          ),
        { concurrency: CONCURRENCY }
      )
      return new Map(previousBytes)
    })
  }
})
