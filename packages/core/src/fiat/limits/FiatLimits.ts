import { Context, DateTime, Effect, Layer } from "effect"
import { decimalFromBaseUnits, UnitOfWork } from "../../foundation/primitives/index.ts"
import { currencyDigits } from "../../foundation/tokens/index.ts"
import {
  type IndividualId,
  timeZoneOfCountry,
  type VerificationLevel,
  VerificationSessionStore,
  VerifiedIndividuals
} from "../../identity/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { FinancialLimitExceeded, IdentityNotFound, IdentityNotVerified } from "../errors.ts"
import { FiatMethod, methodCurrency } from "../methods/PaymentMethod.ts"
import { FiatOrderStore, type LimitSubject } from "../orders/FiatOrderStore.ts"
import { FiatDirection } from "../orders/orderStates.ts"
import { excessOrNull, type LimitAmounts, type Limits, type UsedAmounts } from "./limits.ts"
import { type LimitPeriod, limitPeriods, periodStart } from "./periods.ts"

/**
 * The limits of a payment method, in units of its currency (not cents). `timeZone` determines the periods of an
 * identity whose country is unknown.
 */
export interface FiatLimitRule extends LimitAmounts {
  readonly timeZone: string
}

export type FiatLimitRules = Readonly<Record<FiatMethod, FiatLimitRule>>

const rule = (perTransaction: bigint, timeZone: string): FiatLimitRule => ({
  perTransaction,
  daily: perTransaction * 2n,
  monthly: perTransaction * 10n,
  quarterly: perTransaction * 25n,
  timeZone
})

/** Defaults of about 5,000 US dollars per transaction. */
export const fiatLimitDefaults: FiatLimitRules = {
  PIX: rule(25_000n, "America/Sao_Paulo"),
  ACH: rule(5_000n, "America/New_York"),
  WIRE: rule(5_000n, "America/New_York"),
  SPEI: rule(90_000n, "America/Mexico_City"),
  TRANSFERS: rule(5_000_000n, "America/Argentina/Buenos_Aires")
}

/**
 * The default limits of each verification level. For a level or payment method without an entry, the limits of the
 * payment method apply.
 */
export type FiatLevelLimits = {
  readonly [Level in VerificationLevel]?: { readonly [Method in FiatMethod]?: LimitAmounts }
}

export const FiatLevelSettings = Context.Reference<FiatLevelLimits>("@countersign/core/fiat/FiatLevelSettings", {
  defaultValue: () => ({})
})

export const FiatLimitSettings = Context.Reference<FiatLimitRules>("@countersign/core/fiat/FiatLimitSettings", {
  defaultValue: () => fiatLimitDefaults
})

/** The limits for one direction and payment method, and their used amounts, in the smallest units of the currency. */
export interface LimitState {
  readonly direction: FiatDirection
  readonly method: FiatMethod
  readonly currency: string
  readonly limits: Limits
  readonly used: UsedAmounts
}

/** Enforces the limits of identities on their orders. */
export class FiatLimits extends Context.Service<
  FiatLimits,
  {
    /** Fails unless the identity is verified. `path` is the request field that contains the identity. */
    readonly requireIdentity: (
      projectId: ProjectId,
      id: IndividualId,
      path?: string
    ) => Effect.Effect<void, IdentityNotFound | IdentityNotVerified>
    /**
     * Fails if an amount exceeds the remaining limit. For an order, it must run in the unit of work that inserts the
     * order. Other orders with the same subject then wait until the unit of work ends.
     */
    readonly require: (subject: LimitSubject, amount: bigint) => Effect.Effect<void, FinancialLimitExceeded>
    /** Sets individual limits of an identity. Null restores the limits of its level. */
    readonly override: (
      subject: LimitSubject,
      amounts: LimitAmounts | null
    ) => Effect.Effect<void, IdentityNotFound | IdentityNotVerified>
    /** Returns the limits for every direction and payment method. */
    readonly show: (
      projectId: ProjectId,
      id: IndividualId
    ) => Effect.Effect<ReadonlyArray<LimitState>, IdentityNotFound | IdentityNotVerified>
  }
>()("@countersign/core/fiat/FiatLimits") {
  static readonly layer = Layer.effect(
    FiatLimits,
    Effect.gen(function* () {
      const store = yield* FiatOrderStore
      const individuals = yield* VerifiedIndividuals
      const sessions = yield* VerificationSessionStore
      const unitOfWork = yield* UnitOfWork
      const rules = yield* FiatLimitSettings
      const levels = yield* FiatLevelSettings

      /**
       * Returns the limits that an operator has set for the identity. Without them, the limits of the identity's level.
       * Without these, the default limits.
       */
      const amountsOf = Effect.fnUntraced(function* (subject: LimitSubject) {
        const individualLimits = yield* store.findLimitOverride(subject)
        if (individualLimits !== null) return individualLimits
        const level = yield* individuals.levelOf(subject.projectId, subject.individualId)
        return (level === null ? undefined : levels[level]?.[subject.method]) ?? rules[subject.method]
      })

      const limitsOf = Effect.fnUntraced(function* (subject: LimitSubject) {
        const { method } = subject
        const unit = 10n ** BigInt(currencyDigits(methodCurrency[method]))
        const { daily, monthly, perTransaction, quarterly } = yield* amountsOf(subject)
        return {
          perTransaction: perTransaction * unit,
          daily: daily * unit,
          monthly: monthly * unit,
          quarterly: quarterly * unit
        } satisfies Limits
      })

      const usedAmountsOf = Effect.fnUntraced(function* (subject: LimitSubject) {
        const now = yield* DateTime.now
        const country = yield* sessions.findCountry(subject.projectId, subject.individualId)
        const timeZone = country === null ? rules[subject.method].timeZone : timeZoneOfCountry(country)
        const periodStarts = Object.fromEntries(
          limitPeriods.map((period) => [period, periodStart(period, now, timeZone)])
        ) as Record<LimitPeriod, DateTime.Utc>
        return yield* store.readUsed(subject, periodStarts)
      })

      const requireIdentity = Effect.fnUntraced(function* (
        projectId: ProjectId,
        id: IndividualId,
        path = "individualId"
      ) {
        if (yield* individuals.isVerified(projectId, id)) return
        const [latest] = yield* sessions.listByIdentity(projectId, id)
        return yield* latest === undefined
          ? new IdentityNotFound({ identityId: id })
          : IdentityNotVerified.of(path, latest.session)
      })

      return FiatLimits.of({
        requireIdentity,
        require: Effect.fnUntraced(function* (subject, amount) {
          const excess = excessOrNull(yield* limitsOf(subject), yield* usedAmountsOf(subject), amount)
          if (excess === null) return
          const currency = methodCurrency[subject.method]
          const remainingText = decimalFromBaseUnits(excess.remainingAmount, currencyDigits(currency))
          return yield* new FinancialLimitExceeded({ limit: excess.period, left: remainingText, currency })
        }),
        override: Effect.fn("FiatLimits.override")(function* (subject, amounts) {
          yield* requireIdentity(subject.projectId, subject.individualId)
          yield* store.setLimitOverride(subject, amounts)
        }),
        show: Effect.fn("FiatLimits.show")(function* (projectId, individualId) {
          yield* requireIdentity(projectId, individualId, "identityId")
          const subjects = FiatDirection.literals.flatMap((direction) =>
            FiatMethod.literals.map((method) => ({ projectId, individualId, direction, method }))
          )
          return yield* Effect.forEach(subjects, (subject) =>
            Effect.map(
              unitOfWork.run(Effect.all([usedAmountsOf(subject), limitsOf(subject)])),
              ([used, limits]): LimitState => ({
                direction: subject.direction,
                method: subject.method,
                currency: methodCurrency[subject.method],
                limits,
                used
              })
            )
          )
        })
      })
    })
  )
}
