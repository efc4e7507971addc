import { Effect } from "effect"
import { HostFailure } from "../../outbound/json-api/index.ts"
import { recordBlockHeight } from "./bitcoinMetrics.ts"
import { hashOf } from "./bytes.ts"
import type { EsploraHost } from "./EsploraHost.ts"
import { Block } from "./esploraResponses.ts"

const HEIGHT = /^\d{1,9}$/u
const HASH = /^[\da-f]{64}$/u

const requireBlock = <A>(response: A | null) =>
  response === null ? Effect.fail(new HostFailure("it reports no block")) : Effect.succeed(response)

/** Reads the height of the latest block. */
export const heightAt = (host: EsploraHost) =>
  host.getText("/blocks/tip/height", HEIGHT).pipe(
    Effect.flatMap(requireBlock),
    Effect.map(Number),
    Effect.tap((height) => recordBlockHeight(host.name, height))
  )

/** Reads the latest block with its timestamp. */
export const tipAt = Effect.fnUntraced(function* (host: EsploraHost) {
  const hash = yield* Effect.flatMap(host.getText("/blocks/tip/hash", HASH), requireBlock)
  const { height, timestamp } = yield* host.get(`/block/${hash}`, Block)
  yield* recordBlockHeight(host.name, Number(height))
  return { hash: hashOf(hash), height: Number(height), minedAtMs: Number(timestamp) * 1_000 }
})
