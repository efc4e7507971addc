import { readFileSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FaultProxy } from "../../adapters/test/faults/FaultProxy.ts"
import { waitUntil } from "../../core/test/support/until.ts"
import { countUnpaidRefusal } from "../src/server/metrics.ts"
import { registerOneOfEachKind, swapOf, type TestWallet } from "./support/accounts.ts"
import { parsePrometheusText, type Scrape } from "./support/prometheusText.ts"
import { startTestService, type TestService } from "./support/testService.ts"
import { startWebhookReceiver, type WebhookReceiver } from "./support/webhookReceiver.ts"

/** Tests /metrics of the complete service: it counts all events, also requests to nodes, and identifies no one. */

const SECRET_PATH = "secret-key-in-the-path"

interface Panel {
  readonly targets: ReadonlyArray<{ readonly expr: string }>
}

let service: TestService
let receiver: WebhookReceiver
let proxy: FaultProxy
let wallets: ReadonlyArray<TestWallet>
let httpRequestCount = 0

beforeAll(async () => {
  let target = ""
  proxy = await FaultProxy.start(() => target)
  receiver = await startWebhookReceiver()
  service = await startTestService({
    webhooks: { allowPrivateTargets: true, timeoutMs: 30_000 },
    rpcLimits: { cooldownMs: 50, longestCooldownMs: 50 },
    onRpcRequest: () => {
      httpRequestCount += 1
    },
    rpcUrls: (sandboxUrl) => {
      target = sandboxUrl
      return [`${proxy.url}/${SECRET_PATH}`]
    }
  })
  wallets = await registerOneOfEachKind(service)
})
afterAll(async () => {
  receiver.stop()
  await service.stop()
  await proxy.stop()
})

const scrape = async (): Promise<Scrape> => {
  const { body, headers, status } = await service.request("GET", "/metrics")
  assert.strictEqual(status, 200)
  assert.strictEqual(headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
  return parsePrometheusText(body)
}

const requestQuote = () => service.request("POST", "/api/v1/crypto/swap", swapOf(wallets[0]!))

/** Returns functions that compute by how much a series increased between two scrapes. */
const increaseBetween = (beforeScrape: Scrape, afterScrape: Scrape) => {
  const increaseOf = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    (afterScrape.value(name, labels) ?? 0) - (beforeScrape.value(name, labels) ?? 0)
  const nodeRequests = (outcome: string) => increaseOf("rpc_requests_total", { ...nodeLabels(), outcome })
  return { risen: increaseOf, ofNode: nodeRequests }
}

const nodeLabels = () => ({ chain: "1", host: new URL(proxy.url).host, service: "node" })

const scrapeUntil = (isExpected: (scraped: Scrape) => boolean): Promise<Scrape> => waitUntil(scrape, isExpected)

const sentOutcomes = ["answered", "error", "limited", "failed"]

/**
 * Scrapes until all requests to the node since `before` are counted, because a failed quote does not wait for all of
 * its requests.
 */
const scrapeOnceCounted = (before: Scrape): Promise<Scrape> =>
  scrapeUntil((scraped) => {
    const { ofNode } = increaseBetween(before, scraped)
    return sentOutcomes.reduce((sum, outcome) => sum + ofNode(outcome), 0) === proxy.requestedMethods.length
  })

const routeLabels = (status: string) => ({ method: "POST", route: "/api/v1/crypto/swap", status })

describe("GET /metrics", () => {
  it("counts a quote, its requests to the node, and its cached pools", async () => {
    // The first quote caches the pools.
    assert.strictEqual((await requestQuote()).status, 200)
    const measureThreeQuotes = async () => {
      const scrapeBefore = await scrape()
      proxy.requestedMethods.length = 0
      httpRequestCount = 0
      for (let i = 0; i < 3; i++) assert.strictEqual((await requestQuote()).status, 200)
      const scrapeAfter = await scrapeOnceCounted(scrapeBefore)
      return { scrapeAfter, ...increaseBetween(scrapeBefore, scrapeAfter) }
    }
    // The first round trip reads the account and the pools concurrently, and the second is the simulation. On a slow
    // machine a cached value can expire between two quotes, which costs one more request.
    const { ofNode, risen, scrapeAfter } = await waitUntil(measureThreeQuotes, () => httpRequestCount <= 3 * 2)
    assert.isAbove(proxy.requestedMethods.length, 0)
    assert.deepStrictEqual(sentOutcomes.map(ofNode), [proxy.requestedMethods.length, 0, 0, 0])
    assert.strictEqual(ofNode("rejected"), 0)
    assert.strictEqual(risen("rpc_http_request_duration_seconds_count", nodeLabels()), httpRequestCount)
    assert.strictEqual(scrapeAfter.value("rpc_host_up", nodeLabels()), 1)

    assert.strictEqual(risen("http_server_request_duration_seconds_count", routeLabels("200")), 3)
    assert.strictEqual(risen("swap_quotes_total", { provider: "SWAP_PROVIDER_A", outcome: "executable" }), 3)

    assert.strictEqual(risen("pool_cache_lookups_total", { cache: "ticks", outcome: "miss" }), 0)
    const lookups = ["hit", "miss"].map((outcome) => risen("pool_cache_lookups_total", { cache: "state", outcome }))
    assert.isAbove(lookups[0]! + lookups[1]!, 0)
    assert.isAbove(scrapeAfter.value("pool_cache_entries", { cache: "state" })!, 0)
  })

  it("counts each request to which a node does not respond, and the requests that the back-off prevents", async () => {
    const scrapeBefore = await scrape()
    proxy.requestedMethods.length = 0
    proxy.fault = { _tag: "Status", status: 500 }
    assert.strictEqual((await requestQuote()).status, 500)
    const failingScrape = await scrapeOnceCounted(scrapeBefore)
    const { ofNode, risen } = increaseBetween(scrapeBefore, failingScrape)
    assert.isAbove(proxy.requestedMethods.length, 0)
    assert.deepStrictEqual(sentOutcomes.map(ofNode), [0, 0, 0, proxy.requestedMethods.length])
    assert.strictEqual(risen("http_server_request_duration_seconds_count", routeLabels("500")), 1)
    assert.strictEqual(risen("swap_quotes_total", { provider: "SWAP_PROVIDER_A", outcome: "refused" }), 1)

    proxy.fault = { _tag: "Status", status: 429 }
    proxy.requestedMethods.length = 0
    assert.strictEqual((await requestQuote()).status, 500)
    const limitedIncrease = increaseBetween(failingScrape, await scrapeOnceCounted(failingScrape))
    assert.isAbove(proxy.requestedMethods.length, 0)
    assert.deepStrictEqual(sentOutcomes.map(limitedIncrease.ofNode), [0, 0, proxy.requestedMethods.length, 0])

    proxy.fault = { _tag: "None" }
    await scrapeUntil((scraped) => scraped.value("rpc_host_up", nodeLabels()) === 1)
    assert.strictEqual((await requestQuote()).status, 200)
  })

  it("reports a pending webhook delivery, and the endpoint while it fails, and neither of them afterwards", async () => {
    const failingEndpoints = (scraped: Scrape) => scraped.value("webhook_endpoints_failing")
    const dueDeliveriesOf = (scraped: Scrape) => scraped.value("webhook_deliveries_due")
    receiver.answering("/slow", null)
    const creation = await service.request("POST", "/api/v1/webhooks", { url: receiver.url("/slow") })
    const { id } = creation.body.webhook
    assert.deepStrictEqual([dueDeliveriesOf(await scrape()), failingEndpoints(await scrape())], [0, 0])
    await service.request("POST", `/api/v1/webhooks/${id}/test`)

    const pendingScrape = await scrapeUntil((scraped) => dueDeliveriesOf(scraped) === 1)
    const seconds = pendingScrape.value("webhook_oldest_due_seconds")
    assert.isTrue(seconds !== null && seconds >= 0 && seconds < 600, `${seconds}`)
    // The attempts get no response, because the receiver closes the connection.
    const failingScrape = await scrapeUntil((scraped) => {
      receiver.dropHeld()
      return dueDeliveriesOf(scraped) === 0 && failingEndpoints(scraped) === 1
    })
    assert.strictEqual(failingScrape.value("webhook_oldest_due_seconds"), 0)
    receiver.answering("/slow", 200)

    const deliveries = await service.request("GET", `/api/v1/webhooks/${id}/deliveries`)
    const [delivery] = deliveries.body.deliveries
    await service.request("POST", `/api/v1/webhooks/${id}/deliveries/${delivery.id}/redeliver`)
    const healthyScrape = await scrapeUntil((scraped) => {
      receiver.dropHeld()
      return failingEndpoints(scraped) === 0
    })
    assert.strictEqual(healthyScrape.value("webhook_endpoints_disabled"), 0)
  })

  it("never decreases a counter and never drops a series", async () => {
    const scrapeBefore = await scrape()
    await requestQuote()
    const scrapeAfter = await scrape()
    for (const family of scrapeBefore.families.values()) {
      for (const { labels, name, value } of family.samples) {
        const currentValue = scrapeAfter.value(name, Object.fromEntries(labels))
        assert.isNotNull(currentValue, name)
        if (family.type !== "gauge") assert.isAtLeast(currentValue!, value, name)
      }
    }
  })

  it("reports the process: its version, start, CPU, memory and event loop", async () => {
    const scrapeResult = await scrape()
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
    assert.strictEqual(scrapeResult.value("countersign_build_info", { version }), 1)
    const startedAt = scrapeResult.value("process_start_time_seconds")!
    assert.approximately(startedAt, Date.now() / 1000 - process.uptime(), 5)
    const { system, user } = process.cpuUsage()
    assert.approximately(scrapeResult.value("process_cpu_seconds_total")!, (system + user) / 1e6, 1)
    assert.isAbove(scrapeResult.value("nodejs_heap_size_used_bytes")!, 1e6)
    assert.isAtLeast(
      scrapeResult.value("process_resident_memory_bytes")!,
      scrapeResult.value("nodejs_heap_size_used_bytes")!
    )
    const lag = scrapeResult.value("nodejs_eventloop_lag_p99_seconds")!
    assert.isTrue(lag >= 0 && lag < 600, `${lag}`)
    assert.strictEqual(scrapeResult.value("database_up"), 1)
    assert.strictEqual(scrapeResult.value("countersign_pending_late", { kind: "inclusion", waits_for: "CHAIN" }), 0)
  })

  it("lists only metrics that docs/operations.md describes", async () => {
    const guide = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8")
    const describedMetrics = [...guide.matchAll(/`([a-z0-9_]+)`/gu)].map(([, name]) => name)
    assert.includeMembers(describedMetrics, [...(await scrape()).families.keys()])
  })

  it("returns every metric and label that the alert rules and the dashboard use", async () => {
    const readDeployFile = (name: string) =>
      readFileSync(new URL(`../../../docs/deploy/${name}`, import.meta.url), "utf8")
    const rules = [...readDeployFile("alerts.yaml").matchAll(/^ +expr: (.+)$/gmu)].map(([, text]) => text!)
    const panels = JSON.parse(readDeployFile("dashboard.json")).panels as ReadonlyArray<Panel>
    const expressions = [...rules, ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))]
    assert.isAbove(expressions.length, 25)
    // Increments the only counter that no request of these tests increments.
    await service.run(Effect.withFiber((fiber) => Effect.sync(() => countUnpaidRefusal("project", fiber.context))))
    const { families } = await scrape()
    const familyOf = (name: string) => families.get(name) ?? families.get(name.replace(/_(?:bucket|count|sum)$/u, ""))
    for (const expression of expressions) {
      const names = expression.replaceAll(/\{.*?\}|\bby \(.*?\)/gu, "").match(/\b[a-z]+(?:_[a-z0-9]+)+\b(?!\s*\()/gu)!
      const knownLabels = new Set(["instance"])
      for (const name of names) {
        const family = familyOf(name)
        assert.isDefined(family, `${name} of ${expression}`)
        for (const { labels } of family!.samples) for (const label of labels.keys()) knownLabels.add(label)
      }
      const selectorLabels = [...expression.matchAll(/([a-z_]+)(?:=~|!=|=)"/gu)].map(([, label]) => label!)
      const groupLabels = [...expression.matchAll(/\b(?:by|on) \((.*?)\)/gu)].flatMap(([, list]) => list!.split(", "))
      assert.includeMembers([...knownLabels], [...selectorLabels, ...groupLabels], expression)
    }
  })

  it("contains no project, address, key or URL path in any label", async () => {
    await service.request("GET", `/api/v1/wallets/${wallets[0]!.address}/history`)
    await service.request("GET", `/api/v1/wallets/${wallets[1]!.address}?key=${service.apiKey}`)
    await service.request("GET", `/nowhere/${wallets[0]!.address}`)
    const { families } = await scrape()
    const secrets = [
      SECRET_PATH,
      service.project.id,
      service.apiKey,
      ...wallets.flatMap(({ address, owner, privateKey }) => [address, owner, privateKey])
    ].map((secret) => secret.toLowerCase())
    const allowedLabels = {
      cache: /^(?:absence|state|ticks)$/u,
      chain: /^\d+$/u,
      fault: /^[A-Z_]+$/u,
      kind: /^[a-z:-]+$/u,
      host: /^[\w.-]+(?::\d+)?(?:\/documents)?$/u,
      le: /^(?:\+Inf|[\d.]+)$/u,
      method: /^[A-Z]+$/u,
      outcome: /^[a-z_]+$/u,
      provider: /^[A-Z0-9_]+$/u,
      // Matches a route pattern, which contains names of parameters instead of their values.
      route: /^(?:-|\*|(?:\/[\w.:-]+)+)$/u,
      scope: /^(?:wallet|owner|project)$/u,
      service: /^(?:node|bundler|paymaster)$/u,
      source: /^(?:coingecko|defillama)$/u,
      status: /^\d{3}$/u,
      version: /^\d+\.\d+\.\d+$/u,
      waits_for: /^[A-Z_]+$/u
    } as const
    for (const { name, samples } of families.values()) {
      for (const { labels } of samples) {
        for (const [label, value] of labels) {
          assert.match(value, allowedLabels[label as keyof typeof allowedLabels] ?? /^$/u, `${name}: ${label}`)
          assert.notMatch(value, /0x[0-9a-f]{8}|[0-9a-f]{8}-[0-9a-f]{4}/iu, `${name}: ${label}`)
          for (const secret of secrets) assert.notInclude(value.toLowerCase(), secret, `${name}: ${label}`)
        }
      }
    }
  })
})
