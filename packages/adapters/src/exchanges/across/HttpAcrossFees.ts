import type { HexBytes } from "@countersign/core/foundation/primitives"
import type { RouteNotFound } from "@countersign/core/trading/swap"
import { Effect, Redacted } from "effect"
import { acrossOrNull } from "../../chains/deployments/index.ts"
import {
  decodeJson,
  exactJsonIn,
  type HostFailure,
  type HttpResponse,
  httpHost,
  unexpectedStatus
} from "../../outbound/json-api/index.ts"
import type { AcrossFees, BridgeFees, BridgeRequest } from "./AcrossFees.ts"
import { feesIn, pathOf, refusalOrNull, SuggestedFees } from "./suggestedFees.ts"

export interface AcrossApiSettings {
  /** Base URL of the API; null for Across's own URL. */
  readonly url: string | null
  /** Required in production: without a key Across's rate limits are strict and unpublished. */
  readonly apiKey: Redacted.Redacted<string> | null
  /** Two bytes that Across assigns together with a key. They identify the integrator in deposits. */
  readonly integratorId?: HexBytes | null
}

const PUBLIC_URL = "https://app.across.to/api"
const limits = { timeoutMs: 6_000, maxBytes: 200_000 }
const circuit = { failuresToOpen: 3, cooldownMs: 5_000, longestCooldownMs: 300_000 }

const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 429

/**
 * Decodes the fees in a response, or the reason why there is no route. A rate limit response may not be JSON and may
 * have no error code.
 */
const decodeFees = Effect.fnUntraced(function* (
  response: HttpResponse,
  request: BridgeRequest
): Effect.fn.Return<BridgeFees, RouteNotFound | HostFailure> {
  if (response.status !== 200) {
    const refusal = isRefusal(response.status) ? refusalOrNull(yield* exactJsonIn(response)) : null
    return yield* refusal === null ? unexpectedStatus(response) : Effect.fail(refusal)
  }
  const fees = yield* decodeJson(SuggestedFees, yield* exactJsonIn(response))
  const result = feesIn(fees, request, acrossOrNull(request.from.chainId)!.spokePool)
  return "_tag" in result ? yield* result : result
})

/** Creates a client for the fee endpoint of Across's API. */
export const httpAcrossFees = ({ apiKey, url }: Pick<AcrossApiSettings, "apiKey" | "url">): AcrossFees => {
  const host = httpHost({
    ...limits,
    title: "Across",
    url: url ?? PUBLIC_URL,
    headers: {
      accept: "application/json",
      ...(apiKey === null ? {} : { authorization: `Bearer ${Redacted.value(apiKey)}` })
    },
    circuit,
    hasAlternatives: true
  })
  return {
    feesOf: (request) => host.ask({ path: pathOf(request) }, (response) => decodeFees(response, request))
  }
}
