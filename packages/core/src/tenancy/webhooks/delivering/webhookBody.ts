import { DateTime } from "effect"
import type { DomainEvent } from "../../events/index.ts"

/** The first pair of the caller's metadata, in the form that the history filter uses; `metadata` has all pairs. */
const firstPair = (metadata: unknown): readonly [string, unknown] | readonly [null, null] =>
  Object.entries(Object(metadata))[0] ?? [null, null]

/** JSON text of an event as it is sent (Standard Webhooks: type, timestamp, data). */
export const webhookBody = (event: DomainEvent, resource: Readonly<Record<string, unknown>>): string => {
  const [metadataKey, metadataValue] = firstPair(resource.metadata)
  return JSON.stringify({
    type: event.type,
    timestamp: DateTime.formatIso(event.at),
    data: {
      ...resource,
      metadataKey,
      metadataValue,
      sequence: event.sequence,
      previousStatus: event.previousStatus
    }
  })
}
