import {
  BadRequestError,
  type Client,
  CountersignError,
  createClient,
  NotAllowedError,
  type Signer,
  signQuote,
  verifyWebhook
} from "@countersign/http/client"
import { type AnyQuote, type AnyRequest, verifyQuote } from "@countersign/http/verify"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createWalletClient, custom, type EIP1193RequestFn, parseUnits } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { NATIVE, registerOneOfEachKind, type TestWallet, USDC } from "../support/accounts.ts"
import { startTestService, type TestService } from "../support/testService.ts"
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhookReceiver.ts"
import { forgeFirstOperation } from "../verify/forger.ts"

/**
 * Tests all steps of a client on the sandbox, for each account type. The first use of a gas token is paid in advance,
 * so that quotes contain one or two operations. The requests and responses need no type assertion, because their types
 * come from the OpenAPI document.
 */

let service: TestService
let receiver: WebhookReceiver
let client: Client
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  service = await startTestService({
    firstUseOfGasToken: "PAID",
    webhooks: { allowPrivateTargets: true, timeoutMs: 30_000 }
  })
  receiver = await startWebhookReceiver()
  wallets = await registerOneOfEachKind(service)
  client = createClient({ url: service.baseUrl, apiKey: service.apiKey })
})
afterAll(async () => {
  receiver.stop()
  await service.stop()
})

const swapRequestOf = (wallet: TestWallet) => ({
  walletAddress: wallet.address,
  toAddress: wallet.address,
  chainIdIn: 1 as const,
  chainIdOut: 1 as const,
  tokenIn: USDC,
  tokenOut: NATIVE,
  amountIn: "50",
  payGasFeeToken: USDC,
  gasFeePaymentMethod: "ADD_TO_AMOUNT" as const
})

const problemsOf = (wallet: TestWallet, request: AnyRequest, quote: AnyQuote) => {
  const verification = verifyQuote({
    request,
    quote,
    account: accountOf(wallet),
    trust: { decimals: { [USDC]: 6 }, paymasters: Object.values(service.chains.paymasters) }
  })
  return verification.ok ? [] : verification.problems.map(({ code }) => code)
}

const accountOf = ({ address, factory, owner }: TestWallet) => ({
  walletAddress: address,
  factory,
  externallyOwnedAccount: owner,
  salt: 0
})

/** Creates a signer like a browser wallet, which signs through EIP-1193 and does not reveal the key. */
const pageSignerOf = ({ privateKey }: TestWallet): Signer => {
  const account = privateKeyToAccount(privateKey)
  const request: EIP1193RequestFn = async ({ method, params }: { method: string; params?: unknown }) => {
    const [first, second] = Array.isArray(params) ? params : []
    if (method === "personal_sign") return account.signMessage({ message: { raw: first } }) as never
    if (method === "eth_signTypedData_v4") return account.signTypedData(JSON.parse(second)) as never
    throw new Error(`a page's wallet has no ${method}`)
  }
  return createWalletClient({ account: account.address, transport: custom({ request }) })
}

describe.each(["SimpleAccount 0.7", "SimpleAccount 0.8", "Safe 1.4.1", "Simple7702Account"])("a %s", (kind) => {
  const findWallet = () => wallets.find(({ name }) => name === kind)!

  it("registers, quotes, signs, executes, waits, and reads its history", async () => {
    const knownWallet = findWallet()
    const registeredWallet = await client.wallets.address({
      externallyOwnedAccount: knownWallet.owner,
      factory: knownWallet.factory,
      eip7702: knownWallet.eip7702
    })
    assert.strictEqual(registeredWallet.walletAddress, knownWallet.address)

    const request = { ...swapRequestOf(knownWallet), metadata: { order: kind } }
    const quote = await client.swap.quote(request)
    assert.deepStrictEqual(problemsOf(knownWallet, request, quote), [])
    assert.isUndefined(quote.revertReason)
    const operations = quote.signData.filter(({ type }) => type === "USER_OPERATION")
    assert.lengthOf(operations, 2)
    const forgedQuote = forgeFirstOperation(
      { account: accountOf(knownWallet), quote },
      { to: USDC, value: 1n, data: "0x" }
    )
    assert.deepStrictEqual(problemsOf(knownWallet, request, forgedQuote), [
      "unknown_call",
      "pays_too_much",
      "pays_somebody_else"
    ])
    const reversedQuote = {
      ...quote,
      userOperations: quote.userOperations.toReversed(),
      signData: quote.signData.toReversed()
    }
    assert.include(problemsOf(knownWallet, request, reversedQuote), "wrong_nonce")
    // The gas fee is the sum of both operations.
    const spentUsdc = quote.preview.assetChanges.find(({ token }) => token === USDC)
    const expectedAmount = parseUnits("50", 6) + parseUnits(quote.estimatedGasFees.gasFeeTokenAmount, 6)
    assert.strictEqual(parseUnits(spentUsdc!.amount, 6), -expectedAmount)
    const execution = await client.execute(await quote.sign(privateKeyToAccount(knownWallet.privateKey)))
    const transaction = await client.wait(execution, { interval: 50 })
    assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction.failure))
    assert.strictEqual(transaction.id, execution.transactionId)
    assert.strictEqual(transaction.receivedAmount?.amount, quote.amountOut)

    const history = []
    for await (const historyEntry of client.history.list(knownWallet.address, { take: 1, type: ["SWAP"] }))
      history.push(historyEntry.metadata.order)
    assert.deepStrictEqual(history, [kind])
  })

  it("signs with a browser wallet too, and reads its history page by page", async () => {
    const knownWallet = findWallet()
    const { transfer } = client
    const { walletAddress, payGasFeeToken, gasFeePaymentMethod } = swapRequestOf(knownWallet)
    const request = {
      walletAddress,
      payGasFeeToken,
      gasFeePaymentMethod,
      chainId: 1 as const,
      token: USDC,
      amount: "5",
      toAddress: knownWallet.owner
    }
    const quote = await transfer.quote(request)
    assert.deepStrictEqual(problemsOf(knownWallet, request, quote), [])
    assert.lengthOf(quote.signData, 1)
    const execution = await client.execute(await signQuote(quote, pageSignerOf(knownWallet)))
    assert.strictEqual((await client.wait(execution, { interval: 50 })).status, "COMPLETED")
    const types = []
    for await (const { type } of client.history.list(knownWallet.address, { take: 1 })) types.push(type)
    assert.deepStrictEqual(types, ["TRANSFER", "SWAP"])
  })
})

describe("the client", () => {
  it("receives events from webhooks that it creates and verifies", async () => {
    const { secret, webhook } = await client.webhooks.create({ url: receiver.url("/client") })
    const delivery = await client.webhooks.test(webhook.id)
    const [receivedEvent] = await receiver.waitFor("/client", 1)
    const event = await verifyWebhook({ body: receivedEvent!.text, headers: receivedEvent!.headers, secret })
    assert.strictEqual(event.type === "webhook.test" && event.data.webhookId, webhook.id)
    const deliveries = []
    for await (const { id } of client.webhooks.deliveries(webhook.id)) deliveries.push(id)
    assert.deepStrictEqual(deliveries, [delivery.id])
    const rotation = await client.webhooks.rotate(webhook.id, { overlapSeconds: 0 })
    assert.notStrictEqual(rotation.secret, secret)
    await client.webhooks.remove(webhook.id)
    await client.webhooks.remove(webhook.id)
    assert.deepStrictEqual(await client.webhooks.list(), [])
  })

  it("schedules tax exports, and requests one immediately", async () => {
    const { address } = wallets[0]!
    const request = {
      email: "owner@example.com",
      individual: { type: "individual" as const, individualId: "7" },
      recurrencePreset: "MONTHLY_START" as const
    }
    assert.strictEqual(await client.tax.schedule(address, request), undefined)
    const [schedule] = await client.tax.schedules(address)
    assert.deepStrictEqual([schedule!.email, schedule!.timezone], ["owner@example.com", "America/Sao_Paulo"])
    await client.tax.removeSchedule(address)
    await client.tax.removeSchedule(address)
    const removalPromise = client.tax.removeSchedule(`0x${"00".repeat(19)}a1`)
    const refusal = await removalPromise.catch((error: unknown) => error)
    assert.instanceOf(refusal, CountersignError)
    assert.strictEqual(refusal.id, "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT")
    assert.deepStrictEqual(await client.tax.schedules(address), [])
    // The Brazilian report IN RFB 1888 ended with this month.
    const month = "2026-06"
    const { files } = await client.tax.export(address, { month, timezone: "UTC" }, { format: ["koinly", "in1888"] })
    assert.deepStrictEqual(
      files.map(({ format }) => format),
      ["koinly", "in1888"]
    )
  })

  it("gets the secret of a webhook, also if only a repeated response arrives", async () => {
    let lostCount = 0
    const lossyClient = createClient({
      url: service.baseUrl,
      apiKey: service.apiKey,
      fetch: async (...request) => {
        const response = await fetch(...request)
        if (lostCount++ === 0) throw new TypeError("connection reset")
        return response
      }
    })
    const { secret, webhook } = await lossyClient.webhooks.create({ url: receiver.url("/lost") })
    assert.match(secret, /^whsec_/u)
    assert.strictEqual((await client.webhooks.list()).length, 1)
    await client.webhooks.test(webhook.id)
    const [receivedEvent] = await receiver.waitFor("/lost", 1)
    await verifyWebhook({ body: receivedEvent!.text, headers: receivedEvent!.headers, secret })
    await client.webhooks.remove(webhook.id)
  })

  it("executes once, however many responses are lost", async () => {
    const wallet = wallets[0]!
    let lostCount = 0
    const lossyClient = createClient({
      url: service.baseUrl,
      apiKey: service.apiKey,
      fetch: async (...request) => {
        const response = await fetch(...request)
        if (lostCount++ % 2 === 0) throw new TypeError("connection reset")
        return response
      }
    })
    const quote = await lossyClient.swap.quote(swapRequestOf(wallet))
    const execution = await lossyClient.execute(await quote.sign(privateKeyToAccount(wallet.privateKey)))
    assert.strictEqual((await lossyClient.wait(execution, { interval: 50 })).status, "COMPLETED")
    const hashes = []
    for await (const { userOperationHash } of client.history.list(wallet.address)) hashes.push(userOperationHash)
    assert.deepStrictEqual(
      hashes.filter((hash) => hash === quote.userOperationHash),
      [quote.userOperationHash]
    )
  })

  it("fails with the service's error", async () => {
    const refusal = await client.swap
      .quote({ ...swapRequestOf(wallets[0]!), amountIn: "-1" })
      .catch((error: unknown) => error)
    assert.instanceOf(refusal, BadRequestError)
    assert.strictEqual(refusal.problems[0]?.path, "body.amountIn")
    const page = await fetch(refusal.docUrl!)
    assert.include(await page.text(), `id="${refusal.id}"`)
    const unauthorizedClient = createClient({ url: `${service.baseUrl}/`, apiKey: "cs_wrong" })
    assert.instanceOf(await unauthorizedClient.catalog.chains().catch((error: unknown) => error), NotAllowedError)
  })

  it("reads wallets in pages or all at once, and the balances of one", async () => {
    const allWallets = await Array.fromAsync(client.wallets.list())
    const addresses = allWallets.map(({ walletAddress }) => walletAddress)
    assert.sameMembers(
      addresses,
      wallets.map(({ address }) => address)
    )
    const pagedAddresses = []
    for await (const { walletAddress } of client.wallets.list({ take: 1 })) pagedAddresses.push(walletAddress)
    assert.deepStrictEqual(pagedAddresses, addresses)
    const { tokens, unread } = await client.portfolio.get(wallets[0]!.address, { includeTokens: true })
    assert.deepStrictEqual(unread, [])
    assert.isTrue(tokens.some(({ symbol }) => symbol === "USDC"))
  })

  it("reads the supported chains, tokens and providers", async () => {
    assert.lengthOf(await client.catalog.chains(), 10)
    assert.lengthOf(await client.wallets.factories(), 4)
    const { tokens } = await client.catalog.tokens({ search: "usdc", chains: [1, 8453] })
    assert.sameMembers(
      tokens.map(({ chainId }) => chainId),
      [1, 8453]
    )
    assert.deepStrictEqual(
      await client.wallets.replaceMetadata(wallets[0]!.address, { metadata: { a: "b" } }).then((w) => w.metadata),
      {
        a: "b"
      }
    )
  })
})

it("quotes a batch, with the result of each element by its type", async () => {
  const wallet = wallets[1]!
  const gasFields = { payGasFeeToken: USDC, gasFeePaymentMethod: "ADD_TO_AMOUNT" } as const
  const batch = await client.batch.quote({
    walletAddress: wallet.address,
    chainId: 1,
    operations: [
      { type: "swap", params: { amountIn: "20", tokenIn: USDC, tokenOut: NATIVE, ...gasFields } },
      { type: "transfer", params: { amount: "5", token: USDC, toAddress: wallet.owner, ...gasFields } }
    ]
  })
  const results = batch.operations.map((result) =>
    result.type === "swap" ? result.swap.amountOut : result.transfer.amount
  )
  assert.strictEqual(results[1], "5")
  const execution = await client.execute(await batch.sign(privateKeyToAccount(wallet.privateKey)))
  assert.strictEqual((await client.wait(execution, { interval: 50 })).type, "BATCH")
})
