import { Effect } from "effect"
import { SandboxError } from "../SandboxError.ts"
import { type Artifacts, cachedArtifacts } from "./artifactCache.ts"

let loading: Promise<Artifacts> | undefined

const loadOnce = (): Promise<Artifacts> => {
  loading ??= cachedArtifacts().catch((cause: unknown) => {
    loading = undefined
    throw cause
  })
  return loading
}

const unavailable = (cause: unknown) =>
  new SandboxError({
    message:
      `The compiled contracts could not be fetched from the npm registry: ${cause instanceof Error ? cause.message : String(cause)}. ` +
      "They are needed once per machine. Check that `npm ping` answers and start again; without a network, copy the " +
      "folder node_modules/.cache/countersign of a machine that has them and point COUNTERSIGN_CACHE at it.",
    cause
  })

/**
 * Every contract of the manifest. The first use on a machine downloads the packages from the npm registry. Later uses
 * read a file.
 */
export const loadArtifacts: Effect.Effect<Artifacts, SandboxError> = Effect.tryPromise({
  try: loadOnce,
  catch: unavailable
})
