import { aTransaction } from "@countersign/core/contracts/history/HistoryStore"
import { aKey, aProject } from "@countersign/core/contracts/projects/ProjectStore"
import { anOperation, aSubmission } from "@countersign/core/contracts/user-operations/UserOperationStore"
import { aWallet } from "@countersign/core/contracts/wallets/WalletStore"
import { anEndpoint } from "@countersign/core/contracts/webhooks/WebhookEndpointStore"
import { type DomainEvent, EventId } from "@countersign/core/events"
import type { HistoryTransaction } from "@countersign/core/history"
import { Address, Hash32, HexBytes } from "@countersign/core/primitives"
import { ProjectId } from "@countersign/core/projects"
import type { OperationRecord } from "@countersign/core/user-operations"
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

const transactionOf = (byte: string, fields: Partial<HistoryTransaction>): HistoryTransaction =>
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

const operationOf = (byte: string, fields: Partial<OperationRecord>): OperationRecord =>
  anOperation({
    id: uuid(byte),
    projectId,
    hash: hash(byte),
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
    payGasFeeToken: address("f6"),
    metadata,
    createdAt: at(500),
    expiresAt: at(60_500),
    transaction: transactionOf(byte, {}),
    ...fields
  })

const submissionOf = (byte: string) => aSubmission({ transactionId: uuid(byte), submittedAt: at(1_000) })

export const unsigned = operationOf("01", {})
export const submitted = operationOf("02", { submission: submissionOf("02") })
export const settled = operationOf("03", { submission: submissionOf("03") })
/** Since 0003_finality. */
export const included = operationOf("04", { submission: submissionOf("04") })
export const inclusion = { blockNumber: 77n, blockHash: hash("b1") }

export const processing = submitted.transaction
export const completed = transactionOf("03", {
  status: "COMPLETED",
  transactionHash: hash("33"),
  updatedAt: at(2_000),
  executedAt: at(1_900)
})

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
