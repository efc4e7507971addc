/**
 * A receiver of webhooks. It verifies the sender, responds immediately, and processes each event once.
 *
 * It creates a webhook to itself, requests a test event, and deletes the webhook. COUNTERSIGN_URL and
 * COUNTERSIGN_API_KEY select a sandbox, because a sandbox may send webhooks to this machine. By default other services
 * send them only to public https URLs.
 */
import assert from "node:assert/strict"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createClient, verifyWebhook, type WebhookEvent } from "@countersign/http/client"

const { COUNTERSIGN_API_KEY: apiKey = "", COUNTERSIGN_URL: url = "http://127.0.0.1:3000" } = process.env
const client = createClient({ url, apiKey })

let secret = ""
/**
 * The ids of received events. An event may be delivered more than once, and to any of your processes. So store the ids
 * in your database.
 */
const handledEventIds = new Set<string>()
const { promise: firstEvent, resolve: handle } = Promise.withResolvers<WebhookEvent>()

const server = createServer(async (request, response) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    // The signature covers the bytes of the body, so verify it before you parse the body.
    const event = await verifyWebhook({ body: Buffer.concat(chunks).toString(), headers: request.headers, secret })
    const id = String(request.headers["webhook-id"])
    if (!handledEventIds.has(id)) handle(event)
    handledEventIds.add(id)
    response.writeHead(204).end()
  } catch {
    response.writeHead(401).end()
  }
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const { port } = server.address() as AddressInfo

const createdWebhook = await client.webhooks.create({ url: `http://127.0.0.1:${port}/countersign` })
secret = createdWebhook.secret
try {
  await client.webhooks.test(createdWebhook.webhook.id)
  const event = await firstEvent
  console.log(`${event.type} at ${event.timestamp}`)
  assert.equal(event.type, "webhook.test")

  const forgedResponse = await fetch(`http://127.0.0.1:${port}/countersign`, {
    method: "POST",
    body: '{"type":"forged"}'
  })
  assert.equal(forgedResponse.status, 401)
} finally {
  await client.webhooks.remove(createdWebhook.webhook.id)
  server.close()
}
