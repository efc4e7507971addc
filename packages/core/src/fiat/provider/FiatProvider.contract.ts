import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { aUuid } from "../../foundation/primitives/ids.fixture.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import type { BankDestination, FiatMethod } from "../methods/PaymentMethod.ts"
import { methodCurrency } from "../methods/PaymentMethod.ts"
import { aFiatOrder, aFiatQuote } from "../orders/FiatOrder.fixture.ts"
import type { FiatOrder } from "../orders/FiatOrder.ts"
import type { FiatDirection } from "../orders/orderStates.ts"
import type { FiatCallback, FiatProvider, FiatProviderRequest } from "./FiatProvider.ts"

export { aFiatOrder, aFiatQuote }

/** A provider, with functions that act as its staff and as payers. */
export interface FiatProviderFixture {
  readonly provider: FiatProvider
  /** An individual whose id is also the customer id at the provider. */
  readonly individualId: FiatProviderRequest["individualId"]
  /** An individual whom an operator has linked to a customer at the provider, and the project of that link. */
  readonly linked: Pick<FiatProviderRequest, "projectId" | "individualId">
  /** Returns the number of orders at the provider. */
  readonly countOrders: () => number
  /** Lets the payer pay a deposit as instructed, or the bank pay out a withdrawal whose token has arrived. */
  readonly completeOrder: (providerOrder: string) => Promise<void>
  readonly returnFunds: (providerOrder: string) => Promise<void>
  /** Makes the next requests fail: with an HTTP status, or with a lost response after the request took effect. */
  readonly injectFault: (fault: number | "ANSWER_LOST") => void
  /** A text that the provider's error responses contain. */
  readonly textOfFailures: string
  readonly clearFault: () => void
  /** Creates a webhook about an order, signed at this time. */
  readonly callbackOf: (providerOrder: string, nowSeconds: number) => FiatCallback
}

const destinations: Readonly<Record<FiatMethod, BankDestination>> = {
  PIX: { type: "PIX", pixKey: "529.982.247-25" },
  ACH: {
    type: "ACH",
    routingNumber: "021000021",
    accountNumber: "31254097",
    accountType: "CHECKING",
    beneficiaryName: "Ada Example"
  },
  WIRE: {
    type: "WIRE",
    routingNumber: "021000021",
    accountNumber: "31254097",
    accountType: "CHECKING",
    beneficiaryName: "Ada Example",
    addressLine1: "8 The Green",
    country: "US"
  },
  SPEI: { type: "SPEI", clabe: "032180000118359719" },
  TRANSFERS: { type: "TRANSFERS", cbuOrCvu: "2850590940090418135201" }
}

/** Returns 2,000 units of fiat in cents, or 100 token units in base units. */
const amountOf = (direction: FiatDirection): bigint => (direction === "DEPOSIT" ? 200_000n : 100_000_000n)

/** The project of the requests, unless a test sets another one. */
const PROJECT = aProjectId()

const NOW_SECONDS = 1_790_000_000

/** Contract tests that every `FiatProvider` must pass. */
export const fiatProviderContract = (name: string, makeFixture: () => FiatProviderFixture): void => {
  const requestOf = (
    direction: FiatDirection,
    method: FiatMethod,
    individualId = makeFixture().individualId
  ): FiatProviderRequest => {
    const { chainId, token, walletAddress } = aFiatQuote()
    return {
      projectId: PROJECT,
      direction,
      method,
      individualId,
      chainId,
      token,
      walletAddress,
      currency: methodCurrency[method],
      amount: amountOf(direction)
    }
  }

  const requestQuote = Effect.fnUntraced(function* (direction: FiatDirection, method: FiatMethod) {
    const request = requestOf(direction, method)
    const offer = yield* makeFixture().provider.quote(request)
    const { amount: _, ...fields } = request
    return { ask: request, offer, quote: aFiatQuote({ ...fields, ...offer, provider: makeFixture().provider.name }) }
  })

  const anOrder = Effect.fnUntraced(function* (method: FiatMethod) {
    const { quote } = yield* requestQuote("DEPOSIT", method)
    return aFiatOrder(quote)
  })

  const openOrder = Effect.fnUntraced(function* (method: FiatMethod) {
    const order = yield* anOrder(method)
    const { providerOrder } = yield* makeFixture().provider.openDeposit(order)
    return { ...order, providerOrder } satisfies FiatOrder
  })

  const methodsOf = (direction: FiatDirection) => [
    ...new Set(
      makeFixture()
        .provider.routes.filter((route) => route.direction === direction)
        .map(({ method }) => method)
    )
  ]

  describe(`FiatProvider: ${name}`, () => {
    it.live("quotes each supported payment method, with an expiry", () =>
      Effect.gen(function* () {
        for (const direction of ["DEPOSIT", "WITHDRAWAL"] as const) {
          assert.isNotEmpty(methodsOf(direction))
          for (const method of methodsOf(direction)) {
            const { ask, offer } = yield* requestQuote(direction, method)
            const quotedAmount = direction === "DEPOSIT" ? offer.fiatAmount : offer.tokenAmount
            assert.strictEqual(quotedAmount, ask.amount, method)
            assert.isTrue((direction === "DEPOSIT" ? offer.tokenAmount : offer.fiatAmount) > 0n, method)
            assert.isTrue(DateTime.isGreaterThan(offer.expiresAt, yield* DateTime.now))
          }
        }
      })
    )

    it.live("returns payment instructions for each deposit, and creates only one deposit for repeated requests", () =>
      Effect.gen(function* () {
        const { countOrders: orders, provider } = makeFixture()
        for (const method of methodsOf("DEPOSIT")) {
          const ordersBefore = orders()
          const order = yield* anOrder(method)
          const firstDeposit = yield* provider.openDeposit(order)
          const secondDeposit = yield* provider.openDeposit(order)
          assert.strictEqual(firstDeposit.instructions.type, method)
          assert.deepStrictEqual(secondDeposit, firstDeposit)
          assert.strictEqual(orders(), ordersBefore + 1, method)
        }
      })
    )

    it.live("creates only one deposit if the response is lost", () =>
      Effect.gen(function* () {
        const { injectFault: fail, clearFault: heal, countOrders: orders, provider } = makeFixture()
        const [method] = methodsOf("DEPOSIT")
        const order = yield* anOrder(method!)
        const ordersBefore = orders()
        fail("ANSWER_LOST")
        const error = yield* Effect.flip(provider.openDeposit(order))
        heal()
        assert.strictEqual(error._tag, "UPSTREAM_UNAVAILABLE")
        yield* provider.openDeposit(order)
        assert.strictEqual(orders(), ordersBefore + 1)
      })
    )

    it.live("reports whether a deposit is pending, completed with the paid amount, or returned", () =>
      Effect.gen(function* () {
        const { completeOrder: complete, returnFunds: giveBack, provider } = makeFixture()
        const [method] = methodsOf("DEPOSIT")
        const order = yield* openOrder(method!)
        assert.strictEqual((yield* provider.readOrderReport(order)).state, "AWAITING_FUNDS")
        yield* Effect.promise(() => complete(order.providerOrder))
        const report = yield* provider.readOrderReport(order)
        assert.strictEqual(report.state, "COMPLETED")
        assert.isNotNull(report.transactionHash)
        assert.strictEqual(report.fiatAmount, order.fiatAmount)
        const otherOrder = yield* openOrder(method!)
        yield* Effect.promise(() => giveBack(otherOrder.providerOrder))
        const otherReport = yield* provider.readOrderReport(otherOrder)
        assert.deepStrictEqual([otherReport.state, otherReport.transactionHash], ["REFUNDED", null])
        assert.isNotNull(otherReport.reason)
      })
    )

    it.live("binds a withdrawal to the quoted terms, and pays it out", () =>
      Effect.gen(function* () {
        const { completeOrder: complete, provider } = makeFixture()
        for (const method of methodsOf("WITHDRAWAL")) {
          const { ask, offer, quote } = yield* requestQuote("WITHDRAWAL", method)
          const bound = yield* provider.bindWithdrawal(ask, destinations[method], quote.id)
          assert.strictEqual(bound.tokenAmount, ask.amount, method)
          assert.isTrue(bound.fiatAmount >= offer.fiatAmount, method)
          assert.notStrictEqual(bound.recipient, ask.walletAddress)
          const order = aFiatOrder(quote, { providerQuote: bound.providerQuote, fiatAmount: bound.fiatAmount })
          const providerOrder = yield* provider.submitWithdrawal(order)
          assert.strictEqual(yield* provider.submitWithdrawal(order), providerOrder)
          yield* Effect.promise(() => complete(providerOrder))
          const report = yield* provider.readOrderReport({ ...order, providerOrder })
          assert.deepStrictEqual([report.state, report.fiatAmount], ["COMPLETED", bound.fiatAmount], method)
          assert.isNotNull(report.transactionHash)
        }
      })
    )

    it.live("rejects an unknown individual", () =>
      Effect.gen(function* () {
        const { provider } = makeFixture()
        const [method] = methodsOf("DEPOSIT")
        const unknownIndividual = aFiatQuote().individualId
        for (const direction of ["DEPOSIT", "WITHDRAWAL"] as const) {
          const refusal = yield* Effect.flip(
            provider.quote(requestOf(direction, method!, `${unknownIndividual}-${aUuid()}` as never))
          )
          assert.strictEqual(refusal._tag, "FIAT_REFUSAL")
        }
      })
    )

    it.live("accepts an individual that an operator has linked, only in that project", () =>
      Effect.gen(function* () {
        const { linked, provider } = makeFixture()
        for (const direction of ["DEPOSIT", "WITHDRAWAL"] as const) {
          const [method] = methodsOf(direction)
          const request = { ...requestOf(direction, method!), ...linked }
          const { amount: _, ...fields } = request
          const quote = aFiatQuote({ ...fields, ...(yield* provider.quote(request)), provider: provider.name })
          if (direction === "DEPOSIT") yield* provider.openDeposit(aFiatOrder(quote))
          else yield* provider.bindWithdrawal(request, destinations[method!], quote.id)
          const otherProjectRequest = { ...request, projectId: aFiatQuote().projectId }
          assert.strictEqual((yield* Effect.flip(provider.quote(otherProjectRequest)))._tag, "FIAT_REFUSAL")
        }
      })
    )

    it.live("serves a customer with an individual's id only in one project", () =>
      Effect.gen(function* () {
        const { individualId, provider } = makeFixture()
        for (const direction of ["DEPOSIT", "WITHDRAWAL"] as const) {
          const [method] = methodsOf(direction)
          const request = requestOf(direction, method!, individualId)
          yield* provider.quote(request)
          const refusal = yield* Effect.flip(provider.quote({ ...request, projectId: aProjectId() }))
          assert.strictEqual(refusal._tag, "FIAT_REFUSAL")
          assert.match(refusal.message, /is linked to another individual/u)
        }
      })
    )

    it.live("returns its own reason for a rejection, and no text from the provider", () =>
      Effect.gen(function* () {
        const { injectFault: fail, clearFault: heal, provider, textOfFailures } = makeFixture()
        const [method] = methodsOf("DEPOSIT")
        const order = yield* anOrder(method!)
        for (const status of [400, 404, 422]) {
          fail(status)
          const refusal = yield* Effect.flip(provider.openDeposit(order))
          heal()
          assert.strictEqual(refusal._tag, "FIAT_REFUSAL", `${status}`)
          assert.notInclude(refusal.message, textOfFailures)
          assert.match(refusal.message, /the operator's log has its response/u)
        }
      })
    )

    it.live("does not reject a deposit while it processes an earlier request for it", () =>
      Effect.gen(function* () {
        const { injectFault: fail, clearFault: heal, provider } = makeFixture()
        const [method] = methodsOf("DEPOSIT")
        const order = yield* anOrder(method!)
        fail(409)
        const error = yield* Effect.flip(provider.openDeposit(order))
        heal()
        assert.strictEqual(error._tag, "UPSTREAM_UNAVAILABLE")
        yield* provider.openDeposit(order)
      })
    )

    it.live("reports an outage, and not a rejection, for server errors, rate limits and a wrong key", () =>
      Effect.gen(function* () {
        const { provider } = makeFixture()
        const [method] = methodsOf("DEPOSIT")
        const order = yield* openOrder(method!)
        for (const status of [500, 503, 429, 401]) {
          // A new scene, because the failures have paused requests to the other scene's host.
          const { injectFault: fail, clearFault: heal, provider } = makeFixture()
          fail(status)
          assert.strictEqual(
            (yield* Effect.flip(provider.readOrderReport(order)))._tag,
            "UPSTREAM_UNAVAILABLE",
            `${status}`
          )
          heal()
        }
        // If the provider does not find the order, the service must poll again, and not treat the order as rejected.
        const error = yield* Effect.flip(provider.readOrderReport({ ...order, providerOrder: "another" }))
        assert.strictEqual(error._tag, "UPSTREAM_UNAVAILABLE")
      })
    )

    it.live("accepts authentic webhooks, and rejects others", () =>
      Effect.gen(function* () {
        const { callbackOf, provider } = makeFixture()
        const [method] = methodsOf("DEPOSIT")
        const { providerOrder } = yield* openOrder(method!)
        const callback = callbackOf(providerOrder, NOW_SECONDS)
        assert.deepStrictEqual(provider.readCallback(callback, NOW_SECONDS), {
          _tag: "Genuine",
          providerOrder,
          customer: null
        })
        const readCallback = (changed: Partial<FiatCallback>, at = NOW_SECONDS) =>
          provider.readCallback({ ...callback, ...changed }, at)._tag
        assert.strictEqual(readCallback({ body: callback.body.replace(providerOrder, "another") }), "Refused")
        assert.strictEqual(readCallback({ body: `${callback.body} ` }), "Refused")
        assert.strictEqual(readCallback({ headers: {} }), "Refused")
        assert.strictEqual(readCallback({}, NOW_SECONDS + 601), "Refused")
        assert.strictEqual(readCallback({}, NOW_SECONDS - 601), "Refused")
      })
    )
  })
}
