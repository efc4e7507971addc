import { Schema } from "effect"
import { BitcoinPreviewBody } from "./bitcoin.ts"
import { hex, hexOrNull, instant, number, text, textOrNull } from "./fields.ts"
import { GasEstimateBody, PreviewBody } from "./prepared.ts"
import { AuthorizationBody, MetadataBody, preparedFields, TypedDataBody } from "./resources.ts"
import { RouteBody } from "./route.ts"

const CollectedFeeBody = Schema.Struct({
  collectedFeeToken: hex("Token in which it is collected"),
  collectedFee: text("The project's part, in whole tokens"),
  collectedFeePercent: text("The project's part in percent of the amount"),
  serviceCollectedFee: text("The operator's share of it, in whole tokens"),
  serviceCollectedFeePercent: text("The operator's share in percent of the collected fee")
}).annotate({ identifier: "CollectedFee", description: "What transactionFeePercent collects" })

const CandidateBody = Schema.Struct({
  provider: text("Id of the provider"),
  name: text("Its name"),
  latencyMs: number("Milliseconds that it took to answer"),
  amountOut: textOrNull("What it would give, in whole tokens of `tokenOut`; null where it gave no quote"),
  refusal: textOrNull("Why it gave no quote, or why its quote can't be executed; null for a quote that can"),
  leftOut: Schema.Array(
    Schema.Struct({
      venue: text("Name of the exchange"),
      poolId: textOrNull(
        "Id of the pool; null where it is all of the exchange's, or those that could not be looked for"
      ),
      reason: text("Why it is not used")
    }).annotate({ description: "A pool, or an exchange" })
  ).annotate({
    description:
      "Pools for these tokens that it knows and does not use, such as pools with hooks. They are searched for in the background: " +
      "the first quote of a pair may come before they are known"
  })
}).annotate({ identifier: "Candidate", description: "A provider that was asked: its result, or its refusal" })

const BitcoinSwapBody = Schema.Struct({
  ...BitcoinPreviewBody.fields,
  outputs: Schema.Array(
    Schema.Struct({
      address: textOrNull("Who gets it; null of an output that carries a text"),
      amount: text("Amount in BTC"),
      role: Schema.Literals(["VAULT", "MEMO", "SERVICE_FEE", "EXTRA_FEE", "CHANGE"]).annotate({
        description:
          "Why: what is swapped, what the vault's owners are told to do with it, the project's fee, the extra fee's, or the wallet's own change"
      }),
      memo: textOrNull("The text that it carries; null of every other output")
    }).annotate({ description: "One output" })
  ).annotate({ description: "What is paid, in order" })
}).annotate({
  identifier: "BitcoinSwap",
  description: "The payment of a swap from chain 0. Absent of every other swap"
})

export const SwapQuoteBody = Schema.Struct({
  type: Schema.Literals(["SWAP", "LIMIT_ORDER"]).annotate({
    description: "Kind of the quote, and of the transaction that it becomes"
  }),
  ...preparedFields,
  userOperationHash: hexOrNull(
    "Hash of the user operation, by which it is looked up (ERC-4337 `userOpHash`); null where the quote has none"
  ),
  metadata: MetadataBody,
  tokenIn: hex("Token that is given"),
  tokenOut: hex("Token that comes out"),
  amountIn: text("Amount that is swapped, in whole tokens of `tokenIn`, as asked for"),
  minAmountOut: text("Least to receive, in whole tokens of `tokenOut`: with less the swap reverts"),
  amountOut: text("What it gives at the quoted block, in whole tokens of `tokenOut`, after all fees"),
  rate: textOrNull(
    "Whole tokens of `tokenOut` for one of `tokenIn`: `amountOut` by `amountIn`, so that every fee that comes out of the " +
      "amount is in it. At least 18 significant digits, rounded down"
  ),
  inverseRate: textOrNull(
    "The other way: whole tokens of `tokenIn` for one of `tokenOut`; null where nothing comes out"
  ),
  priceImpactPercent: textOrNull(
    "Price impact in percent, without fees: against the pools' price before the swap where the provider " +
      "gives it, else against the prices in dollars. Negative where the price is better; null where it is not known"
  ),
  route: RouteBody,
  chainIn: number("Id of the chain of `tokenIn`"),
  chainOut: number("Id of the chain of `tokenOut`"),
  estimatedGasFees: GasEstimateBody,
  estimatedCollectedFee: CollectedFeeBody,
  amountInUSD: textOrNull("`amountIn` in dollars; null where the price is not known"),
  amountOutUSD: textOrNull("`amountOut` in dollars; null where the price is not known"),
  tokenInPrice: textOrNull("Price of one `tokenIn` in dollars; null where it is not known"),
  swapProvider: text("Id of the provider that makes the swap"),
  expiresAt: Schema.Int.annotate({ description: "When the quote expires, in unix seconds" }),
  typedData: Schema.optionalKey(TypedDataBody),
  limitOrder: Schema.optionalKey(
    Schema.Struct({
      uid: hex(
        "The 56 bytes by which the order book and the settlement know the order: its digest, the wallet, its end"
      ),
      appData: text("The text whose hash is the order's `appData`: who made it, and who takes a part of it"),
      signingScheme: Schema.Literals(["EIP712", "EIP1271", "PRESIGN"]).annotate({
        description:
          "How the wallet stands to it: by its owner's key, by a signature that its contract checks, or by a call of its own"
      }),
      expiresAt: instant(
        "When the order expires: `expiration` after the quote, within the bounds of the order book. `expiresAt` of the quote is the time to sign it"
      )
    }).annotate({ description: "What names the limit order, whose fields are `typedData`. Absent of a swap" })
  ),
  bitcoin: Schema.optionalKey(BitcoinSwapBody),
  rwaApproveUserOperation: Schema.optionalKey(
    Schema.Struct({
      userOperationHash: hex("Hash of the operation that gives the approval"),
      authorization: Schema.optionalKey(AuthorizationBody)
    }).annotate({
      description:
        "Operation by which the wallet joins the allow-list of a real-world-asset token: the first element of `userOperations`, and signed as `signData` says. Absent where none is needed"
    })
  ),
  walletAddress: text("Wallet that makes the swap"),
  toAddress: text("Address that receives `tokenOut`"),
  preview: PreviewBody,
  candidates: Schema.Array(CandidateBody).annotate({ description: "Every provider that was asked" })
}).annotate({ identifier: "SwapQuote", description: "A quote of a swap, to be signed and executed before it expires" })

/** One kind today. Others will join, with a `type` of their own. */
export const QuoteBody = Schema.Union([SwapQuoteBody], { mode: "oneOf" }).annotate({
  identifier: "AnySwapQuote",
  description: "A quote. `type` is its kind"
})

export const QuotesBody = Schema.Struct({
  quotes: Schema.Array(QuoteBody).annotate({ description: "Best first, by the route profile" })
}).annotate({ identifier: "SwapQuotes", description: "Quotes of a swap" })
