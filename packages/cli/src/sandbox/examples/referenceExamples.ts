import { endpointRunnerOf, endpoints } from "@countersign/adapters/api/endpoints"
import { SandboxChains, signQuote } from "@countersign/adapters/sandbox"
import type { SandboxFile } from "@countersign/adapters/storage/home"
import { Address } from "@countersign/core/foundation/primitives"
import { ExecutionStore } from "@countersign/core/operations/executions"
import { type Project, Projects } from "@countersign/core/tenancy/projects"
import type { Examples } from "@countersign/http"
import { Effect, Option, Schedule } from "effect"
import { waitUntilEnded } from "../../environment/waitUntilEnded.ts"
import { registerWallet } from "../registeredWallets.ts"
import { bitcoinExamples } from "./bitcoinExamples.ts"
import { fiatExamples } from "./fiatExamples.ts"
import { identityExamples } from "./identityExamples.ts"

/** Marks the webhooks, the wallet and the API key of the examples. The webhooks receive only test events. */
const NOTE = "For the examples of the reference"
const EVENT_TYPE = "webhook.test"

const createLiquidity = endpointRunnerOf(endpoints.liquidity.create)
const execute = endpointRunnerOf(endpoints.executions.execute)
const quoteSwap = endpointRunnerOf(endpoints.swap.quotes)
const history = endpointRunnerOf(endpoints.history.list)
const position = endpointRunnerOf(endpoints.liquidity.position)
const webhooks = endpointRunnerOf(endpoints.webhooks.list)
const createWebhook = endpointRunnerOf(endpoints.webhooks.create)
const testWebhook = endpointRunnerOf(endpoints.webhooks.test)
const wallets = endpointRunnerOf(endpoints.wallets.list)

/** Salt of the examples' wallet, which is another account of the first owner. */
const SALT = 1_000_000
const USDC_AMOUNT = 10_000n * 10n ** 6n
const NATIVE_AMOUNT = 10n * 10n ** 18n

/**
 * Returns the address of the examples' wallet. Tops up its balances for each page view, so that the examples do not
 * exhaust them.
 */
const exampleWallet = Effect.fnUntraced(function* (project: Project, factory: string, { USDC }: Tokens) {
  const { fundUpTo, keys } = yield* SandboxChains
  const request = {
    owner: keys.owners[0]!.address,
    factory: Address.make(factory as Address),
    salt: SALT,
    eip7702: false
  }
  const { account } = yield* registerWallet(project, request, { note: NOTE })
  yield* fundUpTo(1, account.address, "native", NATIVE_AMOUNT)
  yield* fundUpTo(1, account.address, Address.make(USDC as Address), USDC_AMOUNT)
  return account.address
})

/** Returns the newest created position. Null if there is none, or if it no longer contains liquidity. */
const findPosition = Effect.fnUntraced(function* (project: Project, walletAddress: string) {
  const query = { type: ["LIQUIDITY_CREATE"], status: ["COMPLETED"], take: 1 }
  const { transactions } = yield* history(project, { params: { walletAddress }, query })
  const [transaction] = transactions
  const tokenId = transaction?.liquidity?.tokenId ?? null
  if (transaction === undefined || tokenId === null) return null
  const view = yield* Effect.option(position(project, { params: { chainId: 1, tokenId } }))
  const hash = transaction.userOperationHash
  const exists = hash !== null && Option.isSome(view) && Number(view.value.position.liquidity) > 0
  return exists ? { transactionId: transaction.id, quoteId: hash, tokenId } : null
})

const makePosition = Effect.fnUntraced(function* (project: Project, walletAddress: Address, tokens: Tokens) {
  const quote = yield* createLiquidity(project, {
    payload: {
      walletAddress,
      toAddress: walletAddress,
      chainId: 1,
      tokenIn: tokens.USDC!,
      amountIn: "200",
      token0: tokens.WETH!,
      token1: tokens.USDC!,
      poolFeePercent: 0.3,
      minPrice: 2_500,
      maxPrice: 3_600,
      gasFeePaymentMethod: "ADD_TO_AMOUNT",
      payGasFeeToken: tokens.USDC!,
      metadata: { note: NOTE }
    }
  })
  const { transactionId } = yield* execute(project, {
    payload: yield* signQuote(project.id, quote.operation.quoteId)
  })
  yield* waitUntilEnded(project.id, transactionId)
  return yield* findPosition(project, walletAddress)
})

/** Returns the newest pending limit order. None if there is none, or if the order is not open. */
const findOpenOrder = Effect.fnUntraced(function* (project: Project, walletAddress: string) {
  const query = { type: ["LIMIT_ORDER"], status: ["PROCESSING"], take: 1 }
  const { transactions } = yield* history(project, { params: { walletAddress }, query })
  const [transaction] = transactions
  if (transaction?.substatus !== "OPEN") return Option.none()
  const execution = yield* (yield* ExecutionStore).find(project.id, transaction.id)
  return Option.map(execution, ({ id, quoteId }) => ({ transactionId: id, quoteId }))
})

/** Creates a limit order at a price that the market will not reach, valid for about a year. */
const makeOrder = Effect.fnUntraced(function* (project: Project, walletAddress: Address, tokens: Tokens) {
  const { quotes } = yield* quoteSwap(project, {
    payload: {
      walletAddress,
      toAddress: walletAddress,
      chainIdIn: 1,
      chainIdOut: 1,
      tokenIn: tokens.USDC!,
      tokenOut: tokens.WETH!,
      amountIn: "5",
      minAmountOut: "10",
      expiration: 31_000_000,
      gasFeePaymentMethod: "ADD_TO_AMOUNT",
      payGasFeeToken: tokens.USDC!,
      metadata: { note: NOTE }
    }
  })
  // An embedding application may use its own order book, which quotes no CoW Protocol order.
  const quote = quotes.find(({ limitOrder }) => limitOrder !== undefined)
  if (quote === undefined) return Option.none()
  yield* execute(project, { payload: yield* signQuote(project.id, quote.quoteId) })
  return yield* Effect.repeat(findOpenOrder(project, walletAddress), {
    until: Option.isSome,
    schedule: Schedule.spaced("100 millis"),
    times: 50
  })
})

const orderExamples = Effect.fnUntraced(function* (project: Project, walletAddress: Address, tokens: Tokens) {
  const existingOrder = yield* findOpenOrder(project, walletAddress)
  const order = Option.getOrNull(
    Option.isSome(existingOrder) ? existingOrder : yield* makeOrder(project, walletAddress, tokens)
  )
  if (order === null) return {}
  const { quoteId, transactionId } = order
  const { signatures } = yield* signQuote(project.id, quoteId)
  return {
    "limitOrders.place": { body: { quoteId, signature: Object.values(signatures)[0] } },
    "limitOrders.cancel": { parameters: { transactionId } }
  }
})

const webhookIds = Effect.fnUntraced(function* (project: Project) {
  const existingWebhooks = (yield* webhooks(project, {})).webhooks.filter(({ description }) => description === NOTE)
  const ids = existingWebhooks.map(({ id }) => id)
  while (ids.length < 2) {
    const payload = { url: "http://127.0.0.1:4000/countersign", eventTypes: [EVENT_TYPE], description: NOTE } as const
    ids.push((yield* createWebhook(project, { payload })).webhook.id)
  }
  return ids as [string, string]
})

/** Returns the id of an API key that no reader has revoked. Creates the key if none exists. */
const revocableKeyId = Effect.fnUntraced(function* ({ id }: Project) {
  const projects = yield* Projects
  const existingKey = (yield* projects.listKeys(id)).find(({ name, revokedAt }) => name === NOTE && revokedAt === null)
  if (existingKey !== undefined) return existingKey.id
  const request = { name: NOTE, environment: "test", scopes: ["read"], expiresAt: null } as const
  return (yield* projects.createKey(id, request)).key.id
})

type Tokens = SandboxFile["tokens"][string]

/**
 * Returns values for the examples that refer to existing operations, orders, sessions and webhooks. These resources
 * belong to the wallets and the individual of the examples. The function reuses resources that earlier readers have not
 * used up, and creates the others.
 */
export const referenceExamples = Effect.fnUntraced(function* (project: Project, file: SandboxFile) {
  const [demoWallet] = file.wallets
  const tokens = file.tokens["1"]
  if (demoWallet === undefined || tokens === undefined) return {}
  const walletAddress = yield* exampleWallet(project, demoWallet.factory, tokens)
  const operation =
    (yield* findPosition(project, walletAddress)) ?? (yield* makePosition(project, walletAddress, tokens))
  if (operation === null) return {}
  const { quoteId, tokenId, transactionId } = operation
  const signatures = yield* signQuote(project.id, quoteId)
  const [keptWebhookId, removableWebhookId] = yield* webhookIds(project)
  const { delivery } = yield* testWebhook(project, { params: { id: keptWebhookId } })
  const registeredCount = (yield* wallets(project, {})).wallets.length
  const positionBody = { body: { tokenId } }
  const webhookParameters = { parameters: { id: keptWebhookId } }
  const examples: Examples = {
    ...(yield* orderExamples(project, walletAddress, tokens)),
    ...(yield* fiatExamples(project, walletAddress)),
    ...(yield* identityExamples(project)),
    ...(yield* bitcoinExamples(project)),
    "liquidity.add": positionBody,
    "liquidity.withdraw": positionBody,
    "liquidity.rebalance": positionBody,
    "liquidity.position": { parameters: { tokenId } },
    execute: { body: signatures },
    "history.get": { parameters: { transactionId } },
    "userOperations.execute": {
      body: { userOperationHash: quoteId, signature: Object.values(signatures.signatures).at(-1) }
    },
    "userOperations.get": { parameters: { userOperationHash: quoteId } },
    "sandbox.sign": { body: { quoteId } },
    // A wallet can be registered only once, so the salt depends on the number of registered wallets.
    "wallets.register": { body: { salt: String(registeredCount) } },
    "admin.revokeKey": { parameters: { keyId: yield* revocableKeyId(project) } },
    "webhooks.get": webhookParameters,
    "webhooks.enable": webhookParameters,
    "webhooks.rotate": webhookParameters,
    "webhooks.test": webhookParameters,
    "webhooks.deliveries": webhookParameters,
    "webhooks.redeliver": { parameters: { id: keptWebhookId, deliveryId: delivery.id } },
    "webhooks.remove": { parameters: { id: removableWebhookId } }
  }
  return examples
})
