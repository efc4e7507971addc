import type { IndividualId } from "@countersign/core/identity"

/** Says that a provider does not know somebody, and what its operator does about it. */
export const noCustomer = (provider: string, individualId: IndividualId): string =>
  `it has no customer for ${individualId}; its operator names one with \`countersign identity link ${individualId} --provider ${provider} --customer ID\``
