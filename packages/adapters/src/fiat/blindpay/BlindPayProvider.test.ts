import { fiatProviderContract } from "@countersign/core/contracts/fiat/provider/FiatProvider"
import { IndividualId } from "@countersign/core/identity"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import {
  BLINDPAY_INSTANCE,
  BLINDPAY_KEY,
  BLINDPAY_WEBHOOK_SECRET,
  type KycStatus
} from "../../../sandbox/bank/index.ts"
import { startBlindPayServer } from "../../../test/fiat/blindPayServer.ts"
import { linkedIndividual, providerCustomersWith } from "../../../test/fiat/linksTo.ts"
import { readPdf, registrationRequestsOf } from "../../../test/fiat/registrationAsk.ts"
import { signedHeaders } from "../../outbound/webhooks/index.ts"
import { makeBlindPay } from "./BlindPayProvider.ts"

/** Tests the provider with the sandbox's bank, over a socket and without chains. */

const blindPay = await startBlindPayServer()
afterAll(() => blindPay.stop())
const { bank, state, url } = blindPay
const individualId = IndividualId.make("ana")
bank.addCustomer(individualId)
const beasId = bank.addCustomer("bea, as BlindPay knows her")

fiatProviderContract("BlindPay", () => ({
  provider: makeBlindPay(
    {
      url,
      apiKey: Redacted.make(BLINDPAY_KEY),
      instanceId: BLINDPAY_INSTANCE,
      hasTerms: false,
      webhookSecret: BLINDPAY_WEBHOOK_SECRET
    },
    providerCustomersWith(beasId),
    () => Effect.succeed(null)
  ),
  individualId,
  linked: linkedIndividual,
  countOrders: () => bank.orderCount,
  completeOrder: (id) => bank.pay(id),
  returnFunds: (id) => bank.sendBack(id),
  injectFault: (fault) => {
    if (fault === "ANSWER_LOST") state.isResponseLost = true
    else bank.failures = { count: 1_000, status: fault }
  },
  textOfFailures: "set to fail",
  clearFault: () => {
    state.isResponseLost = false
    bank.failures = { count: 0, status: 500 }
  },
  callbackOf: (id, nowSeconds) => {
    const body = JSON.stringify({ webhook_event: "payin.update", id })
    const signedHeaderEntries = Object.entries(signedHeaders([BLINDPAY_WEBHOOK_SECRET], "msg_1", nowSeconds, body))
    return {
      headers: Object.fromEntries(signedHeaderEntries.map(([name, value]) => [name.replace("webhook", "svix"), value])),
      body
    }
  }
}))

describe("the registration of a person at BlindPay", () => {
  const providerWith = (hasTerms: boolean) =>
    makeBlindPay(
      {
        url,
        apiKey: Redacted.make(BLINDPAY_KEY),
        instanceId: BLINDPAY_INSTANCE,
        hasTerms,
        webhookSecret: null
      },
      providerCustomersWith(beasId),
      readPdf
    ).customers

  it.live("needs the customer's agreement, and sends nothing without it", () =>
    Effect.gen(function* () {
      const countBefore = bank.customers.count
      const { register } = providerWith(true)
      const askOf = registrationRequestsOf("blindpay")
      assert.deepStrictEqual(yield* register(askOf()), { status: "ACTION_REQUIRED", fields: ["agreementId"] })
      assert.strictEqual(bank.customers.count, countBefore)
      assert.deepStrictEqual(yield* register(askOf({ agreementId: "to_1" }, { attempt: 1 })), { status: "ACTIVE" })
      assert.strictEqual(bank.customers.count, countBefore + 1)
    })
  )

  it.live("names the fields that BlindPay rejects", () =>
    Effect.gen(function* () {
      const { register } = makeBlindPay(
        {
          url,
          apiKey: Redacted.make(BLINDPAY_KEY),
          instanceId: BLINDPAY_INSTANCE,
          hasTerms: false,
          webhookSecret: null
        },
        providerCustomersWith(beasId),
        () => Effect.succeed(null)
      ).customers
      assert.deepStrictEqual(yield* register(registrationRequestsOf("blindpay")()), {
        status: "ACTION_REQUIRED",
        fields: ["id_doc_front_file"]
      })
    })
  )

  it.live("is retried if the person's data is not the reason for the rejection", () =>
    Effect.gen(function* () {
      const { register } = providerWith(false)
      const askOf = registrationRequestsOf("blindpay")
      // The registration first lists the customers, and then creates one.
      for (const [after, status] of [
        [0, 404],
        [1, 404],
        [1, 409]
      ] as const) {
        bank.failures = { count: 1, status, after }
        assert.strictEqual((yield* Effect.flip(register(askOf())))._tag, "UPSTREAM_UNAVAILABLE", `${after} ${status}`)
      }
      assert.deepStrictEqual(yield* register(askOf()), { status: "ACTIVE" })
    })
  )

  it.live("finds the customer of an earlier request on a later page of the list", () =>
    Effect.gen(function* () {
      const askOf = registrationRequestsOf("blindpay")
      const { identityId } = askOf().registration
      bank.customers.setStatus(bank.addCustomer(identityId), "verifying")
      for (let customerIndex = 0; customerIndex < 250; customerIndex++)
        bank.addCustomer(`other-${identityId}-${customerIndex}`)
      // All other customers are approved. So the status is PENDING only if the registration finds the earlier customer.
      assert.deepStrictEqual(yield* providerWith(false).register(askOf()), { status: "PENDING" })
    })
  )

  it.live("is active only with a status that BlindPay documents as approved", () =>
    Effect.gen(function* () {
      const { register } = providerWith(false)
      const askOf = registrationRequestsOf("blindpay")
      assert.deepStrictEqual(yield* register(askOf()), { status: "ACTIVE" })
      for (const status of [undefined, null, "verifying", "pending_review", "deprecated", "awaiting_contract"]) {
        bank.customers.setStatus(askOf().registration.identityId, status as KycStatus)
        assert.deepStrictEqual(yield* register(askOf()), { status: "PENDING" }, String(status))
      }
    })
  )

  it("is not offered in countries that BlindPay does not serve", () => {
    const { serves } = providerWith(false)
    assert.deepStrictEqual([serves("BRAZIL"), serves("CUBA")], [true, false])
  })
})
