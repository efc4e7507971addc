import { type FiatProviderRequest, FiatRefusal, type ProviderCustomers } from "@countersign/core/fiat"
import { Effect } from "effect"

/**
 * Returns a function that links an individual to a customer of the provider, unless there is a link already, and
 * returns the linked customer. It fails if the customer is linked to another individual.
 */
export const linkedCustomer =
  (links: ProviderCustomers["Service"], { name, title }: { readonly name: string; readonly title: string }) =>
  (
    { individualId, projectId }: Pick<FiatProviderRequest, "individualId" | "projectId">,
    customer: string
  ): Effect.Effect<string, FiatRefusal> =>
    Effect.filterOrFail(
      links.linkIfNone(projectId, individualId, { provider: name, customer }),
      (linked) => linked !== null,
      () =>
        new FiatRefusal({
          provider: title,
          reason: `its customer ${individualId} is linked to another individual of this or another project. The operator must unlink that individual first`,
          isCustomerMissing: true
        })
    )
