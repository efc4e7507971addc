import { bitcoinToken } from "@countersign/core/bitcoin/chain"
import { type BitcoinPreview, toSatPerVByte } from "@countersign/core/bitcoin/payments"
import { withDescription } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import { amountText } from "./amounts.ts"
import { SignedBytesText } from "./execution.ts"
import { hex, number, text } from "./fields.ts"
import { Hash32Text } from "./scalars.ts"

const coinTextOf = (satoshis: bigint): string => amountText(satoshis, bitcoinToken)

/** The inputs and outputs of a Bitcoin payment. */
export const BitcoinPreviewBody = Schema.Struct({
  inputs: Schema.Array(
    Schema.Struct({
      txid: hex("Id of the transaction that created the spent output"),
      vout: number("Index of the output in that transaction"),
      amount: text("Amount in BTC")
    }).annotate({ description: "An output of the wallet that the transaction spends" })
  ).annotate({ description: "The inputs, in order" }),
  outputs: Schema.Array(
    Schema.Struct({
      address: text("Address that the output pays"),
      amount: text("Amount in BTC"),
      role: Schema.Literals(["RECEIVER", "SERVICE_FEE", "EXTRA_FEE", "CHANGE"]).annotate({
        description: "Purpose of the output: the payment, the project's fee, the extra fee, or the wallet's change"
      })
    }).annotate({ description: "An output of the transaction" })
  ).annotate({ description: "The outputs, in order" }),
  change: text("Amount that returns to the wallet as change, in BTC"),
  fee: text("Miner fee, in BTC"),
  feeRate: number("The requested fee rate, in sat/vB. The actual fee rate is at least as high"),
  virtualSize: number("Maximum virtual size with signatures, in vB (BIP-141)")
}).annotate({ identifier: "BitcoinPreview", description: "The inputs and outputs of the transaction" })

/** Builds the fields that the previews of Bitcoin payments and swaps have in common. */
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
  feeRate: toSatPerVByte(feeRate),
  virtualSize
})

export const bitcoinPreviewBody = (preview: BitcoinPreview) => ({
  ...bitcoinSpendingBody(preview),
  outputs: preview.outputs.map(({ address, role, value }) => ({ address, amount: coinTextOf(value), role }))
})

/** The body of POST /api/v1/crypto/bitcoin/broadcast. */
export const BroadcastBody = Schema.Struct({
  quoteId: Hash32Text.pipe(withDescription("`quoteId` of the quote of a Bitcoin transfer or swap")),
  signedTransactionHex: SignedBytesText.pipe(
    withDescription(
      "The signed transaction, or the PSBT with all signatures, in hexadecimal. It must be the transaction of the quote"
    )
  )
}).annotate({ identifier: "BitcoinBroadcastRequest", description: "A quote and its signed transaction" })

export const BroadcastResponse = Schema.Struct({
  quoteId: hex("Id of the quote"),
  transactionHash: hex("Bitcoin transaction id. It differs from `quoteId` if a signature is not in the witness"),
  transactionId: text("Id of the transaction in the wallet's history (UUID). `bump` and `cancel` take it")
}).annotate({ identifier: "BitcoinBroadcast", description: "The broadcast transaction" })

/** The body of POST /api/v1/crypto/bitcoin/:transactionId/bump. */
export const BumpBody = Schema.Struct({
  feeRate: Schema.optionalKey(
    Schema.Finite.annotate({
      description:
        "Fee rate in sat/vB, higher than that of the pending payment. The default is a rate for inclusion in one of the next blocks"
    })
  )
}).annotate({ identifier: "BitcoinBumpRequest", description: "The fee rate of the replacement" })
