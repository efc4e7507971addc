import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EventId, EventSerializer, eventKind } from "@countersign/core/tenancy/events"
import { ProjectId, Projects } from "@countersign/core/tenancy/projects"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Schema } from "effect"
import pg from "pg"
import { createPublicClient, http as viemHttp } from "viem"
import { waitUntil } from "../../../core/test/support/until.ts"
import { resourceSerializer } from "../../src/api/serializers/index.ts"
import {
  Countersign,
  CountersignError,
  type CountersignEvent,
  type CountersignOptions,
  type HostLogger,
  type HostSwapProvider
} from "../../src/index.ts"
import { Extensions } from "../../src/service/composition/index.ts"
import { layerSqlite } from "../../src/storage/kysely/index.ts"
import { startMailServer } from "../mail/testMailServer.ts"
import { postgresUrl } from "../support/temporaryPostgres.ts"
import { type Host, NATIVE, startHost, swapOf, transferOf, USDC, WETH } from "./sandboxHost.ts"

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.stop())

const failureOf = async (promise: Promise<unknown>): Promise<CountersignError> => {
  const error = await promise.then(
    (value) => assert.fail(`It did not fail: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown
  )
  assert.instanceOf(error, CountersignError)
  assert.instanceOf(error, Error)
  return error as CountersignError
}

/**
 * Reads events until an operation has completed. Skips the wallet's deposits, because they may complete before or after
 * the operation.
 */
const eventsUntilCompleted = async (countersign: Countersign, options: { readonly after?: string } = {}) => {
  const events: Array<CountersignEvent> = []
  for await (const event of countersign.events({ ...options, signal: AbortSignal.timeout(120_000) })) {
    if (event.data.type === "CRYPTO_DEPOSIT") continue
    events.push(event)
    if (event.type === "transaction.completed") break
  }
  return events
}

const itemsOf = <A>(items: AsyncIterable<A>) => Array.fromAsync(items)

const assertPlain = (body: unknown) => assert.deepStrictEqual(body, JSON.parse(JSON.stringify(body)))

describe("Countersign", () => {
  it("executes a swap from its quote to its completion, and reports it in events and by webhook", async () => {
    const receivedRequests: Array<{ readonly id: unknown; readonly body: unknown }> = []
    const receiver = createServer((request, response) => {
      let text = ""
      request.on("data", (chunk) => {
        text += chunk
      })
      request.on("end", () => {
        receivedRequests.push({ id: request.headers["webhook-id"], body: JSON.parse(text) })
        response.end()
      })
    }).listen(0, "127.0.0.1")
    await using countersign = await Countersign.open(host.options())
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const { secret } = await countersign.webhooks.create({ url, eventTypes: ["transaction.*"] })
    assert.match(String(secret), /^whsec_/u)
    const walletAddress = await host.wallet(countersign, 1)
    const eventsPromise = eventsUntilCompleted(countersign)

    const quote = await countersign.swap.quote(swapOf(walletAddress))
    const { sign: _, ...quoteFields } = quote
    assertPlain(quoteFields)
    assert.strictEqual(quote.revertReason, undefined)
    assert.strictEqual(quote.amountIn, "100")
    const body = await host.signedQuote(quote)
    assert.deepStrictEqual(await quote.sign(host.account), body)
    const execution = await countersign.execute(body)
    assert.strictEqual(execution.quoteId, quote.quoteId)
    assert.strictEqual(execution.status, "PROCESSING")
    const transaction = await countersign.wait(execution, { timeoutMs: 120_000 })
    assert.deepStrictEqual(await countersign.execute(body), { ...execution, status: "COMPLETED" })
    // Executes the same operation again through `userOperations`, which identifies it by its hash.
    const { transactionId } = await countersign.userOperations.execute(await host.signed(quote))
    assert.strictEqual(transactionId, execution.transactionId)
    assert.deepStrictEqual(await countersign.userOperations.wait(quote.userOperationHash!), transaction)
    assert.strictEqual(transaction.status, "COMPLETED")
    assert.strictEqual(transaction.id, execution.transactionId)
    assertPlain(transaction)
    const history = countersign.history.list(walletAddress, { take: 1, chains: [1], type: ["SWAP"] })
    assert.deepStrictEqual(await itemsOf(history), [transaction])
    assert.deepStrictEqual(await countersign.history.get(transaction.id), transaction)
    const userOperation = await countersign.userOperations.get(quote.userOperationHash!)
    assert.strictEqual(userOperation.transactionId, execution.transactionId)

    const events = await eventsPromise
    assert.deepStrictEqual(events[0]!.type, "transaction.created")
    const lastEvent = events.at(-1)!
    assert.strictEqual(lastEvent.data.id, transaction.id)
    const findDelivery = () => receivedRequests.find(({ id }) => id === lastEvent.id)
    const delivery = await waitUntil(findDelivery, (delivered) => delivered !== undefined)
    const { data, timestamp, type } = lastEvent
    assert.deepStrictEqual(delivery?.body, { type, timestamp, data })
    const repeatedEvents = await eventsUntilCompleted(countersign, { after: events[0]!.cursor })
    assert.includeMembers(
      repeatedEvents.map(({ id }) => id),
      events.map(({ id }) => id)
    )
    receiver.close()
    receiver.closeAllConnections()
  })

  it("reads pools, a position, lending markets and the deposits of a wallet", async () => {
    await using countersign = await Countersign.open(host.options())
    const walletAddress = await host.wallet(countersign, 10)
    const settle = async (preparedOperation: Parameters<Host["signed"]>[0]) => {
      await countersign.userOperations.execute(await host.signed(preparedOperation))
      return countersign.userOperations.wait(preparedOperation.userOperationHash!, { timeoutMs: 120_000 })
    }
    const pools = await itemsOf(countersign.liquidity.pools({ chainId: 1, token0: USDC, token1: WETH, fee: 0.05 }))
    assertPlain(pools)
    const [listedPool] = pools
    assert.strictEqual(pools.length, 1)
    const pool = await countersign.liquidity.pool(listedPool!.id, { rangeInDays: 7 })
    assertPlain(pool)
    assert.deepStrictEqual([pool.address, pool.stats.rangeInDays], [listedPool!.address, 7])

    const operation = await countersign.liquidity.create({
      walletAddress,
      toAddress: walletAddress,
      chainId: 1,
      tokenIn: USDC,
      amountIn: "100",
      token0: USDC,
      token1: WETH,
      poolFeePercent: 0.05,
      minPrice: 0,
      maxPrice: 1,
      payGasFeeToken: USDC,
      gasFeePaymentMethod: "ADD_TO_AMOUNT"
    })
    const { liquidity } = await settle(operation)
    const position = await countersign.liquidity.position(1, liquidity!.tokenId!)
    assertPlain(position)
    assert.deepStrictEqual([position.tokenId, position.pool.id, position.inRange], [liquidity!.tokenId, pool.id, true])

    const { markets } = await countersign.lending.markets({ chainId: 1, provider: "LENDING_PROVIDER_A" })
    assertPlain(markets)
    assert.include(
      markets.map(({ loanToken }) => loanToken.address),
      USDC
    )
    const gas = { paymentMethod: "ADD_TO_AMOUNT", tokenAddress: USDC } as const
    const supply = { chainId: 1, tokenAddress: USDC, amount: "100" } as const
    await settle(await countersign.lending.quote({ walletAddress, provider: "LENDING_PROVIDER_A", supply, gas }))
    const { positions } = await countersign.lending.positions(walletAddress)
    assertPlain(positions)
    assert.deepStrictEqual(
      positions.map(({ positionType, provider, token }) => [provider.id, positionType, token.address]),
      [["LENDING_PROVIDER_A", "supply", USDC]]
    )

    const errors = await Promise.all([
      failureOf(itemsOf(countersign.liquidity.pools({} as never))),
      failureOf(countersign.liquidity.pool(`1-${host.owner}`)),
      failureOf(countersign.liquidity.position(1, "999999999")),
      failureOf(countersign.lending.markets({ chainId: 196, provider: "LENDING_PROVIDER_B" })),
      failureOf(countersign.lending.positions(host.owner))
    ])
    assert.deepStrictEqual(
      errors.map(({ id, problems: [problem] }) => [id, problem?.path]),
      [
        ["BAD_REQUEST", "chainId"],
        ["LIQUIDITY_POOL_NOT_FOUND", undefined],
        ["LIQUIDITY_POSITION_NOT_FOUND", undefined],
        ["BAD_REQUEST", "chainId"],
        ["ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT", undefined]
      ]
    )
  })

  it("returns the past values of a wallet, with the price sources that the host configures", async () => {
    await using countersign = await Countersign.open({
      ...host.options(),
      marketData: { sources: ["coingecko"], coinGeckoUrl: `${new URL(host.rpcUrl).origin}/coingecko/api/v3` }
    })
    const walletAddress = await host.wallet(countersign, 11)
    const { leftOut, points } = await countersign.portfolio.chart(walletAddress, { timerange: "1m" })
    assert.deepStrictEqual(leftOut, [])
    assert.isAtLeast(points.length, 50)
    assert.isAbove(Number(points[0]!.valueUsd), 0)
    const unpricedService = await Countersign.open(host.options())
    const unpricedChart = await unpricedService.portfolio.chart(walletAddress, { timerange: "1m" })
    await unpricedService.close()
    assert.isAbove(unpricedChart.leftOut.length, 0)
    assert.isTrue(unpricedChart.points.every(({ valueUsd }) => valueUsd === null))
  })

  it("continues work that was pending when it was closed", async () => {
    const options = host.options()
    const firstService = await Countersign.open(options)
    const walletAddress = await host.wallet(firstService, 2)
    const transfer = await firstService.transfer.quote(transferOf(walletAddress))
    await firstService.userOperations.execute(await host.signed(transfer))
    const waitingFailure = failureOf(firstService.userOperations.wait(transfer.userOperationHash))
    await Promise.all([firstService.close(), firstService.close()])
    assert.strictEqual((await waitingFailure).id, "CLOSED")
    assert.strictEqual((await failureOf(itemsOf(firstService.wallets.list()))).id, "CLOSED")
    for await (const event of firstService.events()) assert.fail(event.type)

    await using secondService = await Countersign.open(options)
    assert.strictEqual(secondService.projectId, firstService.projectId)
    const transaction = await secondService.userOperations.wait(transfer.userOperationHash, { timeoutMs: 120_000 })
    assert.strictEqual(transaction.status, "COMPLETED")
  })

  it("continues operations that a killed process had accepted", async () => {
    const options = host.options()
    await using preparingService = await Countersign.open({ ...options, workers: false })
    const walletAddress = await host.wallet(preparingService, 9)
    const transfer = await preparingService.transfer.quote(transferOf(walletAddress))
    const task = JSON.stringify({ options, body: await host.signed(transfer) })
    const sources = join(import.meta.dirname, "../../../cli/src/sources.mjs")
    const script = join(import.meta.dirname, "killedHost.ts")
    const killedProcess = spawn(process.execPath, [`--import=${sources}`, script, task], { stdio: "inherit" })
    const [, signal] = await once(killedProcess, "exit")
    assert.strictEqual(signal, "SIGKILL")
    await using reopenedService = await Countersign.open(options)
    const transaction = await reopenedService.userOperations.wait(transfer.userOperationHash, { timeoutMs: 120_000 })
    assert.strictEqual(transaction.status, "COMPLETED")
  })

  it("only prepares and accepts without workers, and another process with workers executes", async () => {
    const options = host.options()
    await using preparingService = await Countersign.open({ ...options, workers: false })
    const walletAddress = await host.wallet(preparingService, 3)
    const transfer = await preparingService.transfer.quote(transferOf(walletAddress))
    await preparingService.userOperations.execute(await host.signed(transfer))
    const hash = transfer.userOperationHash
    assert.strictEqual(
      (await failureOf(preparingService.userOperations.wait(hash, { timeoutMs: 300 }))).id,
      "WAIT_TIMEOUT"
    )
    const abortSignal = AbortSignal.timeout(300)
    const reason = await preparingService.userOperations
      .wait(hash, { signal: abortSignal })
      .catch((thrown: unknown) => thrown)
    assert.strictEqual(reason, abortSignal.reason)
    await using reopenedService = await Countersign.open(options)
    assert.strictEqual((await preparingService.userOperations.wait(hash, { timeoutMs: 120_000 })).status, "COMPLETED")
    assert.strictEqual((await failureOf(Countersign.open(options))).id, "DATABASE_IN_USE")
    assert.strictEqual(reopenedService.projectId, preparingService.projectId)
  })

  it("needs only a database file and a node to prepare, and reports what is missing for more", async () => {
    await using countersign = await Countersign.open({
      database: ":memory:",
      chains: { 1: { rpcUrl: host.rpcUrl } },
      logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
    })
    const walletAddress = await host.wallet(countersign, 4)
    const quote = await countersign.swap.quote(swapOf(walletAddress, { payGasFeeToken: NATIVE }))
    assert.strictEqual(quote.revertReason, undefined)
    const refusal = await failureOf(countersign.userOperations.execute(await host.signed(quote)))
    assert.strictEqual(refusal.id, "UPSTREAM_UNAVAILABLE")
    assert.include(refusal.message, "no bundler is configured")
    const webhookFailure = await failureOf(countersign.webhooks.create({ url: "https://example.com/" }))
    assert.strictEqual(webhookFailure.id, "SECRET_KEY_NOT_SET")
    assert.include(webhookFailure.message, "secretsKey")
  })

  it("isolates projects from each other", async () => {
    await using countersign = await Countersign.open(host.options({ workers: false }))
    const project = await countersign.projects.create({ name: "Shop" })
    const shop = countersign.project(project.id)
    const walletAddress = await host.wallet(shop, 5)
    assert.strictEqual((await itemsOf(shop.wallets.list())).length, 1)
    assert.strictEqual((await itemsOf(countersign.wallets.list())).length, 0)
    const id = "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT"
    assert.strictEqual((await failureOf(countersign.wallets.get(walletAddress))).id, id)
    const projects = await countersign.projects.list()
    assert.deepStrictEqual(
      projects.map(({ name }) => name),
      ["default", "Shop"]
    )
    const treasury = `0x${"ab".repeat(20)}`
    assert.strictEqual((await countersign.projects.update(project.id, { treasury })).treasury, treasury)
    assert.strictEqual((await failureOf(countersign.projects.get("nobody"))).id, "PROJECT_NOT_FOUND")
    assert.strictEqual(
      (await failureOf(Countersign.open(host.options({ project: shop.projectId })))).id,
      "PROJECT_NOT_FOUND"
    )
  })

  it("fails with the error ids and messages of the API, and names every problem of a request", async () => {
    await using countersign = await Countersign.open(host.options({ workers: false }))
    const walletAddress = await host.wallet(countersign, 6)
    const wrongRequest = swapOf(walletAddress, { amountIn: "1e3", slippage: 100, routeProfil: "BEST_OUTPUT" })
    const { id, problems } = await failureOf(countersign.swap.quotes(wrongRequest))
    assert.strictEqual(id, "BAD_REQUEST")
    assert.sameMembers(
      problems.map(({ path }) => path),
      ["amountIn", "slippage", "routeProfil"]
    )
    const takeFailure = await failureOf(itemsOf(countersign.history.list(walletAddress, { take: 1_000 })))
    assert.deepStrictEqual(
      takeFailure.problems.map(({ path }) => path),
      ["take"]
    )
    const unlistedFailure = await failureOf(
      countersign.swap.quotes(swapOf(walletAddress, { tokenOut: `0x${"12".repeat(20)}` }))
    )
    assert.strictEqual(unlistedFailure.id, "NOT_AUTHORIZED_TOKENS")
    const transfer = await countersign.transfer.quote(transferOf(walletAddress))
    const forgedExecution = { userOperationHash: transfer.userOperationHash, signature: `0x${"11".repeat(65)}` }
    assert.strictEqual((await failureOf(countersign.userOperations.execute(forgedExecution))).id, "INVALID_SIGNATURE")
    const unknownOperation = await failureOf(countersign.userOperations.get(`0x${"00".repeat(32)}`))
    assert.strictEqual(unknownOperation.id, "USER_OPERATION_NOT_FOUND")
    assert.strictEqual((await failureOf(countersign.webhooks.get("whk_none"))).id, "WEBHOOK_NOT_FOUND")
    const iteration = (async () => {
      for await (const event of countersign.events({ after: "yesterday" })) assert.fail(event.type)
    })()
    assert.strictEqual((await failureOf(iteration)).problems[0]!.path, "after")
  })

  it("exports tax data, mails it if mail is configured, and otherwise rejects schedules", async () => {
    const month = new Date().toISOString().slice(0, 7)
    const schedule = {
      email: "owner@example.com",
      individual: { type: "individual", individualId: "7" },
      recurrencePreset: "MONTHLY_START"
    } as const
    {
      await using withoutWorkers = await Countersign.open(host.options({ workers: false }))
      const walletAddress = await host.wallet(withoutWorkers, 71)
      const refusal = await failureOf(withoutWorkers.tax.schedule(walletAddress, schedule))
      assert.strictEqual(refusal.id, "FAILED_TO_PUBLISH_TAX_EXPORT_SCHEDULE_MESSAGE")
      assert.include(refusal.message, "no mail server configured")
      const mailFailure = await failureOf(
        withoutWorkers.tax.export(walletAddress, { month, timezone: "UTC", email: schedule.email })
      )
      assert.strictEqual(mailFailure.problems[0]!.path, "email")
    }
    const folder = mkdtempSync(join(tmpdir(), "countersign-mail-"))
    await using countersign = await Countersign.open(host.options({ workers: false, mail: { folder } }))
    const walletAddress = await host.wallet(countersign, 71)
    await countersign.tax.schedule(walletAddress, schedule)
    const secondFailure = await failureOf(countersign.tax.schedule(walletAddress, schedule))
    assert.strictEqual(secondFailure.id, "TAX_EXPORT_SCHEDULE_ALREADY_EXISTS")
    const schedules = await countersign.tax.schedules(walletAddress)
    assert.deepStrictEqual([schedules.length, schedules[0]!.email], [1, schedule.email])
    await countersign.tax.removeSchedule(walletAddress)
    await countersign.tax.removeSchedule(walletAddress)
    const unknownWalletFailure = await failureOf(countersign.tax.removeSchedule(host.owner))
    assert.strictEqual(unknownWalletFailure.id, "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT")
    const response = await countersign.tax.export(
      walletAddress,
      { month, timezone: "UTC", email: schedule.email },
      { format: ["koinly"] }
    )
    assertPlain(response)
    assert.deepStrictEqual([response.mailed, response.files.length], [true, 1])
    assert.strictEqual(readdirSync(folder).length, 1)
    rmSync(folder, { recursive: true })

    const server = await startMailServer()
    const mail = { smtpUrl: server.url, from: "tax@countersign.example" }
    await using smtp = await Countersign.open(host.options({ workers: false, mail }))
    await host.wallet(smtp, 71)
    const send = () => smtp.tax.export(walletAddress, { month, timezone: "UTC", email: schedule.email })
    server.refuse({ to: "RCPT TO", code: 451 })
    const temporaryFailure = await failureOf(send())
    assert.strictEqual(temporaryFailure.id, "UPSTREAM_UNAVAILABLE")
    assert.match(
      temporaryFailure.message,
      /Mail server is unavailable: the mail server rejected the recipient with SMTP status 451/u
    )
    server.refuse({ to: "RCPT TO", code: 550 })
    const permanentFailure = await failureOf(send())
    assert.deepStrictEqual([permanentFailure.id, permanentFailure.problems[0]!.path], ["BAD_REQUEST", "email"])
    assert.notInclude(temporaryFailure.message + permanentFailure.message, "@")
    server.refuse(null)
    await send()
    assert.deepStrictEqual(
      server.mails.map(({ attachments, to }) => [to, attachments.length]),
      [[[schedule.email], 4]]
    )
    await server.close()
  })

  it("rejects unknown or malformed options, names each, and repeats no secret", async () => {
    const openError = async (changes: Record<string, unknown>) => {
      const { id, message, problems } = await failureOf(
        Countersign.open({ ...host.options(), ...changes } as CountersignOptions)
      )
      assert.strictEqual(id, "OPTION_INVALID")
      assert.include(message, problems[0]!.path)
      return problems.map(({ message: text, path }) => `${path}: ${text}`)
    }
    assert.deepStrictEqual(await openError({ chain: {}, secretKey: "x" }), [
      "chain: There is no such option. Did you mean chains?",
      "secretKey: There is no such option. Did you mean secretsKey?"
    ])
    assert.match((await openError({ database: 5 }))[0]!, /^database: Expected a path/u)
    assert.match((await openError({ chains: {} }))[0]!, /^chains: Expected at least one chain/u)
    assert.match((await openError({ chains: { 5: { rpcUrl: "http://x" } } }))[0]!, /^chains\.5: Expected the id/u)
    assert.match(
      (await openError({ chains: { 1: { rpcUrl: "x" } } }))[0]!,
      /^chains\.1\.rpcUrl: Expected a list of http/u
    )
    const secret = `0x${"5e".repeat(31)}`
    const keyProblems = await openError({ bundler: { operatorKeys: { "0.7": secret, "0.8": [secret] } } })
    assert.strictEqual(keyProblems.length, 2)
    assert.notInclude(keyProblems.join(), "5e5e")
    const operatorKey = `0x${"11".repeat(32)}`
    const sharedKeyProblems = await openError({ bundler: { operatorKeys: { "0.7": operatorKey, "0.8": operatorKey } } })
    assert.match(sharedKeyProblems[0]!, /^bundler\.operatorKeys\.0\.8/u)
    assert.match((await openError({ quotes: { seconds: 0 } }))[0]!, /^quotes\.seconds: Expected a whole number from 1/u)
    assert.match((await openError({ providers: [{ id: "x" }] }))[0]!, /^providers\[0\]: Expected "UNISWAP_V3"/u)
    for (const [mail, path] of [
      [{ folder: "" }, "folder"],
      [{ smtpUrl: "http://geheim", from: "a@example.com" }, "smtpUrl"],
      [{ smtpUrl: "smtp://geheim@x", from: "a" }, "from"],
      [{ smtpUrl: "smtp://geheim@x" }, "from"]
    ] as const) {
      const [problem] = await openError({ mail })
      assert.match(problem!, new RegExp(`^mail\\.${path}: `, "u"))
      assert.notInclude(problem!, "geheim")
    }
    const incompleteError = await openError({ fiat: { blindPay: { apiKey: "geheim" } } })
    assert.deepStrictEqual(incompleteError, [
      "fiat.blindPay.instanceId: This is not set, and fiat.blindPay.apiKey requires it."
    ])
    const marketProblems = await openError({
      marketData: { sources: ["coinmarketcap"], coinGeckoUrl: "x", coinGeckoKey: "" }
    })
    assert.deepStrictEqual(
      marketProblems.map((problem) => problem.split(":")[0]),
      ["marketData.sources", "marketData.coinGeckoUrl", "marketData.coinGeckoKey"]
    )
    const aggregatorProblems = await openError({ aggregators: { names: ["oneinch"], timeoutMs: 1, liFiUrl: "x" } })
    assert.deepStrictEqual(
      aggregatorProblems.map((problem) => problem.split(":")[0]),
      ["aggregators.names", "aggregators.timeoutMs", "aggregators.liFiUrl"]
    )
    assert.match((await openError({ logger: {} }))[0]!, /^logger: Expected/u)
    assert.match((await openError({ paymaster: undefined, firstUseOfGasToken: "paid" }))[0]!, /^firstUseOfGasToken/u)
  })

  it("requests offers from swap providers of the host, and survives their failures", async () => {
    const wrapProvider: HostSwapProvider = {
      id: "WRAP",
      name: "Wrapper",
      offer: ({ amountIn, tokenIn, tokenOut }) =>
        tokenIn.address !== NATIVE || tokenOut.address !== WETH
          ? null
          : {
              amountOut: amountIn,
              calls: () => [{ to: WETH, value: amountIn, data: "0xd0e30db0", summary: "Wrap ether" }]
            }
    }
    const badProvider = (id: string, provider: Partial<HostSwapProvider>): HostSwapProvider =>
      ({ id, name: id, offer: () => null, ...provider }) as HostSwapProvider
    const lines: Array<string> = []
    const addLine = (message: string) => void lines.push(message)
    await using countersign = await Countersign.open(
      host.options({
        workers: false,
        quotes: { providerTimeoutMs: 1_500 },
        logger: { debug: () => {}, info: () => {}, warn: addLine, error: addLine },
        providers: [
          wrapProvider,
          badProvider("THROWS", {
            offer: () => {
              throw new Error("secret of the host")
            }
          }),
          badProvider("HANGS", { offer: () => new Promise(() => {}) }),
          badProvider("LIES", { offer: () => ({ amountOut: -1n, calls: () => [] }) }),
          badProvider("NO_CALLS", { offer: () => ({ amountOut: 10n ** 30n, calls: () => [] }) }),
          badProvider("NOT_HERE", {
            serves: () => {
              throw new Error("no")
            }
          })
        ]
      })
    )
    const walletAddress = await host.wallet(countersign, 7)
    const quotes = await countersign.swap.quotes(
      swapOf(walletAddress, {
        tokenIn: NATIVE,
        amountIn: "0.5",
        payGasFeeToken: NATIVE,
        routeProfile: "BEST_OUTPUT"
      })
    )
    assert.deepStrictEqual(
      quotes.map(({ amountOut, revertReason, swapProvider }) => [swapProvider, amountOut, revertReason]),
      [["WRAP", "0.5", undefined]]
    )
    const refusals = Object.fromEntries(quotes[0]!.candidates.map(({ provider, refusal }) => [provider, refusal]))
    assert.deepStrictEqual(Object.keys(refusals).sort(), ["HANGS", "LIES", "NO_CALLS", "THROWS", "WRAP"])
    assert.include(refusals.HANGS, "no response within")
    assert.include(refusals.LIES, "its result is not a valid offer")
    assert.include(refusals.NO_CALLS, "not valid")
    assert.include(refusals.THROWS, "it failed")
    assert.notInclude(refusals.THROWS, "secret")
    assert.include(lines, "a swap provider of the host failed")
  })

  it("tracks a swap to another chain with the host's provider", async () => {
    const rpcUrl = host.rpcUrlOf(10)
    const otherChainClient = createPublicClient({ transport: viemHttp(rpcUrl) })
    const bridge: HostSwapProvider = {
      id: "HOST_BRIDGE",
      name: "The host's bridge",
      serves: ({ chainIdIn, chainIdOut }) => chainIdIn !== chainIdOut,
      offer: ({ amountIn }) => ({
        amountOut: amountIn,
        executionSeconds: 60,
        calls: () => [{ to: WETH, value: amountIn, data: "0xd0e30db0", summary: "Deposit ether at the bridge" }]
      }),
      follow: {
        status: async ({ minAmountOut }) => {
          const { hash, number } = await otherChainClient.getBlock()
          const transactionHash = `0x${"ab".repeat(32)}`
          return { status: "ARRIVED", transactionHash, blockNumber: number, blockHash: hash, amount: minAmountOut }
        }
      }
    }
    await using countersign = await Countersign.open(
      host.options({ chains: { 1: { rpcUrl: host.rpcUrl }, 10: { rpcUrl } }, providers: [bridge] })
    )
    const walletAddress = await host.wallet(countersign, 9)
    const quotes = await countersign.swap.quotes(
      swapOf(walletAddress, {
        chainIdOut: 10,
        tokenIn: NATIVE,
        tokenOut: NATIVE,
        amountIn: "0.5",
        payGasFeeToken: NATIVE
      })
    )
    assert.deepStrictEqual(
      quotes.map(({ swapProvider }) => swapProvider),
      ["HOST_BRIDGE"]
    )
    const execution = await countersign.execute(await host.signedQuote(quotes[0]!))
    const transaction = await countersign.wait(execution, { timeoutMs: 120_000 })
    assert.deepStrictEqual(
      [transaction.status, transaction.substatus, transaction.type],
      ["COMPLETED", "FILLED", "CROSS_SWAP"]
    )
    assert.strictEqual(transaction.receivedAmount?.amount, quotes[0]!.minAmountOut)
  })

  it("works on a Postgres pool of the host with several instances, and does not close the pool", async () => {
    const databaseName = `library_pool_${randomUUID().replaceAll("-", "")}`
    const runAsAdmin = async (statement: string) => {
      const admin = new pg.Client(await postgresUrl())
      await admin.connect()
      await admin.query(statement)
      await admin.end()
    }
    await runAsAdmin(`create database ${databaseName}`)
    const pool = new pg.Pool({
      connectionString: (await postgresUrl()).replace("/postgres?", `/${databaseName}?`),
      max: 8
    })
    // `DROP DATABASE … WITH (FORCE)` below can close a connection before the pool does. Then the pool reports an error.
    pool.on("error", () => undefined)
    {
      const options = host.options({ database: { pool } })
      const [one, two] = await Promise.all([Countersign.open(options), Countersign.open(options)])
      await using firstService = one
      await using otherService = two
      assert.strictEqual(firstService.projectId, otherService.projectId)
      const walletAddress = await host.wallet(firstService, 8)
      const events = eventsUntilCompleted(otherService)
      const transfer = await otherService.transfer.quote(transferOf(walletAddress))
      await firstService.userOperations.execute(await host.signed(transfer))
      const transaction = await otherService.userOperations.wait(transfer.userOperationHash, { timeoutMs: 120_000 })
      assert.strictEqual(transaction.status, "COMPLETED")
      assert.strictEqual((await events).at(-1)!.data.id, transaction.id)
    }
    assert.strictEqual((await pool.query("select 1 as one")).rows[0].one, 1)
    assert.strictEqual(pool.idleCount, pool.totalCount)
    await pool.end()
    // FORCE is necessary, because the server closes its connections only after the pool has ended.
    await runAsAdmin(`drop database ${databaseName} with (force)`)
  })

  it("does not change a folder of the host, and makes the database readable to its user only", async () => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-app-"))
    chmodSync(folder, 0o755)
    const database = join(folder, "countersign.db")
    await using _ = await Countersign.open(host.options({ database }))
    assert.deepStrictEqual(
      [folder, database].map((path) => statSync(path).mode & 0o777),
      [0o755, 0o600]
    )
    rmSync(folder, { recursive: true })
  })

  it("works on stores of the host", async () => {
    const stores = layerSqlite(":memory:")
    await using countersign = await Countersign.open(host.options({ database: { stores }, workers: false }))
    assert.strictEqual((await countersign.projects.list()).length, 1)
  })

  it("logs to the host's logger, and survives a logger that throws", async () => {
    const lines: Array<readonly [string, string]> = []
    const logger: HostLogger = {
      debug: () => {},
      info: () => {},
      warn: (message) => void lines.push(["warn", message]),
      error: (message, fields) => {
        lines.push(["error", `${message} ${Object.keys(fields)}`])
        throw new Error("full")
      }
    }
    const program = Effect.gen(function* () {
      yield* Effect.logWarning("late", { seconds: 5 })
      yield* Effect.logError("lost", { hash: "0x1" }, new Error("gone")).pipe(Effect.annotateLogs({ chain: 1 }))
    })
    await Effect.runPromise(Effect.provide(program, Countersign.layer(host.options({ workers: false, logger }))))
    assert.deepStrictEqual(lines, [
      ["warn", "late"],
      ["error", "lost hash,error,chain"]
    ])
  })

  it("uses the clock of the host", async () => {
    const now = Date.UTC(2031, 0, 1)
    await using countersign = await Countersign.open(host.options({ workers: false, clock: () => now }))
    const project = await countersign.projects.get(countersign.projectId)
    assert.strictEqual(project.createdAt, "2031-01-01T00:00:00.000Z")
  })

  it("provides the same services as an Effect layer", async () => {
    const program = Projects.use((projects) => projects.create("Effect", null))
    const project = await Effect.runPromise(
      Effect.provide(program, Countersign.layer({ database: ":memory:", chains: { 1: { rpcUrl: host.rpcUrl } } }))
    )
    assert.strictEqual(project.name, "Effect")
    const wrongLayer = Countersign.layer({ database: "", chains: {} })
    const error = await Effect.runPromise(Effect.flip(Effect.provide(program, wrongLayer)))
    assert.strictEqual((error as CountersignError).id, "OPTION_INVALID")
  })

  it("returns events of an extension's kind as its serializer defines", async () => {
    const depositEvents = eventKind("deposit", ["ramp.deposit.settled"], Schema.Struct({ cents: Schema.Int }))
    const serializer = resourceSerializer(
      depositEvents,
      Effect.succeed(({ cents }) => Effect.succeed({ amount: (cents / 100).toFixed(2) }))
    )
    const services = Layer.provide(
      Countersign.layer({ database: ":memory:", chains: { 1: { rpcUrl: host.rpcUrl } } }),
      Layer.succeed(Extensions, [{ eventSerializers: [serializer] }])
    )
    const event = depositEvents.eventOf({
      projectId: ProjectId.make(crypto.randomUUID()),
      type: "ramp.deposit.settled",
      id: "1",
      at: DateTime.makeUnsafe(0),
      previousStatus: null,
      resource: { cents: 1_050 }
    })
    const storedEvent = { ...event, id: EventId.make("msg_1"), sequence: 1 }
    const serializedEvent = EventSerializer.use(({ serialize }) => serialize(storedEvent))
    assert.deepStrictEqual(await Effect.runPromise(Effect.provide(serializedEvent, services)), { amount: "10.50" })
  })

  it("reports a database that it cannot open with one type of error", async () => {
    const error = await failureOf(Countersign.open(host.options({ database: "postgresql://nobody@127.0.0.1:1/none" })))
    assert.strictEqual(error.id, "DATABASE_UNUSABLE")
    assert.match(error.message, /^The database /u)
  })
})
