import type { IndividualId } from "@countersign/core/identity"

/** Says that a provider does not know somebody, and what its operator does about it. */
export const noCustomer = (provider: string, individualId: IndividualId): string =>
  `it has no customer for ${individualId}; its operator names one with \`countersign identity link ${individualId} --provider ${provider} --customer ID\``

/** States that the provider's customer of this id belongs to another individual. */
export const customerOfAnother = (individualId: IndividualId): string =>
  `its customer ${individualId} is linked with another individual, of this or another project. Its operator unlinks that one first`
