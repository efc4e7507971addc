import { Schema } from "effect"

export class DataSubjectNotFound extends Schema.TaggedError<DataSubjectNotFound>(
  "core/data-subjects/DataSubjectNotFound"
)("DATA_SUBJECT_NOT_FOUND", { identityId: Schema.String }) {
  override get message(): string {
    return `The project has no data of an identity ${this.identityId}.`
  }
}

/** The person or business has a pending fiat order. */
export class OrdersPending extends Schema.TaggedError<OrdersPending>("core/data-subjects/OrdersPending")(
  "ORDERS_PENDING",
  { identityId: Schema.String, orders: Schema.Int }
) {
  override get message(): string {
    const orders = this.orders === 1 ? "a pending fiat order" : `${this.orders} pending fiat orders`
    return `${this.identityId} has ${orders}. Erase the data after they have ended.`
  }
}

/**
 * The identity is verified, or has a session that was not rejected or expired long enough ago. So the service does not
 * erase the identity automatically.
 */
export class IdentityInUse extends Schema.TaggedError<IdentityInUse>("core/data-subjects/IdentityInUse")(
  "IDENTITY_IN_USE",
  { identityId: Schema.String }
) {
  override get message(): string {
    return `${this.identityId} is verified, or has a session that was not rejected or expired long enough ago.`
  }
}
