import { Schema } from "effect"

/**
 * Builders of response fields with their descriptions. A response contains every field that is not optional; a field
 * without a value is null.
 */

export const text = (description: string) => Schema.String.annotate({ description })
export const textOrNull = (description: string) => Schema.NullOr(Schema.String).annotate({ description })

export const number = (description: string) => Schema.Finite.annotate({ description })
export const numberOrNull = (description: string) => Schema.NullOr(Schema.Finite).annotate({ description })

const Instant = Schema.String.annotate({ format: "date-time" })

/** ISO 8601, UTC. */
export const instant = (description: string) => Instant.annotate({ description })
export const instantOrNull = (description: string) => Schema.NullOr(Instant).annotate({ description })

const url = Schema.String.annotate({ format: "uri-reference" })

export const link = (description: string) => url.annotate({ description })
export const linkOrNull = (description: string) => Schema.NullOr(url).annotate({ description })

export const flag = (description: string) => Schema.Boolean.annotate({ description })

/** Hexadecimal text with viem's type. */
export type Hex = `0x${string}`

/**
 * `0x` and hexadecimal digits: an address, a hash or bytes. The OpenAPI format `hex` determines the type in TypeScript
 * clients.
 */
const Hexadecimal = Schema.make<Schema.Codec<Hex>>(Schema.String.annotate({ format: "hex" }).ast)

export const hex = (description: string) => Hexadecimal.annotate({ description })
export const hexOrNull = (description: string) => Schema.NullOr(Hexadecimal).annotate({ description })
