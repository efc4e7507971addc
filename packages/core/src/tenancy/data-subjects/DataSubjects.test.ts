import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TaxScheduleStore } from "../../accounting/tax/index.ts"
import { FiatOrderStore, ProviderCustomers, ProviderRegistrationStore } from "../../fiat/index.ts"
import { aFiatOrder, aFiatQuote } from "../../fiat/orders/FiatOrder.fixture.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import {
  Documents,
  PersonalAccesses,
  PersonalVault,
  VerificationSessionStore,
  VerifiedIndividuals
} from "../../identity/index.ts"
import { EventOutbox } from "../events/index.ts"
import { DataSubjects } from "./DataSubjects.ts"
import { ErasureRecords } from "./ErasureRecords.ts"

const order = aFiatOrder(aFiatQuote())
const { individualId, projectId } = order.quote

describe("An erasure", () => {
  it.effect("is rejected if an order starts while it is recorded", () => {
    let hasOrder = false
    const stores = Layer.mergeAll(
      Layer.mock(VerificationSessionStore, { listByIdentity: () => Effect.succeed([]) }),
      Layer.mock(VerifiedIndividuals, { list: () => Effect.succeed([]) }),
      Layer.mock(ProviderCustomers, {
        list: () => Effect.succeed([{ individualId, provider: "bank", customerId: "customer-1" }] as never)
      }),
      Layer.mock(ProviderRegistrationStore, { listByIdentity: () => Effect.succeed([]) }),
      Layer.mock(FiatOrderStore, { list: () => Effect.sync(() => (hasOrder ? [order] : [])) }),
      Layer.mock(TaxScheduleStore, { listByIndividual: () => Effect.succeed([]) }),
      // The test must not erase anything, so any call of these ports fails it.
      Layer.mock(PersonalVault, { problem: null }),
      Layer.mock(Documents, { problem: null }),
      Layer.mock(PersonalAccesses, {}),
      Layer.mock(EventOutbox, {}),
      Layer.mock(UnitOfWork, {}),
      Layer.succeed(ErasureRecords, {
        record: () =>
          Effect.sync(() => {
            hasOrder = true
          })
      })
    )
    return Effect.gen(function* () {
      const { erase } = yield* DataSubjects
      assert.strictEqual((yield* Effect.flip(erase(projectId, individualId)))._tag, "ORDERS_PENDING")
    }).pipe(Effect.provide(DataSubjects.layer.pipe(Layer.provide(stores))))
  })
})
