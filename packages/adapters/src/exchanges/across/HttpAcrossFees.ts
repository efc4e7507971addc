import type { HexBytes } from "@countersign/core/foundation/primitives"
import type { RouteNotFound } from "@countersign/core/trading/swap"
import { Effect, Redacted } from "effect"
import { acrossOrNull } from "../../chains/deployments/index.ts"
import {
  decodeJson,
  exactJsonIn,
  type HostFailure,
  type HttpAnswer,
  httpHost,
  unexpectedStatus
} from "../../outbound/json-api/index.ts"
import type { AcrossFees, BridgeFees, BridgeRequest } from "./AcrossFees.ts"
import { feesIn, pathOf, refusalOrNull, SuggestedFees } from "./suggestedFees.ts"

export interface AcrossApiSettings {
  /** A URL that replaces Across's own; null for Across's URL. */
  readonly url: string | null
  /** Required in production. Without a key Across's limits are strict and not published. */
  readonly apiKey: Redacted.Redacted<string> | null
  /** Two bytes that Across assigns with a key, to identify the integrator of deposits. */
  readonly integratorId?: HexBytes | null
}

const PUBLIC_URL = "https://app.across.to/api"
const limits = { timeoutMs: 6_000, maxBytes: 200_000 }
const circuit = { failuresToOpen: 3, cooldownMs: 5_000, longestCooldownMs: 300_000 }

const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 429

/** The fees in a response, or why there is no route. A rate limit response may be no JSON and have no code. */
const read = Effect.fnUntraced(function* (
  answer: HttpAnswer,
  asked: BridgeRequest
): Effect.fn.Return<BridgeFees, RouteNotFound | HostFailure> {
  if (answer.status !== 200) {
    const refusal = isRefusal(answer.status) ? refusalOrNull(yield* exactJsonIn(answer)) : null
    return yield* refusal === null ? unexpectedStatus(answer) : Effect.fail(refusal)
  }
  const fees = yield* decodeJson(SuggestedFees, yield* exactJsonIn(answer))
  const result = feesIn(fees, asked, acrossOrNull(asked.from.chainId)!.spokePool)
  return "_tag" in result ? yield* result : result
})

/** Requests fees from Across's API. */
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
    feesOf: (asked) => host.ask({ path: pathOf(asked) }, (answer) => read(answer, asked))
  }
}
