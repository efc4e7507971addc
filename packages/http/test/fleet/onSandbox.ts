import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SandboxChains } from "@countersign/adapters/sandbox"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Effect, Logger, Redacted } from "effect"
import { temporaryDatabase } from "../../../adapters/test/support/databases.ts"
import { pooledDatabase } from "../../../adapters/test/support/pgBouncer.ts"
import type { ServerAssignment } from "./ServerAssignment.ts"

const databases = {
  sqlite: Effect.succeed<ServerAssignment["database"]>({ _tag: "Sqlite" }),
  postgres: Effect.map(temporaryDatabase, (url): ServerAssignment["database"] => ({
    _tag: "Postgres",
    url: Redacted.value(url)
  })),
  /** Postgres behind PgBouncer in transaction mode. */
  pgbouncer: Effect.map(pooledDatabase, (url): ServerAssignment["database"] => ({
    _tag: "Postgres",
    url: Redacted.value(url),
    isPgBouncer: true
  }))
}

export type DatabaseName = keyof typeof databases

/** Validates the value of the option `--database`. */
export const parseDatabaseName = (name: string): DatabaseName => {
  if (!Object.hasOwn(databases, name)) throw new Error(`--database is one of ${Object.keys(databases).join(", ")}`)
  return name as DatabaseName
}

/**
 * Runs a program with the sandbox's chains, an empty folder and an empty database. Removes the folder and the database
 * afterwards.
 */
export const runOnSandbox = <A>(
  { chainIds, database }: { readonly chainIds: ReadonlyArray<EvmChainId>; readonly database: DatabaseName },
  run: (chains: SandboxChains["Service"], assignment: ServerAssignment) => Promise<A>
): Promise<A> => {
  const home = mkdtempSync(join(tmpdir(), "countersign-fleet-"))
  return Effect.gen(function* () {
    const chains = yield* SandboxChains
    const { gatewayUrl, paymasters } = chains
    const assignment: ServerAssignment = {
      home,
      gatewayUrl,
      paymasters,
      chainIds,
      database: yield* databases[database]
    }
    return yield* Effect.promise(() => run(chains, assignment))
  }).pipe(
    Effect.scoped,
    Effect.provide(SandboxChains.layer({ home, eager: chainIds })),
    Effect.provide(Logger.layer([])),
    Effect.ensuring(Effect.sync(() => rmSync(home, { recursive: true, force: true }))),
    Effect.runPromise
  )
}
