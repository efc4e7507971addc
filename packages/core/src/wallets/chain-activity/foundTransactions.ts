import { DateTime } from "effect"
import { detectedTokenDetails, type Leg, type Movement, type Transaction } from "../../accounting/history/index.ts"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import { type Address, type Hash32, NATIVE_TOKEN } from "../../foundation/primitives/index.ts"
import type { Flow } from "../../operations/executions/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { BlockMark } from "../../trading/pools/index.ts"

/** The transaction types of external transfers. */
export const externalTransferTypes = ["CRYPTO_DEPOSIT", "CRYPTO_WITHDRAW"] as const

/** A part of a transaction with its own history entry: one token in one direction. */
export interface DetectedPart {
  readonly type: (typeof externalTransferTypes)[number]
  readonly token: Address
  readonly isListed: boolean
  readonly movements: ReadonlyArray<Movement>
}

export interface PartScope {
  readonly chainId: EvmChainId
  readonly account: Address
  readonly isListed: (token: Address) => boolean
  /** Returns the value of an amount in US dollars. Null if unknown. */
  readonly usdOf: (token: Address, amount: bigint) => string | null
  /** The gas cost that the account paid, in wei of the native token. */
  readonly gas: bigint
}

const movementOf = ({ chainId, usdOf: usd }: PartScope, { account, counterparty, net, token }: Flow): Movement => {
  const amount = net < 0n ? -net : net
  return {
    direction: net < 0n ? "OUT" : "IN",
    role: "PRINCIPAL",
    account,
    asset: { chainId, token },
    amount,
    usd: usd(token, amount),
    counterparty,
    leg: 0
  }
}

const typeOf = ({ net }: Flow): DetectedPart["type"] => (net < 0n ? "CRYPTO_WITHDRAW" : "CRYPTO_DEPOSIT")

/**
 * Returns the parts of a transaction, each with its own history entry. Gas is added to the first listed part. If no
 * part is listed, gas is a separate part.
 */
export const detectedPartsOf = (flows: ReadonlyArray<Flow>, scope: PartScope): ReadonlyArray<DetectedPart> => {
  const groups = Map.groupBy(flows, (flow) => `${typeOf(flow)} ${flow.token}`)
  const parts = Array.from(groups.values(), (group): DetectedPart => {
    const [first] = group
    return {
      type: typeOf(first!),
      token: first!.token,
      isListed: scope.isListed(first!.token),
      movements: group.map((flow) => movementOf(scope, flow))
    }
  })
  if (scope.gas === 0n) return parts
  const { account, chainId, gas, usdOf: usd } = scope
  const gasMovement: Movement = {
    direction: "OUT",
    role: "GAS",
    account,
    asset: { chainId, token: NATIVE_TOKEN },
    amount: gas,
    usd: usd(NATIVE_TOKEN, gas),
    counterparty: null,
    leg: 0
  }
  const gasPartIndex = parts.findIndex(({ isListed }) => isListed)
  return gasPartIndex < 0
    ? [...parts, { type: "CRYPTO_WITHDRAW", token: NATIVE_TOKEN, isListed: true, movements: [gasMovement] }]
    : parts.map((part, index) =>
        index === gasPartIndex ? { ...part, movements: [...part.movements, gasMovement] } : part
      )
}

export interface DetectedInBlock {
  readonly chainId: EvmChainId
  readonly transactionHash: Hash32
  readonly block: BlockMark
}

const legOf = ({ block, chainId, transactionHash }: DetectedInBlock): Leg => ({
  chainId,
  hash: transactionHash,
  block: { number: BigInt(block.number), hash: block.hash },
  state: "INCLUDED",
  stage: 0
})

/** Returns whether the history entry belongs to this part. */
export const belongsToPart =
  ({ token, type }: DetectedPart) =>
  (transaction: Transaction): boolean =>
    transaction.type === type && detectedTokenDetails.in(transaction)?.token === token

const movementKey = ({ amount, counterparty, direction, role }: Movement): string =>
  `${direction} ${role} ${amount} ${counterparty}`

/**
 * Returns whether the history entry has the movements of this part, regardless of their values. It no longer has them
 * after another history entry has recorded some of them.
 */
export const hasMovementsOf = (part: DetectedPart, transaction: Transaction): boolean => {
  const keysOf = ({ movements }: Pick<Transaction, "movements">) => movements.map(movementKey).sort().join()
  return keysOf(part) === keysOf(transaction)
}

/** Returns the entry with the block and the movements of the part, which may differ from the entry's earlier ones. */
export const entryInBlock = (
  transaction: Transaction,
  part: DetectedPart,
  includedIn: DetectedInBlock,
  now: DateTime.Utc
): Transaction => ({
  ...transaction,
  status: "COMPLETED",
  substatus: part.isListed ? "INCLUDED" : "UNLISTED_TOKEN",
  movements: part.movements,
  expected: [],
  legs: [legOf(includedIn)],
  failure: null,
  updatedAt: now,
  executedAt: DateTime.makeUnsafe(includedIn.block.at * 1_000)
})

export interface NewTransaction {
  readonly id: string
  readonly projectId: ProjectId
  readonly walletAddress: Address
  readonly createdAt: DateTime.Utc
}

export const newTransaction = (
  fields: NewTransaction,
  part: DetectedPart,
  includedIn: DetectedInBlock,
  now: DateTime.Utc
): Transaction => {
  const { isListed, token, type } = part
  const blank: Transaction = {
    ...fields,
    type,
    chainIdIn: includedIn.chainId,
    chainIdOut: includedIn.chainId,
    status: "COMPLETED",
    substatus: null,
    userOperationHash: null,
    expected: [],
    movements: [],
    legs: [],
    fees: [],
    subject: null,
    details: detectedTokenDetails.of({ token, isListed }),
    failure: null,
    metadata: {},
    updatedAt: now,
    executedAt: null
  }
  return entryInBlock(blank, part, includedIn, now)
}

/**
 * Returns the entry after a reorg removed its block. Until another block includes it, its movements are only expected.
 */
export const reorgedEntry = (transaction: Transaction, now: DateTime.Utc): Transaction => ({
  ...transaction,
  status: "PROCESSING",
  substatus: "REORGED",
  expected: transaction.movements,
  movements: [],
  legs: transaction.legs.map((leg) => ({ ...leg, block: null, state: "PENDING" })),
  updatedAt: now,
  executedAt: null
})

/** Returns the entry of a transaction that no block includes any longer. */
export const droppedEntry = (transaction: Transaction, now: DateTime.Utc): Transaction => ({
  ...transaction,
  status: "FAILED",
  substatus: "REORGED",
  movements: [],
  failure: { code: "REORGED", message: "A reorg removed the block of the transaction." },
  updatedAt: now
})

/** Returns the cancelled entry of a transfer that another history entry has completely recorded. */
export const cancelledDuplicate = (transaction: Transaction, now: DateTime.Utc): Transaction => ({
  ...transaction,
  status: "CANCELLED",
  substatus: "RECORDED_ELSEWHERE",
  movements: [],
  updatedAt: now
})

export const finalizedEntry = (transaction: Transaction): Transaction => ({
  ...transaction,
  legs: transaction.legs.map((leg) => (leg.state === "INCLUDED" ? { ...leg, state: "FINAL" } : leg))
})

/** Returns whether a reorg on another chain could still remove legs of the transaction. */
export const mayLoseLegs = ({ legs }: Transaction): boolean =>
  legs.some(({ state }) => state === "INCLUDED") && legs.some(({ chainId }) => chainId !== legs[0]?.chainId)
