import { Schema } from "effect"
import type { Transaction } from "./Transaction.ts"

type WithDetails = Pick<Transaction, "details">

/** The type of data that a feature stores in the `details` of a transaction: a unique name and a codec. */
export interface DetailsKind<A> {
  /** Returns a `details` record that contains only these details. */
  readonly of: (details: A) => Transaction["details"]
  /** Returns the details of this type. Null if the transaction has none. Throws if the stored data can't be decoded. */
  readonly in: (transaction: WithDetails) => A | null
  /** Returns the `details` record with the details of this type replaced. Null removes them. */
  readonly with: (transaction: WithDetails, details: A | null) => Transaction["details"]
}

export const detailsKind = <A>(name: string, schema: Schema.Codec<A, unknown>): DetailsKind<A> => {
  const codec = Schema.toCodecJson(Schema.toType(schema))
  const encode = Schema.encodeSync(codec)
  const decode = Schema.decodeUnknownSync(codec)
  const encodeDetails = (details: A) => ({ [name]: encode(details) })
  return {
    of: encodeDetails,
    in: ({ details }) => (name in details ? decode(details[name]) : null),
    with: ({ details: { [name]: _, ...others } }, details) =>
      details === null ? others : { ...others, ...encodeDetails(details) }
  }
}
