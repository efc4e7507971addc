import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { IndividualId } from "../../identity/index.ts"
import { aProjectId } from "../../projects/Project.fixture.ts"
import { ProviderCustomers } from "./ProviderCustomers.ts"

const ana = IndividualId.make("ana")
const bea = IndividualId.make("bea")

/** What every store of providers' customers keeps to. */
export const providerCustomersContract = <E>(name: string, layer: Layer.Layer<ProviderCustomers, E>) =>
  withLayer(layer, { excludeTestServices: true })(`ProviderCustomers: ${name}`, (it) => {
    it.effect("knows an individual's customer at each provider, the latest one", () =>
      Effect.gen(function* () {
        const customers = yield* ProviderCustomers
        const project = aProjectId()
        assert.isNull(yield* customers.find(project, ana, "bridge"))
        assert.isTrue(yield* customers.link(project, ana, { provider: "bridge", customer: "cust_1" }))
        assert.isTrue(yield* customers.link(project, ana, { provider: "blindpay", customer: "cu_1" }))
        assert.isTrue(yield* customers.link(project, ana, { provider: "bridge", customer: "cust_2" }))
        assert.isTrue(yield* customers.link(project, ana, { provider: "bridge", customer: "cust_2" }))
        assert.strictEqual(yield* customers.find(project, ana, "bridge"), "cust_2")
        assert.deepStrictEqual(yield* customers.list(project, ana), [
          { provider: "blindpay", customer: "cu_1" },
          { provider: "bridge", customer: "cust_2" }
        ])
        assert.deepStrictEqual(yield* customers.list(project, bea), [])
      })
    )

    it.effect("forgets one link, or all of an individual", () =>
      Effect.gen(function* () {
        const customers = yield* ProviderCustomers
        const project = aProjectId()
        yield* customers.link(project, ana, { provider: "bridge", customer: "cust_1" })
        yield* customers.link(project, ana, { provider: "blindpay", customer: "cu_1" })
        yield* customers.link(project, bea, { provider: "bridge", customer: "cust_9" })
        assert.isTrue(yield* customers.unlink(project, ana, "bridge"))
        assert.isFalse(yield* customers.unlink(project, ana, "bridge"))
        assert.deepStrictEqual(yield* customers.list(project, ana), [{ provider: "blindpay", customer: "cu_1" }])
        yield* customers.forget(project, ana)
        assert.deepStrictEqual(yield* customers.list(project, ana), [])
        assert.strictEqual(yield* customers.find(project, bea, "bridge"), "cust_9")
      })
    )

    it.effect("gives a customer to one individual of a project alone, also where two are linked at once", () =>
      Effect.gen(function* () {
        const customers = yield* ProviderCustomers
        const [project, other] = [aProjectId(), aProjectId()]
        const linked = { provider: "bridge", customer: "cust_1" }
        const made = yield* Effect.forEach([ana, bea], (id) => customers.link(project, id, linked), {
          concurrency: "unbounded"
        })
        assert.lengthOf(made.filter(Boolean), 1)
        assert.isTrue(yield* customers.link(other, bea, linked))
        assert.isTrue(yield* customers.link(project, bea, { provider: "blindpay", customer: "cust_1" }))
      })
    )

    it.effect("keeps what an individual had where its new customer is another's", () =>
      Effect.gen(function* () {
        const customers = yield* ProviderCustomers
        const project = aProjectId()
        yield* customers.link(project, ana, { provider: "bridge", customer: "cust_1" })
        yield* customers.link(project, bea, { provider: "bridge", customer: "cust_2" })
        assert.isFalse(yield* customers.link(project, bea, { provider: "bridge", customer: "cust_1" }))
        assert.strictEqual(yield* customers.find(project, bea, "bridge"), "cust_2")
      })
    )
  })
