import { endpointList } from "@countersign/adapters/api/endpoints"
import { wholeApiOf } from "./apiOf.ts"

/** The service's API as Effect knows APIs. */
export const Api = wholeApiOf(endpointList)
