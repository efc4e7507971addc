import type { Server } from "node:http"
import { Effect } from "effect"

/** Listens on a free port of this machine. */
export const listen = (server: Server): Effect.Effect<void> =>
  Effect.callback((resume) => {
    server.listen(0, "127.0.0.1", () => resume(Effect.void))
  })

/** Closes the server immediately, including connections with pending requests. */
export const close = (server: Server): Effect.Effect<void> =>
  Effect.callback((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })
