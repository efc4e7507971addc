import { FiatOrderStore } from "@countersign/core/fiat"
import { Verifications } from "@countersign/core/identity"
import { Projects } from "@countersign/core/tenancy/projects"
import { Effect, Option } from "effect"
import { SandboxError } from "./SandboxError.ts"

/** Approves or rejects a verification session of any project. */
export interface IdentityDecision {
  readonly sessionId: string
  /** Reason of the rejection; null for an approval. */
  readonly refusal: string | null
}

/** The fields of a fiat order that the sandbox's bank needs. */
export interface ProvidedOrder {
  /** The order's id at the provider, or the id of its quote while the provider has no order. */
  readonly id: string
  /** The fiat amount, in cents. */
  readonly cents: bigint
}

/** Operations of the sandbox's service that the gateway calls. */
export interface SandboxService {
  /** Returns the updated session. */
  readonly decide: (decision: IdentityDecision) => Promise<unknown>
  /** Returns a fiat order of any project. Null if it does not exist. */
  readonly fiatOrder: (orderId: string) => Promise<ProvidedOrder | null>
}

const decideSession = Effect.fnUntraced(function* ({ refusal, sessionId }: IdentityDecision) {
  const verifications = yield* Verifications
  for (const { id } of yield* (yield* Projects).list) {
    const isKnown = (yield* verifications.list(id, null)).some((session) => session.id === sessionId)
    if (!isKnown) continue
    const decision = refusal === null ? ({ _tag: "Approve" } as const) : ({ _tag: "Reject", reason: refusal } as const)
    const { identityId, status } = yield* verifications.decide(id, sessionId, decision)
    return { sessionId, identityId, status }
  }
  return yield* new SandboxError({ message: `There is no verification session ${sessionId}.` })
})

const findFiatOrder = Effect.fnUntraced(function* (orderId: string) {
  const store = yield* FiatOrderStore
  for (const { id } of yield* (yield* Projects).list) {
    const storedOrder = Option.getOrNull(yield* store.find(id, orderId))
    if (storedOrder === null) continue
    const { fiatAmount, providerOrder, providerQuote } = storedOrder.order
    return { id: providerOrder ?? providerQuote, cents: fiatAmount }
  }
  return null
})

/** Provides these operations from the services of this process. */
export const sandboxService: Effect.Effect<SandboxService, never, FiatOrderStore | Projects | Verifications> =
  Effect.map(Effect.context<FiatOrderStore | Projects | Verifications>(), (services) => {
    const run = Effect.runPromiseWith(services)
    return { decide: (decision) => run(decideSession(decision)), fiatOrder: (orderId) => run(findFiatOrder(orderId)) }
  })
