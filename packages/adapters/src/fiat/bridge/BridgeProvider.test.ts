import { aFiatOrder, aFiatQuote, fiatProviderContract } from "@countersign/core/contracts/fiat/provider/FiatProvider"
import type { BankDestination, FiatProviderRequest } from "@countersign/core/fiat"
import { IndividualId } from "@countersign/core/identity"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime, Effect, Redacted } from "effect"
import {
  BRIDGE_KEY,
  type BridgeEmulator,
  type BridgeState,
  bridgeKeys,
  startBridgeEmulator
} from "../../../test/fiat/BridgeEmulator.ts"
import { linkedIndividual, providerCustomersWith } from "../../../test/fiat/linksTo.ts"
import { readPdf, registrationRequestsOf } from "../../../test/fiat/registrationAsk.ts"
import { makeBridge } from "./BridgeProvider.ts"

const ada = IndividualId.make("cust_ada")

let bridge: BridgeEmulator
beforeAll(async () => {
  bridge = await startBridgeEmulator()
  bridge.addCustomer(ada)
  bridge.addCustomer("cust_bea")
})
afterEach(() => bridge.heal())
afterAll(() => bridge.stop())

const providerWith = (webhookPublicKey: string | null = bridgeKeys.publicKey) =>
  makeBridge(
    { url: bridge.url, apiKey: Redacted.make(BRIDGE_KEY), hasTerms: true, webhookPublicKey },
    providerCustomersWith("cust_bea"),
    () => Effect.succeed(null)
  )

const HASH = `0x${"5a".repeat(32)}`

fiatProviderContract("Bridge", () => ({
  provider: providerWith(),
  individualId: ada,
  linked: linkedIndividual,
  countOrders: () => bridge.transfers.size,
  completeOrder: async (id) => {
    const { amount } = bridge.transferOf(id)
    if (amount === null) return void (await bridge.pay(id, "2000.00"))
    bridge.receive(id, HASH)
    await bridge.pay(id)
  },
  returnFunds: async (id) => bridge.set(id, "refunded", { initial_amount: "7.00" }),
  injectFault: (fault) =>
    bridge.failAll(fault === "ANSWER_LOST" ? { _tag: "AnswerLost" } : { _tag: "Status", status: fault }),
  textOfFailures: "set to fail",
  clearFault: bridge.heal,
  callbackOf: (id, nowSeconds) => bridge.message(id, "once", nowSeconds * 1_000)
}))

const quote = aFiatQuote({ individualId: ada, method: "ACH", currency: "USD", fiatAmount: 5_000n, provider: "bridge" })

const aFiatRequest = (changes: Partial<FiatProviderRequest> = {}): FiatProviderRequest => {
  const { chainId, currency, individualId, method, projectId, token, walletAddress } = quote
  return {
    projectId,
    direction: "WITHDRAWAL",
    method,
    currency,
    individualId,
    chainId,
    token,
    walletAddress,
    amount: 25_500_000n,
    ...changes
  }
}

const ach: BankDestination = {
  type: "ACH",
  routingNumber: "021000021",
  accountNumber: "31254097",
  accountType: "SAVING",
  beneficiaryName: "ada  example"
}

const refusalOf = <A, E extends { readonly message: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

describe("a request to Bridge", () => {
  it.live("creates a deposit of a flexible amount, to the wallet, with a reference and a memo", () =>
    Effect.gen(function* () {
      const order = aFiatOrder(quote)
      const { instructions, providerOrder } = yield* providerWith().openDeposit(order)
      const transfer = bridge.transferOf(providerOrder)
      assert.deepInclude(transfer, { client_reference_id: order.id, on_behalf_of: ada, amount: null })
      assert.deepStrictEqual(transfer.source, { payment_rail: "ach_push", currency: "usd" })
      assert.deepStrictEqual(transfer.destination, {
        payment_rail: "base",
        currency: "usdc",
        to_address: quote.walletAddress
      })
      assert.deepInclude(instructions, {
        type: "ACH",
        routingNumber: "101019644",
        beneficiary: {
          name: "Bridge Ventures Inc",
          addressLine1: "923 Folsom Street",
          addressLine2: "San Francisco, CA 94107"
        }
      })
      assert.match(instructions.memoCode!, /^BRG/u)
    })
  )

  it.live("creates one withdrawal for a quote and a destination, to an account that may already exist", () =>
    Effect.gen(function* () {
      const provider = providerWith()
      const countBefore = bridge.transfers.size
      const first = yield* provider.bindWithdrawal(aFiatRequest(), ach, "a quote")
      const { to_address } = bridge.transferOf(first.providerQuote).source_deposit_instructions
      assert.deepStrictEqual([first.erc20Call, first.recipient], ["TRANSFER", to_address])
      assert.strictEqual(
        (yield* provider.bindWithdrawal(aFiatRequest(), ach, "a quote")).providerQuote,
        first.providerQuote
      )
      assert.strictEqual(bridge.transfers.size, countBefore + 1)
      const accounts = bridge.accounts.size
      const wire = { ...ach, type: "WIRE", addressLine1: "8 The Green", country: "US" } as const
      yield* provider.bindWithdrawal(
        aFiatRequest({ method: "WIRE" }),
        { ...wire, beneficiaryName: "Ada Example" },
        "another quote"
      )
      assert.strictEqual(bridge.accounts.size, accounts)
      assert.strictEqual(bridge.transfers.size, countBefore + 2)
      assert.deepInclude(bridge.transferOf(first.providerQuote), { amount: "25.5" })
    })
  )

  it.live("pays to the same account again after Bridge no longer accepts earlier idempotency keys", () =>
    Effect.gen(function* () {
      const provider = providerWith()
      const first = yield* provider.bindWithdrawal(aFiatRequest(), ach, "a quote of the first day")
      bridge.expireKeys()
      const accountCount = bridge.accounts.size
      const second = yield* provider.bindWithdrawal(aFiatRequest(), ach, "a quote of the third day")
      assert.strictEqual(bridge.accounts.size, accountCount)
      assert.deepStrictEqual(
        bridge.transferOf(second.providerQuote).destination,
        bridge.transferOf(first.providerQuote).destination
      )
    })
  )

  it.live("sends a CNPJ with letters in upper case, as the directory of PIX keys (DICT) has it", () =>
    Effect.gen(function* () {
      const request = aFiatRequest({ method: "PIX", currency: "BRL" })
      yield* providerWith().bindWithdrawal(request, { type: "PIX", pixKey: "12.abc.345/01de-35" }, "a PIX quote")
      assert.include([...bridge.accounts.keys()].at(-1)!, '"12ABC34501DE35"')
    })
  )

  it.live("pays by ACH and WIRE only to accounts of its customer", () =>
    Effect.gen(function* () {
      const provider = providerWith()
      const otherBeneficiary = provider.bindWithdrawal(aFiatRequest(), { ...ach, beneficiaryName: "Bob Other" }, "q1")
      assert.match(yield* refusalOf(otherBeneficiary), /differs from its customer's name/u)
      const foreignWire = { ...ach, type: "WIRE", addressLine1: "Rua 1", country: "BR" } as const
      assert.match(
        yield* refusalOf(provider.bindWithdrawal(aFiatRequest({ method: "WIRE" }), foreignWire, "q2")),
        /lives in another country/u
      )
    })
  )

  it.live("is rejected for customers that may not use the currency", () =>
    Effect.gen(function* () {
      bridge.addCustomer("cust_new", { status: "under_review" })
      bridge.addCustomer("cust_usd", { endorsements: [{ name: "base", status: "approved" }] })
      const quoteFor = (id: string, currency: string) =>
        refusalOf(providerWith().quote(aFiatRequest({ individualId: IndividualId.make(id), currency })))
      assert.match(yield* quoteFor("cust_new", "USD"), /cust_new is not active/u)
      assert.match(yield* quoteFor("cust_usd", "MXN"), /no approved endorsement spei/u)
    })
  )

  it.live("fails if the response has a different recipient, amount, chain or token", () =>
    Effect.gen(function* () {
      for (const changedFields of [
        { to_address: "bc1qexample" },
        { to_address: quote.walletAddress },
        { amount: "25.6" },
        { payment_rail: "ethereum" },
        { currency: "usdt" }
      ]) {
        const id = Object.entries(changedFields).join()
        yield* providerWith().bindWithdrawal(aFiatRequest(), ach, id)
        const [, made] = [...bridge.transfers].at(-1)!
        Object.assign(made.source_deposit_instructions, changedFields)
        assert.match(
          yield* refusalOf(providerWith().bindWithdrawal(aFiatRequest(), ach, id)),
          /a payment that differs/u
        )
      }
    })
  )
})

describe("a response from Bridge", () => {
  const reportOfState = Effect.fnUntraced(function* (direction: "DEPOSIT" | "WITHDRAWAL", state: BridgeState) {
    const provider = providerWith()
    const order = aFiatOrder({ ...quote, direction })
    const { providerOrder } = yield* provider.openDeposit(order)
    yield* Effect.promise(() => bridge.set(providerOrder, state))
    return (yield* provider.readOrderReport({ ...order, providerOrder })).state
  })

  it.live("maps each of Bridge's states to an order state", () =>
    Effect.gen(function* () {
      const expected = {
        awaiting_funds: ["AWAITING_FUNDS", "AWAITING_FUNDS"],
        in_review: ["IN_REVIEW", "IN_REVIEW"],
        funds_received: ["FUNDS_RECEIVED", "FUNDS_RECEIVED"],
        payment_submitted: ["PROCESSING", "PROCESSING"],
        payment_processed: ["COMPLETED", "COMPLETED"],
        undeliverable: ["IN_REVIEW", "IN_REVIEW"],
        returned: ["IN_REVIEW", "IN_REVIEW"],
        refunded: ["REFUNDED", "RETURNED"],
        canceled: ["CANCELLED", "FAILED"],
        error: ["FAILED", "FAILED"]
      } as const satisfies Record<BridgeState, ReadonlyArray<string>>
      for (const [state, [deposit, withdrawal]] of Object.entries(expected)) {
        assert.strictEqual(yield* reportOfState("DEPOSIT", state as BridgeState), deposit, state)
        assert.strictEqual(yield* reportOfState("WITHDRAWAL", state as BridgeState), withdrawal, state)
      }
    })
  )

  it.live("is requested again later if it is malformed or slow", () =>
    Effect.gen(function* () {
      const provider = providerWith()
      const order = aFiatOrder(quote)
      const { providerOrder } = yield* provider.openDeposit(order)
      for (const text of ["no JSON", "{}", JSON.stringify({ id: providerOrder, state: "dancing" })]) {
        bridge.fail({ _tag: "Body", text })
        assert.match(yield* refusalOf(provider.readOrderReport({ ...order, providerOrder })), /unexpected form/u)
      }
      bridge.fail({ _tag: "Delay", ms: 300 })
      assert.strictEqual((yield* provider.readOrderReport({ ...order, providerOrder })).state, "AWAITING_FUNDS")
    })
  )

  it.live("is accepted with a signature over one or two digests, and never without a key", () =>
    Effect.gen(function* () {
      const { providerOrder } = yield* providerWith().openDeposit(aFiatOrder(quote))
      const now = 1_790_000_000
      for (const signatureCount of ["once", "twice"] as const) {
        const message = bridge.message(providerOrder, signatureCount, now * 1_000)
        assert.deepStrictEqual(providerWith().readCallback(message, now), {
          _tag: "Genuine",
          providerOrder,
          customer: null
        })
        assert.strictEqual(providerWith(null).readCallback(message, now)._tag, "Refused")
      }
    })
  )
})

describe("the registration of a person at Bridge", () => {
  const providerWith = (read: Parameters<typeof makeBridge>[2] = readPdf) =>
    makeBridge(
      { url: bridge.url, apiKey: Redacted.make(BRIDGE_KEY), hasTerms: true, webhookPublicKey: bridgeKeys.publicKey },
      providerCustomersWith("cust_bea"),
      read
    ).customers
  const submissionsOf = (id: string | undefined) => bridge.submissions.filter((one) => one.id === id).length

  it.live("needs the customer's agreement, and sends nothing without it", () =>
    Effect.gen(function* () {
      const { register, termsLink } = providerWith()
      const countBefore = bridge.submissions.length
      assert.deepStrictEqual(yield* register(registrationRequestsOf("bridge")()), {
        status: "ACTION_REQUIRED",
        fields: ["agreementId"]
      })
      assert.lengthOf(bridge.submissions, countBefore)
      const link = new URL(yield* termsLink!("https://app.example/back"))
      assert.strictEqual(link.searchParams.get("redirect_uri"), "https://app.example/back")
    })
  )

  it.live(
    "sends the encrypted data and documents and reports what is missing; more data completes the same customer",
    () =>
      Effect.gen(function* () {
        const { register } = providerWith()
        const askOf = registrationRequestsOf("bridge", {
          providerAgreements: [{ provider: "bridge", agreementId: "agr_1" }]
        })
        assert.deepStrictEqual(yield* register(askOf()), { status: "ACTION_REQUIRED", fields: ["email_address"] })
        const { body, id } = bridge.submissions.at(-1)!
        assert.deepInclude(body, { signed_agreement_id: "agr_1", first_name: "Ana", birth_date: "1990-12-31" })
        assert.deepInclude(body.residential_address as object, { country: "BRA", city: "Curitiba" })
        const [document] = body.identifying_information as ReadonlyArray<Record<string, string>>
        assert.deepInclude(document, { type: "national_id", issuing_country: "BRA", number: "FX123456" })
        assert.match(document!.image_front!, /^data:application\/pdf;base64,/u)
        // If no new data were submitted, the customer is only read.
        yield* register(askOf(null, { status: "ACTION_REQUIRED", fields: ["email_address"] }))
        assert.strictEqual(submissionsOf(id), 1)
        const second = yield* register(askOf({ details: { email: "ana@example.com" } }, { attempt: 1 }))
        assert.deepStrictEqual(second, { status: "ACTIVE" })
        assert.strictEqual(submissionsOf(id), 2)
      })
  )

  it.live("creates one customer if a response is lost", () =>
    Effect.gen(function* () {
      const { register } = providerWith()
      const askOf = registrationRequestsOf("bridge", { email: "ana@example.com" })
      const submission = { agreementId: "agr_2" }
      const countBefore = bridge.customers.size
      // The first request, which is lost, searches for a customer with the individual's id.
      bridge.fail({ _tag: "AnswerLost" }, 1)
      assert.strictEqual((yield* Effect.flip(register(askOf(submission))))._tag, "UPSTREAM_UNAVAILABLE")
      bridge.heal()
      assert.deepStrictEqual(yield* register(askOf(submission)), { status: "ACTIVE" })
      assert.strictEqual(bridge.customers.size, countBefore + 1)
    })
  )

  it.live("is retried after a conflict with another request, and rejected if Bridge rejects the data", () =>
    Effect.gen(function* () {
      const { register } = providerWith()
      const askOf = registrationRequestsOf("bridge", { email: "ana@example.com" })
      const submission = { agreementId: "agr_3" }
      bridge.fail({ _tag: "Status", status: 409 }, 1)
      assert.strictEqual((yield* Effect.flip(register(askOf(submission))))._tag, "UPSTREAM_UNAVAILABLE")
      bridge.heal()
      bridge.fail({ _tag: "Status", status: 400 }, 1)
      assert.strictEqual((yield* register(askOf(submission))).status, "REJECTED")
    })
  )

  it.live("does not become REJECTED if Bridge no longer accepts the idempotency key of a lost request", () =>
    Effect.gen(function* () {
      const { register } = providerWith()
      const askOf = registrationRequestsOf("bridge", { email: "ana@example.com" })
      const updatedAt = DateTime.subtract(yield* DateTime.now, { hours: 25 })
      const request = askOf({ agreementId: "agr_4" }, { updatedAt })
      bridge.fail({ _tag: "AnswerLost" }, 1)
      yield* Effect.flip(register(request))
      bridge.heal()
      bridge.expireKeys()
      const error = yield* Effect.flip(register(request))
      assert.match(error.message, /link the customer/u)
    })
  )

  it.live("requires corrected data if Bridge rejects a field after a day without a response", () =>
    Effect.gen(function* () {
      const { register } = providerWith()
      const askOf = registrationRequestsOf("bridge", { email: "ana@example.com" })
      const updatedAt = DateTime.subtract(yield* DateTime.now, { hours: 25 })
      bridge.fail({ _tag: "Status", status: 422, body: { errors: [{ path: ["email"] }] } }, 1)
      const outcome = yield* register(askOf({ agreementId: "agr_5" }, { updatedAt }))
      assert.deepStrictEqual(outcome, { status: "ACTION_REQUIRED", fields: ["email"] })
    })
  )

  it.live("is rejected with a reason, without a request to Bridge, if the documents are too large", () =>
    Effect.gen(function* () {
      const large = new Uint8Array(20_000_000)
      const countBefore = bridge.submissions.length
      const outcome = yield* providerWith(() => Effect.succeed(large)).register(
        registrationRequestsOf("bridge")({ agreementId: "a" })
      )
      assert.strictEqual(outcome.status, "REJECTED")
      if (outcome.status === "REJECTED") assert.match(outcome.reason, /^the documents have more than 50 MiB in total/u)
      assert.lengthOf(bridge.submissions, countBefore)
    })
  )

  it.live("keeps the documents of at most two identities in memory", () =>
    Effect.gen(function* () {
      const inMemory = new Set<string>()
      let maxActive = 0
      const { register } = providerWith(({ identityId }) =>
        Effect.sync(() => {
          maxActive = Math.max(maxActive, inMemory.add(identityId).size)
          return new Uint8Array(1_000)
        })
      )
      yield* Effect.forEach(
        Array.from({ length: 8 }, (_, n) => registrationRequestsOf("bridge", { email: `ana${n}@example.com` })),
        (askOf) => {
          const registrationRequest = askOf({ agreementId: "a" })
          const { identityId } = registrationRequest.registration
          return Effect.ensuring(
            register({ ...registrationRequest, session: { ...registrationRequest.session, identityId } }),
            Effect.sync(() => inMemory.delete(identityId))
          )
        },
        { concurrency: "unbounded" }
      )
      assert.strictEqual(maxActive, 2)
    })
  )

  it.live("has Bridge's reason for customers, not the one for developers", () =>
    Effect.gen(function* () {
      const outcome = yield* providerWith().register(
        registrationRequestsOf("bridge", { firstName: "Fail" })({ agreementId: "a" })
      )
      assert.deepStrictEqual(outcome, { status: "REJECTED", reason: "Cannot validate ID" })
    })
  )
})
