import { Effect } from "effect"
import type { HostSwapProvider } from "./HostSwapProvider.ts"

/**
 * Runs code of the host application. An error that it throws is logged, but is not included in any error message,
 * because it may contain private data of the host.
 */
export const runHostCode = <A>(
  provider: Pick<HostSwapProvider, "id">,
  hostCode: (signal: AbortSignal) => A | Promise<A>
): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: async (signal) => hostCode(signal), catch: (thrown) => thrown }).pipe(
    Effect.tapError((thrown) =>
      Effect.annotateLogs(Effect.logError("a swap provider of the host failed", thrown), { provider: provider.id })
    )
  )
