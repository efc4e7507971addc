import { endpointList } from "@countersign/adapters/api/endpoints"
import { wholeApiOf } from "./apiOf.ts"

/** The service's API as an Effect `HttpApi`. */
export const Api = wholeApiOf(endpointList)
