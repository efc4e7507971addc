import { Schema } from "effect"
import { BitcoinPreviewBody } from "./bitcoin.ts"
import { hex, hexOrNull, instant, number, text, textOrNull } from "./fields.ts"
import { GasEstimateBody, PreviewBody } from "./preparedBody.ts"
import { AuthorizationBody, MetadataBody, preparedFields, TypedDataBody } from "./resources.ts"
import { RouteBody } from "./route.ts"

const CollectedFeeBody = Schema.Struct({
  collectedFeeToken: hex("Token in which the fee is collected"),
  collectedFee: text("The project's share, in token units"),
  collectedFeePercent: text("The entire transaction fee in percent of the amount; 0 if it is not collected"),
  serviceCollectedFee: text("The operator's share of the fee, in token units"),
  serviceCollectedFeePercent: text("The operator's share in percent of the collected fee")
}).annotate({
  identifier: "CollectedFee",
  description: "The fee that `transactionFeePercent` sets, and its split between the project and the operator"
})

const CandidateBody = Schema.Struct({
  provider: text("Id of the provider"),
  name: text("Name of the provider"),
  latencyMs: number("Response time in milliseconds"),
  amountOut: textOrNull("Offered amount, in units of `tokenOut`; null if the provider returned no quote"),
  refusal: textOrNull("Reason why the provider returned no quote, or why its quote can't be executed; null otherwise"),
  leftOut: Schema.Array(
    Schema.Struct({
      venue: text("Name of the exchange"),
      poolId: textOrNull("Id of the pool; null for all pools of the exchange, or for pools that could not be searched"),
      reason: text("Reason why the pool is not used")
    }).annotate({ description: "A pool, or an entire exchange" })
  ).annotate({
    description:
      "Pools for these tokens that the provider does not use, such as pools with hooks. The service searches them in the background, so " +
      "the first quote for a token pair may not list them"
  })
}).annotate({
  identifier: "Candidate",
  description:
    "A provider from which the service requested a quote, with the quoted amount or the reason why there is none"
})

const BitcoinSwapBody = Schema.Struct({
  ...BitcoinPreviewBody.fields,
  outputs: Schema.Array(
    Schema.Struct({
      address: textOrNull("Receiver of the output; null for the output that contains the memo"),
      amount: text("Amount in BTC"),
      role: Schema.Literals(["VAULT", "MEMO", "SERVICE_FEE", "EXTRA_FEE", "CHANGE"]).annotate({
        description:
          "Purpose of the output: the swapped amount, the memo for the vault, the project's fee, the extra fee, or the wallet's change"
      }),
      memo: textOrNull("The memo (OP_RETURN); null for every other output")
    }).annotate({ description: "An output of the Bitcoin transaction" })
  ).annotate({ description: "The outputs, in order" })
}).annotate({
  identifier: "BitcoinSwap",
  description: "Bitcoin payment of a swap from Bitcoin. Absent for other swaps, and if the wallet's balance is too low"
})

export const SwapQuoteBody = Schema.Struct({
  type: Schema.Literals(["SWAP", "LIMIT_ORDER"]).annotate({
    description: "Type of the quote and of its transaction"
  }),
  ...preparedFields,
  userOperationHash: hexOrNull(
    "Hash of the user operation (ERC-4337 `userOpHash`); null if the quote has no user operation"
  ),
  metadata: MetadataBody,
  tokenIn: hex("Input token"),
  tokenOut: hex("Output token"),
  amountIn: text("Requested amount to swap, in units of `tokenIn`"),
  minAmountOut: text("Minimum output amount, in units of `tokenOut`. The swap reverts if the output is less"),
  amountOut: text("Output amount at the quoted block, in units of `tokenOut`, after all fees"),
  rate: textOrNull(
    "Amount of `tokenOut` for one `tokenIn`: `amountOut` divided by `amountIn`, so it includes every fee that is deducted from the " +
      "amount. At least 18 significant digits, rounded down"
  ),
  inverseRate: textOrNull("Inverse of `rate`: amount of `tokenIn` for one `tokenOut`; null if the output is 0"),
  priceImpactPercent: textOrNull(
    "Price impact in percent, excluding fees, compared with the pools' price before the swap if the provider " +
      "returns it, otherwise with the prices in US dollars. Negative if the swap's price is better; null if unknown"
  ),
  route: RouteBody,
  chainIn: number("Id of the chain of `tokenIn`"),
  chainOut: number("Id of the chain of `tokenOut`"),
  estimatedGasFees: GasEstimateBody,
  estimatedCollectedFee: CollectedFeeBody,
  amountInUSD: textOrNull("`amountIn` in US dollars; null if the price is unknown"),
  amountOutUSD: textOrNull("`amountOut` in US dollars; null if the price is unknown"),
  tokenInPrice: textOrNull("Price of one `tokenIn` in US dollars; null if unknown"),
  swapProvider: text("Id of the provider that executes the swap"),
  expiresAt: Schema.Int.annotate({ description: "When the quote expires, in Unix seconds" }),
  typedData: Schema.optionalKey(TypedDataBody),
  limitOrder: Schema.optionalKey(
    Schema.Struct({
      uid: hex("The 56-byte order UID of CoW Protocol: digest, wallet, expiry"),
      appData: text("The app data document, whose hash is the order's `appData`: its creator and its partner fee"),
      signingScheme: Schema.Literals(["EIP712", "EIP1271", "PRESIGN"]).annotate({
        description:
          "How the order is signed: with the owner's key, with a contract signature (EIP-1271), or by a call of the wallet (pre-signature)"
      }),
      expiresAt: instant(
        "When the order expires: `expiration` after the time of the quote, within the limits of the order book. `expiresAt` of the quote is the deadline for signing the order"
      )
    }).annotate({
      description: "Data of the limit order; the fields of the order are in `typedData`. Absent for a swap"
    })
  ),
  bitcoin: Schema.optionalKey(BitcoinSwapBody),
  rwaApproveUserOperation: Schema.optionalKey(
    Schema.Struct({
      userOperationHash: hex("Hash of the operation that sets the approval"),
      authorization: Schema.optionalKey(AuthorizationBody)
    }).annotate({
      description:
        "Operation that adds the wallet to the allow-list of a real-world-asset token. It is the first element of `userOperations`, and `signData` specifies how to sign it. Absent if no such operation is needed"
    })
  ),
  walletAddress: text("Wallet that sends `tokenIn`"),
  toAddress: text("Address that receives `tokenOut`"),
  preview: PreviewBody,
  candidates: Schema.Array(CandidateBody).annotate({
    description: "Every provider from which the service requested a quote"
  })
}).annotate({ identifier: "SwapQuote", description: "A quote of a swap, to be signed and executed before it expires" })

/** A union with one member. Later versions may add other types of quotes, each with its own `type`. */
export const QuoteBody = Schema.Union([SwapQuoteBody], { mode: "oneOf" }).annotate({
  identifier: "AnySwapQuote",
  description: "A quote. `type` distinguishes the types of quotes"
})

export const QuotesBody = Schema.Struct({
  quotes: Schema.Array(QuoteBody).annotate({ description: "Quotes in the order of the route profile, best first" })
}).annotate({ identifier: "SwapQuotes", description: "Quotes of a swap" })
