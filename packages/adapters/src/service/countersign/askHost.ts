import { Effect } from "effect"
import type { HostSwapProvider } from "./HostSwapProvider.ts"

/**
 * Runs the host's code. An error that the code throws is logged and not part of any error message, because it may
 * contain private data of the host.
 */
export const askHost = <A>(
  provider: Pick<HostSwapProvider, "id">,
  question: (signal: AbortSignal) => A | Promise<A>
): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: async (signal) => question(signal), catch: (thrown) => thrown }).pipe(
    Effect.tapError((thrown) =>
      Effect.annotateLogs(Effect.logError("a swap provider of the host failed", thrown), { provider: provider.id })
    )
  )
