import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Entropy, UnitOfWork } from "../../foundation/primitives/index.ts"
import { aProjectId } from "../projects/Project.fixture.ts"
import { WebhookSender } from "./delivering/WebhookSender.ts"
import { WebhookDeliveryStore } from "./WebhookDeliveryStore.ts"
import { WebhookEndpointStore } from "./WebhookEndpointStore.ts"
import { ENDPOINTS_MAX, Webhooks } from "./Webhooks.ts"

/** Calling any port is a defect, because these requests must be rejected earlier. */
const service = Webhooks.layer.pipe(
  Layer.provide([
    Layer.mock(WebhookEndpointStore, {}),
    Layer.mock(WebhookDeliveryStore, {}),
    Layer.mock(WebhookSender, { deadlineMs: 0, urlProblemOrNull: () => null }),
    Layer.mock(Entropy, { uuid: Effect.die("asked"), sha256: () => Effect.die("asked") }),
    Layer.mock(UnitOfWork, {})
  ])
)

const projectId = aProjectId()

describe("Webhooks", () => {
  it.effect.each([
    ["url", { url: 7, eventTypes: null, description: "" }],
    ["eventTypes[1]", { url: "https://a.example", eventTypes: ["wallet.*", "everything"], description: "" }],
    ["eventTypes[0]", { url: "https://a.example", eventTypes: [], description: "" }],
    ["description", { url: "https://a.example", eventTypes: null, description: "a".repeat(201) }]
  ] as const)("rejects a new webhook with a wrong %s, for every caller", ([path, request]) =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const error = yield* Effect.flip(webhooks.create(projectId, request as never))
      assert.deepStrictEqual([error._tag, error.problems[0].path], ["BAD_REQUEST", path])
    }).pipe(Effect.provide(service))
  )

  it.effect("limits the overlap of secrets and the page size", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const overlapError = yield* Effect.flip(webhooks.rotate(projectId, "w", { overlapSeconds: -1 }))
      const pageError = yield* Effect.flip(
        webhooks.listDeliveries(projectId, "w", { lastId: null, take: ENDPOINTS_MAX * 100 })
      )
      assert.match(`${overlapError.message}; ${pageError.message}`, /^overlapSeconds: .* take: /u)
    }).pipe(Effect.provide(service))
  )
})
