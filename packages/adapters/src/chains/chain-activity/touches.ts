import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, type Hash32, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import type { Touch } from "@countersign/core/wallets/chain-activity"
import { pad } from "viem"
import { accountContracts, deploymentOf } from "../deployments/index.ts"
import {
  addressFromHex,
  DEPOSIT,
  hash32FromHex,
  type LogResponse,
  TRANSFER,
  transferInLog,
  USER_OPERATION_EVENT,
  WITHDRAWAL
} from "../evm/index.ts"
import type { MovedNativeToken } from "./nativeTransfersInBlocks.ts"

const entryPoints: ReadonlySet<string> = new Set([accountContracts.entryPoint07, accountContracts.entryPoint08])

export interface BlockLog extends LogResponse {
  readonly blockNumber: NonNullable<LogResponse["blockNumber"]>
  readonly blockHash: NonNullable<LogResponse["blockHash"]>
  readonly transactionHash: NonNullable<LogResponse["transactionHash"]>
}

export const isInBlock = (log: LogResponse): log is BlockLog =>
  log.blockNumber !== null && log.blockHash !== null && log.transactionHash !== null

/**
 * Builds the topics of the log filters. Null selects the logs of all accounts. Otherwise the first filter selects
 * transfers from the accounts, wrapping and unwrapping. The second one selects transfers to the accounts and their user
 * operations.
 */
export const topicsOf = (among: ReadonlyArray<Address> | null) => {
  if (among === null) return [[[TRANSFER, DEPOSIT, WITHDRAWAL, USER_OPERATION_EVENT]]]
  const accounts = among.map((address) => pad(address, { size: 32 }))
  return [
    [[TRANSFER, DEPOSIT, WITHDRAWAL], accounts],
    [[TRANSFER, USER_OPERATION_EVENT], null, accounts]
  ]
}

/** Returns the contracts of a chain whose logs concern listed tokens and user operations. */
export const listedContracts = (chainId: EvmChainId): ReadonlyArray<string> => [
  ...deploymentOf(chainId).tokens.map(({ address }) => address),
  ...entryPoints
]

export const senderOf = ({ address, topics }: Pick<LogResponse, "address" | "topics">): Address | null =>
  topics[0] === USER_OPERATION_EVENT && topics[2] !== undefined && entryPoints.has(address.toLowerCase())
    ? addressFromHex(`0x${topics[2].slice(26)}`)
    : null

interface LogLocation {
  readonly transactionHash: Hash32
  readonly blockNumber: number
  readonly blockHash: Hash32
}

const logLocation = ({ blockHash, blockNumber, transactionHash }: BlockLog): LogLocation => ({
  transactionHash: hash32FromHex(transactionHash),
  blockNumber: Number(blockNumber),
  blockHash: hash32FromHex(blockHash)
})

/**
 * Returns the accounts that a log concerns. Ignores transfers from an account to itself, and transfers of zero, with
 * which spammers put their address into the history of other accounts.
 */
export const touchesOfLog = (chainId: EvmChainId, log: BlockLog): ReadonlyArray<Touch> => {
  const sender = senderOf(log)
  if (sender !== null) return [{ ...logLocation(log), account: sender, token: null, nativeToken: null }]
  const transfer = transferInLog(chainId, log)
  if (transfer === null || transfer.amount === 0n || transfer.from === transfer.to) return []
  const { from, to, token } = transfer
  const location = logLocation(log)
  return [from, to].map((account) => ({ ...location, account, token, nativeToken: null }))
}

/** Returns the sender and the receiver of a native token transfer. */
export const touchesOfNativeToken = (
  { transactionHash, transfer }: MovedNativeToken,
  block: Omit<LogLocation, "transactionHash">
): ReadonlyArray<Touch> =>
  [transfer.from, transfer.to].map((account) => ({
    ...block,
    transactionHash,
    account,
    token: NATIVE_TOKEN,
    nativeToken: transfer
  }))
