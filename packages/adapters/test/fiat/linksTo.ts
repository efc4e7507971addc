import { aFiatQuote } from "@countersign/core/contracts/fiat/provider/FiatProvider"
import type { ProviderCustomers } from "@countersign/core/fiat"
import { IndividualId } from "@countersign/core/identity"
import { Effect } from "effect"

/** The individual of these tests. */
export const linkedIndividual = {
  projectId: aFiatQuote().projectId,
  individualId: IndividualId.make("ind_of_a_session")
}

/**
 * Returns a store in which the individual is the customer with this id. The store keeps the links that providers
 * create.
 */
export const providerCustomersWith = (customer: string): ProviderCustomers["Service"] => {
  const individuals = new Map([[customer, `${linkedIndividual.projectId} ${linkedIndividual.individualId}`]])
  const find = (projectId: string, id: string) =>
    [...individuals].find(([, individual]) => individual === `${projectId} ${id}`)?.[0] ?? null
  return {
    find: (projectId, id) => Effect.sync(() => find(projectId, id)),
    linkIfNone: (projectId, id, { customer }) =>
      Effect.sync(() => {
        if (find(projectId, id) === null && !individuals.has(customer)) individuals.set(customer, `${projectId} ${id}`)
        return find(projectId, id)
      }),
    link: (projectId, id, { customer }) =>
      Effect.sync(() => {
        const owner = individuals.get(customer)
        if (owner !== undefined && owner !== `${projectId} ${id}`) return false
        const earlierCustomer = find(projectId, id)
        if (earlierCustomer !== null) individuals.delete(earlierCustomer)
        individuals.set(customer, `${projectId} ${id}`)
        return true
      }),
    unlink: () => Effect.die("Links are read-only"),
    list: () => Effect.die("Links are read-only"),
    erase: () => Effect.die("Links are read-only")
  }
}
