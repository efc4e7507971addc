import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import type { Address, Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import { Effect, Redacted, Schedule, Schema } from "effect"
import { formatUnits, type Hex, keccak256, type PublicClient } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { deploymentOf } from "../deployments/index.ts"
import {
  hash32FromHex,
  RpcClients,
  revertDataIn,
  revertReason,
  rpcNodeOf,
  suggestedFees,
  toUpstreamUnavailable
} from "../evm/index.ts"

export interface SetUpTransaction {
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
}

/**
 * The transaction was not sent, not included in time, or reverted. No later transaction was sent. If the command is run
 * again, it continues at this step.
 */
export class StepUnfinished extends Schema.TaggedError<StepUnfinished>("adapters/paymaster-contracts/StepUnfinished")(
  "STEP_UNFINISHED",
  { reason: Schema.String }
) {
  override get message(): string {
    return this.reason
  }
}

const POLL_EVERY = "500 millis"
const MAX_POLLS = 240

const polls = Schedule.spaced(POLL_EVERY).pipe(Schedule.upTo({ times: MAX_POLLS }))

/**
 * Adds a quarter to a gas estimate. Estimates are exact for the current state, but another transaction may be included
 * first.
 */
const withReserve = (gas: bigint): bigint => (gas * 5n) / 4n

const nonceOf = async (client: PublicClient, address: Hex) => {
  const [latestCount, pendingCount] = await Promise.all([
    client.getTransactionCount({ address, blockTag: "latest" }),
    client.getTransactionCount({ address, blockTag: "pending" })
  ])
  return { nonce: latestCount, isWaiting: pendingCount > latestCount }
}

/**
 * Whether the key has no pending transaction. A transaction of an earlier run must be included first, because it may be
 * the same step.
 */
const hasNoPendingTransaction = Effect.fnUntraced(function* (chainId: EvmChainId, key: Redacted.Redacted<HexBytes>) {
  const rpc = yield* RpcClients
  const { address } = privateKeyToAccount(Redacted.value(key))
  return !(yield* rpc.call(chainId, (client) => nonceOf(client, address))).isWaiting
})

/** Waits until all transactions of the key are included. Fails after about two minutes. */
export const waitForPendingTransactions = Effect.fn("untilQuiet")(function* (
  chainId: EvmChainId,
  key: Redacted.Redacted<HexBytes>
) {
  const hasNoPending = yield* hasNoPendingTransaction(chainId, key).pipe(
    Effect.repeat({ schedule: polls, until: (isIdle) => isIdle })
  )
  if (!hasNoPending)
    return yield* new StepUnfinished({ reason: "A transaction of this key is still pending. Try again later." })
})

/** Fails if the balance is insufficient. Nodes return the same error for this and for other problems. */
const requireNativeToken = (chainId: EvmChainId, address: Hex, balance: bigint, needed: bigint): void => {
  if (balance >= needed) return
  const { decimals, symbol } = deploymentOf(chainId).nativeCurrency
  const amount = (wei: bigint) => `${formatUnits(wei, decimals)} ${symbol}`
  const reason = `${address} has ${amount(balance)} on ${chainOf(chainId).name} and needs ${amount(needed)}. Send ${amount(needed - balance)} more.`
  throw new StepUnfinished({ reason })
}

/**
 * Converts a thrown error. If the contract reverts, the result contains the revert reason, because the node itself did
 * not fail.
 */
const failureOf = (chainId: EvmChainId, thrown: unknown): StepUnfinished | UpstreamUnavailable => {
  if (thrown instanceof StepUnfinished) return thrown
  const data = revertDataIn(thrown)
  if (data === null) return toUpstreamUnavailable(rpcNodeOf(chainId), thrown)
  return new StepUnfinished({ reason: `The transaction would revert: ${revertReason(data).decoded}` })
}

const send = async (
  client: PublicClient,
  chainId: EvmChainId,
  key: Redacted.Redacted<HexBytes>,
  { data, to, value }: SetUpTransaction
): Promise<Hash32> => {
  const account = privateKeyToAccount(Redacted.value(key))
  const request = { to, data, value }
  const [{ nonce }, { maxFeePerGas, maxPriorityFeePerGas }, balance] = await Promise.all([
    nonceOf(client, account.address),
    suggestedFees(client),
    client.getBalance({ address: account.address })
  ])
  requireNativeToken(chainId, account.address, balance, value)
  const gas = await client.estimateGas({ account: account.address, ...request })
  requireNativeToken(chainId, account.address, balance, value + withReserve(gas) * maxFeePerGas)
  const raw = await account.signTransaction({
    ...request,
    type: "eip1559",
    chainId,
    nonce,
    gas: withReserve(gas),
    maxFeePerGas,
    maxPriorityFeePerGas
  })
  await client.request({ method: "eth_sendRawTransaction", params: [raw] })
  return hash32FromHex(keccak256(raw))
}

const waitForInclusion = Effect.fnUntraced(function* (chainId: EvmChainId, hash: Hash32) {
  const rpc = yield* RpcClients
  const receipt = yield* rpc
    .call(chainId, (client) => client.request({ method: "eth_getTransactionReceipt", params: [hash] }))
    .pipe(Effect.repeat({ schedule: polls, until: (result) => result !== null }))
  if (receipt?.status === "0x1") return hash
  const reason = receipt === null ? "is in no block yet" : "was reverted"
  return yield* new StepUnfinished({ reason: `The transaction ${hash} ${reason}.` })
})

/** Sends a transaction, and waits until it is included. Fails if it reverts, or after about two minutes. */
export const sendStep = Effect.fn("sendStep")(function* (
  chainId: EvmChainId,
  key: Redacted.Redacted<HexBytes>,
  transaction: SetUpTransaction
) {
  const rpc = yield* RpcClients
  const hash = yield* Effect.tryPromise({
    try: () => send(rpc.client(chainId), chainId, key, transaction),
    catch: (thrown) => failureOf(chainId, thrown)
  })
  return yield* waitForInclusion(chainId, hash)
})

/** Broadcasts a transaction that is already signed, and waits until it is included. */
export const sendRawTransaction = Effect.fn("sendRaw")(function* (chainId: EvmChainId, raw: Hex) {
  const rpc = yield* RpcClients
  yield* rpc.call(chainId, (client) => client.request({ method: "eth_sendRawTransaction", params: [raw] }))
  return yield* waitForInclusion(chainId, hash32FromHex(keccak256(raw)))
})
