import { type FiatProviderRequest, FiatRefusal, type ProviderCustomers } from "@countersign/core/fiat"
import { Effect } from "effect"

/**
 * Links an individual to a customer of the provider, unless there is a link already. Returns the linked customer. Fails
 * if the customer is linked to another individual.
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
