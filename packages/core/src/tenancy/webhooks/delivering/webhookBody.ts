import { DateTime } from "effect"
import type { DomainEvent } from "../../events/index.ts"

/**
 * Returns the first key and value of the caller's metadata, in the format of the history filter. `metadata` contains
 * all of them.
 */
const firstPair = (metadata: unknown): readonly [string, unknown] | readonly [null, null] =>
  Object.entries(Object(metadata))[0] ?? [null, null]

/** Serializes an event to JSON text, in the format of Standard Webhooks (type, timestamp, data). */
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
