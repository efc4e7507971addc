import type { BitcoinChain, BitcoinTransactions } from "@countersign/core/bitcoin/chain"
import { type ConfirmationPolicy, confirmationsFor, mapToUpstream } from "@countersign/core/bitcoin/payments"
import { type Hash32, isEvmAddress, NATIVE_TOKEN, type WalletAddress } from "@countersign/core/foundation/primitives"
import { amountOf } from "@countersign/core/operations/executions"
import { Effect } from "effect"
import type { DetectedArrival, ReceivedTransfer } from "../arrivalIn.ts"

interface BitcoinAccess {
  readonly chain: BitcoinChain["Service"]
  readonly transactions: BitcoinTransactions["Service"]
  readonly policy: ConfirmationPolicy
}

/**
 * Reads the outputs of a Bitcoin transaction that pay an account. Null until the transaction has the required
 * confirmations, if no output pays the account, and if the account itself created the transaction.
 */
export const bitcoinArrivalIn = Effect.fnUntraced(function* (
  { chain, policy, transactions }: BitcoinAccess,
  hash: Hash32,
  account: WalletAddress
) {
  if (isEvmAddress(account)) return null
  const transaction = yield* mapToUpstream(chain.findTransaction(hash))
  if (transaction?.block == null) return null
  const script = transactions.scriptOf(account)
  if (transaction.inputs.some((input) => input.script === script)) return null
  const sender = transaction.inputs[0] === undefined ? null : transactions.addressOf(transaction.inputs[0].script)
  const receivedTransfers = transaction.outputs.flatMap(
    (output, index): ReadonlyArray<ReceivedTransfer> =>
      output.script === script ? [{ index, hash, token: NATIVE_TOKEN, amount: output.value, from: sender }] : []
  )
  const amount = amountOf(receivedTransfers)
  const confirmations = (yield* mapToUpstream(chain.tipHeight)) - transaction.block.height + 1
  if (amount === 0n || confirmations < confirmationsFor(policy, amount)) return null
  const arrival: DetectedArrival = {
    block: { number: BigInt(transaction.block.height), hash: transaction.block.hash },
    blockTimestamp: Math.floor(transaction.block.minedAtMs / 1_000),
    received: receivedTransfers
  }
  return arrival
})
