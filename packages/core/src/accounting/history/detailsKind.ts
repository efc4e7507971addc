import { Schema } from "effect"
import type { Transaction } from "./Transaction.ts"

type WithDetails = Pick<Transaction, "details">

/** A feature's typed data on transactions: a unique name and a codec. */
export interface DetailsKind<A> {
  /** The `details` record of a transaction that has only these details. */
  readonly of: (details: A) => Transaction["details"]
  /** The details of this kind; null if the transaction has none. Throws if they were not written by `of`. */
  readonly in: (transaction: WithDetails) => A | null
  /** The `details` record with this kind replaced; null removes it. */
  readonly with: (transaction: WithDetails, details: A | null) => Transaction["details"]
}

export const detailsKind = <A>(name: string, schema: Schema.Codec<A, unknown>): DetailsKind<A> => {
  const codec = Schema.toCodecJson(Schema.toType(schema))
  const encode = Schema.encodeSync(codec)
  const decode = Schema.decodeUnknownSync(codec)
  const of = (details: A) => ({ [name]: encode(details) })
  return {
    of,
    in: ({ details }) => (name in details ? decode(details[name]) : null),
    with: ({ details: { [name]: _, ...others } }, details) =>
      details === null ? others : { ...others, ...of(details) }
  }
}
