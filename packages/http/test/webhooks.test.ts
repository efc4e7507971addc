import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { waitUntil } from "../../core/test/support/until.ts"
import { registerOneOfEachKind, swapOf, type TestWallet, USDC } from "./support/accounts.ts"
import { startTestService, type TestService } from "./support/testService.ts"
import {
  type ReceivedEvent,
  startWebhookReceiver,
  verifyDelivery,
  type WebhookReceiver
} from "./support/webhookReceiver.ts"

/**
 * Tests webhooks as an integrator uses them: over HTTP on the sandbox, with a real receiver and the reference library.
 */

let service: TestService
let receiver: WebhookReceiver
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  service = await startTestService({ webhooks: { allowPrivateTargets: true, timeoutMs: 30_000 } })
  receiver = await startWebhookReceiver()
  wallets = await registerOneOfEachKind(service)
})
afterAll(async () => {
  receiver.stop()
  await service.stop()
})

const walletOf = (kind: string) => wallets.find(({ name }) => name === kind)!

const createWebhook = async (path: string, fields: Record<string, unknown> = {}) => {
  const { body, headers, status } = await service.request("POST", "/api/v1/webhooks", {
    url: receiver.url(path),
    ...fields
  })
  assert.strictEqual(status, 201, JSON.stringify(body))
  assert.strictEqual(headers.get("cache-control"), "no-store")
  return { id: body.webhook.id as string, secret: body.secret as string, webhook: body.webhook }
}

const deleteWebhook = (id: string) => service.request("DELETE", `/api/v1/webhooks/${id}`)

const deliveriesOf = async (id: string, query = "") =>
  (await service.request("GET", `/api/v1/webhooks/${id}/deliveries${query}`)).body

/** Waits until the newest delivery meets a condition. */
const waitForDelivery = async (id: string, isExpected: (delivery: { status: string; attempts: number }) => boolean) =>
  waitUntil(
    async () => (await deliveriesOf(id)).deliveries[0],
    (delivery) => delivery !== undefined && isExpected(delivery)
  )

/** Returns the types of all events of a webhook, oldest first. Checks that each was delivered at the first attempt. */
const waitForDeliveredTypes = async (id: string): Promise<ReadonlyArray<string>> => {
  const { deliveries } = await waitUntil(
    () => deliveriesOf(id),
    (body) => body.deliveries.every((delivery: { status: string }) => delivery.status !== "PENDING")
  )
  for (const { attempts, status } of deliveries) assert.deepStrictEqual([status, attempts], ["DELIVERED", 1])
  return deliveries.map((delivery: { type: string }) => delivery.type).toReversed()
}

/** Waits until the webhook meets a condition. */
const waitForWebhook = async (
  id: string,
  isExpected: (webhook: { status: string; failingSince: string | null }) => boolean
) =>
  waitUntil(
    async () => (await service.request("GET", `/api/v1/webhooks/${id}`)).body.webhook,
    (webhook) => isExpected(webhook)
  )

const executeSwap = async (wallet: TestWallet, changes: Record<string, unknown> = {}) => {
  const quoteResponse = await service.request("POST", "/api/v1/crypto/swap", swapOf(wallet, changes))
  assert.strictEqual(quoteResponse.status, 200, JSON.stringify(quoteResponse.body))
  const [quote] = quoteResponse.body.quotes
  const executionResponse = await service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash: quote.userOperationHash,
    ...(await service.signatures(wallet.privateKey, quote.signData))
  })
  assert.strictEqual(executionResponse.status, 200, JSON.stringify(executionResponse.body))
  return service.settled(wallet.address, quote.userOperationHash)
}

const summaryOf = ({ event }: ReceivedEvent) => [
  event.type,
  event.data.sequence,
  event.data.previousStatus,
  event.data.status
]

/** Requests a test event, without waiting for its delivery. */
const sendTestEvent = (id: string) => service.request("POST", `/api/v1/webhooks/${id}/test`)

/**
 * Waits for two consecutive deliveries to another webhook. By then the worker has sent everything that was due before.
 */
const waitForOtherDeliveries = async () => {
  const { id } = await createWebhook("/other-deliveries")
  const countBefore = receiver.at("/other-deliveries").length
  for (const count of [1, 2]) {
    await sendTestEvent(id)
    await receiver.waitFor("/other-deliveries", countBefore + count)
  }
  await deleteWebhook(id)
}

describe("a swap", () => {
  it("is reported once on acceptance and once on completion, with the transaction of the history", async () => {
    const { id, secret } = await createWebhook("/swap", { eventTypes: ["transaction.*", "wallet.deployed"] })
    const wallet = walletOf("SimpleAccount 0.8")
    const transaction = await executeSwap(wallet, { metadata: { order: "42", note: "a" } })
    const receivedEvents = await receiver.waitFor("/swap", 3)
    for (const receivedEvent of receivedEvents) verifyDelivery(secret, receivedEvent)
    const swapEvents = receivedEvents.filter(({ event }) => event.data.id === transaction.id)
    assert.deepStrictEqual(swapEvents.map(summaryOf), [
      ["transaction.created", 1, null, "PROCESSING"],
      ["transaction.completed", 2, "PROCESSING", "COMPLETED"]
    ])
    const { metadataKey, metadataValue, previousStatus, sequence, ...resource } = swapEvents[1]!.event.data
    assert.deepStrictEqual(resource, transaction)
    assert.deepStrictEqual([metadataKey, metadataValue, sequence, previousStatus], ["order", "42", 2, "PROCESSING"])
    assert.strictEqual(swapEvents[1]!.event.timestamp, transaction.updatedAt)

    const [deploymentEvent] = receivedEvents.filter(({ event }) => event.type === "wallet.deployed")
    const { data } = deploymentEvent!.event
    assert.deepStrictEqual([data.walletAddress, data.chainId, data.sequence], [wallet.address, 1, 2])
    const shownResponse = await service.request("GET", `/api/v1/wallets/${wallet.address}`)
    assert.deepStrictEqual(data.deployed, shownResponse.body.wallet.deployed)

    const ids = receivedEvents.map(({ headers }) => headers["webhook-id"])
    assert.strictEqual(new Set(ids).size, 3)
    for (const messageId of ids) assert.match(String(messageId), /^msg_[A-Za-z0-9]+$/u)
    await sendTestEvent(id)
    assert.strictEqual((await receiver.waitFor("/swap", 4)).at(-1)!.event.type, "webhook.test")
    assert.lengthOf(await waitForDeliveredTypes(id), 4)
    assert.lengthOf(receiver.at("/swap"), 4)
    await deleteWebhook(id)
  })

  it("is reported to each subscribed webhook of its project, and to no other project", async () => {
    const [allWebhook, completedWebhook] = [
      await createWebhook("/all"),
      await createWebhook("/done", { eventTypes: ["transaction.completed"] })
    ]
    const { apiKey } = await service.newProject(null)
    const otherResponse = await service.request(
      "POST",
      "/api/v1/webhooks",
      { url: receiver.url("/other-project") },
      { "x-api-key": apiKey }
    )
    assert.strictEqual(otherResponse.status, 201)
    await executeSwap(walletOf("SimpleAccount 0.8"))
    assert.deepStrictEqual((await receiver.waitFor("/all", 2)).map(summaryOf), [
      ["transaction.created", 1, null, "PROCESSING"],
      ["transaction.completed", 2, "PROCESSING", "COMPLETED"]
    ])
    assert.deepStrictEqual((await receiver.waitFor("/done", 1)).map(summaryOf), [
      ["transaction.completed", 2, "PROCESSING", "COMPLETED"]
    ])
    assert.deepStrictEqual(receiver.at("/other-project"), [])
    await Promise.all([deleteWebhook(allWebhook.id), deleteWebhook(completedWebhook.id)])
  })
})

describe("a wallet", () => {
  it("is reported on registration, with the body of the API", async () => {
    const { id, secret } = await createWebhook("/wallet", { eventTypes: ["wallet.registered"] })
    const { factory } = walletOf("SimpleAccount 0.8")
    const registration = await service.request("POST", "/api/v1/wallets/register", {
      externallyOwnedAccount: "0x00000000000000000000000000000000000000a1",
      factory,
      metadata: { customer: "7" }
    })
    const secondResponse = await service.request("POST", "/api/v1/wallets/register", {
      externallyOwnedAccount: "0x00000000000000000000000000000000000000a1",
      factory
    })
    assert.strictEqual(secondResponse.body.id, "WALLET_ALREADY_REGISTERED")
    const [event] = await receiver.waitFor("/wallet", 1)
    verifyDelivery(secret, event!)
    assert.deepStrictEqual(event!.event.data, {
      ...registration.body.wallet,
      chainId: null,
      metadataKey: "customer",
      metadataValue: "7",
      sequence: 1,
      previousStatus: null
    })
    await sendTestEvent(id)
    await receiver.waitFor("/wallet", 2)
    assert.deepStrictEqual(await waitForDeliveredTypes(id), ["wallet.registered", "webhook.test"])
    assert.lengthOf(receiver.at("/wallet"), 2)
    await deleteWebhook(id)
  })
})

describe("a wallet of two projects", () => {
  it("is reported to both when it is deployed, and a transaction is reported to the project that created it", async () => {
    const wallet = walletOf("SimpleAccount 0.7")
    const { apiKey } = await service.newProject(null)
    const otherHeaders = { "x-api-key": apiKey }
    const otherResponse = await service.request(
      "POST",
      "/api/v1/webhooks",
      { url: receiver.url("/other") },
      otherHeaders
    )
    const registration = await service.request(
      "POST",
      "/api/v1/wallets/register",
      { externallyOwnedAccount: wallet.owner, factory: wallet.factory },
      otherHeaders
    )
    assert.strictEqual(registration.body.wallet.walletAddress, wallet.address)
    const ownWebhook = await createWebhook("/both", { eventTypes: ["wallet.deployed"] })
    await executeSwap(wallet)
    for (const path of ["/both", "/other"]) {
      const receivedEvents = await receiver.waitFor(path, path === "/both" ? 1 : 2)
      const { data, type } = receivedEvents.at(-1)!.event
      assert.deepStrictEqual([type, data.walletAddress, data.sequence], ["wallet.deployed", wallet.address, 2])
    }
    await executeSwap(wallet)
    await sendTestEvent(ownWebhook.id)
    await service.request("POST", `/api/v1/webhooks/${otherResponse.body.webhook.id}/test`, undefined, otherHeaders)
    const waitForTypes = async (path: string, count: number) =>
      (await receiver.waitFor(path, count)).map(({ event }) => event.type)
    assert.deepStrictEqual(await waitForTypes("/both", 2), ["wallet.deployed", "webhook.test"])
    assert.deepStrictEqual(await waitForTypes("/other", 3), ["wallet.registered", "wallet.deployed", "webhook.test"])
    for (const receivedRequest of receiver.at("/other")) verifyDelivery(otherResponse.body.secret, receivedRequest)
    await deleteWebhook(ownWebhook.id)
  })
})

describe("a receiver", () => {
  it("that fails gets a retry after 5 seconds and then 5 minutes, with the same id and bytes", async () => {
    receiver.answering("/fails", 500, 500, 200)
    const { id, secret } = await createWebhook("/fails")
    await sendTestEvent(id)
    const waitingDelivery = await waitForDelivery(id, ({ attempts }) => attempts === 1)
    assert.deepStrictEqual(
      [waitingDelivery.status, waitingDelivery.lastResponseStatus, waitingDelivery.lastError],
      ["PENDING", 500, "responded with 500"]
    )
    assert.isNotNull(waitingDelivery.nextAttemptAt)
    await service.advanceClock(6)
    await receiver.waitFor("/fails", 2)
    await waitForDelivery(id, ({ attempts }) => attempts === 2)
    await service.advanceClock(6)
    await waitForOtherDeliveries()
    assert.strictEqual((await deliveriesOf(id)).deliveries[0].attempts, 2)
    assert.strictEqual(receiver.at("/fails").length, 2)
    await service.advanceClock(330)
    const [firstRequest, ...others] = await receiver.waitFor("/fails", 3)
    for (const receivedRequest of [firstRequest!, ...others]) verifyDelivery(secret, receivedRequest)
    for (const receivedRequest of others) {
      assert.strictEqual(receivedRequest.headers["webhook-id"], firstRequest!.headers["webhook-id"])
      assert.strictEqual(receivedRequest.text, firstRequest!.text)
    }
    const completedDelivery = await waitForDelivery(id, ({ status }) => status === "DELIVERED")
    assert.deepStrictEqual(
      completedDelivery.attemptLog.map((attempt: { responseStatus: number }) => attempt.responseStatus),
      [500, 500, 200]
    )
    await deleteWebhook(id)
  })

  it("that fails has failingSince, until it accepts a delivery", async () => {
    receiver.answering("/failing", 500, 200)
    const { id, webhook } = await createWebhook("/failing")
    assert.isNull(webhook.failingSince)
    await sendTestEvent(id)
    const waitingDelivery = await waitForDelivery(id, ({ attempts }) => attempts === 1)
    const failingWebhook = await waitForWebhook(id, ({ failingSince }) => failingSince !== null)
    assert.strictEqual(failingWebhook.failingSince, waitingDelivery.attemptLog[0].at)
    assert.strictEqual(failingWebhook.status, "ENABLED")
    await service.advanceClock(6)
    const { failingSince } = await waitForWebhook(id, (currentWebhook) => currentWebhook.failingSince === null)
    assert.isNull(failingSince)
    await waitForDelivery(id, ({ status }) => status === "DELIVERED")
    await deleteWebhook(id)
  })

  it("that times out counts as failed", async () => {
    receiver.answering("/slow", null)
    const shortTimeoutService = await startTestService({ webhooks: { allowPrivateTargets: true, timeoutMs: 1_500 } })
    const { body } = await shortTimeoutService.request("POST", "/api/v1/webhooks", { url: receiver.url("/slow") })
    const path = `/api/v1/webhooks/${body.webhook.id}`
    await shortTimeoutService.request("POST", `${path}/test`)
    const timedOutDelivery = await waitUntil(
      async () => (await shortTimeoutService.request("GET", `${path}/deliveries`)).body.deliveries[0],
      ({ attempts }) => attempts === 1
    )
    await shortTimeoutService.stop()
    assert.deepStrictEqual(
      [timedOutDelivery.status, timedOutDelivery.lastResponseStatus, timedOutDelivery.lastError],
      ["PENDING", null, "no response within 1500 ms"]
    )
  })

  it("that redirects counts as failed", async () => {
    receiver.answering("/redirects", 302)
    const redirectingWebhook = await createWebhook("/redirects")
    await sendTestEvent(redirectingWebhook.id)
    const redirectedDelivery = await waitForDelivery(redirectingWebhook.id, ({ attempts }) => attempts === 1)
    assert.deepStrictEqual([redirectedDelivery.status, redirectedDelivery.lastResponseStatus], ["PENDING", 302])
    assert.deepStrictEqual(receiver.at("/redirected"), [])
    await deleteWebhook(redirectingWebhook.id)
  })

  it("that does not respond delays no other receiver", async () => {
    receiver.answering("/hangs", null)
    const [hangingWebhook, quickWebhook] = [await createWebhook("/hangs"), await createWebhook("/quick")]
    await Promise.all(Array.from({ length: 10 }, () => sendTestEvent(hangingWebhook.id)))
    await receiver.waitFor("/hangs", 1)
    await sendTestEvent(quickWebhook.id)
    await receiver.waitFor("/quick", 1)
    // The first attempts at the hanging receiver are still pending.
    const { deliveries } = await deliveriesOf(hangingWebhook.id)
    assert.deepStrictEqual(
      deliveries.map((delivery: { status: string; attempts: number }) => [delivery.status, delivery.attempts]),
      Array.from({ length: 10 }, () => ["PENDING", 0])
    )
    receiver.dropHeld()
    await Promise.all([deleteWebhook(hangingWebhook.id), deleteWebhook(quickWebhook.id)])
  })

  it("that answers 410 is disabled until the API enables it", async () => {
    receiver.answering("/gone", 410, 200)
    const { id } = await createWebhook("/gone")
    const { body } = await sendTestEvent(id)
    const endedDelivery = await waitForDelivery(id, ({ status }) => status === "DISABLED")
    assert.strictEqual(endedDelivery.lastResponseStatus, 410)
    const path = `/api/v1/webhooks/${id}`
    const webhook = await waitForWebhook(id, ({ status }) => status === "DISABLED")
    assert.include(webhook.disabledReason, "410")
    for (const action of ["test", `deliveries/${body.delivery.id}/redeliver`]) {
      const refusal = await service.request("POST", `${path}/${action}`)
      assert.deepStrictEqual([refusal.status, refusal.body.id], [409, "WEBHOOK_DISABLED"])
    }
    const enableResponse = await service.request("POST", `${path}/enable`)
    assert.strictEqual(enableResponse.body.webhook.status, "ENABLED")
    const secondResponse = await service.request("POST", `${path}/deliveries/${body.delivery.id}/redeliver`)
    assert.strictEqual(secondResponse.status, 200)
    await waitForDelivery(id, ({ status }) => status === "DELIVERED")
    const [firstRequest, secondRequest] = await receiver.waitFor("/gone", 2)
    assert.strictEqual(firstRequest!.text, secondRequest!.text)
    await deleteWebhook(id)
  })

  it("gets a delivered event again on request", async () => {
    const { id } = await createWebhook("/again")
    const { body } = await sendTestEvent(id)
    await waitForDelivery(id, ({ status }) => status === "DELIVERED")
    await service.request("POST", `/api/v1/webhooks/${id}/deliveries/${body.delivery.id}/redeliver`)
    const [first, second] = await receiver.waitFor("/again", 2)
    assert.strictEqual(first!.headers["webhook-id"], second!.headers["webhook-id"])
    assert.strictEqual(first!.headers["webhook-id"], body.delivery.eventId)
    await deleteWebhook(id)
  })
})

describe("a secret", () => {
  it("is neither in a replayed response nor in clear text in the database", async () => {
    const postOnce = (path: string, body?: object) =>
      service.request("POST", path, body, { "idempotency-key": `once ${path}`.replace(" ", "-") })
    const creationResponse = await postOnce("/api/v1/webhooks", { url: receiver.url("/once") })
    const rotationPath = `/api/v1/webhooks/${creationResponse.body.webhook.id}/rotate`
    const rotationResponse = await postOnce(rotationPath)
    assert.deepStrictEqual([creationResponse.status, rotationResponse.status], [201, 200])
    for (const [firstResponse, repeatedResponse] of [
      [creationResponse, await postOnce("/api/v1/webhooks", { url: receiver.url("/once") })],
      [rotationResponse, await postOnce(rotationPath)]
    ] as const) {
      assert.match(firstResponse.body.secret, /^whsec_/u)
      assert.strictEqual(repeatedResponse.headers.get("idempotent-replayed"), "true")
      assert.deepStrictEqual(
        [repeatedResponse.status, repeatedResponse.body],
        [firstResponse.status, { ...firstResponse.body, secret: null }]
      )
      for (const name of ["countersign.db", "countersign.db-wal"]) {
        assert.notInclude(
          readFileSync(join(service.home, name), "latin1"),
          firstResponse.body.secret.slice("whsec_".length)
        )
      }
    }
  })

  it("is rotated with an overlap in which both secrets verify, and then only the new one", async () => {
    const { id, secret } = await createWebhook("/rotated")
    const rotationResponse = await service.request("POST", `/api/v1/webhooks/${id}/rotate?overlapSeconds=600`)
    assert.strictEqual(rotationResponse.status, 200)
    assert.strictEqual(rotationResponse.body.webhook.secrets.length, 2)
    await sendTestEvent(id)
    const [eventDuring] = await receiver.waitFor("/rotated", 1)
    verifyDelivery(secret, eventDuring!)
    verifyDelivery(rotationResponse.body.secret, eventDuring!)
    await service.advanceClock(601)
    await sendTestEvent(id)
    const [, eventAfter] = await receiver.waitFor("/rotated", 2)
    verifyDelivery(rotationResponse.body.secret, eventAfter!)
    assert.throws(() => verifyDelivery(secret, eventAfter!))
    await deleteWebhook(id)
  })

  it("is returned once, on creation, and is in no log", async () => {
    const { id, secret } = await createWebhook("/secret")
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/u)
    const newSecret = (await service.request("POST", `/api/v1/webhooks/${id}/rotate`)).body.secret
    await sendTestEvent(id)
    await receiver.waitFor("/secret", 1)
    const responses = await Promise.all(
      ["", `/${id}`, `/${id}/deliveries`].map((path) => service.request("GET", `/api/v1/webhooks${path}`))
    )
    for (const text of [...responses.map(({ body }) => JSON.stringify(body)), service.logLines.join("\n")]) {
      for (const webhookSecret of [secret, newSecret]) assert.notInclude(text, webhookSecret.slice("whsec_".length))
    }
    await deleteWebhook(id)
  })
})

describe("the webhooks of a project", () => {
  it("are listed, shown and deleted, and are unknown to every other project", async () => {
    const { id, webhook } = await createWebhook("/mine", { eventTypes: ["wallet.*"], description: "mine" })
    assert.deepStrictEqual(
      { ...webhook, createdAt: null, secrets: null },
      {
        id,
        url: receiver.url("/mine"),
        description: "mine",
        eventTypes: ["wallet.*"],
        status: "ENABLED",
        disabledAt: null,
        disabledReason: null,
        failingSince: null,
        createdAt: null,
        secrets: null
      }
    )
    const { body } = await service.request("GET", "/api/v1/webhooks")
    assert.deepInclude(body.webhooks, webhook)
    const { apiKey } = await service.newProject(null)
    const path = `/api/v1/webhooks/${id}`
    const requests: ReadonlyArray<readonly [string, string]> = [
      ["GET", path],
      ["DELETE", path],
      ["POST", `${path}/test`],
      ["POST", `${path}/enable`],
      ["POST", `${path}/rotate`],
      ["GET", `${path}/deliveries`],
      ["POST", `${path}/deliveries/dlv_1/redeliver`]
    ]
    for (const [method, requestPath] of requests) {
      const otherResponse = await service.request(method, requestPath, undefined, { "x-api-key": apiKey })
      assert.deepStrictEqual([otherResponse.status, otherResponse.body.id], [404, "WEBHOOK_NOT_FOUND"], requestPath)
      const unknownResponse = await service.request(method, requestPath.replace(id, "whk_unknown"))
      assert.deepStrictEqual([unknownResponse.status, unknownResponse.body.id], [404, "WEBHOOK_NOT_FOUND"], requestPath)
    }
    const redeliveryResponse = await service.request("POST", `${path}/deliveries/dlv_1/redeliver`)
    assert.deepStrictEqual([redeliveryResponse.status, redeliveryResponse.body.id], [404, "WEBHOOK_DELIVERY_NOT_FOUND"])
    const deletedResponse = await deleteWebhook(id)
    assert.deepStrictEqual([deletedResponse.status, deletedResponse.body], [204, ""])
    assert.strictEqual((await service.request("GET", path)).status, 404)
    assert.strictEqual((await deleteWebhook(id)).status, 404)
  })

  it("require the scope admin for changes, and read for reading", async () => {
    const { id } = await createWebhook("/scopes")
    const readerKey = (await service.newProject(null, ["read"])).apiKey
    const quoterKey = (await service.newProject(null, ["quote"])).apiKey
    const requests: ReadonlyArray<readonly [string, string, object?]> = [
      ["POST", "/api/v1/webhooks", { url: receiver.url("/x") }],
      ["DELETE", `/api/v1/webhooks/${id}`],
      ["POST", `/api/v1/webhooks/${id}/test`],
      ["POST", `/api/v1/webhooks/${id}/rotate`]
    ]
    for (const [method, path, body] of requests) {
      const refusal = await service.request(method, path, body, { "x-api-key": readerKey })
      assert.deepStrictEqual([refusal.status, refusal.body.id], [403, "FORBIDDEN_SCOPE"], path)
    }
    assert.strictEqual(
      (await service.request("GET", "/api/v1/webhooks", undefined, { "x-api-key": readerKey })).status,
      200
    )
    assert.strictEqual(
      (await service.request("GET", "/api/v1/webhooks", undefined, { "x-api-key": quoterKey })).status,
      403
    )
    await deleteWebhook(id)
  })

  it("list their deliveries in pages, newest first", async () => {
    const { id } = await createWebhook("/paged")
    for (let i = 0; i < 5; i++) await sendTestEvent(id)
    await receiver.waitFor("/paged", 5)
    const allDeliveries = (await deliveriesOf(id)).deliveries
    assert.deepStrictEqual(
      allDeliveries.map((delivery: { sequence: number }) => delivery.sequence),
      [5, 4, 3, 2, 1]
    )
    const firstPage = await deliveriesOf(id, "?take=3")
    const secondPage = await deliveriesOf(id, `?take=3&lastId=${firstPage.nextLastId}`)
    assert.deepStrictEqual(
      [...firstPage.deliveries, ...secondPage.deliveries].map(({ id: one }: { id: string }) => one),
      allDeliveries.map(({ id: one }: { id: string }) => one)
    )
    assert.isNull(secondPage.nextLastId)
    const wrongCursorResponse = await service.request("GET", `/api/v1/webhooks/${id}/deliveries?lastId=dlv_none`)
    assert.deepStrictEqual([wrongCursorResponse.status, wrongCursorResponse.body.errors[0].path], [400, "query.lastId"])
    await deleteWebhook(id)
  })

  it.each([
    ["no URL", {}, "body.url"],
    ["a malformed URL", { url: "nonsense" }, "body.url"],
    ["another scheme", { url: "ftp://example.com" }, "body.url"],
    ["credentials in the URL", { url: "https://user:secret@example.com" }, "body.url"],
    ["an unknown event", { url: "https://example.com", eventTypes: ["transaction.exploded"] }, "body.eventTypes.0"],
    ["no event", { url: "https://example.com", eventTypes: [] }, "body.eventTypes"],
    ["an unknown field", { url: "https://example.com", secret: "mine" }, "body.secret"]
  ])("are not created with %s", async (_, body, path) => {
    const refusal = await service.request("POST", "/api/v1/webhooks", body)
    assert.deepStrictEqual([refusal.status, refusal.body.id], [400, "BAD_REQUEST"], JSON.stringify(refusal.body))
    assert.include(
      refusal.body.errors.map((problem: { path: string }) => problem.path).join(" "),
      path,
      JSON.stringify(refusal.body)
    )
  })
})

describe("an operation that is rejected", () => {
  it("sends no event", async () => {
    const { id } = await createWebhook("/refused")
    const wallet = walletOf("SimpleAccount 0.7")
    const quoteResponse = await service.request("POST", "/api/v1/crypto/swap", swapOf(wallet, { tokenIn: USDC }))
    const refusal = await service.request("POST", "/api/v1/crypto/execute-user-op", {
      userOperationHash: quoteResponse.body.quotes[0].userOperationHash,
      signature: `0x${"11".repeat(65)}`
    })
    assert.strictEqual(refusal.body.id, "INVALID_SIGNATURE")
    assert.deepStrictEqual((await deliveriesOf(id)).deliveries, [])
    await deleteWebhook(id)
  })
})

describe("webhooks without private targets", () => {
  let strictService: TestService
  beforeAll(async () => {
    strictService = await startTestService({ webhooks: { allowPrivateTargets: false, timeoutMs: 400 } })
  })
  afterAll(() => strictService.stop())

  it.each([
    ["http://example.com/hook", "not_https"],
    ["https://127.0.0.1/hook", "private_target"],
    ["https://[::ffff:10.0.0.1]/hook", "private_target"],
    ["https://169.254.169.254/latest", "private_target"],
    ["https://localhost/hook", "private_target"]
  ])("rejects %s: %s", async (url, code) => {
    const { body, status } = await strictService.request("POST", "/api/v1/webhooks", { url })
    assert.deepStrictEqual([status, body.id], [400, "BAD_REQUEST"])
    assert.deepInclude(body.errors[0], { path: "body.url", code })
  })
})
