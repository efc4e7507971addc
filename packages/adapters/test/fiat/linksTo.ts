import { aFiatQuote } from "@countersign/core/contracts/fiat/provider/FiatProvider"
import type { ProviderCustomers } from "@countersign/core/fiat"
import { IndividualId } from "@countersign/core/identity"
import { Effect } from "effect"

/** Somebody whose id no provider knows. */
export const linked = { projectId: aFiatQuote().projectId, individualId: IndividualId.make("ind_of_a_session") }

/** That one as the customer of this id, and links that providers make. */
export const linksTo = (customer: string): ProviderCustomers["Service"] => {
  const individuals = new Map([[customer, `${linked.projectId} ${linked.individualId}`]])
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
        const earlier = find(projectId, id)
        if (earlier !== null) individuals.delete(earlier)
        individuals.set(customer, `${projectId} ${id}`)
        return true
      }),
    unlink: () => Effect.die("Links are read alone"),
    list: () => Effect.die("Links are read alone"),
    forget: () => Effect.die("Links are read alone")
  }
}
