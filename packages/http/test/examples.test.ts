import { EXAMPLE_INDIVIDUAL } from "@countersign/adapters/sandbox"
import { IndividualId, VerifiedIndividuals } from "@countersign/core/identity"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { parseUnits } from "viem"
import { waitUntilTrue } from "../../core/test/support/until.ts"
import { registerOneOfEachKind, swapOf, type TestWallet, USDC, WETH } from "./support/accounts.ts"
import { balanceOf } from "./support/balances.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/**
 * Sends the examples of the API reference unchanged to a sandbox. Compares the reference's statements about gas with
 * the chain.
 */

let service: TestService
let wallets: ReadonlyArray<TestWallet>

/** Registers the wallet of the examples: another account of the first owner. */
const registerWalletOfExamples = async (): Promise<TestWallet> => {
  const { body } = await service.request("GET", "/api/v1/wallets/factories")
  const { eip7702, factory, name } = body.factories[0]
  const owner = service.chains.keys.owners[0]!
  const request = { externallyOwnedAccount: owner.address, factory, salt: "1000000" }
  const registration = await service.request("POST", "/api/v1/wallets/register", request)
  const address = registration.body.wallet.walletAddress
  await service.fund(address, USDC, 1_000_000_000_000n)
  return {
    name: `${name}, of the examples`,
    address,
    owner: owner.address,
    privateKey: owner.privateKey,
    factory,
    eip7702
  }
}

beforeAll(async () => {
  service = await startTestService({ webhooks: { allowPrivateTargets: true, timeoutMs: 30_000 } })
  wallets = [...(await registerOneOfEachKind(service)), await registerWalletOfExamples()]
  const verifiedAt = DateTime.makeUnsafe(1)
  const individual = { id: IndividualId.make(EXAMPLE_INDIVIDUAL), verifiedAt }
  await service.run(VerifiedIndividuals.use((individuals) => individuals.verify(service.project.id, individual)))
})
afterAll(() => service.stop())

interface Parameter {
  readonly name: string
  readonly in: string
  readonly examples?: { readonly sandbox: { readonly value: unknown } }
}

interface Link {
  readonly operationId: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly requestBody?: Readonly<Record<string, string>>
}

interface Operation {
  readonly operationId: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: {
    readonly content: {
      readonly "application/json": { readonly examples: { readonly sandbox: { readonly value: object } } }
    }
  }
  readonly responses: Readonly<Record<string, { readonly links?: Readonly<Record<string, Link>> }>>
}

/** Endpoints that need Bitcoin. Other tests execute them. */
const bitcoinIds = ["bitcoin.broadcast", "bitcoin.bump", "bitcoin.cancel"]

/**
 * Endpoints that need a fiat provider with its own terms. The sandbox's bank has no such terms (see
 * fiatRegistrations.test.ts).
 */
const providerIds = ["kyc.fiatTermsLink", "kyc.registerWithFiatProvider"]

/** An endpoint whose stream never ends (see events/events.test.ts). */
const streamId = "events"

/** An endpoint whose response is not JSON (see console.test.ts). */
const fileId = "admin.document"

/** Execution order: the target of a link follows the endpoint that contains the link. */
const executionOrder = [
  "healthz",
  "readyz",
  "catalog.chains",
  "catalog.providers",
  "catalog.tokens",
  "liquidity.pools",
  "liquidity.pool",
  "liquidity.position",
  "wallets.factories",
  "wallets.address",
  "wallets.bitcoinProofMessage",
  "wallets.register",
  "wallets.list",
  "wallets.get",
  "wallets.replaceMetadata",
  "liquidity.create",
  "history.list",
  "portfolio.get",
  "portfolio.chart",
  "tax.schedule",
  "tax.schedules",
  "tax.removeSchedule",
  "tax.export",
  "liquidity.add",
  "liquidity.withdraw",
  "liquidity.rebalance",
  "swap.quotes",
  "batch.quote",
  "lending.markets",
  "lending.positions",
  "lending.quote",
  "transfer.quote",
  "fiat.quoteDeposit",
  "fiat.deposit",
  "fiat.quoteWithdrawal",
  "fiat.withdraw",
  "fiat.order",
  "fiat.orders",
  "fiat.limits",
  "execute",
  "limitOrders.place",
  "limitOrders.cancel",
  "history.get",
  "userOperations.execute",
  "userOperations.get",
  "kyc.startBusiness",
  "kyc.business",
  "kyc.processBusiness",
  "kyc.startIndividual",
  "kyc.individual",
  "kyc.processIndividual",
  "admin.work",
  "admin.budgets",
  "admin.sessions",
  "admin.session",
  "admin.approve",
  "admin.reject",
  "admin.accesses",
  "admin.keys",
  "admin.createKey",
  "admin.revokeKey",
  "admin.projects",
  "admin.balances",
  "admin.installationWork",
  "webhooks.create",
  "webhooks.list",
  "webhooks.get",
  "webhooks.test",
  "webhooks.redeliver",
  "webhooks.deliveries",
  "webhooks.rotate",
  "webhooks.enable",
  "webhooks.remove"
]

/** Evaluates a runtime expression (OpenAPI 3.1, Link Object) on a response body. Returns other text unchanged. */
const valueOf = (expression: string, body: unknown): unknown => {
  const pointer = /^\{?\$response\.body#(.*?)\}?$/u.exec(expression)?.[1]
  return pointer === undefined
    ? expression
    : pointer
        .split("/")
        .slice(1)
        .reduce((value, key) => (value as Record<string, unknown>)[key], body)
}

/** Quotes and signs a limit order that no solver fills. */
const signLimitOrder = async () => {
  const [wallet] = wallets
  const { body } = await service.request("POST", "/api/v1/crypto/swap", swapOf(wallet!, { minAmountOut: "10" }))
  const [{ quoteId, signData }] = body.quotes
  return { quoteId, signature: await service.sign(wallet!.privateKey, signData[0]) }
}

const waitUntilOpen = (transactionId: string) =>
  waitUntilTrue(async () => {
    const { body } = await service.request("GET", `/api/v1/crypto/transactions/${transactionId}`)
    assert.strictEqual(body.transaction.status, "PROCESSING", JSON.stringify(body.transaction))
    return body.transaction.substatus === "OPEN"
  })

interface Upload {
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
}

const uploadsIn = (value: unknown): ReadonlyArray<Upload> => {
  if (typeof value !== "object" || value === null) return []
  return "fields" in value && "url" in value ? [value as Upload] : Object.values(value).flatMap(uploadsIn)
}

const sendDocument = async ({ fields, url }: Upload) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append("file", new Blob(["%PDF-1.7"], { type: "application/pdf" }), "document.pdf")
  assert.strictEqual((await fetch(url, { method: "POST", body: form })).status, 204)
}

describe("the examples of the reference", () => {
  it("succeed on the sandbox, with the values that the links of earlier responses provide", async () => {
    const { paths } = (await service.request("GET", "/openapi.json")).body as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
    }
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
    )
    assert.sameMembers(
      operations.map(({ operation }) => operation.operationId),
      [...executionOrder, ...bitcoinIds, ...providerIds, streamId, fileId]
    )

    const linkedRequests = new Map<string, { readonly parameters: Record<string, unknown>; readonly body: object }>()
    const signedRequests = new Map<string, object>()
    for (const id of executionOrder) {
      const { method, operation, path } = operations.find((each) => each.operation.operationId === id)!
      const linkedRequest = linkedRequests.get(id)
      const query = new URLSearchParams()
      let url = path
      for (const { examples, in: location, name } of operation.parameters) {
        const value = linkedRequest?.parameters[name] ?? examples?.sandbox.value
        if (location === "path") url = url.replace(`{${name}}`, String(value))
        else if (location === "query" && value !== undefined) query.set(name, String(value))
      }
      // Replaces the quote by a limit order. The order must be in the order book before it can be cancelled.
      if (id === "limitOrders.place") signedRequests.set(id, await signLimitOrder())
      if (id === "limitOrders.cancel") await waitUntilOpen(String(linkedRequest?.parameters.transactionId))
      const example = operation.requestBody?.content["application/json"].examples.sandbox.value
      // Adds the owner's signature, which no response contains.
      const linkedBody = example === undefined ? undefined : { ...example, ...linkedRequest?.body }
      const body = linkedBody === undefined ? undefined : { ...linkedBody, ...signedRequests.get(id) }
      const response = await service.request(method, query.size === 0 ? url : `${url}?${query}`, body)
      const declaredResponse = operation.responses[String(response.status)]
      assert.isTrue(response.status < 300 && declaredResponse !== undefined, `${id}: ${JSON.stringify(response.body)}`)
      for (const { operationId, parameters = {}, requestBody = {} } of Object.values(declaredResponse?.links ?? {})) {
        const resolveValues = (values: Readonly<Record<string, string>>) =>
          Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueOf(value, response.body)]))
        linkedRequests.set(operationId, { parameters: resolveValues(parameters), body: resolveValues(requestBody) })
      }
      if (id.startsWith("kyc.start")) await Promise.all(uploadsIn(response.body).map(sendDocument))
      const quote = response.body.transfer
      if (quote !== undefined) {
        assert.isUndefined(quote.revertReason)
        const owner = wallets.find(({ address }) => address === quote.walletAddress)!
        signedRequests.set("userOperations.execute", await service.signatures(owner.privateKey, quote.signData))
        signedRequests.set("execute", {
          signatures: await service.signaturesByHash(owner.privateKey, quote.signData)
        })
      }
      // The position exists only after its operation has completed.
      if (id === "liquidity.create") {
        const { signData, userOperationHash, walletAddress } = response.body.operation
        const owner = wallets.find(({ address }) => address === walletAddress)!
        const { body, status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
          userOperationHash,
          ...(await service.signatures(owner.privateKey, signData))
        })
        assert.strictEqual(status, 200, JSON.stringify(body))
        await service.settled(walletAddress, userOperationHash)
      }
    }
  })
})

const quoteOf = async (wallet: TestWallet, changes: Record<string, unknown>) => {
  const { body } = await service.request("POST", "/api/v1/crypto/swap", swapOf(wallet, changes))
  assert.isUndefined(body.quotes[0].revertReason)
  return body.quotes[0]
}

const usdcUnits = (text: string): bigint => parseUnits(text, 6)

describe("the gas amounts of a quote", () => {
  it.each(["ADD_TO_AMOUNT", "DEDUCT_FROM_AMOUNT"])(
    "have the documented meaning, and the preview agrees: %s",
    async (gasFeePaymentMethod) => {
      const wallet = wallets[1]!
      const quote = await quoteOf(wallet, { gasFeePaymentMethod, transactionFeePercent: 1 })
      const expectedGas = usdcUnits(quote.estimatedGasFees.gasFeeTokenAmount)
      const maxAmount = usdcUnits(quote.estimatedGasFees.maxGasFeeToken)
      assert.isTrue(expectedGas > 0n && expectedGas <= maxAmount)
      const gas = quote.fees.find(({ type }: { readonly type: string }) => type === "GAS")
      assert.deepStrictEqual([usdcUnits(gas.amount), usdcUnits(gas.maxAmount)], [maxAmount, maxAmount])

      // DEDUCT_FROM_AMOUNT deducts the maximum gas fee. The unused part remains in the wallet.
      const swappedAmount = usdcUnits("100") - (gasFeePaymentMethod === "ADD_TO_AMOUNT" ? 0n : maxAmount)
      const changeOf = (token: string) =>
        quote.preview.assetChanges.find((change: { readonly token: string }) => change.token === token).amount
      assert.strictEqual(usdcUnits(changeOf(USDC)), -(swappedAmount + expectedGas))
      assert.strictEqual(changeOf(WETH), quote.amountOut)

      const balanceBefore = await balanceOf(service, USDC, wallet.address)
      const execution = await service.request("POST", "/api/v1/crypto/execute-user-op", {
        userOperationHash: quote.userOperationHash,
        ...(await service.signatures(wallet.privateKey, quote.signData))
      })
      assert.strictEqual(execution.status, 200, JSON.stringify(execution.body))
      const { fees } = await service.settled(wallet.address, quote.userOperationHash)
      const gasFee = fees.find(({ type }: { readonly type: string }) => type === "GAS")
      assert.strictEqual(
        balanceBefore - (await balanceOf(service, USDC, wallet.address)),
        swappedAmount + usdcUnits(gasFee.amount)
      )
      assert.strictEqual(usdcUnits(gasFee.maxAmount), maxAmount)
      assert.closeTo(Number(usdcUnits(gasFee.amount)), Number(expectedGas), Number(expectedGas) * 0.02)
    }
  )
})
