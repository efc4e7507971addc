import { Schema } from "effect"
import type { Transaction } from "./Transaction.ts"

type WithDetails = Pick<Transaction, "details">

/** A feature's details of its transactions, besides their movements: a name of its own, and the codec of the details. */
export interface DetailsKind<A> {
  /** The details of a transaction that says nothing else. */
  readonly of: (details: A) => Transaction["details"]
  /** Null where a transaction has none of this kind. Throws where they are not as `of` writes them. */
  readonly in: (transaction: WithDetails) => A | null
  /** The details of a transaction with these in the place of its own of this kind; null for none. */
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
