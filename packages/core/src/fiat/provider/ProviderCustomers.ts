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
 * The links of individuals with customers of providers: by operators, or because the provider knows the customer by the
 * individual's id. A customer belongs to one individual of one project. Its id is shown to operators and its subject
 * only.
 */
export class ProviderCustomers extends Context.Service<
  ProviderCustomers,
  {
    /**
     * Replaces an earlier link of the individual with the provider. Returns false and changes nothing if another
     * individual, of this or another project, is linked with this customer.
     */
    readonly link: (projectId: ProjectId, id: IndividualId, linked: ProviderCustomer) => Effect.Effect<boolean>
    /**
     * Links the individual if it has no link with the provider. Returns its linked customer; null if another
     * individual, of this or another project, is linked with this customer.
     */
    readonly linkIfNone: (
      projectId: ProjectId,
      id: IndividualId,
      linked: ProviderCustomer
    ) => Effect.Effect<string | null>
    /** Returns false if there was none. */
    readonly unlink: (projectId: ProjectId, id: IndividualId, provider: string) => Effect.Effect<boolean>
    /** Null if there is no link. */
    readonly find: (projectId: ProjectId, id: IndividualId, provider: string) => Effect.Effect<string | null>
    /** Sorted by provider. */
    readonly list: (projectId: ProjectId, id: IndividualId) => Effect.Effect<ReadonlyArray<ProviderCustomer>>
    /** Removes all links of an individual. */
    readonly forget: (projectId: ProjectId, id: IndividualId) => Effect.Effect<void>
  }
>()("@countersign/core/fiat/ProviderCustomers") {}
