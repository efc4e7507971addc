import { randomInt } from "node:crypto"
import { DEMO_INDIVIDUAL } from "@countersign/adapters/sandbox"
import { IndividualId, VerifiedIndividuals } from "@countersign/core/identity"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { waitUntilTrue } from "../../core/test/support/until.ts"
import type { JsonSchema, OpenApiDocument, Operation } from "./fuzz/JsonSchema.ts"
import { registerOneOfEachKind, swapOf, type TestWallet, USDC, USDY, WETH } from "./support/accounts.ts"
import { startTestService, type TestResponse, type TestService } from "./support/testService.ts"
import { business, person } from "./support/verifications.ts"
import { startWebhookReceiver, type WebhookReceiver } from "./support/webhookReceiver.ts"

/**
 * Tests that a project gets the same response for an id of another project as for an unknown id. The test tries both
 * ids in every field of every OpenAPI operation that may refer to stored data, and compares the bytes.
 */

let service: TestService
let receiver: WebhookReceiver
let otherProject: OtherProject
let ownProject: OwnProject

/** Data of another project, which the test's project must not find. */
interface OtherProject {
  readonly wallet: TestWallet
  /** A registered wallet without operations. */
  readonly idleWallet: TestWallet
  /** A wallet that both projects have registered. Its transactions belong only to the other project. */
  readonly sharedWallet: TestWallet
  readonly preparedHash: string
  readonly preparedElement: string
  readonly signature: string
  readonly transactionId: string
  readonly transactionHash: string
  readonly settledHash: string
  readonly limitOrderId: string
  readonly metadata: Readonly<Record<string, string>>
  readonly webhookId: string
  readonly deliveryId: string
  /** Unused quotes, one per direction. */
  readonly depositQuoteId: string
  readonly withdrawalQuoteId: string
  readonly fiatOrderId: string
  readonly sessionIds: { readonly business: string; readonly individual: string }
  readonly individualId: string
  readonly keyId: string
}

interface OwnProject {
  readonly apiKey: string
  readonly webhookId: string
}

beforeAll(async () => {
  service = await startTestService()
  receiver = await startWebhookReceiver()
  otherProject = await prepareOtherProject()
  ownProject = await prepareOwnProject()
})
afterAll(async () => {
  receiver.stop()
  await service.stop()
})

/** Sends requests as the other project, whose key the test service uses. */
const requestAsOther = async (method: string, path: string, body?: unknown): Promise<TestResponse> => {
  const response = await service.request(method, path, body)
  assert.isBelow(response.status, 300, JSON.stringify(response.body))
  return response
}

const prepareOtherProject = async (): Promise<OtherProject> => {
  const [sharedWallet, wallet, idleWallet] = await registerOneOfEachKind(service)
  const metadata = { customer: "otherProject" }
  const quoteOf = async (quotedWallet: TestWallet) =>
    (await requestAsOther("POST", "/api/v1/crypto/swap", swapOf(quotedWallet, { slippage: 10, metadata }))).body
      .quotes[0]

  const settledQuote = await quoteOf(sharedWallet!)
  await requestAsOther("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash: settledQuote.userOperationHash,
    ...(await service.signatures(sharedWallet!.privateKey, settledQuote.signData))
  })
  const transaction = await service.settled(sharedWallet!.address, settledQuote.userOperationHash)
  assert.strictEqual(transaction.status, "COMPLETED")

  const limitOrderId = await openLimitOrder(sharedWallet!)
  const preparedQuote = await quoteOf(wallet!)
  const { signature } = await service.signatures(wallet!.privateKey, preparedQuote.signData)
  const webhookResponse = await requestAsOther("POST", "/api/v1/webhooks", { url: receiver.url("/otherProject") })
  const { id: webhookId } = webhookResponse.body.webhook
  const testResponse = await requestAsOther("POST", `/api/v1/webhooks/${webhookId}/test`)
  for (const { address } of [wallet!, sharedWallet!]) {
    const scheduleResponse = await requestAsOther(
      "POST",
      `/api/v1/wallets/${address}/tax-export/schedules`,
      taxSchedule
    )
    assert.strictEqual(scheduleResponse.status, 201)
  }
  const verifiedAt = DateTime.makeUnsafe(1)
  const individual = { id: IndividualId.make(DEMO_INDIVIDUAL), verifiedAt }
  await service.run(VerifiedIndividuals.use((individuals) => individuals.verify(service.project.id, individual)))
  const requestFiatQuote = async (kind: "deposit" | "withdrawal"): Promise<string> =>
    (await requestAsOther("POST", `/api/v2/fiat/${kind}/quote`, fiatQuoteOf(kind, wallet!.address, DEMO_INDIVIDUAL)))
      .body.quoteId
  const tenantPerson = { ...person, documentId: "TENANT1" }
  const startSession = async (kind: "business" | "individual", body: object): Promise<string> =>
    (await requestAsOther("POST", `/api/v1/kyc/${kind}-verification-sessions/standard`, body)).body.session.id
  const sessionIds = {
    business: await startSession("business", { ...business, owners: [tenantPerson] }),
    individual: await startSession("individual", tenantPerson)
  }
  const sessionPath = `/api/v1/kyc/individual-verification-sessions/standard/${sessionIds.individual}`
  const orderResponse = await requestAsOther("POST", "/api/v2/fiat/deposit", {
    quoteId: await requestFiatQuote("deposit")
  })
  return {
    depositQuoteId: await requestFiatQuote("deposit"),
    withdrawalQuoteId: await requestFiatQuote("withdrawal"),
    fiatOrderId: orderResponse.body.id,
    sessionIds,
    individualId: (await requestAsOther("GET", sessionPath)).body.session.individualId,
    keyId: (await requestAsOther("GET", "/api/v1/admin/keys")).body.keys[0].id,
    wallet: wallet!,
    idleWallet: idleWallet!,
    sharedWallet: sharedWallet!,
    preparedHash: preparedQuote.userOperationHash,
    preparedElement: preparedQuote.signData[0].hash,
    signature,
    transactionId: transaction.id,
    limitOrderId,
    transactionHash: transaction.transactionHash.hash,
    settledHash: settledQuote.userOperationHash,
    metadata,
    webhookId,
    deliveryId: testResponse.body.delivery.id
  }
}

/** Places an order of the other project that could be cancelled now. */
const openLimitOrder = async (wallet: TestWallet): Promise<string> => {
  const { body } = await requestAsOther("POST", "/api/v1/crypto/swap", swapOf(wallet, { minAmountOut: "10" }))
  const [{ quoteId, signData }] = body.quotes
  const signatures = await service.signaturesByHash(wallet.privateKey, signData)
  const { id } = (await requestAsOther("POST", "/api/v1/crypto/limit-orders", { quoteId, signatures })).body
  await waitUntilTrue(async () => {
    const { transaction } = (await requestAsOther("GET", `/api/v1/crypto/transactions/${id}`)).body
    assert.strictEqual(transaction.status, "PROCESSING", JSON.stringify(transaction.failure))
    return transaction.substatus === "OPEN"
  })
  return id
}

const fiatQuoteOf = (kind: "deposit" | "withdrawal", address: string, individualId: string) => ({
  paymentMethod: { type: "PIX" },
  from: kind === "deposit" ? { currency: "BRL", amount: "541" } : { currency: "USDC", amount: "100" },
  to: { currency: kind === "deposit" ? "USDC" : "BRL" },
  chainId: 1,
  walletAddress: address,
  individualId
})

const taxSchedule = {
  email: "otherProject@example.com",
  individual: { type: "individual", individualId: "1" },
  recurrencePreset: "MONTHLY_START"
}

const prepareOwnProject = async (): Promise<OwnProject> => {
  const { apiKey } = await service.newProject(null)
  const keyHeaders = { "x-api-key": apiKey }
  const { eip7702, factory, owner } = otherProject.sharedWallet
  const sharedRegistration = { externallyOwnedAccount: owner, factory, eip7702 }
  assert.strictEqual(
    (await service.request("POST", "/api/v1/wallets/register", sharedRegistration, keyHeaders)).status,
    201
  )
  const webhookFields = { url: receiver.url("/ownProject") }
  const { body } = await service.request("POST", "/api/v1/webhooks", webhookFields, keyHeaders)
  return { apiKey, webhookId: body.webhook.id }
}

interface RequestParts {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
}

interface TenantCheck {
  /** Returns the value that belongs to the other project. */
  readonly knownValue: () => string
  readonly ask: (value: string) => RequestParts
  /** Matches text of a response that depends on the request or on the time. */
  readonly follows?: ReadonlyArray<RegExp>
}

const pathCheck = (name: string, knownValue: () => string, others: () => RequestParts = () => ({})): TenantCheck => ({
  knownValue,
  ask: (value) => {
    const requestParts = others()
    return { ...requestParts, path: { ...requestParts.path, [name]: value } }
  }
})

/** Builds a request for a page of the history of the wallet that both projects have registered. */
const historyCheck = (
  name: string,
  knownValue: () => string,
  others: () => Readonly<Record<string, string>> = () => ({})
) => ({
  knownValue,
  ask: (value: string): RequestParts => ({
    path: { walletAddress: otherProject.sharedWallet.address },
    query: { ...others(), [name]: value }
  })
})

const otherWebhookId = () => otherProject.webhookId
const getWalletAddress = () => otherProject.wallet.address
const otherOwner = () => otherProject.wallet.owner
const makeTransfer = () => ({
  token: USDC,
  amount: "1",
  toAddress: otherOwner(),
  payGasFeeToken: USDC,
  gasFeePaymentMethod: "ADD_TO_AMOUNT"
})
const OTHER_ADDRESS = `0x${"5b".repeat(20)}`
const positionCheck = (body: object) => ({
  "body.walletAddress": {
    knownValue: getWalletAddress,
    ask: (value: string): RequestParts => ({
      body: { walletAddress: value, chainId: 1, payGasFeeToken: USDC, ...body }
    })
  }
})
const depositFields = {
  gasFeePaymentMethod: "ADD_TO_AMOUNT",
  tokenIn: USDC,
  amountIn: "100",
  minPrice: 2500,
  maxPrice: 3600
}
const fiatQuoteChecks = (kind: "deposit" | "withdrawal"): Readonly<Record<string, TenantCheck>> => ({
  "body.walletAddress": {
    knownValue: getWalletAddress,
    ask: (address) => ({ body: fiatQuoteOf(kind, address, DEMO_INDIVIDUAL) })
  },
  "body.individualId": {
    knownValue: () => DEMO_INDIVIDUAL,
    ask: (id) => ({ body: fiatQuoteOf(kind, otherProject.sharedWallet.address, id) })
  }
})
const PIX_KEY = { type: "PIX", pixKey: "529.982.247-25" }

const makeMetadataBody = () => ({ body: { metadata: {} } })

const instantPattern = /\d{4}-\d{2}-\d{2}T[\d:.]+Z/gu
const derivedAddressPattern = /(?<="walletAddress":")0x[0-9a-f]{40}/gu

const adminSessionPath = "/api/v1/admin/identity-sessions/{sessionId}"

/** All fields that may refer to stored data of a project, by operation. */
const checks: Readonly<Record<string, Readonly<Record<string, TenantCheck>>>> = {
  "post /api/v1/crypto/swap": {
    "body.walletAddress": {
      knownValue: getWalletAddress,
      ask: (address) => ({ body: swapOf({ address }, { toAddress: otherOwner() }) })
    },
    "body.individualId": {
      knownValue: () => DEMO_INDIVIDUAL,
      ask: (individualId) => ({ body: swapOf(otherProject.sharedWallet, { tokenOut: USDY, individualId }) })
    }
  },
  "post /api/v1/liquidity": positionCheck({
    ...depositFields,
    toAddress: OTHER_ADDRESS,
    token0: WETH,
    token1: USDC,
    poolFeePercent: 0.3
  }),
  "post /api/v1/liquidity/add": positionCheck({ ...depositFields, tokenId: "1" }),
  "post /api/v1/liquidity/withdraw": positionCheck({
    toAddress: OTHER_ADDRESS,
    tokenId: "1",
    tokenOut: USDC,
    percentage: 50
  }),
  "post /api/v1/liquidity/rebalance": positionCheck({
    toAddress: OTHER_ADDRESS,
    tokenId: "1",
    newPosition: { minPrice: 1, maxPrice: 2 }
  }),
  "post /api/v1/crypto/transfer": {
    "body.walletAddress": {
      knownValue: getWalletAddress,
      ask: (address) => ({ body: { walletAddress: address, chainId: 1, ...makeTransfer() } })
    }
  },
  "post /api/v2/fiat/deposit/quote": fiatQuoteChecks("deposit"),
  "post /api/v2/fiat/withdrawal/quote": fiatQuoteChecks("withdrawal"),
  "post /api/v2/fiat/deposit": {
    "body.quoteId": { knownValue: () => otherProject.depositQuoteId, ask: (quoteId) => ({ body: { quoteId } }) }
  },
  "post /api/v2/fiat/withdrawal": {
    "body.quoteId": {
      knownValue: () => otherProject.withdrawalQuoteId,
      ask: (quoteId) => ({ body: { quoteId, paymentMethod: PIX_KEY } })
    }
  },
  "get /api/v2/fiat/orders/{orderId}": { "path.orderId": pathCheck("orderId", () => otherProject.fiatOrderId) },
  "get /api/v2/fiat/orders": {
    "query.walletAddress": { knownValue: getWalletAddress, ask: (address) => ({ query: { walletAddress: address } }) },
    "query.individualId": { knownValue: () => DEMO_INDIVIDUAL, ask: (individualId) => ({ query: { individualId } }) }
  },
  "get /api/v1/kyc/identities/{identityId}/financial-limits": {
    "path.identityId": pathCheck("identityId", () => DEMO_INDIVIDUAL)
  },
  "post /api/v1/kyc/identities/{identityId}/fiat-registrations": {
    "path.identityId": {
      knownValue: () => DEMO_INDIVIDUAL,
      ask: (identityId) => ({ path: { identityId }, body: { provider: "blindpay", agreementId: "to_1" } })
    }
  },
  "get /api/v1/kyc/business-verification-sessions/standard/{sessionId}": {
    "path.sessionId": pathCheck("sessionId", () => otherProject.sessionIds.business)
  },
  "post /api/v1/kyc/business-verification-sessions/standard/{sessionId}/process": {
    "path.sessionId": pathCheck("sessionId", () => otherProject.sessionIds.business)
  },
  "get /api/v1/kyc/individual-verification-sessions/standard/{sessionId}": {
    "path.sessionId": pathCheck("sessionId", () => otherProject.sessionIds.individual)
  },
  "post /api/v1/kyc/individual-verification-sessions/standard/{sessionId}/process": {
    "path.sessionId": pathCheck("sessionId", () => otherProject.sessionIds.individual)
  },
  "post /api/v1/crypto/batch-operations": {
    "body.walletAddress": {
      knownValue: getWalletAddress,
      ask: (address) => ({
        body: { walletAddress: address, chainId: 1, operations: [{ type: "transfer", params: makeTransfer() }] }
      })
    }
  },
  "post /api/v1/lending/quote": {
    "body.walletAddress": {
      knownValue: getWalletAddress,
      ask: (address) => ({
        body: {
          walletAddress: address,
          provider: "LENDING_PROVIDER_A",
          supply: { chainId: 1, tokenAddress: USDC, amount: "1" },
          gas: { paymentMethod: "ADD_TO_AMOUNT", tokenAddress: USDC }
        }
      })
    }
  },
  "get /api/v1/wallets/{walletAddress}/lending": { "path.walletAddress": pathCheck("walletAddress", getWalletAddress) },
  "post /api/v1/crypto/execute": {
    "body.quoteId": {
      knownValue: () => otherProject.preparedHash,
      ask: (quoteId) => ({ body: { quoteId, signatures: { [otherProject.preparedElement]: otherProject.signature } } })
    }
  },
  "post /api/v1/crypto/limit-orders": {
    "body.quoteId": {
      knownValue: () => otherProject.preparedHash,
      ask: (quoteId) => ({ body: { quoteId, signature: otherProject.signature } })
    }
  },
  "post /api/v1/crypto/limit-orders/{transactionId}/cancel": {
    "path.transactionId": pathCheck(
      "transactionId",
      () => otherProject.limitOrderId,
      () => ({ body: {} })
    )
  },
  "get /api/v1/crypto/transactions/{transactionId}": {
    "path.transactionId": pathCheck("transactionId", () => otherProject.transactionId)
  },
  "post /api/v1/crypto/execute-user-op": {
    "body.userOperationHash": {
      knownValue: () => otherProject.preparedHash,
      ask: (userOperationHash) => ({ body: { userOperationHash, signature: otherProject.signature } })
    }
  },
  "get /api/v1/crypto/user-operation/{userOperationHash}": {
    "path.userOperationHash": pathCheck("userOperationHash", () => otherProject.settledHash)
  },
  "post /api/v1/wallets/register": {
    "body.externallyOwnedAccount": {
      knownValue: () => otherProject.idleWallet.owner,
      ask: (externallyOwnedAccount) => ({
        body: {
          externallyOwnedAccount,
          factory: otherProject.idleWallet.factory,
          eip7702: otherProject.idleWallet.eip7702
        }
      }),
      follows: [instantPattern, derivedAddressPattern]
    }
  },
  "get /api/v1/wallets/address": {
    "query.externallyOwnedAccount": {
      knownValue: otherOwner,
      ask: (externallyOwnedAccount) => ({
        query: {
          externallyOwnedAccount,
          factory: otherProject.wallet.factory,
          eip7702: String(otherProject.wallet.eip7702)
        }
      }),
      follows: [derivedAddressPattern]
    }
  },
  "get /api/v1/wallets": { "query.lastId": { knownValue: getWalletAddress, ask: (lastId) => ({ query: { lastId } }) } },
  "get /api/v1/wallets/{walletAddress}": { "path.walletAddress": pathCheck("walletAddress", getWalletAddress) },
  "patch /api/v1/wallets/{walletAddress}/metadata": {
    "path.walletAddress": pathCheck("walletAddress", getWalletAddress, makeMetadataBody)
  },
  "get /api/v1/wallets/{walletAddress}/history": {
    "path.walletAddress": pathCheck("walletAddress", getWalletAddress),
    "query.lastId": historyCheck("lastId", () => otherProject.transactionId),
    "query.userOperationHash": historyCheck("userOperationHash", () => otherProject.settledHash),
    "query.transactionHash": historyCheck("transactionHash", () => otherProject.transactionHash),
    "query.metadataValue": historyCheck(
      "metadataValue",
      () => otherProject.metadata.customer!,
      () => ({ metadataKey: "customer" })
    )
  },
  "post /api/v1/wallets/{walletAddress}/tax-export/schedules": {
    "path.walletAddress": pathCheck("walletAddress", getWalletAddress, () => ({ body: taxSchedule }))
  },
  "get /api/v1/wallets/{walletAddress}/tax-export/schedules": {
    "path.walletAddress": pathCheck("walletAddress", getWalletAddress)
  },
  "delete /api/v1/wallets/{walletAddress}/tax-export/schedules": {
    "path.walletAddress": pathCheck("walletAddress", getWalletAddress)
  },
  "post /api/v1/wallets/{walletAddress}/tax-export": {
    "path.walletAddress": pathCheck("walletAddress", getWalletAddress, () => ({ body: { month: "2026-01" } }))
  },
  "get /api/v1/webhooks/{id}": { "path.id": pathCheck("id", otherWebhookId) },
  "post /api/v1/webhooks/{id}/enable": { "path.id": pathCheck("id", otherWebhookId) },
  "post /api/v1/webhooks/{id}/rotate": { "path.id": pathCheck("id", otherWebhookId) },
  "post /api/v1/webhooks/{id}/test": { "path.id": pathCheck("id", otherWebhookId) },
  "get /api/v1/webhooks/{id}/deliveries": {
    "path.id": pathCheck("id", otherWebhookId),
    "query.lastId": {
      knownValue: () => otherProject.deliveryId,
      ask: (lastId) => ({ path: { id: ownProject.webhookId }, query: { lastId } })
    }
  },
  "post /api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver": {
    "path.id": pathCheck("id", otherWebhookId, () => ({ path: { deliveryId: otherProject.deliveryId } })),
    "path.deliveryId": pathCheck(
      "deliveryId",
      () => otherProject.deliveryId,
      () => ({ path: { id: ownProject.webhookId } })
    )
  },
  [`get ${adminSessionPath}`]: { "path.sessionId": pathCheck("sessionId", () => otherProject.sessionIds.individual) },
  [`get ${adminSessionPath}/documents/{documentId}`]: {
    "path.sessionId": pathCheck(
      "sessionId",
      () => otherProject.sessionIds.individual,
      () => ({ path: { documentId: "front" } })
    )
  },
  [`post ${adminSessionPath}/approve`]: {
    "path.sessionId": pathCheck(
      "sessionId",
      () => otherProject.sessionIds.individual,
      () => ({ body: {} })
    )
  },
  [`post ${adminSessionPath}/reject`]: {
    "path.sessionId": pathCheck(
      "sessionId",
      () => otherProject.sessionIds.individual,
      () => ({ body: { reason: "no" } })
    )
  },
  "get /api/v1/admin/personal-data-accesses": {
    "query.identityId": {
      knownValue: () => otherProject.individualId,
      ask: (identityId) => ({ query: { identityId } })
    }
  },
  "delete /api/v1/admin/keys/{keyId}": { "path.keyId": pathCheck("keyId", () => otherProject.keyId) },
  // Runs last, because a successful deletion would remove the webhook that the other trials need.
  "delete /api/v1/webhooks/{id}": { "path.id": pathCheck("id", otherWebhookId) }
}

/** Operations in which no field refers to stored data. */
const operationsWithoutReferences = [
  "get /api/v1/crypto/chains",
  "get /api/v1/crypto/providers",
  "get /api/v1/crypto/tokens",
  "get /api/v1/lending/markets",
  "get /api/v1/wallets/factories",
  "post /api/v1/webhooks",
  "get /api/v1/webhooks",
  "get /healthz",
  "get /readyz",
  "post /api/v1/kyc/business-verification-sessions/standard",
  "post /api/v1/kyc/individual-verification-sessions/standard",
  "post /api/v1/kyc/fiat-terms-links",
  "get /api/v1/admin/work",
  "get /api/v1/admin/budgets",
  "get /api/v1/admin/identity-sessions",
  "get /api/v1/admin/keys",
  "post /api/v1/admin/keys",
  // Operations for the operator of the installation, which return data of all projects.
  "get /api/v1/admin/projects",
  "get /api/v1/admin/balances",
  "get /api/v1/admin/installation-work"
]

/** Operations that read public on-chain data of any owner. */
const chainReads = [
  "get /api/v1/liquidity/pools/{id}",
  "get /api/v1/liquidity/pools",
  "get /api/v1/liquidity/positions/{chainId}/{tokenId}"
]

const broadcastOperation = "post /api/v1/crypto/bitcoin/broadcast"
const bumpOperation = "post /api/v1/crypto/bitcoin/{transactionId}/bump"
const cancelOperation = "post /api/v1/crypto/bitcoin/{transactionId}/cancel"
const eventsOperation = "get /api/v1/events"
const proofMessageOperation = "get /api/v1/wallets/bitcoin/proof-message"

/** The service of this test does not serve Bitcoin (see bitcoinWallets.test.ts and bitcoinPayments.test.ts). */
const bitcoinFields = [
  `${broadcastOperation} body.quoteId`,
  `${bumpOperation} path.transactionId`,
  `${cancelOperation} path.transactionId`,
  "post /api/v1/crypto/transfer body.furtherReceivers.toAddress",
  "post /api/v1/crypto/transfer body.furtherReceivers.amount",
  "post /api/v1/wallets/register body.proof.message",
  "post /api/v1/wallets/register body.proof.signature",
  "post /api/v1/wallets/register body.publicKey",
  "post /api/v1/wallets/register body.derivation.masterFingerprint",
  "post /api/v1/wallets/register body.derivation.path",
  `${proofMessageOperation} query.address`
]

/** Returns the on-chain balances of any address, but the profit from only the project's own movements (see below). */
const portfolioOperation = "get /api/v1/wallets/{walletAddress}/portfolio"
const chartOperation = `${portfolioOperation}/chart`

const identityFieldsOf = (path: string, names: string) => names.split(" ").map((name) => `${path}.${name}`)

/** Fields that never refer to data of a project. */
const fieldsOfNoReference: ReadonlySet<string> = new Set([
  // Fiat: payment methods, currencies, and accounts that no project stores.
  "body.paymentMethod.type",
  "body.from.currency",
  "body.from.amount",
  "body.to.currency",
  "body.paymentMethod.pixKey",
  "body.paymentMethod.routingNumber",
  "body.paymentMethod.accountNumber",
  "body.paymentMethod.accountType",
  "body.paymentMethod.beneficiaryName",
  "body.paymentMethod.addressLine1",
  "body.paymentMethod.country",
  "body.paymentMethod.clabe",
  "body.paymentMethod.cbuOrCvu",
  // Links and agreements for a person who accepts a provider's terms.
  "body.redirectUrl",
  "body.agreementId",
  "body.details",
  "body.providerAgreements.provider",
  "body.providerAgreements.agreementId",
  // Amounts, options, and public contracts.
  "body.amount",
  "body.amountIn",
  "body.minAmountOut",
  "body.chainId",
  "body.chainIdIn",
  "body.chainIdOut",
  "body.routeProfile",
  "body.liquidityProvider",
  "body.acceptPriceImpact",
  "body.token0",
  "body.token1",
  "body.poolFeePercent",
  "body.minPrice",
  "body.maxPrice",
  "body.newPosition.minPrice",
  "body.newPosition.maxPrice",
  "body.percentage",
  // Public on-chain data. Access is decided on-chain by the owner.
  "body.tokenId",
  "body.gasFeePaymentMethod",
  "body.payGasFeeToken",
  "body.token",
  "body.tokenIn",
  "body.tokenOut",
  "body.transactionFeePercent",
  "body.slippage",
  "body.extraFee.percentage",
  "body.operations.type",
  "body.expiration",
  "body.partialFillable",
  "body.factory",
  "body.salt",
  "body.eip7702",
  "body.provider",
  "body.supply.chainId",
  "body.supply.tokenAddress",
  "body.supply.marketId",
  "body.supply.amount",
  "body.supply.side",
  "body.borrow.chainId",
  "body.borrow.tokenAddress",
  "body.borrow.marketId",
  "body.borrow.amount",
  "body.repay.chainId",
  "body.repay.tokenAddress",
  "body.repay.marketId",
  "body.repay.amount",
  "body.withdraw.chainId",
  "body.withdraw.tokenAddress",
  "body.withdraw.marketId",
  "body.withdraw.amount",
  "body.withdraw.side",
  "body.gas.paymentMethod",
  "body.gas.tokenAddress",
  "body.acceptLowHealthFactor",
  "query.chainId",
  "query.provider",
  "query.factory",
  "query.salt",
  "query.eip7702",
  // The document is looked up in a session, which the request must find first.
  "path.documentId",
  "body.ownerId",
  // Fields of a reviewer's decision, and of a new key.
  "body.reason",
  "body.name",
  "body.scopes",
  "body.environment",
  "body.expiresInSeconds",
  // Stored per project (see below).
  "header.Idempotency-Key",
  // The receiver of a transfer can be any account.
  "body.toAddress",
  "body.extraFee.toAddress",
  // Data that persons and businesses submit about themselves.
  ...identityFieldsOf("body", "legalName documentId legalNature phoneNumber website city postalCode state country"),
  ...identityFieldsOf("body", "streetLine1 streetLine2 firstName lastName documentCategory documentCountry birthDate"),
  ...identityFieldsOf("body", "nationality address"),
  ...identityFieldsOf("body.owners", "firstName lastName documentId documentCategory documentCountry birthDate"),
  ...identityFieldsOf("body.owners", "nationality address city state postalCode"),
  // Fee options of a Bitcoin payment.
  "body.feePriority",
  "body.feeRate",
  "body.spendUnconfirmedChange",
  "body.signedTransactionHex",
  // Submitted values that the service does not look up.
  "body.individual.type",
  "body.individual.individualId",
  "body.signature",
  "body.signatures",
  "body.authorization",
  "body.authorization.r",
  "body.authorization.s",
  "body.authorization.yParity",
  "body.authorization.v",
  "body.authorization.chainId",
  "body.authorization.address",
  "body.authorization.nonce",
  "body.metadata",
  "body.url",
  "body.eventTypes",
  "body.description",
  "body.email",
  "body.emailCustomization.subject",
  "body.emailCustomization.senderName",
  "body.emailCustomization.replyTo",
  "body.emailCustomization.locale",
  "body.emailCustomization.introText",
  "body.emailCustomization.logoUrl",
  "body.recurrencePreset",
  // The month and the layout of an export.
  "body.month",
  "body.timezone",
  "query.format",
  // Filters of lists of the project's own data.
  "query.take",
  "query.type",
  "query.status",
  "query.chains",
  "query.chainInId",
  "query.chainOutId",
  "query.createdAtLatest",
  "query.createdAtOldest",
  "query.metadataKey",
  "query.nftNumber",
  "query.includeUnlisted",
  "query.search",
  "query.page",
  "query.perPage",
  "query.overlapSeconds",
  // A position in the event stream can be the position of any event (see events/events.test.ts).
  "query.types",
  "query.after",
  "header.Last-Event-ID",
  // The sections and the time range of a portfolio.
  "query.includeTokens",
  "query.includeNFTs",
  "query.includePnL",
  "query.includeLendingPositions",
  "query.timerange"
])

/** Returns the paths of all fields in a request of an operation, such as `path.id` or `body.extraFee.toAddress`. */
const fieldsOf = (document: OpenApiDocument, operation: Operation): ReadonlyArray<string> => {
  const leafPathsOf = (schema: JsonSchema, path: string): ReadonlyArray<string> => {
    if (schema.$ref !== undefined)
      return leafPathsOf(document.components.schemas[schema.$ref.split("/").at(-1)!]!, path)
    const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
    if (alternatives.length > 0) return alternatives.flatMap((each) => leafPathsOf(each, path))
    if (schema.items !== undefined) return leafPathsOf(schema.items, path)
    if (schema.properties === undefined) return [path]
    return Object.entries(schema.properties).flatMap(([name, each]) => leafPathsOf(each, `${path}.${name}`))
  }
  const body = operation.requestBody?.content["application/json"]?.schema
  const parameters = (operation.parameters ?? []).map((parameter) => `${parameter.in}.${parameter.name}`)
  return [...new Set([...parameters, ...(body === undefined ? [] : leafPathsOf(body, "body"))])]
}

/** Converts the path of a batch element's field to its path in the request for a single operation. */
const singleOperationFieldOf = (field: string) => field.replace("body.operations.params.", "body.")

/** Returns an unknown id with the same format and length. */
const makeUnknownId = (knownId: string): string =>
  knownId.slice(0, -6) + Array.from({ length: 6 }, () => randomInt(10)).join("")

const REQUEST_ID = "tenants-test"

const send = async (operation: string, { body, path = {}, query = {} }: RequestParts) => {
  const [method = "", template = ""] = operation.split(" ")
  const url = Object.entries(path).reduce((text, [name, value]) => text.replace(`{${name}}`, value), template)
  const search = new URLSearchParams(query).toString()
  const response = await fetch(`${service.baseUrl}${url}${search === "" ? "" : `?${search}`}`, {
    method: method.toUpperCase(),
    headers: { "x-api-key": ownProject.apiKey, "x-request-id": REQUEST_ID, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Removes the values from a response that it repeats from the request. */
const comparableResponse = (
  response: Awaited<ReturnType<typeof send>>,
  value: string,
  { follows = [] }: TenantCheck
) => ({
  status: response.status,
  // The time and the duration do not depend on the project.
  headers: [...response.headers].filter(([name]) => name !== "date" && name !== "server-timing"),
  text: follows.reduce((text, pattern) => text.replaceAll(pattern, "…"), response.text.replaceAll(value, "…"))
})

interface PortfolioToken {
  readonly address: string
  readonly balance: string
}
const addressOf = ({ address }: PortfolioToken) => address
const balanceOf = ({ address, balance }: PortfolioToken) => `${balance} of ${address}`

const allChecks = Object.entries(checks).flatMap(([operation, fields]) =>
  Object.entries(fields).map(([field, check]) => ({ operation, field, trial: check }))
)

describe("data of another project", () => {
  it("is covered by a test case for every field of every operation that may refer to it", async () => {
    const document: OpenApiDocument = (await service.request("GET", "/openapi.json")).body
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => [`${method} ${path}`, fieldsOf(document, operation)] as const
      )
    )
    const uncheckedFields = operations.flatMap(([operation, fields]) =>
      (chainReads.includes(operation) ? [] : fields)
        .filter(
          (field) => !fieldsOfNoReference.has(singleOperationFieldOf(field)) && checks[operation]?.[field] === undefined
        )
        .map((field) => `${operation} ${field}`)
    )
    assert.sameMembers(uncheckedFields, [
      `${portfolioOperation} path.walletAddress`,
      `${chartOperation} path.walletAddress`,
      ...bitcoinFields
    ])
    assert.sameMembers(
      operations.map(([operation]) => operation),
      [
        ...Object.keys(checks),
        ...operationsWithoutReferences,
        ...chainReads,
        portfolioOperation,
        chartOperation,
        proofMessageOperation,
        broadcastOperation,
        bumpOperation,
        cancelOperation,
        eventsOperation
      ]
    )
    const declaredFields = new Map<string, ReadonlyArray<string>>(operations)
    assert.deepStrictEqual(
      allChecks.filter(({ field, operation }) => !declaredFields.get(operation)!.includes(field)),
      []
    )
  })

  it.each(allChecks)(
    "has the same response as an unknown id: $field of $operation",
    async ({ operation, trial: check }) => {
      const knownId = check.knownValue()
      const unknownId = makeUnknownId(knownId)
      const otherResponse = await send(operation, check.ask(knownId))
      const unknownResponse = await send(operation, check.ask(unknownId))
      assert.isBelow(otherResponse.status, 500, otherResponse.text)
      assert.deepStrictEqual(
        comparableResponse(otherResponse, knownId, check),
        comparableResponse(unknownResponse, unknownId, check)
      )
    }
  )

  it("does not include its tax schedules, for a wallet that both projects registered", async () => {
    const path = { walletAddress: otherProject.sharedWallet.address }
    const { status, text } = await send("get /api/v1/wallets/{walletAddress}/tax-export/schedules", { path })
    assert.deepStrictEqual([status, JSON.parse(text)], [200, { schedules: [] }])
  })

  it.each(operationsWithoutReferences.filter((operation) => operation.startsWith("get ")))(
    "is not in the response of %s",
    async (operation) => {
      const { status, text } = await send(operation, {})
      assert.strictEqual(status, 200)
      const { deliveryId, transactionId, wallet, webhookId } = otherProject
      for (const identifier of [wallet.address, wallet.owner, webhookId, deliveryId, transactionId])
        assert.notInclude(text, identifier)
    }
  )

  it("does not include its profit, for a wallet that both projects registered; only the balances are shared", async () => {
    const path = `/api/v1/wallets/${otherProject.sharedWallet.address}/portfolio?includePnL=true&timerange=all`
    const otherPortfolio = (await requestAsOther("GET", path)).body
    const { body, status } = await service.request("GET", path, undefined, { "x-api-key": ownProject.apiKey })
    assert.strictEqual(status, 200)
    const hasGained = ({ pnl }: { readonly pnl: object | null }) => pnl !== null
    assert.sameMembers(otherPortfolio.portfolio.filter(hasGained).map(addressOf), [USDC, WETH])
    assert.deepStrictEqual(body.portfolio.filter(hasGained), [])
    assert.deepStrictEqual(body.pnl, { timerange: "all", total: { totalUsd: "0", incomplete: [] } })
    assert.sameMembers(body.portfolio.map(balanceOf), otherPortfolio.portfolio.map(balanceOf))
  })

  it("is unchanged after every test case", async () => {
    const { sharedWallet, wallet, webhookId } = otherProject
    const deliveriesPath = `/api/v1/webhooks/${webhookId}/deliveries`
    const paths = [
      `/api/v1/wallets/${wallet.address}`,
      `/api/v1/wallets/${wallet.address}/history`,
      `/api/v1/wallets/${sharedWallet.address}/history`,
      `/api/v1/crypto/user-operation/${otherProject.preparedHash}`,
      `/api/v1/webhooks/${webhookId}`,
      deliveriesPath
    ]
    const readAsOther = () => Promise.all(paths.map(async (path) => (await requestAsOther("GET", path)).body))
    await waitUntilTrue(
      async () => (await requestAsOther("GET", deliveriesPath)).body.deliveries[0].status !== "PENDING"
    )
    const previousBodies = await readAsOther()
    for (const { operation, trial: check } of allChecks) await send(operation, check.ask(check.knownValue()))
    assert.deepStrictEqual(await readAsOther(), previousBodies)
  })

  it("includes the Idempotency-Keys: another project may use the same key", async () => {
    const register = (apiKey: string, salt: string) =>
      service.request(
        "POST",
        "/api/v1/wallets/register",
        { externallyOwnedAccount: `0x${"0d".repeat(20)}`, factory: otherProject.idleWallet.factory, salt },
        { "x-api-key": apiKey, "idempotency-key": "shared-key" }
      )
    const [firstResponse, otherResponse] = [await register(service.apiKey, "1"), await register(ownProject.apiKey, "2")]
    for (const { headers, status } of [firstResponse, otherResponse]) {
      assert.strictEqual(status, 201)
      assert.isNull(headers.get("idempotent-replayed"))
    }
    assert.notStrictEqual(firstResponse.body.wallet.walletAddress, otherResponse.body.wallet.walletAddress)
  })
})
