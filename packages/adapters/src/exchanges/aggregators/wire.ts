import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { type OfferError, RouteNotFound } from "@countersign/core/trading/swap"
import { Effect, Option, Schema } from "effect"
import type { AggregatorResponse } from "./AggregatorHost.ts"

/** Decodes responses of aggregators. */

export const HexAddress = Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{40}$/u))
export const HexData = Schema.String.check(Schema.isPattern(/^0x(?:[0-9a-fA-F]{2})+$/u))

const MAX_TEXT_LENGTH = 120

/** Returns an aggregator's text if it is a plain sentence that can be shown; null otherwise. */
export const plainText = (text: string): string | null =>
  text.length <= MAX_TEXT_LENGTH && /^[\w .,:;()%'-]+$/u.test(text) ? text : null

/** Decodes a response. `reasonIn` returns the reason if the response is a rejection; null otherwise. */
export const decodeResponse = <A>(
  provider: string,
  schema: Schema.Codec<A, unknown>,
  { json, status }: AggregatorResponse,
  reasonIn: (json: unknown) => string | null
): Effect.Effect<A, OfferError> => {
  const decodedBody = status === 200 ? Schema.decodeUnknownOption(schema)(json) : Option.none<A>()
  if (Option.isSome(decodedBody)) return Effect.succeed(decodedBody.value)
  const reason = reasonIn(json) ?? (status === 200 ? null : `it rejected the request with HTTP status ${status}`)
  return Effect.fail(
    reason === null
      ? new UpstreamUnavailable({ upstream: provider, reason: "its response has an unexpected format" })
      : new RouteNotFound({ provider, reason })
  )
}
