import { aFiatQuote } from "@countersign/core/contracts/fiat/provider/FiatProvider"
import type { ProviderCustomers } from "@countersign/core/fiat"
import { IndividualId } from "@countersign/core/identity"
import { Effect } from "effect"

/** Somebody whose id no provider knows. */
export const linked = { projectId: aFiatQuote().projectId, individualId: IndividualId.make("ind_of_a_session") }

/** That one as the customer of this id, and nobody else. */
export const linksTo = (customer: string): ProviderCustomers["Service"] => ({
  find: (projectId, id) =>
    Effect.succeed(projectId === linked.projectId && id === linked.individualId ? customer : null),
  link: () => Effect.die("Links are read alone"),
  unlink: () => Effect.die("Links are read alone"),
  list: () => Effect.die("Links are read alone"),
  forget: () => Effect.die("Links are read alone")
})
