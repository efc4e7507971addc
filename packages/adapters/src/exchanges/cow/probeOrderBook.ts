import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Effect } from "effect"
import { orderBookPaths } from "../../chains/deployments/index.ts"
import { httpHost, unexpectedStatus } from "../../outbound/json-api/index.ts"
import { TITLE } from "./CowApi.ts"

const MAX_ANSWER_BYTES = 10_000

/** Its version is shown where it is one. */
const versionIn = (text: string): string | null => /^"?(v?\d[\w.+-]{0,40})"?\s*$/u.exec(text)?.[1] ?? null

/** The version that the order book of a chain says it has, null where it says none; fails where it does not answer. */
export const probeOrderBook = (
  url: string,
  chainId: EvmChainId,
  timeoutMs: number
): Effect.Effect<string | null, UpstreamUnavailable> => {
  const host = httpHost({ title: TITLE, url, timeoutMs, maxBytes: MAX_ANSWER_BYTES })
  return host.ask({ path: `/${orderBookPaths[chainId]}/api/v1/version` }, (answer) =>
    answer.status === 200 ? Effect.succeed(versionIn(answer.text)) : unexpectedStatus(answer)
  )
}
