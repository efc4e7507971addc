import { layerServices, type Settings, sandboxSettings } from "@countersign/adapters/composition"
import { sandboxKeys } from "@countersign/adapters/sandbox"
import { Address } from "@countersign/core/primitives"
import { Projects, scopes } from "@countersign/core/projects"
import { Wallets } from "@countersign/core/wallets"
import { Effect } from "effect"

/** The services on a database of a folder, with no chain to ask: what is measured asks none. */
export const benchSettings = (home: string): Settings =>
  sandboxSettings(
    {
      home,
      rpcUrl: () => "http://127.0.0.1:1",
      runningChains: () => [],
      clockOffsetSeconds: () => 0,
      keys: sandboxKeys(),
      paymasters: { "0.7": Address.make(`0x${"07".repeat(20)}`), "0.8": Address.make(`0x${"08".repeat(20)}`) }
    },
    { soleProcess: true }
  )

/** One project with a key and ten wallets. */
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
