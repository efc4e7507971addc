import { sandboxDatabaseFile } from "@countersign/adapters/storage/home"
import { layerSqlite, SecretKeys, secretKeysOrNull } from "@countersign/adapters/storage/kysely"
import { aProject } from "@countersign/core/contracts/tenancy/projects/ProjectStore"
import { anEndpoint } from "@countersign/core/contracts/tenancy/webhooks/WebhookEndpointStore"
import { ProjectStore } from "@countersign/core/tenancy/projects"
import { WebhookEndpointStore } from "@countersign/core/tenancy/webhooks"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { assertCode, type Json, jsonOf, removeHome, run, SECRETS_KEY, temporaryHome } from "./support/commandLine.ts"

const home = temporaryHome()
afterAll(() => removeHome(home))

const atHour = (hour: number) => DateTime.makeUnsafe(`2026-06-01T${hour}:00:00Z`)

/** Creates a working endpoint, a failing one, and a disabled one. */
const insertEndpoints = Effect.gen(function* () {
  const project = aProject()
  const { id: projectId } = project
  yield* ProjectStore.use((store) => store.insert(project))
  const endpointStore = yield* WebhookEndpointStore
  const endpointFields = { projectId, eventTypes: null, url: "https://example.com/" }
  yield* endpointStore.insert(anEndpoint({ ...endpointFields, id: "whk_1", createdAt: atHour(10) }))
  yield* endpointStore.insert(
    anEndpoint({ ...endpointFields, id: "whk_2", createdAt: atHour(11), failingSince: atHour(20) })
  )
  const disabledFields = {
    disabledAt: atHour(22),
    disabledReason: "it responded with 410 Gone",
    failingSince: atHour(21)
  }
  yield* endpointStore.insert(anEndpoint({ ...endpointFields, ...disabledFields, id: "whk_3", createdAt: atHour(12) }))
})

const secretKeysLayer = Layer.succeed(SecretKeys, secretKeysOrNull(SECRETS_KEY)!)

describe("webhook list", () => {
  it("shows working endpoints, failing ones with the start of the failures, and disabled ones", async () => {
    await Effect.runPromise(
      Effect.provide(insertEndpoints, layerSqlite(sandboxDatabaseFile(home)).pipe(Layer.provide(secretKeysLayer)))
    )
    const runList = (...words: ReadonlyArray<string>) =>
      run(home, ["webhook", "list", ...words], { RPC_URL_1: "http://127.0.0.1:1" })
    const [table, documents] = await Promise.all([runList(), runList("--json")])
    assertCode(table, 0)
    assert.deepStrictEqual(table.out.trimEnd().split("\n"), [
      "ID     URL                   EVENTS  STATE                                   CREATED",
      "whk_1  https://example.com/  all     enabled                                 2026-06-01T10:00:00.000Z",
      "whk_2  https://example.com/  all     failing since 2026-06-01T20:00:00.000Z  2026-06-01T11:00:00.000Z",
      "whk_3  https://example.com/  all     disabled: it responded with 410 Gone    2026-06-01T12:00:00.000Z"
    ])
    assert.deepStrictEqual(
      jsonOf(documents).webhooks.map(({ failingSince, status }: Json) => [status, failingSince]),
      [
        ["ENABLED", null],
        ["ENABLED", "2026-06-01T20:00:00.000Z"],
        ["DISABLED", "2026-06-01T21:00:00.000Z"]
      ]
    )
  })
})
