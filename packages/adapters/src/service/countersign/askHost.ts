import { Effect } from "effect"
import type { HostSwapProvider } from "./HostSwapProvider.ts"

/**
 * The answer of the host's code. An error that it throws is logged and left out of every error: it may hold what is the host's
 * alone.
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
