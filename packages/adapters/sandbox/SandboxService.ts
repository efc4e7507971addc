import { FiatOrderStore } from "@countersign/core/fiat"
import { Verifications } from "@countersign/core/identity"
import { Projects } from "@countersign/core/tenancy/projects"
import { Effect, Option } from "effect"
import { SandboxError } from "./SandboxError.ts"

/** A decision about a verification session of any project. */
export interface IdentityDecision {
  readonly sessionId: string
  /** Null for an approval. */
  readonly refusal: string | null
}

/** What a fiat provider has to know of an order of the service. */
export interface ProvidedOrder {
  /** The provider's id. */
  readonly id: string
  /** Of the bank's side, in cents. */
  readonly cents: bigint
}

/** What the gateway asks of the service of the sandbox. */
export interface SandboxService {
  /** Answers the session afterwards. */
  readonly decide: (decision: IdentityDecision) => Promise<unknown>
  /** Null where no project has such an order. */
  readonly fiatOrder: (orderId: string) => Promise<ProvidedOrder | null>
}

const decided = Effect.fnUntraced(function* ({ refusal, sessionId }: IdentityDecision) {
  const verifications = yield* Verifications
  for (const { id } of yield* (yield* Projects).list) {
    const known = (yield* verifications.list(id, null)).some((session) => session.id === sessionId)
    if (!known) continue
    const decision = refusal === null ? ({ _tag: "Approve" } as const) : ({ _tag: "Reject", reason: refusal } as const)
    const { identityId, status } = yield* verifications.decide(id, sessionId, decision)
    return { sessionId, identityId, status }
  }
  return yield* new SandboxError({ message: `There is no verification session ${sessionId}.` })
})

const provided = Effect.fnUntraced(function* (orderId: string) {
  const store = yield* FiatOrderStore
  for (const { id } of yield* (yield* Projects).list) {
    const stored = Option.getOrNull(yield* store.find(id, orderId))
    if (stored === null) continue
    const { fiatAmount, providerOrder, providerQuote } = stored.order
    return { id: providerOrder ?? providerQuote, cents: fiatAmount }
  }
  return null
})

/** The service as the gateway asks it. */
export const sandboxService: Effect.Effect<SandboxService, never, FiatOrderStore | Projects | Verifications> =
  Effect.map(Effect.context<FiatOrderStore | Projects | Verifications>(), (services) => {
    const run = Effect.runPromiseWith(services)
    return { decide: (decision) => run(decided(decision)), fiatOrder: (orderId) => run(provided(orderId)) }
  })
