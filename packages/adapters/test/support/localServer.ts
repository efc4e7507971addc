import type { Server } from "node:http"
import { Effect } from "effect"

/** Begins to serve at a free port of this machine. */
export const listen = (server: Server): Effect.Effect<void> =>
  Effect.callback((resume) => {
    server.listen(0, "127.0.0.1", () => resume(Effect.void))
  })

/** Ends at once, whatever is still being answered. */
export const close = (server: Server): Effect.Effect<void> =>
  Effect.callback((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })
