import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, Hash32, minBigInt } from "@countersign/core/foundation/primitives"
import type { IncomingTransfer } from "@countersign/core/operations/executions"
import { decodeEventLog, getAbiItem, type Hex, numberToHex, toEventSelector } from "viem"
import { acrossOrNull } from "../../chains/deployments/index.ts"
import { type RpcClients, TRANSFER } from "../../chains/evm/index.ts"
import { spokePoolAbi } from "./abi.ts"
import { blockSeconds, type LocatedLog, logsBetween } from "./chainLogs.ts"
import {
  addressToWord,
  type Deposit,
  depositInLog,
  FUNDS_DEPOSITED,
  V3_FUNDS_DEPOSITED,
  wordToAddress
} from "./deposits.ts"
import { isFilled, type Settlement } from "./fills.ts"
import { refundOf } from "./refundMatching.ts"

const EXECUTED_REFUNDS = toEventSelector(getAbiItem({ abi: spokePoolAbi, name: "ExecutedRelayerRefundRoot" }))

/** Period after the deadline, in seconds, in which Across pays refunds. Refunds usually take a few hours. */
export const REFUND_SECONDS = 86_400
/**
 * Maximum age, in seconds before the deposit, of other deposits that the same refund may pay. Fill deadlines are at
 * most a few hours.
 */
const EARLIER_SECONDS = REFUND_SECONDS

/**
 * Returns the amount that a refund leaf pays to a depositor in a token; zero if the leaf does not pay the depositor.
 */
const refundedAmount = ({ data, topics }: LocatedLog, depositor: Address, token: Address): bigint => {
  const { l2TokenAddress, refundAddresses, refundAmounts } = decodeEventLog({
    abi: spokePoolAbi,
    eventName: "ExecutedRelayerRefundRoot",
    data,
    topics: topics as [Hex, ...Array<Hex>]
  }).args
  if (l2TokenAddress.toLowerCase() !== token) return 0n
  return refundAddresses.reduce(
    (sum, address, i) => (address.toLowerCase() === depositor ? sum + refundAmounts[i]! : sum),
    0n
  )
}

/**
 * Returns the transfers of a refund, which may pay several deposits. Empty if the payment failed: the pool then logs
 * the leaf but keeps the amount for the depositor.
 */
const refundTransfers = async (
  rpc: RpcClients["Service"],
  { originChainId }: Deposit,
  transactionHash: Hex,
  depositor: Address,
  token: Address
): Promise<ReadonlyArray<IncomingTransfer>> => {
  const receipt = await rpc.request(originChainId, "eth_getTransactionReceipt", [transactionHash])
  return (receipt?.logs ?? []).flatMap(({ address, data, topics }, index) =>
    address.toLowerCase() === token && topics[0] === TRANSFER && topics[2]?.toLowerCase() === addressToWord(depositor)
      ? [{ index, amount: BigInt(data), isShared: true }]
      : []
  )
}

type IsServed = (chainId: EvmChainId) => boolean

export interface RefundSearch {
  readonly depositBlock: bigint
  readonly toBlock: bigint
  readonly isServed: IsServed
  /** Transactions with refunds that other operations have recorded. */
  readonly ignored: ReadonlySet<Hash32>
}

interface ExpiredDeposits {
  readonly deposits: ReadonlyArray<Deposit>
  /** Block of the earliest of these deposits. */
  readonly fromBlock: bigint
}

/**
 * Whether a deposit was filled. False if the service does not serve the destination chain, because it then can't read
 * the fill status.
 */
const isFilledIfServed = (rpc: RpcClients["Service"], deposit: Deposit, isServed: IsServed): Promise<boolean> => {
  const { destinationChainId } = deposit
  const isKnown = acrossOrNull(destinationChainId) !== null && isServed(destinationChainId)
  return isKnown ? isFilled(rpc, deposit) : Promise.resolve(false)
}

/**
 * Finds the unfilled deposits of the same depositor and token, from `EARLIER_SECONDS` before this deposit on. A deposit
 * on a chain that is not served counts as unfilled.
 */
const expiredDeposits = async (
  rpc: RpcClients["Service"],
  { originChainId: chainId, relay }: Deposit,
  { depositBlock, isServed, toBlock }: RefundSearch
): Promise<ExpiredDeposits> => {
  const { spokePool } = acrossOrNull(chainId)!
  const earlierBlocks = BigInt(Math.ceil((EARLIER_SECONDS * 1_000) / chainOf(chainId).blockTimeMs))
  const logs = await logsBetween(rpc, chainId, {
    address: spokePool,
    topics: [[FUNDS_DEPOSITED, V3_FUNDS_DEPOSITED], null, null, relay.depositor],
    fromBlock: depositBlock - earlierBlocks,
    toBlock
  })
  const sameTokenDeposits = logs.flatMap((log) => {
    const deposit = depositInLog(chainId, spokePool, log)
    return deposit?.relay.inputToken === relay.inputToken ? [{ deposit, blockNumber: BigInt(log.blockNumber) }] : []
  })
  const fillStates = await Promise.all(sameTokenDeposits.map(({ deposit }) => isFilledIfServed(rpc, deposit, isServed)))
  const unfilledDeposits = sameTokenDeposits.filter((_, i) => fillStates[i] === false)
  return {
    deposits: unfilledDeposits.map(({ deposit }) => deposit),
    fromBlock: unfilledDeposits.reduce((first, { blockNumber }) => minBigInt(first, blockNumber), depositBlock)
  }
}

/** Reads the payments of a token to the depositor, in order. */
const paymentsSince = async (
  rpc: RpcClients["Service"],
  { originChainId: chainId, relay }: Deposit,
  fromBlock: bigint,
  toBlock: bigint
) => {
  const leaves = await logsBetween(rpc, chainId, {
    address: acrossOrNull(chainId)!.spokePool,
    topics: [EXECUTED_REFUNDS, numberToHex(chainId, { size: 32 })],
    fromBlock,
    toBlock
  })
  return leaves.flatMap((log) => {
    const amount = refundedAmount(log, wordToAddress(relay.depositor), wordToAddress(relay.inputToken))
    return amount === 0n ? [] : [{ log, amount }]
  })
}

/** Finds the refund of an expired deposit; null if Across has not paid it yet. */
export const depositRefund = async (
  rpc: RpcClients["Service"],
  deposit: Deposit,
  search: RefundSearch
): Promise<Settlement | null> => {
  const { originChainId: chainId, relay } = deposit
  const { spokePool } = acrossOrNull(chainId)!
  const [depositor, token] = [wordToAddress(relay.depositor), wordToAddress(relay.inputToken)]
  // Most searches find no refund, so payments before the deposit are only read if a payment might match.
  const { depositBlock, toBlock } = search
  if ((await paymentsSince(rpc, deposit, depositBlock, toBlock)).length === 0) return null
  const expiredWithRange = await expiredDeposits(rpc, deposit, search)
  const payments = (await paymentsSince(rpc, deposit, expiredWithRange.fromBlock, toBlock)).filter(
    ({ log }) => !search.ignored.has(Hash32.make(log.transactionHash))
  )
  const refunds = await Promise.all(
    payments.map(async (each) => ({ ...each, timestamp: (await blockSeconds(rpc, chainId, each.log.blockHash)) ?? 0 }))
  )
  const matchedRefund = refundOf(deposit, expiredWithRange.deposits, refunds)
  if (matchedRefund === null) return null
  const transfers = await refundTransfers(rpc, deposit, matchedRefund.log.transactionHash, depositor, token)
  if (transfers.length === 0) return null
  const hash = Hash32.make(matchedRefund.log.transactionHash)
  return {
    hash,
    arrived: { hash, transfers },
    block: { number: BigInt(matchedRefund.log.blockNumber), hash: Hash32.make(matchedRefund.log.blockHash) },
    timestamp: matchedRefund.timestamp,
    token,
    // Amount of this deposit within the refunded sum.
    amount: relay.inputAmount,
    counterparty: spokePool
  }
}
