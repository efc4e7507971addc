import type { EvmChainId } from "@countersign/core/foundation/chains"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Effect } from "effect"
import { orderBookPaths } from "../../chains/deployments/index.ts"
import { exchangeText } from "../../outbound/json-api/index.ts"

const MAX_ANSWER_BYTES = 10_000

const unavailable = (reason: string) => new UpstreamUnavailable({ upstream: "CoW Protocol's order book", reason })

/** Its version is shown where it is one. */
const versionIn = (text: string): string | null => /^"?(v?\d[\w.+-]{0,40})"?\s*$/u.exec(text)?.[1] ?? null

/** The version that the order book of a chain says it has, null where it says none; fails where it does not answer. */
export const probeOrderBook = Effect.fnUntraced(function* (url: string, chainId: EvmChainId, timeoutMs: number) {
  const path = `${url.replace(/\/+$/u, "")}/${orderBookPaths[chainId]}/api/v1/version`
  const { status, text } = yield* exchangeText(
    path,
    { method: "GET", redirect: "error" },
    { timeoutMs, maxBytes: MAX_ANSWER_BYTES }
  ).pipe(Effect.mapError(({ message }) => unavailable(message)))
  if (status !== 200) return yield* unavailable(`it answered with HTTP status ${status}`)
  return text === null ? null : versionIn(text)
})
