import { Schema } from "effect"

/**
 * PENDING: the provider has not decided, or was not reached yet. ACTIVE: the identity is a customer and can pay and be paid.
 * ACTION_REQUIRED: the provider needs what `fields` names. REJECTED: the provider does not take the identity as a customer.
 */
export const RegistrationStatus = Schema.Literals(["PENDING", "ACTIVE", "ACTION_REQUIRED", "REJECTED"])
export type RegistrationStatus = typeof RegistrationStatus.Type

/** A provider may suspend a customer and take it back. A rejection ends only with new data or an operator's link. */
const moves: Readonly<Record<RegistrationStatus, ReadonlyArray<RegistrationStatus>>> = {
  PENDING: ["ACTIVE", "ACTION_REQUIRED", "REJECTED"],
  ACTIVE: ["PENDING", "ACTION_REQUIRED", "REJECTED"],
  ACTION_REQUIRED: ["PENDING", "ACTIVE", "REJECTED"],
  REJECTED: ["PENDING", "ACTIVE"]
}

export const canRegistrationMove = (from: RegistrationStatus, to: RegistrationStatus): boolean =>
  moves[from].includes(to)
