import { Redacted } from "effect"
import { at, aUuid } from "../../foundation/primitives/ids.fixture.ts"
import type { NewEvent } from "../events/index.ts"
import { aProjectId } from "../projects/Project.fixture.ts"
import type { WebhookEndpoint, WebhookSecret } from "./WebhookEndpoint.ts"

export const aSecret = (fields: Partial<WebhookSecret> = {}): WebhookSecret => ({
  secret: Redacted.make(`whsec_${btoa(aUuid())}`),
  createdAt: at(0),
  expiresAt: null,
  ...fields
})

export const anEndpoint = (fields: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id: `whk_${aUuid().replaceAll("-", "")}`,
  projectId: aProjectId(),
  url: "https://example.com/webhooks",
  description: "",
  eventTypes: null,
  secrets: [aSecret()],
  createdAt: at(0),
  disabledAt: null,
  disabledReason: null,
  failingSince: null,
  ...fields
})

export const anEvent = (fields: Partial<NewEvent> = {}): NewEvent => ({
  projectId: aProjectId(),
  type: "transaction.created",
  resource: { kind: "transaction", id: aUuid() },
  at: at(0),
  previousStatus: null,
  snapshot: JSON.stringify({ text: "🪙\u0000 \"'\\" }),
  ...fields
})
