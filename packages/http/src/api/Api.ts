import { type AnyEndpoint, endpoints } from "@countersign/adapters/api/endpoints"
import { wholeApiOf } from "./apiOf.ts"

/** The endpoints of the service itself. */
export const ownEndpoints: ReadonlyArray<AnyEndpoint> = Object.values(endpoints)

/** The service's API as Effect knows APIs. */
export const Api = wholeApiOf(ownEndpoints)
