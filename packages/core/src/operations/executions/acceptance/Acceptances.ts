import { Context, DateTime, Effect, Layer, Option, Result, Struct } from "effect"
import { BadRequest, type UpstreamUnavailable } from "../../../foundation/errors/index.ts"
import type { HexBytes } from "../../../foundation/primitives/index.ts"
import {
  InvalidSignature,
  type SignatureProblem,
  type Signatures,
  type SignData,
  signatureOf
} from "../../../foundation/signing/index.ts"
import type { ProjectId } from "../../../tenancy/projects/index.ts"
import type { Intent } from "../../intents/index.ts"
import { type Quote, QuoteStore, signDataOf } from "../../quotes/index.ts"
import type { UnpaidGasLimit } from "../../unpaid-gas/index.ts"
import type { QuoteStale } from "../../user-operations/index.ts"
import type { Execution } from "../Execution.ts"
import { ExecutionStore } from "../ExecutionStore.ts"
import { type Acceptance, Executions } from "../Executions.ts"
import { QuoteExpired, QuoteNotFound } from "./errors.ts"
import {
  type AcceptableIntent,
  type IntentKind,
  IntentKinds,
  type NotReady,
  type WalletBalances
} from "./IntentKind.ts"

/**
 * Maximum number of repeated balance checks of a quote. A check is repeated because other operations of the wallet may
 * be included in the meantime.
 */
const MAX_ATTEMPTS = 2

/** A quote. After its acceptance, also its execution. */
export interface QuoteWithExecution {
  readonly quote: Quote
  readonly execution: Execution | null
}

/** The reasons why a quote that was found is not accepted. */
export type AcceptanceError = BadRequest | InvalidSignature | QuoteExpired | NotReady

/**
 * Selects the signatures that the quote requires. If one is missing, a signature with an unknown hash is rejected,
 * because the client probably used a wrong key for it. If none is missing, additional signatures are ignored. If the
 * quote requires no signature, every signature is rejected.
 */
const selectSignatures = (quote: Quote, signatures: Signatures): Result.Result<Signatures, BadRequest> => {
  const requiredHashes = signDataOf(quote).map(({ hash }) => hash)
  const isComplete = requiredHashes.length > 0 && requiredHashes.every((hash) => Object.hasOwn(signatures, hash))
  if (isComplete) return Result.succeed(Struct.pick(signatures, requiredHashes))
  const [first, ...others] = Object.keys(signatures)
    .filter((hash) => !requiredHashes.some((one) => one === hash))
    .map((hash) => ({
      path: `signatures.${hash}`,
      code: "unknown_element",
      message:
        requiredHashes.length === 0
          ? "The quote requires no signature."
          : "The quote has no element with this hash. The key of a signature must be the hash of its element in signData."
    }))
  return first === undefined
    ? Result.succeed(signatures)
    : Result.fail(new BadRequest({ problems: [first, ...others] }))
}

const repeatProblemOf = (
  kind: IntentKind,
  intent: Intent,
  element: SignData,
  signature: HexBytes,
  acceptedExecution: Execution | null
): SignatureProblem | null => {
  const signatureBefore = acceptedExecution === null ? null : signatureOf(acceptedExecution.signatures, element)
  return signatureBefore === null || signatureBefore === signature
    ? null
    : (kind.repeatProblem?.(intent, signatureBefore, signature) ?? null)
}

const invalidSignature = (
  { hash, method, type }: SignData,
  expected: InvalidSignature["expected"],
  problem: SignatureProblem
): InvalidSignature =>
  new InvalidSignature({ field: `signatures.${hash}`, expected, element: hash, elementType: type, method, problem })

const stagesFrom = (
  quote: Quote,
  acceptableIntents: ReadonlyMap<string, AcceptableIntent<Intent>>
): Acceptance["stages"] =>
  quote.stages.map((stage) => {
    const intent = stage.intent === null ? undefined : quote.intents[stage.intent]
    return intent === undefined ? undefined : acceptableIntents.get(intent.type)?.startOf?.(stage, intent)
  })

/** Accepts signed quotes of all types once, and starts their execution. */
export class Acceptances extends Context.Service<
  Acceptances,
  {
    readonly get: (projectId: ProjectId, quoteId: string) => Effect.Effect<QuoteWithExecution, QuoteNotFound>
    /**
     * Accepts a quote with the signatures of all its elements, and starts its execution. The checks run in this order:
     * the quote exists; the signatures are valid; (if already accepted, returns the same result); the quote has not
     * expired; the conditions of each intent type; the wallet's balances cover the quote and all pending executions.
     * Unless all checks pass, nothing is stored or sent.
     */
    readonly accept: (
      projectId: ProjectId,
      quoteId: string,
      signatures: Signatures
    ) => Effect.Effect<Execution, QuoteNotFound | AcceptanceError>
    /** Does the same as `accept`, for a quote that was already loaded. */
    readonly acceptLoaded: (
      knownQuote: QuoteWithExecution,
      signatures: Signatures
    ) => Effect.Effect<Execution, AcceptanceError>
  }
>()("@countersign/core/executions/Acceptances") {
  static readonly layer = Layer.effect(
    Acceptances,
    Effect.gen(function* () {
      const quotes = yield* QuoteStore
      const store = yield* ExecutionStore
      const executions = yield* Executions
      const kinds: ReadonlyMap<string, IntentKind> = new Map((yield* IntentKinds).map((kind) => [kind.type, kind]))

      const kindOf = ({ type }: Intent): Effect.Effect<IntentKind> => {
        const kind = kinds.get(type)
        return kind === undefined
          ? Effect.die(new Error(`No intent handler is registered for the type ${type}`))
          : Effect.succeed(kind)
      }

      const requireSignature = Effect.fnUntraced(function* (
        quote: Quote,
        intent: Intent,
        signatures: Signatures,
        acceptedExecution: Execution | null
      ) {
        const kind = yield* kindOf(intent)
        for (const element of intent.signData) {
          const signature = signatureOf(signatures, element)
          const problem =
            signature === null
              ? ({ _tag: "Missing" } as const)
              : ((yield* kind.signatureProblem(intent, element, signature)) ??
                repeatProblemOf(kind, intent, element, signature, acceptedExecution))
          if (problem !== null) {
            return yield* invalidSignature(element, kind.signerOf(intent, quote), problem)
          }
        }
      })

      const requireSignatures = (quote: Quote, signatures: Signatures, acceptedExecution: Execution | null) =>
        Effect.forEach(quote.intents, (intent) => requireSignature(quote, intent, signatures, acceptedExecution), {
          discard: true
        })

      /** Runs the checks of each intent type of the quote. */
      const makeReady = Effect.fnUntraced(function* (quote: Quote, signatures: Signatures, acceptedAt: DateTime.Utc) {
        const types = [...new Set(quote.intents.map(({ type }) => type))]
        const acceptableIntents = new Map<string, AcceptableIntent<Intent>>()
        for (const type of types) {
          const [first, ...others] = quote.intents.filter((intent) => intent.type === type)
          if (first === undefined) continue
          const kind = yield* kindOf(first)
          const acceptable = yield* kind.makeReady({ quote, intents: [first, ...others], signatures, acceptedAt })
          acceptableIntents.set(type, acceptable)
        }
        return acceptableIntents
      })

      /** Accepts the quote if the balances are sufficient. Reads them again before it rejects the quote. */
      const acceptCovered = (
        quote: Quote,
        acceptance: Omit<Acceptance, "funds">,
        cover: WalletBalances | null,
        attempts = MAX_ATTEMPTS
      ): Effect.Effect<Option.Option<Execution>, QuoteStale | UnpaidGasLimit | UpstreamUnavailable> =>
        Effect.catchTag(
          executions.accept(quote, { ...acceptance, funds: cover?.funds ?? null }),
          ["Shortage", "Conflict"],
          (reason) => {
            if (cover === null) return Effect.die(reason)
            if (attempts === 0) return Effect.flatMap(cover.refusal(reason), Effect.fail)
            return Effect.flatMap(cover.refresh(reason), (refreshedBalances) =>
              acceptCovered(quote, acceptance, refreshedBalances, attempts - 1)
            )
          }
        )

      const acceptFirst = Effect.fnUntraced(function* (quote: Quote, signatures: Signatures) {
        const acceptedAt = yield* DateTime.now
        if (DateTime.isGreaterThan(acceptedAt, quote.expiresAt)) {
          return yield* new QuoteExpired({ quoteId: quote.id, expiresAt: quote.expiresAt })
        }
        const acceptableIntents = yield* makeReady(quote, signatures, acceptedAt)
        const covers = [...acceptableIntents.values()].flatMap(({ cover }) => (cover === null ? [] : [cover]))
        const acceptance = {
          signatures,
          checks: [...acceptableIntents.values()].flatMap(({ requireNoConflict }) => requireNoConflict ?? []),
          stages: stagesFrom(quote, acceptableIntents),
          acceptedAt,
          estimatedExecutionTime: DateTime.add(acceptedAt, { milliseconds: quote.executionMs })
        }
        return yield* acceptCovered(quote, acceptance, covers[0] ?? null)
      })

      const acceptLoaded = Effect.fn("Acceptances.accept")(function* (
        { execution: existingExecution, quote }: QuoteWithExecution,
        requestSignatures: Signatures
      ) {
        const signatures = yield* Effect.fromResult(selectSignatures(quote, requestSignatures))
        yield* requireSignatures(quote, signatures, existingExecution)
        if (existingExecution !== null) return existingExecution
        const acceptanceResult = yield* Effect.result(acceptFirst(quote, signatures))
        if (Result.isSuccess(acceptanceResult) && Option.isSome(acceptanceResult.success))
          return acceptanceResult.success.value
        // A concurrent request with the same signatures may have been accepted first. Its execution is then the result,
        // even if a check failed here, because the checks fail for an operation that was already executed.
        const execution = Option.getOrNull(yield* store.findByQuote(quote.projectId, quote.id))
        if (execution !== null) return yield* Effect.as(requireSignatures(quote, signatures, execution), execution)
        return yield* Result.isFailure(acceptanceResult)
          ? Effect.fail(acceptanceResult.failure)
          : Effect.die(new Error(`Quote ${quote.id} has no execution, although its acceptance did not fail`))
      })

      const get = Effect.fn("Acceptances.get")(function* (projectId: ProjectId, quoteId: string) {
        const quote = Option.getOrNull(yield* quotes.find(projectId, quoteId))
        if (quote === null) return yield* new QuoteNotFound({ quoteId })
        return { quote, execution: Option.getOrNull(yield* store.findByQuote(projectId, quoteId)) }
      })

      return Acceptances.of({
        get,
        acceptLoaded,
        accept: (projectId, quoteId, signatures) =>
          Effect.flatMap(get(projectId, quoteId), (knownQuote) => acceptLoaded(knownQuote, signatures))
      })
    })
  )
}
