import { DateTime } from "effect"
import type { DomainEvent } from "../../events/index.ts"

/** The first pair of the caller's metadata, in the format of the history filter. `metadata` has all pairs. */
const firstPair = (metadata: unknown): readonly [string, unknown] | readonly [null, null] =>
  Object.entries(Object(metadata))[0] ?? [null, null]

/** The JSON text of an event, in the format of Standard Webhooks (type, timestamp, data). */
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
