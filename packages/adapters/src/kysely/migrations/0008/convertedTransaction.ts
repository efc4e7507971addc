import { baseUnitsText } from "./baseUnitsText.ts"
import type { EarlierAmount, EarlierBlock, EarlierTransaction } from "./earlier.ts"

/** What is known of the operation of a transaction, beside the transaction itself. */
export interface KnownOperation {
  /** How the transaction was quoted. */
  readonly quoted: EarlierTransaction
  readonly block: EarlierBlock | null
  /** Whether its block is watched no longer. */
  readonly isSettled: boolean
}

const movement = (
  { amount, chainId, token, usd }: EarlierAmount,
  fields: { readonly direction: "IN" | "OUT"; readonly account: string; readonly counterparty: string | null }
) => ({ ...fields, role: "PRINCIPAL", asset: { chainId, token }, amount, usd, leg: 0 })

/** What was sent includes the fees, so that these are no movements of their own. */
const movementsOf = ({ received, receivedBy, receivedFrom, sent, sentTo, walletAddress }: EarlierTransaction) => [
  ...(sent === null ? [] : [movement(sent, { direction: "OUT", account: walletAddress, counterparty: sentTo })]),
  ...(received === null
    ? []
    : [movement(received, { direction: "IN", account: receivedBy ?? walletAddress, counterparty: receivedFrom })])
]

const feesOf = ({ chainIdIn, fees }: EarlierTransaction) =>
  fees.map((fee) => ({ ...fee, chainId: chainIdIn, amount: baseUnitsText(fee.amount, chainIdIn, fee.token) }))

const detailsOf = ({ nftNumber, swapProvider }: EarlierTransaction) => ({
  ...(swapProvider === null ? {} : { swapProvider }),
  ...(nftNumber === null ? {} : { liquidity: { tokenId: nftNumber } })
})

const legOf = ({ chainIdIn, transactionHash }: EarlierTransaction, operation: KnownOperation | null) => ({
  chainId: chainIdIn,
  hash: transactionHash,
  block:
    transactionHash === null || operation?.block == null
      ? null
      : { number: String(operation.block.number), hash: operation.block.hash },
  state: transactionHash === null ? "PENDING" : operation?.isSettled === true ? "FINAL" : "INCLUDED",
  stage: 0
})

/** What a quote says of the transaction that it becomes. */
export const convertedDraft = (transaction: EarlierTransaction) => ({
  type: transaction.type,
  chainIdIn: transaction.chainIdIn,
  chainIdOut: transaction.chainIdOut,
  expected: movementsOf(transaction),
  legs: [legOf(transaction, null)],
  fees: feesOf(transaction),
  details: detailsOf(transaction)
})

/** Only what was completed had moved what it says; of the rest it is what was expected. */
export const convertedTransaction = (transaction: EarlierTransaction, operation: KnownOperation | null) => ({
  ...convertedDraft(transaction),
  id: transaction.id,
  projectId: transaction.projectId,
  walletAddress: transaction.walletAddress,
  expected: movementsOf(operation?.quoted ?? transaction),
  legs: [legOf(transaction, operation)],
  status: transaction.status,
  substatus: transaction.substatus,
  userOperationHash: transaction.userOperationHash,
  movements: transaction.status === "COMPLETED" ? movementsOf(transaction) : [],
  failure: transaction.failure,
  metadata: transaction.metadata,
  createdAt: transaction.createdAt,
  updatedAt: transaction.updatedAt,
  executedAt: transaction.executedAt
})
