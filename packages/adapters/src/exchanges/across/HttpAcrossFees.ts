import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import type { HexBytes } from "@countersign/core/foundation/primitives"
import type { OfferError, RouteNotFound } from "@countersign/core/trading/swap"
import { Effect, Option, Redacted, Schema } from "effect"
import { acrossOrNull } from "../../chains/deployments/index.ts"
import { HostFailure, hostFailureFromStatus } from "../../chains/evm/index.ts"
import { getText, makeHostCircuit, parseExactJson, recordIn, tooLong } from "../../outbound/json-api/index.ts"
import { waitingOn } from "../../outbound/waits/index.ts"
import type { AcrossFees, BridgeFees, BridgeRequest } from "./AcrossFees.ts"
import { feesIn, pathOf, refusalOrNull, SuggestedFees } from "./suggestedFees.ts"

export interface AcrossApiSettings {
  /** Where that is not Across's own. */
  readonly url: string | null
  /** Asked for in production; without one its limits are strict and not published. */
  readonly apiKey: Redacted.Redacted<string> | null
  /** Two bytes that Across gives with a key, by which it knows whose deposits they are. */
  readonly integratorId?: HexBytes | null
}

const PUBLIC_URL = "https://app.across.to/api"
const TITLE = "Across"
const limits = { timeoutMs: 6_000, maxBytes: 200_000 }
const circuitOptions = { failuresToOpen: 3, cooldownMs: 5_000, longestCooldownMs: 300_000 }

const decodeFees = Schema.decodeUnknownOption(SuggestedFees)
const unavailable = (reason: string) => new UpstreamUnavailable({ upstream: TITLE, reason })

const parsed = (text: string) =>
  Effect.try({ try: () => parseExactJson(text), catch: () => new HostFailure("its answer is no JSON") })

/** Asks Across's API for fees, with a deadline, a limit of size, and a pause after failures or as it asks for. */
export const makeHttpAcrossFees = Effect.fnUntraced(function* ({
  apiKey,
  url
}: Pick<AcrossApiSettings, "apiKey" | "url">) {
  const circuit = yield* makeHostCircuit(circuitOptions)
  const base = url ?? PUBLIC_URL
  const request = {
    headers: {
      accept: "application/json",
      ...(apiKey === null ? {} : { authorization: `Bearer ${Redacted.value(apiKey)}` })
    },
    // A key must not follow to another host.
    redirect: "error"
  } as const

  const exchange = Effect.fnUntraced(function* (
    asked: BridgeRequest
  ): Effect.fn.Return<BridgeFees | RouteNotFound, HostFailure> {
    const { retryAfter, status, text } = yield* getText(`${base}${pathOf(asked)}`, request, limits)
    if (text === null) return yield* Effect.fail(tooLong(limits.maxBytes))
    if (status !== 200) {
      // A limit need not come as JSON, nor with a code.
      const refusal = status >= 400 && status < 500 && status !== 429 ? refusalOrNull(yield* parsed(text)) : null
      return refusal ?? (yield* Effect.fail(hostFailureFromStatus(status, retryAfter)))
    }
    const answer = decodeFees(yield* parsed(text))
    if (Option.isNone(answer)) return yield* Effect.fail(new HostFailure("its answer has an unexpected form"))
    return feesIn(answer.value, asked, acrossOrNull(asked.from.chainId)!.spokePool)
  })

  const fees: AcrossFees = {
    feesOf: (asked) =>
      Effect.suspend((): Effect.Effect<BridgeFees, OfferError> => {
        if (circuit.state === "OPEN") {
          return Effect.fail(
            unavailable(`it failed or limits the rate, and is asked again in ${Math.ceil(circuit.waitMs / 1000)} s`)
          )
        }
        return waitingOn("node", exchange(asked)).pipe(
          Effect.tap(() => recordIn(circuit, null)),
          Effect.tapError((failure) => recordIn(circuit, failure)),
          Effect.mapError((failure) =>
            unavailable(failure.kind === "LIMITED" ? "it limits the rate of requests" : failure.message)
          ),
          Effect.flatMap(
            (answer): Effect.Effect<BridgeFees, OfferError> =>
              "_tag" in answer ? Effect.fail(answer) : Effect.succeed(answer)
          )
        )
      })
  }
  return fees
})
