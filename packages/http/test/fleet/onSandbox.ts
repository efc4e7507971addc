import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SandboxChains } from "@countersign/adapters/sandbox"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Effect, Logger, Redacted } from "effect"
import { temporaryDatabase } from "../../../adapters/test/support/databases.ts"
import type { ServerPlace } from "./ServerPlace.ts"

/** Runs a program with the sandbox's chains, an empty folder and an empty database, and removes them afterwards. */
export const onSandbox = <A>(
  { chainIds, database }: { readonly chainIds: ReadonlyArray<EvmChainId>; readonly database: "sqlite" | "postgres" },
  run: (chains: SandboxChains["Service"], place: ServerPlace) => Promise<A>
): Promise<A> => {
  const home = mkdtempSync(join(tmpdir(), "countersign-fleet-"))
  return Effect.gen(function* () {
    const chains = yield* SandboxChains
    const { gatewayUrl, paymasters } = chains
    const stored: ServerPlace["database"] =
      database === "postgres" ? { _tag: "Postgres", url: Redacted.value(yield* temporaryDatabase) } : { _tag: "Sqlite" }
    return yield* Effect.promise(() => run(chains, { home, gatewayUrl, paymasters, chainIds, database: stored }))
  }).pipe(
    Effect.scoped,
    Effect.provide(SandboxChains.layer({ home, eager: chainIds })),
    Effect.provide(Logger.layer([])),
    Effect.ensuring(Effect.sync(() => rmSync(home, { recursive: true, force: true }))),
    Effect.runPromise
  )
}
