import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Address } from "@countersign/core/foundation/primitives"
import { Effect, Exit, type Layer, ManagedRuntime, Redacted, Scope } from "effect"
import { temporaryDatabase } from "../../../adapters/test/support/databases.ts"
import { layerOperator } from "../fleet/operator.ts"
import type { ServerAssignment } from "../fleet/ServerAssignment.ts"
import { ServerFleet } from "../fleet/ServerFleet.ts"
import { silentNode } from "../fleet/silentNode.ts"

export const PROCESS_COUNT = 4

export interface ApiRequest {
  readonly apiKey: string
  readonly method?: "GET" | "POST"
  readonly path: string
  readonly body?: object
  readonly headers?: Record<string, string>
}

export const requestFrom = async (baseUrl: string, { apiKey, body, headers, method = "GET", path }: ApiRequest) => {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { "x-api-key": apiKey, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: read as a client without generated types does.
  const responseBody: any = text === "" ? null : JSON.parse(text)
  return { status: response.status, headers: response.headers, text, body: responseBody }
}

type Operator = Layer.Success<ReturnType<typeof layerOperator>>

/**
 * Starts four server processes on one Postgres, and provides the operator's services. The chain's node has no account.
 */
export const startServers = async (changes: Partial<ServerAssignment> = {}) => {
  const home = mkdtempSync(join(tmpdir(), "countersign-processes-"))
  const scope = Effect.runSync(Scope.make())
  const runInScope = <A>(effect: Effect.Effect<A, never, Scope.Scope>) =>
    Effect.runPromise(Scope.provide(effect, scope))

  const node = await runInScope(silentNode)
  const zeroAddress = Address.make(`0x${"00".repeat(20)}`)
  const assignment: ServerAssignment = {
    home,
    gatewayUrl: node.url,
    paymasters: { "0.7": zeroAddress, "0.8": zeroAddress },
    // The lease is long, because the tests kill no process that executes operations, and a step may take long on a busy
    // machine.
    executionLeaseSeconds: 120,
    database: { _tag: "Postgres", url: Redacted.value(await runInScope(temporaryDatabase)) },
    ...changes
  }
  const operator = ManagedRuntime.make(layerOperator(assignment))
  const fleet = await ServerFleet.of(assignment, PROCESS_COUNT)
  await fleet.start()

  return {
    fleet,
    /** Runs an effect with the services of the operator's command line. */
    operate: <A>(effect: Effect.Effect<A, unknown, Operator>): Promise<A> => operator.runPromise(effect),
    node,
    close: async () => {
      await fleet.close()
      await operator.dispose()
      await Effect.runPromise(Scope.close(scope, Exit.void))
      rmSync(home, { recursive: true, force: true })
    }
  }
}

export type Servers = Awaited<ReturnType<typeof startServers>>
