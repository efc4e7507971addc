import { Effect } from "effect"
import { aggregatorHost } from "../aggregators/index.ts"
import { isThorNodeRefusal, NAME, thorNodeApi } from "./ThorNodeApi.ts"

/** Reads the vaults of a THORNode and their halts. */
export const inboundsOf = Effect.fnUntraced(function* (url: string, timeoutMs: number) {
  const options = { title: NAME, url, headers: {}, timeoutMs, pace: null, refuses: isThorNodeRefusal }
  const host = aggregatorHost(options)
  return yield* thorNodeApi(host, host).inbounds
})
