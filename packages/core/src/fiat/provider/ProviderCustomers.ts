import { Context, type Effect, Schema } from "effect"
import type { IndividualId } from "../../identity/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"

/** An id that a provider gives a customer: up to 128 characters without spaces. */
export const CustomerId = Schema.String.check(
  Schema.isPattern(/^[^\p{C}\s]{1,128}$/u, { message: "Expected 1 to 128 characters without spaces" })
)

/** Who an individual of a project is at a provider of bank payments. */
export interface ProviderCustomer {
  /** The provider's name, as `bridge`. */
  readonly provider: string
  /** The provider's id of its customer. */
  readonly customer: string
}

/**
 * The customers of providers that individuals are linked with: by operators, or because the provider knows the customer by the
 * individual's id. A customer belongs to one individual of one project. Its id is shown to operators and its subject only.
 */
export class ProviderCustomers extends Context.Service<
  ProviderCustomers,
  {
    /**
     * Replaces an earlier link of the individual with the provider. False, and nothing is changed, where another individual, of this or
     * another project, has this customer.
     */
    readonly link: (projectId: ProjectId, id: IndividualId, linked: ProviderCustomer) => Effect.Effect<boolean>
    /**
     * Links the individual where it has no link with the provider. The customer that it is linked with then; null where another individual,
     * of this or another project, has this customer.
     */
    readonly linkIfNone: (
      projectId: ProjectId,
      id: IndividualId,
      linked: ProviderCustomer
    ) => Effect.Effect<string | null>
    /** False if there was none. */
    readonly unlink: (projectId: ProjectId, id: IndividualId, provider: string) => Effect.Effect<boolean>
    /** Null where none is linked. */
    readonly find: (projectId: ProjectId, id: IndividualId, provider: string) => Effect.Effect<string | null>
    /** By their providers. */
    readonly list: (projectId: ProjectId, id: IndividualId) => Effect.Effect<ReadonlyArray<ProviderCustomer>>
    /** Removes all links of an individual. */
    readonly forget: (projectId: ProjectId, id: IndividualId) => Effect.Effect<void>
  }
>()("@countersign/core/fiat/ProviderCustomers") {}
