import { Effect } from "effect"
import { SandboxError } from "../SandboxError.ts"
import { type Artifacts, cachedArtifacts } from "./artifactCache.ts"

let loadingPromise: Promise<Artifacts> | undefined

const loadOnce = (): Promise<Artifacts> => {
  loadingPromise ??= cachedArtifacts().catch((cause: unknown) => {
    loadingPromise = undefined
    throw cause
  })
  return loadingPromise
}

const toUnavailableError = (cause: unknown) =>
  new SandboxError({
    message:
      `The compiled contracts could not be fetched from the npm registry: ${cause instanceof Error ? cause.message : String(cause)}. ` +
      "Each machine downloads them once. Check that `npm ping` succeeds, and start again. Without a network, copy the " +
      "folder node_modules/.cache/countersign of a machine that has the contracts, and set COUNTERSIGN_CACHE to the copy.",
    cause
  })

/**
 * Loads all contracts of the manifest. The first use on a machine downloads the packages from the npm registry. Later
 * uses read a cache file.
 */
export const loadArtifacts: Effect.Effect<Artifacts, SandboxError> = Effect.tryPromise({
  try: loadOnce,
  catch: toUnavailableError
})
