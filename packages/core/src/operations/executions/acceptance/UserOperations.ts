import { Context, Effect, Layer, Option } from "effect"
import type { Hash32, HexBytes } from "../../../foundation/primitives/index.ts"
import type { InvalidSignature, Signatures } from "../../../foundation/signing/index.ts"
import type { ProjectId } from "../../../tenancy/projects/index.ts"
import { operationByHash, type UserOperationIntent } from "../../intents/index.ts"
import { QuoteStore, signDataOf } from "../../quotes/index.ts"
import { UserOperationExpired, UserOperationNotFound } from "../../user-operations/index.ts"
import type { Execution } from "../Execution.ts"
import { ExecutionStore } from "../ExecutionStore.ts"
import { type AcceptanceError, Acceptances, type QuoteWithExecution } from "./Acceptances.ts"
import type { QuoteExpired } from "./errors.ts"

/** The owner's signatures for an operation. */
export interface ExecuteRequest {
  readonly hash: Hash32
  /** The owner's signature of the operation with this hash. */
  readonly signature: HexBytes
  /** The owner's signature of the EIP-7702 tuple. Null if the quote requires none, or if `signatures` contains it. */
  readonly authorization: HexBytes | null
  /** The signatures of the quote's other elements, keyed by hash. */
  readonly signatures?: Signatures
}

export type ExecuteError = UserOperationNotFound | UserOperationExpired | Exclude<AcceptanceError, QuoteExpired>

/** A user operation and its quote. After the acceptance, also the execution. */
export interface OperationWithExecution extends QuoteWithExecution {
  readonly intent: UserOperationIntent
}

/**
 * Returns the request field that contains an element's signature. The requested operation and the EIP-7702 tuple have
 * separate fields.
 */
const fieldOf = ({ intent, quote }: OperationWithExecution, element: Hash32): string => {
  const requiredElement = signDataOf(quote).find(({ hash }) => hash === element)
  if (requiredElement?.type === "AUTHORIZATION") return "authorization"
  const isOwn = requiredElement?.type === "USER_OPERATION" && intent.signData.some(({ hash }) => hash === element)
  return isOwn ? "signature" : `signatures.${element}`
}

/** Returns the request's signatures, keyed by element. Omits elements that are not in the quote. */
const signaturesOf = (knownOperation: OperationWithExecution, request: ExecuteRequest): Signatures =>
  Object.fromEntries(
    signDataOf(knownOperation.quote).flatMap(({ hash }) => {
      const field = fieldOf(knownOperation, hash)
      const mappedSignature = request.signatures?.[hash] ?? null
      const elementSignature =
        field === "signature"
          ? request.signature
          : field === "authorization"
            ? (request.authorization ?? mappedSignature)
            : mappedSignature
      return elementSignature === null ? [] : [[hash, elementSignature]]
    })
  )

/** Executes user operations by hash, which is the id that ERC-4337 uses. */
export class UserOperations extends Context.Service<
  UserOperations,
  {
    readonly get: (projectId: ProjectId, hash: Hash32) => Effect.Effect<OperationWithExecution, UserOperationNotFound>
    /** Accepts the quote of an operation, like `Acceptances.accept`. */
    readonly execute: (projectId: ProjectId, request: ExecuteRequest) => Effect.Effect<Execution, ExecuteError>
  }
>()("@countersign/core/executions/UserOperations") {
  static readonly layer = Layer.effect(
    UserOperations,
    Effect.gen(function* () {
      const quotes = yield* QuoteStore
      const store = yield* ExecutionStore
      const acceptances = yield* Acceptances

      const get = Effect.fn("UserOperations.get")(function* (projectId: ProjectId, hash: Hash32) {
        const quote = Option.getOrNull(yield* quotes.findByOperation(projectId, hash))
        const intent = quote === null ? null : operationByHash(quote.intents, hash)
        if (quote === null || intent === null) return yield* new UserOperationNotFound({ hash })
        const execution = Option.getOrNull(yield* store.findByQuote(projectId, quote.id))
        return { intent, quote, execution }
      })

      return UserOperations.of({
        get,
        execute: Effect.fnUntraced(function* (projectId, request) {
          const knownOperation = yield* get(projectId, request.hash)
          return yield* acceptances.acceptLoaded(knownOperation, signaturesOf(knownOperation, request)).pipe(
            Effect.catchTags({
              INVALID_SIGNATURE: (error: InvalidSignature) =>
                Effect.fail(error.withField(fieldOf(knownOperation, error.element))),
              QUOTE_EXPIRED: ({ expiresAt }: QuoteExpired) =>
                Effect.fail(new UserOperationExpired({ hash: request.hash, expiresAt }))
            })
          )
        })
      })
    })
  )
}
