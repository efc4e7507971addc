import { withDescription } from "@countersign/core/foundation/primitives"
import type { Scope } from "@countersign/core/tenancy/projects"
import { Schema } from "effect"
import { WireEventGroup, WireEventType } from "./eventTypes.ts"
import { wordsText } from "./scalars.ts"

/** The query of GET /api/v1/events. */
export const EventsQuery = {
  types: Schema.optionalKey(
    wordsText(
      Schema.Literals([...WireEventType.literals, ...WireEventGroup.literals]),
      "Only events of these types or groups. A group such as `transaction.*` includes types that are added later"
    )
  ),
  after: Schema.optionalKey(
    Schema.String.pipe(
      withDescription(
        "The `cursor` of the last event that was processed, for clients that can't send `Last-Event-ID`. The header has " +
          "precedence. Without either, the stream starts with new events"
      )
    )
  )
}

/**
 * Returns the scope that a key needs to read events of a type or group. It is the scope of the resource's own
 * endpoints.
 */
export const eventScope = (type: string): Scope => {
  if (type.startsWith("ramp.")) return "fiat"
  return /^ky[cb]\./u.test(type) ? "kyc" : "read"
}
