import { BadRequest } from "@countersign/core/foundation/errors"
import { Address } from "@countersign/core/foundation/primitives"
import { TokensNotAuthorized } from "@countersign/core/foundation/tokens"
import { IdempotencyKeyReused } from "@countersign/core/tenancy/idempotency"
import { InvalidApiKey, ScopeMissing } from "@countersign/core/tenancy/projects"
import { WebhookDeliveryNotFound, WebhookDisabled, WebhookNotFound } from "@countersign/core/tenancy/webhooks"
import { FactoryNotSupported, WalletNotRegistered } from "@countersign/core/wallets/registry"
import { assert, describe, it } from "@effect/vitest"
import { sentenceOf } from "./toErrorBody.ts"
import { wirePath } from "./wirePath.ts"

const token = Address.make(`0x${"12".repeat(20)}`)

describe("sentenceOf", () => {
  it.each([
    [
      new InvalidApiKey(),
      "The x-api-key header does not contain a valid API key. The operator creates keys with `countersign key create`."
    ],
    [
      new ScopeMissing({ scope: "fiat" }),
      'This API key lacks the scope "fiat". Use a key that has the scope, or create one with `countersign key create --scope fiat`.'
    ],
    [
      new IdempotencyKeyReused({ key: "idempotency key" }),
      'The Idempotency-Key "idempotency key" was used for another request within the last 24 hours. Use a new key for each request.'
    ],
    [
      new FactoryNotSupported({ factory: token, reason: "There is no such factory." }),
      "There is no such factory. GET /api/v1/wallets/factories lists the supported factories."
    ],
    [
      new WalletNotRegistered({ walletAddress: "bc1q" }),
      "Wallet bc1q is not registered with this project. Register it with POST /api/v1/wallets/register."
    ],
    [
      new TokensNotAuthorized({ tokens: [{ field: "tokenIn", chainId: 1, address: token }] }),
      `Not supported: tokenIn ${token} on chain 1. GET /api/v1/crypto/tokens lists the supported tokens.`
    ],
    [
      new WebhookNotFound({ id: "w" }),
      "There is no webhook w. GET /api/v1/webhooks lists the webhooks of the project."
    ],
    [
      new WebhookDeliveryNotFound({ webhookId: "w", id: "d" }),
      "Webhook w has no delivery d. GET /api/v1/webhooks/w/deliveries lists the webhook's deliveries."
    ],
    [
      new WebhookDisabled({ id: "w", reason: "it responded with 410 Gone" }),
      "Webhook w is disabled: it responded with 410 Gone. Enable it with POST /api/v1/webhooks/w/enable."
    ],
    [BadRequest.of("url", "invalid", "Expected a URL."), "url: Expected a URL."]
  ] as const)("of %o", (error, sentence) => assert.strictEqual(sentenceOf(error), sentence))
})

describe("wirePath", () => {
  it.each([
    ["amountIn", "body.amountIn"],
    ["operations[3].params.token", "body.operations.3.params.token"],
    ["", "body"]
  ])("of %j is %s", (field, path) => assert.strictEqual(wirePath("body", field), path))
})
