import { endpointList } from "@countersign/adapters/api/endpoints"
import { wholeApiOf } from "./apiOf.ts"

/** The complete API of the service as an Effect `HttpApi`. */
export const Api = wholeApiOf(endpointList)
