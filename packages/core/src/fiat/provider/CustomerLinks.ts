import { Context, Effect, Layer } from "effect"
import { BadRequest } from "../../foundation/errors/index.ts"
import { type IndividualId, VerifiedIndividuals } from "../../identity/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { IdentityNotFound } from "../errors.ts"
import { ProviderRegistrations } from "../registrations/ProviderRegistrations.ts"
import { FiatProviders } from "./FiatProvider.ts"
import { type ProviderCustomer, ProviderCustomers } from "./ProviderCustomers.ts"

/** Manages the links that operators create between individuals and their customer records at providers. */
export class CustomerLinks extends Context.Service<
  CustomerLinks,
  {
    /**
     * Links an individual to a customer. Replaces an earlier link with the same provider. Fails if the customer is
     * linked to another individual, in this or another project.
     */
    readonly link: (
      projectId: ProjectId,
      id: IndividualId,
      providerCustomer: ProviderCustomer
    ) => Effect.Effect<void, IdentityNotFound | BadRequest>
    /** Removes a link. Returns false if the individual had none. */
    readonly unlink: (projectId: ProjectId, id: IndividualId, provider: string) => Effect.Effect<boolean>
    /** Returns the links of an individual, sorted by provider. */
    readonly list: (projectId: ProjectId, id: IndividualId) => Effect.Effect<ReadonlyArray<ProviderCustomer>>
  }
>()("@countersign/core/fiat/CustomerLinks") {
  static readonly layer = Layer.effect(
    CustomerLinks,
    Effect.gen(function* () {
      const customers = yield* ProviderCustomers
      const individuals = yield* VerifiedIndividuals
      const registrations = yield* ProviderRegistrations
      const names = (yield* FiatProviders).map(({ name }) => name)

      return CustomerLinks.of({
        link: Effect.fn("CustomerLinks.link")(function* (projectId, id, providerCustomer) {
          if (!names.includes(providerCustomer.provider)) {
            const expectation = names.length === 0 ? "None is configured." : `Expected one of ${names.join(", ")}.`
            return yield* BadRequest.of("provider", "unknown_provider", expectation)
          }
          if (!(yield* individuals.isVerified(projectId, id))) return yield* new IdentityNotFound({ identityId: id })
          if (!(yield* customers.link(projectId, id, providerCustomer))) {
            return yield* BadRequest.of(
              "customer",
              "linked_already",
              `Another individual, of this or another project, is already linked to this customer of ${providerCustomer.provider}. Unlink that individual first.`
            )
          }
          yield* registrations.wake(providerCustomer.provider, providerCustomer.customer)
          yield* registrations.start({ projectId, identityId: id })
        }),
        unlink: customers.unlink,
        list: customers.list
      })
    })
  )
}
