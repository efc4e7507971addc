import { sandboxKeys } from "@countersign/adapters/sandbox"
import { layerServices, type Settings } from "@countersign/adapters/service/composition"
import { Projects, scopes } from "@countersign/core/tenancy/projects"
import { Wallets } from "@countersign/core/wallets/registry"
import { Effect } from "effect"
import { settingsWithoutSandbox } from "../../test/support/settingsWithoutSandbox.ts"

/**
 * Returns the settings of services with a database in a folder. They have no node, because the measured requests need
 * none.
 */
export const benchSettings = (home: string): Settings => settingsWithoutSandbox(home, null)

/** Creates a project with an API key and ten wallets. */
export const seedDatabase = (home: string): Promise<{ readonly apiKey: string }> =>
  Effect.gen(function* () {
    const projects = yield* Projects
    const wallets = yield* Wallets
    const project = yield* projects.create("bench", null)
    const { text } = yield* projects.createKey(project.id, {
      name: "bench",
      environment: "test",
      scopes,
      expiresAt: null
    })
    const [factory] = wallets.factories
    for (let salt = 0; salt < 10; salt++) {
      const request = { owner: sandboxKeys().owners[0]!.address, factory: factory!.factory, salt, eip7702: false }
      yield* wallets.register(project.id, request, {})
    }
    return { apiKey: text }
  }).pipe(Effect.provide(layerServices(benchSettings(home))), Effect.runPromise)
