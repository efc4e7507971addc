import { Schema } from "effect"

/**
 * PENDING: the provider has not decided, or was not reached yet. ACTIVE: the identity is a customer and can make
 * payments. ACTION_REQUIRED: the provider needs the data that `fields` lists. REJECTED: the provider does not accept
 * the identity as a customer.
 */
export const RegistrationStatus = Schema.Literals(["PENDING", "ACTIVE", "ACTION_REQUIRED", "REJECTED"])
export type RegistrationStatus = typeof RegistrationStatus.Type

/**
 * All state transitions. A provider may suspend and reactivate a customer. A rejection ends with new data, with an
 * operator's link, or if the provider reports another status after a webhook.
 */
const transitions: Readonly<Record<RegistrationStatus, ReadonlyArray<RegistrationStatus>>> = {
  PENDING: ["ACTIVE", "ACTION_REQUIRED", "REJECTED"],
  ACTIVE: ["PENDING", "ACTION_REQUIRED", "REJECTED"],
  ACTION_REQUIRED: ["PENDING", "ACTIVE", "REJECTED"],
  REJECTED: ["PENDING", "ACTIVE"]
}

export const canRegistrationTransition = (from: RegistrationStatus, to: RegistrationStatus): boolean =>
  transitions[from].includes(to)
