import { FiatRefusal } from "@countersign/core/fiat"
import type { IndividualId } from "@countersign/core/identity"

/** A provider does not know an individual. Says what its operator does about it. */
export const noCustomer = (provider: string, title: string, individualId: IndividualId): FiatRefusal =>
  new FiatRefusal({
    provider: title,
    reason: `it has no customer for ${individualId}. Verify the individual with a verification session, which registers it, or let the operator name the customer with \`countersign identity link ${individualId} --provider ${provider} --customer ID\``,
    isCustomerMissing: true
  })
