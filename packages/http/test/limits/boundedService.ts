import { randomUUID } from "node:crypto"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { mkdtempSync, rmSync } from "node:fs"
import type { Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerServices } from "@countersign/adapters/service/composition"
import { type Scope as KeyScope, Projects, scopes } from "@countersign/core/tenancy/projects"
import { layerHttpService } from "@countersign/http"
import { Effect, Exit, Layer, Logger, ManagedRuntime, Scope } from "effect"
import { HttpServer } from "effect/http"
import { waitUntil } from "../../../core/test/support/until.ts"
import type { HttpServiceOptions } from "../../src/server/HttpService.ts"
import { RouteTable } from "../../src/server/RouteTable.ts"
import { silentNode } from "../fleet/silentNode.ts"
import { settingsWithoutSandbox } from "../support/settingsWithoutSandbox.ts"

/** Starts the service in this process with these limits, on a node without any account. */
export const startBounded = async (limits: Omit<HttpServiceOptions, "port" | "host">) => {
  const home = mkdtempSync(join(tmpdir(), "countersign-limits-"))
  const scope = Effect.runSync(Scope.make())
  const node = await Effect.runPromise(Scope.provide(silentNode, scope))
  // The timeouts are long, because the tests end the requests to the node themselves.
  const rpcLimits = { timeoutMs: 240_000, deadlineMs: 480_000 }
  const settings = { ...settingsWithoutSandbox(home, node.url), rpcLimits }
  const logLines: Array<string> = []
  const captureLogger = Logger.map(Logger.formatJson, (line) => void logLines.push(line))
  const runtime = ManagedRuntime.make(
    layerHttpService({ ...limits, port: 0, host: "127.0.0.1" }).pipe(
      Layer.provideMerge(layerServices(settings)),
      Layer.provideMerge(Logger.layer([captureLogger]))
    )
  )

  const acceptedSockets = new Set<Socket>()
  const onSocket = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket }
    acceptedSockets.add(socket)
    socket.once("close", () => acceptedSockets.delete(socket))
  }
  subscribe("net.server.socket", onSocket)

  const baseUrl = await runtime.runPromise(HttpServer.addressFormattedWith((url) => Effect.succeed(url)))
  const port = Number(new URL(baseUrl).port)
  const createProject = (grantedScopes: ReadonlyArray<KeyScope> = scopes, computeUnits: number | null = null) =>
    runtime.runPromise(
      Effect.gen(function* () {
        const projects = yield* Projects
        const { id } = yield* projects.create(`limits ${randomUUID()}`, null)
        yield* projects.update(id, { computeUnits })
        const request = { name: "limits", environment: "test", scopes: grantedScopes, expiresAt: null } as const
        const { key, text } = yield* projects.createKey(id, request)
        return { id, apiKey: text, keyId: key.id }
      })
    )
  /** Creates a project, and returns a key of it. */
  const createApiKey = async (grantedScopes?: ReadonlyArray<KeyScope>, computeUnits?: number | null) =>
    (await createProject(grantedScopes, computeUnits)).apiKey
  const countConnections = () => [...acceptedSockets].filter(({ localPort }) => localPort === port).length

  return {
    baseUrl,
    port,
    apiKey: await createApiKey(),
    newApiKey: createApiKey,
    newProject: createProject,
    run: runtime.runPromise.bind(runtime),
    node,
    /** All routes of the service. */
    routes: await runtime.runPromise(RouteTable.use(({ routes }) => Effect.succeed(routes))),
    logLines,
    openConnections: countConnections,
    /** Waits until the server has this many connections. */
    hasConnections: async (count: number): Promise<void> => {
      await waitUntil(countConnections, (connectionCount) => connectionCount === count)
    },
    close: async () => {
      unsubscribe("net.server.socket", onSocket)
      node.release()
      await runtime.dispose()
      await Effect.runPromise(Scope.close(scope, Exit.void))
      rmSync(home, { recursive: true, force: true })
    }
  }
}

export type BoundedService = Awaited<ReturnType<typeof startBounded>>
