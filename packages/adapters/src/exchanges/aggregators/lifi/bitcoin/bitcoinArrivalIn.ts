import type { BitcoinChain, BitcoinTransactions } from "@countersign/core/bitcoin/chain"
import { type ConfirmationPolicy, confirmationsFor, upstream } from "@countersign/core/bitcoin/payments"
import { type Hash32, isEvmAddress, NATIVE_COIN, type WalletAddress } from "@countersign/core/foundation/primitives"
import { amountOf } from "@countersign/core/operations/executions"
import { Effect } from "effect"
import type { ReceivedTransfer, SeenArrival } from "../arrivalIn.ts"

interface Looking {
  readonly chain: BitcoinChain["Service"]
  readonly transactions: BitcoinTransactions["Service"]
  readonly policy: ConfirmationPolicy
}

/**
 * The outputs of a Bitcoin transaction to an account. Null before the transaction has the required confirmations, and
 * if the account itself made it.
 */
export const bitcoinArrivalIn = Effect.fnUntraced(function* (
  { chain, policy, transactions }: Looking,
  hash: Hash32,
  account: WalletAddress
) {
  if (isEvmAddress(account)) return null
  const found = yield* upstream(chain.transaction(hash))
  if (found?.block == null) return null
  const script = transactions.scriptOf(account)
  if (found.inputs.some((input) => input.script === script)) return null
  const from = found.inputs[0] === undefined ? null : transactions.addressOf(found.inputs[0].script)
  const received = found.outputs.flatMap(
    (output, index): ReadonlyArray<ReceivedTransfer> =>
      output.script === script ? [{ index, hash, token: NATIVE_COIN, amount: output.value, from }] : []
  )
  const amount = amountOf(received)
  const confirmations = (yield* upstream(chain.tipHeight)) - found.block.height + 1
  if (amount === 0n || confirmations < confirmationsFor(policy, amount)) return null
  const seen: SeenArrival = {
    block: { number: BigInt(found.block.height), hash: found.block.hash },
    blockTimestamp: Math.floor(found.block.minedAtMs / 1_000),
    received
  }
  return seen
})
