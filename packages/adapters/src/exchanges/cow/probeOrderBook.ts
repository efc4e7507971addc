import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Effect } from "effect"
import { orderBookPaths } from "../../chains/deployments/index.ts"
import { httpHost, unexpectedStatus } from "../../outbound/json-api/index.ts"
import { TITLE } from "./CowApi.ts"

const MAX_RESPONSE_BYTES = 10_000

/** Extracts the order book's version; null if the response contains none. */
const versionIn = (text: string): string | null => /^"?(v?\d[\w.+-]{0,40})"?\s*$/u.exec(text)?.[1] ?? null

/** Requests the version of a chain's order book; null if it returns none. Fails if the order book does not respond. */
export const probeOrderBook = (
  url: string,
  chainId: EvmChainId,
  timeoutMs: number
): Effect.Effect<string | null, UpstreamUnavailable> => {
  const host = httpHost({ title: TITLE, url, timeoutMs, maxBytes: MAX_RESPONSE_BYTES })
  return host.ask({ path: `/${orderBookPaths[chainId]}/api/v1/version` }, (response) =>
    response.status === 200 ? Effect.succeed(versionIn(response.text)) : unexpectedStatus(response)
  )
}
