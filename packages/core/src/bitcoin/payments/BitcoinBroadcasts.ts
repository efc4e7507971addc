import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import { HistoryStore } from "../../accounting/history/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import { type AcceptanceError, Acceptances } from "../../operations/executions/index.ts"
import type { BitcoinTransactionIntent } from "../../operations/intents/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { BitcoinChain, BitcoinTransactions } from "../chain/index.ts"
import { signedPayment } from "./bitcoinTransactionKind.ts"
import { DEPOSIT_EXPIRED_REASON, isBroadcastExpired } from "./broadcastExpiry.ts"
import { BitcoinQuoteNotFound, BroadcastFailed, ExpiredBitcoinQuote } from "./errors.ts"
import { mapToUpstream } from "./walletUtxos.ts"

export type BroadcastError =
  | BitcoinQuoteNotFound
  | ExpiredBitcoinQuote
  | BroadcastFailed
  | Exclude<AcceptanceError, { readonly _tag: "QUOTE_EXPIRED" | "UPSTREAM_UNAVAILABLE" }>

export interface Broadcast {
  /** The on-chain txid. */
  readonly txid: Hash32
  /** The transaction id in the wallet's history. */
  readonly transactionId: string
}

const upstreamFailure = ({ reason, upstream }: UpstreamUnavailable, remedy: BroadcastFailed["remedy"]) =>
  Effect.fail(new BroadcastFailed({ reason: `${upstream} is unavailable: ${reason}`, remedy }))

/** Broadcasts signed payments while the caller waits, and returns the node's response. */
export class BitcoinBroadcasts extends Context.Service<
  BitcoinBroadcasts,
  {
    /**
     * Accepts a quote with its signed transaction, and broadcasts it. An accepted payment is tracked. If a node rejects
     * it temporarily, the broadcast is retried. A repeated request returns the result of the first one.
     */
    readonly broadcast: (
      projectId: ProjectId,
      quoteId: string,
      signed: HexBytes
    ) => Effect.Effect<Broadcast, BroadcastError>
  }
>()("@countersign/core/bitcoin-payments/BitcoinBroadcasts") {
  static readonly layer = Layer.effect(
    BitcoinBroadcasts,
    Effect.gen(function* () {
      const acceptances = yield* Acceptances
      const chain = yield* BitcoinChain
      const history = yield* HistoryStore
      const transactions = yield* BitcoinTransactions

      /** Broadcasts the transaction. A node may already have it, because the execution worker also broadcasts it. */
      const send = (bytes: HexBytes) =>
        mapToUpstream(chain.broadcast(bytes)).pipe(
          Effect.catchTags({
            UPSTREAM_UNAVAILABLE: (error) => upstreamFailure(error, "WAIT"),
            BROADCAST_REFUSED: ({ kind, reason }) =>
              kind === "KNOWN"
                ? Effect.void
                : Effect.fail(new BroadcastFailed({ reason, remedy: kind === "INVALID" ? "NEW_QUOTE" : "WAIT" }))
          })
        )

      return BitcoinBroadcasts.of({
        broadcast: Effect.fn("BitcoinBroadcasts.broadcast")(function* (projectId, quoteId, signedTransaction) {
          const knownQuote = yield* Effect.catchTag(acceptances.get(projectId, quoteId), "QUOTE_NOT_FOUND", () =>
            Effect.fail(new BitcoinQuoteNotFound({ quoteId }))
          )
          const intent = knownQuote.quote.intents.find(
            (one): one is BitcoinTransactionIntent => one.type === "BITCOIN_TRANSACTION"
          )
          const [element] = intent?.signData ?? []
          if (intent === undefined || element === undefined) return yield* new BitcoinQuoteNotFound({ quoteId })
          const execution = yield* acceptances.acceptLoaded(knownQuote, { [element.hash]: signedTransaction }).pipe(
            Effect.catchTags({
              QUOTE_EXPIRED: ({ expiresAt }) => Effect.fail(new ExpiredBitcoinQuote({ quoteId, expiresAt })),
              INVALID_SIGNATURE: (invalid) => Effect.fail(invalid.withField("signedTransactionHex")),
              UPSTREAM_UNAVAILABLE: (error) => upstreamFailure(error, knownQuote.execution === null ? "REPEAT" : "WAIT")
            })
          )
          const verifiedPayment = signedPayment(transactions, intent, signedTransaction)
          if (Result.isFailure(verifiedPayment)) return yield* Effect.die(new Error(verifiedPayment.failure))
          const { bytes, txid } = verifiedPayment.success
          const broadcast: Broadcast = { txid, transactionId: execution.id }
          const transaction = Option.getOrNull(yield* history.find(projectId, execution.id))
          const [leg] = transaction?.legs ?? []
          if (transaction?.status === "FAILED") {
            return yield* new BroadcastFailed({ reason: transaction.failure?.message ?? "", remedy: "NEW_QUOTE" })
          }
          // A node has accepted the payment, so its on-chain txid is returned, regardless of later events.
          if (leg !== undefined && leg.hash !== null) return broadcast
          if (intent.terms !== undefined && isBroadcastExpired(intent.terms, yield* Clock.currentTimeMillis)) {
            return yield* new BroadcastFailed({ reason: DEPOSIT_EXPIRED_REASON, remedy: "NEW_QUOTE" })
          }
          yield* send(bytes)
          return broadcast
        })
      })
    })
  )
}
