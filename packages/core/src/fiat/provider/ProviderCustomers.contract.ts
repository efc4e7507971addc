import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { aUuid } from "../../foundation/primitives/ids.fixture.ts"
import { IndividualId } from "../../identity/index.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { ProviderCustomers } from "./ProviderCustomers.ts"

const firstIndividual = IndividualId.make("ana")
const secondIndividual = IndividualId.make("bea")

/** Contract tests that every `ProviderCustomers` store must pass. */
export const providerCustomersContract = <E>(name: string, layer: Layer.Layer<ProviderCustomers, E>) =>
  withLayer(layer, { excludeTestServices: true })(`ProviderCustomers: ${name}`, (it) => {
    it.effect("returns an individual's latest customer at each provider", () =>
      Effect.gen(function* () {
        const customers = yield* ProviderCustomers
        const project = aProjectId()
        const [first, second, third] = [aUuid(), aUuid(), aUuid()]
        assert.isNull(yield* customers.find(project, firstIndividual, "bridge"))
        assert.isTrue(yield* customers.link(project, firstIndividual, { provider: "bridge", customer: first }))
        assert.isTrue(yield* customers.link(project, firstIndividual, { provider: "blindpay", customer: third }))
        assert.isTrue(yield* customers.link(project, firstIndividual, { provider: "bridge", customer: second }))
        assert.isTrue(yield* customers.link(project, firstIndividual, { provider: "bridge", customer: second }))
        assert.strictEqual(yield* customers.find(project, firstIndividual, "bridge"), second)
        assert.deepStrictEqual(yield* customers.list(project, firstIndividual), [
          { provider: "blindpay", customer: third },
          { provider: "bridge", customer: second }
        ])
        assert.deepStrictEqual(yield* customers.list(project, secondIndividual), [])
      })
    )

    it.effect("deletes one link or all links of an individual", () =>
      Effect.gen(function* () {
        const customers = yield* ProviderCustomers
        const project = aProjectId()
        const [first, second, third] = [aUuid(), aUuid(), aUuid()]
        yield* customers.link(project, firstIndividual, { provider: "bridge", customer: first })
        yield* customers.link(project, firstIndividual, { provider: "blindpay", customer: third })
        yield* customers.link(project, secondIndividual, { provider: "bridge", customer: second })
        assert.isTrue(yield* customers.unlink(project, firstIndividual, "bridge"))
        assert.isFalse(yield* customers.unlink(project, firstIndividual, "bridge"))
        assert.deepStrictEqual(yield* customers.list(project, firstIndividual), [
          { provider: "blindpay", customer: third }
        ])
        yield* customers.erase(project, firstIndividual)
        assert.deepStrictEqual(yield* customers.list(project, firstIndividual), [])
        assert.strictEqual(yield* customers.find(project, secondIndividual, "bridge"), second)
      })
    )

    it.effect("assigns a customer to one individual of one project, also with concurrent requests", () =>
      Effect.gen(function* () {
        const customers = yield* ProviderCustomers
        const [project, otherProject] = [aProjectId(), aProjectId()]
        const linkedCustomer = { provider: "bridge", customer: `cust_${aUuid()}` }
        const linkResults = yield* Effect.forEach(
          [firstIndividual, secondIndividual],
          (id) => customers.link(project, id, linkedCustomer),
          {
            concurrency: "unbounded"
          }
        )
        assert.lengthOf(linkResults.filter(Boolean), 1)
        assert.isFalse(yield* customers.link(otherProject, firstIndividual, linkedCustomer))
        assert.isNull(yield* customers.find(otherProject, firstIndividual, "bridge"))
        assert.isTrue(yield* customers.link(otherProject, firstIndividual, { ...linkedCustomer, provider: "blindpay" }))
      })
    )

    it.effect("links an individual without a link, unless the customer belongs to another individual", () =>
      Effect.gen(function* () {
        const customers = yield* ProviderCustomers
        const [project, otherProject] = [aProjectId(), aProjectId()]
        const linkedCustomer = { provider: "bridge", customer: `cust_${aUuid()}` }
        const claimingProjects = [project, otherProject, project, otherProject]
        const linkResults = yield* Effect.forEach(
          claimingProjects,
          (id) => customers.linkIfNone(id, firstIndividual, linkedCustomer),
          {
            concurrency: "unbounded"
          }
        )
        const owner = linkResults[0] === null ? otherProject : project
        const unlinkedProject = owner === project ? otherProject : project
        assert.deepStrictEqual(
          linkResults,
          claimingProjects.map((id) => (id === owner ? linkedCustomer.customer : null))
        )
        assert.isNull(yield* customers.linkIfNone(owner, secondIndividual, linkedCustomer))
        assert.isNull(yield* customers.find(unlinkedProject, firstIndividual, "bridge"))
        const operatorLink = { provider: "bridge", customer: `cust_${aUuid()}` }
        assert.isTrue(yield* customers.link(owner, firstIndividual, operatorLink))
        assert.strictEqual(yield* customers.linkIfNone(owner, firstIndividual, linkedCustomer), operatorLink.customer)
        assert.strictEqual(
          yield* customers.linkIfNone(unlinkedProject, firstIndividual, linkedCustomer),
          linkedCustomer.customer
        )
      })
    )

    it.effect("does not change an individual's link if the new customer belongs to another individual", () =>
      Effect.gen(function* () {
        const customers = yield* ProviderCustomers
        const project = aProjectId()
        const [first, second] = [aUuid(), aUuid()]
        yield* customers.link(project, firstIndividual, { provider: "bridge", customer: first })
        yield* customers.link(project, secondIndividual, { provider: "bridge", customer: second })
        assert.isFalse(yield* customers.link(project, secondIndividual, { provider: "bridge", customer: first }))
        assert.strictEqual(yield* customers.find(project, secondIndividual, "bridge"), second)
      })
    )
  })
