import { anExecution } from "@countersign/core/contracts/executions/ExecutionStore"
import { aDraft, aTransaction } from "@countersign/core/contracts/history/HistoryStore"
import { aKey, aProject } from "@countersign/core/contracts/projects/ProjectStore"
import { aQuote } from "@countersign/core/contracts/quotes/QuoteStore"
import { aWallet } from "@countersign/core/contracts/wallets/WalletStore"
import { anEndpoint } from "@countersign/core/contracts/webhooks/WebhookEndpointStore"
import { type DomainEvent, EventId } from "@countersign/core/events"
import type { Execution } from "@countersign/core/executions"
import type { Leg, Movement, Transaction } from "@countersign/core/history"
import type { UserOperationIntent } from "@countersign/core/intents"
import { Address, Hash32, HexBytes, NATIVE_COIN } from "@countersign/core/primitives"
import { ProjectId } from "@countersign/core/projects"
import type { Quote } from "@countersign/core/quotes"
import type { WebhookDelivery } from "@countersign/core/webhooks"
import { DateTime, Redacted } from "effect"

/** What `earlierRows` says, in the words of today's core. */

const at = (milliseconds: number) => DateTime.makeUnsafe(1_780_000_000_123 + milliseconds)
const address = (byte: string) => Address.make(`0x${byte.repeat(20)}`)
const hash = (byte: string) => Hash32.make(`0x${byte.repeat(32)}`)
const uuid = (byte: string) => `${byte.repeat(4)}-${byte.repeat(2)}-4${byte}0-8${byte}0-${byte.repeat(6)}`

const projectId = ProjectId.make("aaaaaaaa-aaaa-4aa0-8aa0-aaaaaaaaaaaa")

export const project = aProject({
  id: projectId,
  organizationId: "bbbbbbbb-bbbb-4bb0-8bb0-bbbbbbbbbbbb",
  name: "Acme's 🪙",
  treasury: address("7e"),
  computeUnits: 1_000,
  createdAt: at(0)
})

export const key = aKey({
  id: "0123456789abcdef",
  projectId,
  name: "backend",
  environment: "live",
  hash: "ab".repeat(32),
  scopes: ["read", "quote", "execute"],
  createdAt: at(1),
  expiresAt: at(86_400_000),
  revokedAt: null,
  lastUsedAt: at(5)
})

/** Words that a migration may take for its own. */
const metadata = { order: "42", expiresAt: "never", transaction: "none", "a.b": "it's 名前\u0000" }

export const wallet = aWallet({
  projectId,
  account: {
    address: address("a1"),
    owner: address("b2"),
    factory: address("c3"),
    implementation: address("d4"),
    salt: 7,
    kind: "SIMPLE_0_8",
    eip7702: false
  },
  metadata,
  registeredAt: at(10),
  lastTransactionAt: at(2_000),
  deployedOn: [1, 137]
})

const transactionOf = (byte: string, fields: Partial<Transaction>): Transaction =>
  aTransaction({
    id: uuid(byte),
    projectId,
    walletAddress: wallet.account.address,
    userOperationHash: hash(byte),
    metadata,
    createdAt: at(1_000),
    updatedAt: at(1_000),
    ...fields
  })

const legOf = (transactionHash: Hash32, fields: Partial<Leg>): Leg => ({
  chainId: 137,
  hash: transactionHash,
  block: null,
  state: "FINAL",
  stage: 0,
  ...fields
})

const quoteOf = (byte: string, intent: Partial<UserOperationIntent>, fields: Partial<Quote>): Quote =>
  aQuote({
    id: hash(byte),
    projectId,
    walletAddress: wallet.account.address,
    intents: [
      {
        type: "USER_OPERATION",
        account: wallet.account,
        operation: {
          chainId: 137,
          entryPoint: address("e5"),
          entryPointVersion: "0.8",
          sender: wallet.account.address,
          nonce: 2n ** 200n,
          factory: null,
          factoryData: null,
          callData: HexBytes.make("0x1234"),
          callGasLimit: 100_000n,
          verificationGasLimit: 200_000n,
          preVerificationGas: 50_000n,
          maxFeePerGas: 30_000_000_000n,
          maxPriorityFeePerGas: 1_000_000_000n,
          paymaster: null,
          authorization: null
        },
        hash: hash(byte),
        // Nobody lists the token; such a one is taken to have 18 decimals.
        gas: { token: address("f6"), maxWei: 10n ** 16n, maxToken: 15n * 10n ** 17n, expectedToken: 15n * 10n ** 17n },
        signData: [{ type: "USER_OPERATION", method: "personal_sign", hash: hash(byte) }],
        ...intent
      }
    ],
    metadata,
    createdAt: at(500),
    expiresAt: at(60_500),
    ...fields
  })

const executionOf = (quote: Quote, byte: string, fields: Partial<Execution>): Execution =>
  anExecution(
    {
      id: uuid(byte),
      signatures: { [hash(byte)]: HexBytes.make(`0x${"5a".repeat(65)}`) },
      stages: [
        { name: "inclusion", intent: 0, status: "PROCESSING", state: '{"fromBlock":"1"}', deadline: at(180_000) },
        { name: "finality", intent: null, status: "COMPLETED", state: "null", deadline: null }
      ],
      acceptedAt: at(1_000),
      estimatedExecutionTime: at(5_000),
      ...fields
    },
    quote
  )

export const unsigned = quoteOf("01", {}, {})
const submittedQuote = quoteOf("02", {}, {})
export const submitted = {
  quote: submittedQuote,
  execution: executionOf(submittedQuote, "02", {
    reservation: {
      chainId: 137,
      spending: [{ token: address("f6"), value: 0n, gas: 15n * 10n ** 17n }],
      nonces: [2n ** 200n],
      block: null
    }
  })
}
const settledQuote = quoteOf("03", {}, {})
export const settled = { quote: settledQuote, execution: executionOf(settledQuote, "03", {}) }
/** Since 0003_finality. */
const includedQuote = quoteOf("04", {}, {})
export const included = { quote: includedQuote, execution: executionOf(includedQuote, "04", { at: 1 }) }

export const processing = transactionOf("02", {})
export const completed = transactionOf("03", {
  status: "COMPLETED",
  legs: [legOf(hash("33"), {})],
  updatedAt: at(2_000),
  executedAt: at(1_900)
})

const USDC = Address.make("0x3c499c542cef5e3811e1192ce70d8cc03d5c3359")

/** What one wallet paid and another got, of which the chain told another amount than the quote. */
const movements = (received: bigint): ReadonlyArray<Movement> => [
  {
    direction: "OUT",
    role: "PRINCIPAL",
    account: wallet.account.address,
    asset: { chainId: 137, token: USDC },
    amount: 100_000_000n,
    usd: "100.02",
    counterparty: address("77"),
    leg: 0
  },
  {
    direction: "IN",
    role: "PRINCIPAL",
    account: address("77"),
    asset: { chainId: 137, token: NATIVE_COIN },
    amount: received,
    usd: null,
    counterparty: address("88"),
    leg: 0
  }
]

const [quotedAmount, actualAmount] = [
  57896044618658097711785492504343953926634992332820282019728n,
  57896044618658097711785492504343953926634992332820282019727n
]

const fullDraft = aDraft({
  expected: movements(quotedAmount),
  fees: [
    { type: "GAS", chainId: 137, token: USDC, amount: 1_500_000n, toAddress: address("99"), percentage: null },
    { type: "SERVICE", chainId: 137, token: NATIVE_COIN, amount: 1n, toAddress: address("7e"), percentage: "0.3" }
  ],
  details: { swapProvider: "UNISWAP_V3" }
})
const fullGas = { token: USDC, maxWei: 10n ** 16n, maxToken: 1_500_000n, expectedToken: 1_500_000n }
const authorization = { chainId: 137, address: address("d4"), nonce: 7, hash: hash("ab") } as const

/** Since 0007_answer_scope: with every field in use, in a block that is watched, and claimed by who never came back. */
const watchedQuote = quoteOf(
  "05",
  {
    operation: { ...(unsigned.intents[0] as UserOperationIntent).operation, authorization },
    gas: fullGas,
    signData: [
      { type: "USER_OPERATION", method: "personal_sign", hash: hash("05") },
      { type: "AUTHORIZATION", method: "eip7702_authorization", hash: hash("ab"), authorization }
    ]
  },
  { transaction: fullDraft }
)
export const watched = {
  quote: watchedQuote,
  execution: executionOf(watchedQuote, "05", {
    at: 1,
    signatures: {
      [hash("05")]: HexBytes.make(`0x${"5a".repeat(65)}`),
      [hash("ab")]: HexBytes.make(`0x${"6b".repeat(65)}`)
    },
    reservation: {
      chainId: 137,
      spending: [{ token: USDC, value: 100_000_000n, gas: 1_500_000n }],
      nonces: [2n ** 200n],
      block: 78n
    }
  })
}
export const watchedTransaction = transactionOf("05", {
  ...fullDraft,
  status: "COMPLETED",
  substatus: "INCLUDED",
  legs: [legOf(hash("55"), { block: { number: 78n, hash: hash("c2") }, state: "INCLUDED" })],
  movements: movements(actualAmount),
  updatedAt: at(2_000),
  executedAt: at(1_900)
})

/** Settled, and reverted. */
const revertedQuote = quoteOf(
  "06",
  { gas: fullGas },
  {
    transaction: fullDraft,
    revertReason: { decoded: 'Error("no")', raw: HexBytes.make("0x08"), utf8: "no\u0000" }
  }
)
export const reverted = { quote: revertedQuote, execution: executionOf(revertedQuote, "06", { at: 1 }) }
export const revertedTransaction = transactionOf("06", {
  ...fullDraft,
  status: "FAILED",
  substatus: "REVERTED",
  legs: [legOf(hash("66"), { block: { number: 79n, hash: hash("c3") } })],
  failure: { code: "REVERTED", message: 'It said "no"\u0000' },
  details: { swapProvider: "UNISWAP_V3", liquidity: { tokenId: "7" } },
  updatedAt: at(2_000),
  executedAt: at(1_900)
})

/** What events said that nobody has rendered yet: of a transaction no block, which was known to its operation alone. */
export const toldTransaction: Transaction = {
  ...watchedTransaction,
  expected: movements(actualAmount),
  legs: [legOf(hash("55"), { state: "INCLUDED" })]
}
export const toldWallet = { wallet: { ...wallet, lastTransactionAt: null }, chainId: 137 } as const

/** Since 0002_webhooks. */
export const endpoint = anEndpoint({
  id: "whk_0123456789abcdef",
  projectId,
  url: "https://example.com/hooks?a=1",
  description: "ours",
  eventTypes: ["transaction.*"],
  secrets: [{ secret: Redacted.make("whsec_c2VjcmV0"), createdAt: at(20), expiresAt: null }],
  createdAt: at(20)
})

const resource = { kind: "transaction", id: completed.id } as const
const resourceText = `${resource.kind}:${resource.id}`

const eventOf = (sequence: number, fields: Pick<DomainEvent, "type" | "previousStatus">): DomainEvent => ({
  id: EventId.make(`msg_${sequence}`),
  projectId,
  resource,
  sequence,
  at: at(1_000 * sequence),
  snapshot: `{"sequence":${sequence},"text":"it's"}`,
  ...fields
})

export const events = [
  eventOf(1, { type: "transaction.created", previousStatus: null }),
  eventOf(2, { type: "transaction.completed", previousStatus: "PROCESSING" })
] as const

const deliveryOf = (event: DomainEvent, fields: Partial<WebhookDelivery>): WebhookDelivery => ({
  id: `dlv_${event.sequence}`,
  projectId,
  endpointId: endpoint.id,
  eventId: event.id,
  eventType: event.type,
  resource: resourceText,
  sequence: event.sequence,
  status: "PENDING",
  attempts: 1,
  nextAttemptAt: null,
  lastStatus: null,
  lastError: null,
  createdAt: event.at,
  deliveredAt: null,
  log: [],
  ...fields
})

export const delivered = deliveryOf(events[0], {
  status: "DELIVERED",
  lastStatus: 200,
  deliveredAt: at(1_050),
  log: [{ at: at(1_010), durationMs: 40, status: 200, error: null }]
})
export const pending = deliveryOf(events[1], {
  nextAttemptAt: at(7_000),
  lastStatus: 500,
  lastError: "answered 500",
  log: [{ at: at(2_010), durationMs: 12, status: 500, error: "answered 500" }]
})
/** What was sent for the first event. */
export const sentBody = `{"type":"transaction.created"}`

/** Since 0004_metering. */
export const counted = { keyId: key.id, windowStart: 1_780_000_000, requests: 3 }
export const request = { projectId, key: "order-42", fingerprint: "cd".repeat(32) }
export const answer = {
  text: String.raw`{"status":201,"contentType":"application/json","body":"{\"wallet\":\"it's\"}","scope":"execute"}`,
  scope: "execute"
} as const
export const answeredAt = at(3_000)
