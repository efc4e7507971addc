import { described } from "@countersign/core/foundation/primitives"
import type { Scope } from "@countersign/core/tenancy/projects"
import { Schema } from "effect"
import { WireEventGroup, WireEventType } from "./eventTypes.ts"
import { wordsText } from "./scalars.ts"

/** The query of GET /api/v1/events. */
export const EventsQuery = {
  types: Schema.optionalKey(
    wordsText(
      Schema.Literals([...WireEventType.literals, ...WireEventGroup.literals]),
      "Only events of these types, or of a group such as `transaction.*`, which includes types that are added later"
    )
  ),
  after: Schema.optionalKey(
    Schema.String.pipe(
      described(
        "The `cursor` of the last event that was processed, for clients that can't send `Last-Event-ID`. The header has " +
          "precedence. Without either, the stream starts with new events"
      )
    )
  )
}

/** The scope that a key needs for events of a type or a group of types: the scope of the resource's own endpoints. */
export const scopeOfEvents = (type: string): Scope => {
  if (type.startsWith("ramp.")) return "fiat"
  return /^ky[cb]\./u.test(type) ? "kyc" : "read"
}
