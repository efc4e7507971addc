import { Effect, Schema } from "effect"
import { type Artifacts, cachedArtifacts } from "./artifactCache.ts"

let loading: Promise<Artifacts> | undefined

const loadOnce = (): Promise<Artifacts> => {
  loading ??= cachedArtifacts().catch((cause: unknown) => {
    loading = undefined
    throw cause
  })
  return loading
}

/** Every contract of the manifest. The first use on a machine fetches them from the npm registry, later ones read a file. */
export const loadArtifacts: Effect.Effect<Artifacts, ContractArtifactsUnavailable> = Effect.tryPromise({
  try: loadOnce,
  catch: (cause) => new ContractArtifactsUnavailable({ cause })
})

/** Retrying helps once the registry answers; the bytes of a package never change what is expected of them. */
export class ContractArtifactsUnavailable extends Schema.TaggedError<ContractArtifactsUnavailable>(
  "@countersign/adapters/sandbox/contracts/ContractArtifactsUnavailable"
)("ContractArtifactsUnavailable", { cause: Schema.Defect() }) {
  override get message() {
    const reason = this.cause instanceof Error ? this.cause.message : String(this.cause)
    return (
      `The compiled contracts could not be fetched from the npm registry: ${reason}. ` +
      "They are needed once per machine. Check that `npm ping` answers and start again; without a network, copy the " +
      "folder node_modules/.cache/countersign of a machine that has them and point COUNTERSIGN_CACHE at it."
    )
  }
}
