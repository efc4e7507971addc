import { Context, type Effect, Schema } from "effect"
import type { IndividualId } from "../../identity/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"

/** A provider's id of a customer: up to 128 characters without spaces. */
export const CustomerId = Schema.String.check(
  Schema.isPattern(/^[^\p{C}\s]{1,128}$/u, { message: "Expected 1 to 128 characters without spaces" })
)

/** An individual's customer record at a fiat provider. */
export interface ProviderCustomer {
  /** The provider's name, such as `bridge`. */
  readonly provider: string
  /** The provider's id of the customer. */
  readonly customer: string
}

/**
 * Stores the links between individuals and their customer records at providers. A link is created by an operator, by a
 * registration, or because the provider uses the individual's id as the customer id. A customer belongs to one
 * individual of one project.
 */
export class ProviderCustomers extends Context.Service<
  ProviderCustomers,
  {
    /**
     * Links an individual to a customer. Replaces an earlier link with the same provider. Returns false and changes
     * nothing if the customer is linked to another individual, in this or another project.
     */
    readonly link: (
      projectId: ProjectId,
      id: IndividualId,
      providerCustomer: ProviderCustomer
    ) => Effect.Effect<boolean>
    /**
     * Links the individual if it has no link with the provider, and returns its linked customer. Null if this customer
     * is linked to another individual, in this or another project.
     */
    readonly linkIfNone: (
      projectId: ProjectId,
      id: IndividualId,
      linked: ProviderCustomer
    ) => Effect.Effect<string | null>
    /** Removes a link. Returns false if the individual had none. */
    readonly unlink: (projectId: ProjectId, id: IndividualId, provider: string) => Effect.Effect<boolean>
    /** Returns the provider's customer id of an individual. Null if there is no link. */
    readonly find: (projectId: ProjectId, id: IndividualId, provider: string) => Effect.Effect<string | null>
    /** Returns the links of an individual, sorted by provider. */
    readonly list: (projectId: ProjectId, id: IndividualId) => Effect.Effect<ReadonlyArray<ProviderCustomer>>
    /** Removes all links of an individual. */
    readonly erase: (projectId: ProjectId, id: IndividualId) => Effect.Effect<void>
  }
>()("@countersign/core/fiat/ProviderCustomers") {}
