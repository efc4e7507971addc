import { bitcoinCoin } from "@countersign/core/bitcoin/chain"
import { type BitcoinPreview, rateText } from "@countersign/core/bitcoin/payments"
import { described } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import { amountText } from "./amounts.ts"
import { SignedBytesText } from "./execution.ts"
import { hex, number, text } from "./fields.ts"
import { Hash32Text } from "./scalars.ts"

const coinTextOf = (satoshis: bigint): string => amountText(satoshis, bitcoinCoin)

/** What a payment on Bitcoin's chain spends and pays. */
export const BitcoinPreviewBody = Schema.Struct({
  inputs: Schema.Array(
    Schema.Struct({
      txid: hex("Id of the transaction that made the coin"),
      vout: number("Its output"),
      amount: text("Amount in BTC")
    }).annotate({ description: "A coin of the wallet that is spent" })
  ).annotate({ description: "The spent coins, in order" }),
  outputs: Schema.Array(
    Schema.Struct({
      address: text("Who gets it"),
      amount: text("Amount in BTC"),
      role: Schema.Literals(["RECEIVER", "SERVICE_FEE", "EXTRA_FEE", "CHANGE"]).annotate({
        description: "Why: the receiver's, the project's fee, the extra fee's, or the wallet's own change"
      })
    }).annotate({ description: "One output" })
  ).annotate({ description: "The outputs, in order" }),
  change: text("What goes back to the wallet, in BTC"),
  fee: text("What the miner gets, in BTC"),
  feeRate: number("The rate that was asked for, in sat/vB. What is paid is never below it"),
  virtualSize: number("The size at most, signatures included, in virtual bytes (BIP-141)")
}).annotate({ identifier: "BitcoinPreview", description: "The inputs and outputs of the transaction" })

/** The parts of a preview that are the same of payments and of swaps. */
export const bitcoinSpendingBody = ({
  change,
  fee,
  feeRate,
  inputs,
  virtualSize
}: Pick<BitcoinPreview, "change" | "fee" | "feeRate" | "inputs" | "virtualSize">) => ({
  inputs: inputs.map(({ txid, value, vout }) => ({ txid, vout, amount: coinTextOf(value) })),
  change: coinTextOf(change),
  fee: coinTextOf(fee),
  feeRate: rateText(feeRate),
  virtualSize
})

export const bitcoinPreviewBody = (preview: BitcoinPreview) => ({
  ...bitcoinSpendingBody(preview),
  outputs: preview.outputs.map(({ address, role, value }) => ({ address, amount: coinTextOf(value), role }))
})

/** The body of POST /api/v1/crypto/bitcoin/broadcast. */
export const BroadcastBody = Schema.Struct({
  quoteId: Hash32Text.pipe(described("`quoteId` of the quote of a Bitcoin transfer or swap")),
  signedTransactionHex: SignedBytesText.pipe(
    described("The signed transaction, or the PSBT with every signature, in hexadecimal. It must be the quoted one")
  )
}).annotate({ identifier: "BitcoinBroadcastRequest", description: "A quote and its signed transaction" })

export const BroadcastedBody = Schema.Struct({
  quoteId: hex("Id of the quote"),
  transactionHash: hex("Id of the transaction on Bitcoin: another than `quoteId` where a signature is no witness"),
  transactionId: text("Id of the transaction in the wallet's history (UUID): for `bump` and `cancel`")
}).annotate({ identifier: "BitcoinBroadcast", description: "The broadcast transaction" })

/** The body of POST /api/v1/crypto/bitcoin/:transactionId/bump. */
export const BumpBody = Schema.Struct({
  feeRate: Schema.optionalKey(
    Schema.Finite.annotate({
      description:
        "Fee rate in sat/vB, higher than that of the pending payment; by default a rate at which one of the next blocks is likely"
    })
  )
}).annotate({ identifier: "BitcoinBumpRequest", description: "The fee rate of the replacement" })
