import { FiatRefusal } from "@countersign/core/fiat"
import type { IndividualId } from "@countersign/core/identity"

/**
 * Builds the error for an individual who is not a customer of the provider. It contains the remedy for the operator.
 */
export const noCustomer = (provider: string, title: string, individualId: IndividualId): FiatRefusal =>
  new FiatRefusal({
    provider: title,
    reason: `it has no customer for ${individualId}. Verify the individual with a verification session, which registers the customer, or ask the operator to link a customer with \`countersign identity link ${individualId} --provider ${provider} --customer ID\``,
    isCustomerMissing: true
  })
