import { Context, Effect, Layer } from "effect"
import type { HexBytes } from "../../foundation/primitives/index.ts"
import type { Signatures } from "../../foundation/signing/index.ts"
import { type AcceptanceError, Acceptances, type Execution, QuoteNotFound } from "../../operations/executions/index.ts"
import type { Project, ProjectId } from "../../tenancy/projects/index.ts"
import { type CancelError, type Cancellation, limitOrderCancellations } from "./limitOrderCancellations.ts"

export type { Cancellation } from "./limitOrderCancellations.ts"

/** A signed limit order. */
export interface SignedLimitOrder {
  readonly quoteId: string
  /**
   * The signature of the order, or of the operation if the wallet signs orders on-chain. Null if `signatures` contains
   * it.
   */
  readonly signature: HexBytes | null
  /** The signatures of the quote's other elements. */
  readonly signatures: Signatures
}

/** Submits and cancels limit orders. */
export class LimitOrders extends Context.Service<
  LimitOrders,
  {
    /** Accepts the quote of a limit order; fails for other quotes. A repeated call has no further effect. */
    readonly place: (
      projectId: ProjectId,
      request: SignedLimitOrder
    ) => Effect.Effect<Execution, QuoteNotFound | AcceptanceError>
    /**
     * Without a signature, returns the data to sign, or for a contract wallet (EIP-1271) an operation that cancels the
     * order on-chain. With a signature, cancels the order in the order book. The order ends as CANCELLED, unless a
     * settlement in flight fills it.
     */
    readonly cancel: (
      project: Project,
      transactionId: string,
      signature: HexBytes | null
    ) => Effect.Effect<{ readonly cancellation: Cancellation; readonly uid: HexBytes }, CancelError>
  }
>()("@countersign/core/limit-orders/LimitOrders") {
  static readonly layer = Layer.effect(
    LimitOrders,
    Effect.gen(function* () {
      const acceptances = yield* Acceptances
      const { activeOrder, cancelOrder } = yield* limitOrderCancellations

      return LimitOrders.of({
        place: Effect.fn("LimitOrders.place")(function* (projectId, { quoteId, signature, signatures }) {
          const knownQuote = yield* acceptances.get(projectId, quoteId)
          const { intents } = knownQuote.quote
          if (!intents.some(({ type }) => type === "LIMIT_ORDER")) return yield* new QuoteNotFound({ quoteId })
          const elements = intents.flatMap(({ signData }) => signData)
          const element = elements.find(({ type }) => type === "LIMIT_ORDER") ?? elements[0]
          const ownSignature = element === undefined || signature === null ? {} : { [element.hash]: signature }
          return yield* acceptances.acceptLoaded(knownQuote, { ...signatures, ...ownSignature })
        }),
        cancel: Effect.fn("LimitOrders.cancel")(function* (project, transactionId, signature) {
          const order = yield* activeOrder(project.id, transactionId)
          return { cancellation: yield* cancelOrder(project, transactionId, order, signature), uid: order.intent.uid }
        })
      })
    })
  )
}
