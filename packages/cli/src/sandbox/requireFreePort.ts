import { createServer } from "node:net"
import { CannotListen } from "@countersign/http"
import { Effect } from "effect"

/**
 * Fails immediately if the port is in use, because starting the chains takes seconds. Other problems of the address are
 * reported later.
 */
export const requireFreePort = (host: string, port: number): Effect.Effect<void, CannotListen> =>
  Effect.callback((resume) => {
    const probe = createServer()
    probe.once("error", (cause: NodeJS.ErrnoException) => {
      const reason =
        "the port is in use. Stop the process that uses it, or choose another port with --port (0 selects a free port)."
      resume(cause.code === "EADDRINUSE" ? Effect.fail(new CannotListen({ host, port, reason })) : Effect.void)
    })
    probe.listen(port, host, () => probe.close(() => resume(Effect.void)))
  })
