import {
  Leg,
  MAX_HISTORY_PAGE,
  Movement,
  TransactionStatus,
  TransactionType
} from "@countersign/core/accounting/history"
import { withDescription } from "@countersign/core/foundation/primitives"
import { fiatCodes } from "@countersign/core/foundation/tokens"
import { Schema } from "effect"
import { hex, hexOrNull, instant, instantOrNull, linkOrNull, text, textOrNull } from "./fields.ts"
import { detailsSchemas } from "./historyDetails.ts"
import { ChainBody, feesField, MetadataBody, TokenBody } from "./resources.ts"
import { chainIdsText, chainIdText, dateTimeText, flagText, Hash32Text, intText, wordsText } from "./scalars.ts"

export const HistoryQuery = {
  take: intText(
    { minimum: 1, maximum: MAX_HISTORY_PAGE, default: MAX_HISTORY_PAGE },
    "Maximum number of transactions on a page"
  ),
  lastId: Schema.optionalKey(
    Schema.String.pipe(withDescription("`nextLastId` of the previous page. Omit it for the first page"))
  ),
  type: Schema.optionalKey(wordsText(TransactionType, "Only transactions of these types")),
  status: Schema.optionalKey(wordsText(TransactionStatus, "Only transactions with one of these statuses")),
  userOperationHash: Schema.optionalKey(
    Hash32Text.pipe(withDescription("Only the transaction of this user operation"))
  ),
  transactionHash: Schema.optionalKey(
    Hash32Text.pipe(withDescription("Only transactions with this on-chain transaction hash"))
  ),
  chains: Schema.optionalKey(chainIdsText("Only transactions that start or end on one of these chains")),
  chainInId: Schema.optionalKey(chainIdText("Deprecated, use `chains`. Only transactions that start on this chain")),
  chainOutId: Schema.optionalKey(chainIdText("Deprecated, use `chains`. Only transactions that end on this chain")),
  createdAtLatest: Schema.optionalKey(dateTimeText("Only transactions that were created at this instant or before")),
  createdAtOldest: Schema.optionalKey(dateTimeText("Only transactions that were created at this instant or later")),
  metadataKey: Schema.optionalKey(
    Schema.String.pipe(
      withDescription(
        "Key of a metadata pair. Together with `metadataValue`: only transactions whose metadata contain the pair"
      )
    )
  ),
  metadataValue: Schema.optionalKey(
    Schema.String.pipe(withDescription("Value of the metadata pair whose key is `metadataKey`"))
  ),
  nftNumber: Schema.optionalKey(
    Schema.String.pipe(
      withDescription(
        "Only transactions of the liquidity position with this NFT id, or whose metadata contain this id as `positionId`. The id of the " +
          "position's first NFT finds its entire history. With `metadataKey=positionId`, a transaction matches if either condition is true"
      )
    )
  ),
  includeUnlisted: flagText("Whether to include detected transfers of tokens that are not listed, which may be spam")
}

const valueIn = (code: string) => textOrNull(`Value in ${code}; null if the rate is unknown`)

export const FiatValuesBody = Schema.Struct(
  Object.fromEntries(fiatCodes.map((code) => [code, valueIn(code.toUpperCase())])) as {
    [code in (typeof fiatCodes)[number]]: ReturnType<typeof valueIn>
  }
).annotate({ identifier: "FiatValueMap", description: "A value in several currencies, with at most 8 decimals" })

const tokenOrNull = (description: string) => Schema.NullOr(TokenBody).annotate({ description })

const AmountBody = Schema.Struct({
  token: tokenOrNull("The token; null if it is not listed, and for fiat"),
  currency: textOrNull("The fiat currency (ISO 4217); null for a token"),
  amount: text("Decimal amount of the token or of the currency; in base units if the token is not listed"),
  amountIn: FiatValuesBody,
  cryptoCurrency: tokenOrNull("The same as `token`")
}).annotate({
  identifier: "HistoryAmount",
  description: "An amount, and its value at the time when the transaction was recorded"
})

const amountOrNull = (description: string) => Schema.NullOr(AmountBody).annotate({ description })

const chainOrNull = (description: string) => Schema.NullOr(ChainBody).annotate({ description })

const OnChainBody = Schema.Struct({
  hash: hex("Hash of the on-chain transaction"),
  explorerURL: linkOrNull("URL of the transaction at a block explorer; null if the chain has no explorer"),
  explorer: textOrNull("Name of the block explorer")
})

const nullableOnChainBody = (description: string) => Schema.NullOr(OnChainBody).annotate({ description })

const LegBody = Schema.Struct({
  chain: ChainBody,
  transactionHash: nullableOnChainBody(
    "The on-chain transaction; null until a block includes it. For Bitcoin, an unconfirmed transaction can have one"
  ),
  state: Leg.fields.state.annotate({
    description: "`PENDING`: not in a block. `INCLUDED`: in a block. `FINAL`: in a finalized block"
  }),
  confirmations: Schema.optionalKey(Schema.Int.annotate({ description: "Only for Bitcoin: number of confirmations" }))
}).annotate({ identifier: "Leg", description: "An on-chain transaction" })

const MovementBody = Schema.Struct({
  direction: Movement.fields.direction.annotate({
    description: "`IN`: the account received it. `OUT`: the account sent it"
  }),
  role: Movement.fields.role.annotate({
    description:
      "`PRINCIPAL`: the purpose of the transaction. `FEE`: a fee of the project, the operator or another party. `GAS`: the network fee"
  }),
  account: text("Address whose balance changed"),
  counterparty: textOrNull("Address at the other end of the movement; null if there is none"),
  chain: chainOrNull("The chain; null for fiat"),
  token: tokenOrNull("The token; null if it is not listed, and for fiat"),
  tokenAddress: textOrNull("Contract of the token; null for fiat"),
  currency: textOrNull("The fiat currency (ISO 4217); null for a token"),
  amount: text("Decimal amount of the token or of the currency; in base units if the token is not listed"),
  valueUsd: textOrNull("Value in US dollars at the time of the movement; null if no price was known"),
  valueSource: textOrNull("Source of the price, such as `FEED` or `coingecko`; null if not known")
}).annotate({ identifier: "Movement", description: "A change of an account's balance" })

export const historyFields = {
  metadata: MetadataBody,
  id: text("Id of the transaction (UUID)"),
  createdAt: instant("When the operation was accepted"),
  updatedAt: instant("When the transaction last changed"),
  executedAt: instantOrNull(
    "When the transaction was executed. For an on-chain transaction this is the time of its last block. Null until the transaction ends"
  ),
  status: TransactionStatus.annotate({
    description:
      "`PENDING_SIGNATURE`: waits for the owner's signature. `PROCESSING`: is being included in a block. `ON_BRIDGE`: in flight between chains. " +
      "`COMPLETED`: executed. `PARTIALLY_COMPLETED`: a limit order that was filled in part, or a swap that was refunded in part. `FAILED`: can no longer be executed. " +
      "`CANCELLED`, `EXPIRED`: an ended limit order or fiat order; `CANCELLED` also a replaced Bitcoin payment. `REFUNDED`: the sent amount was returned"
  }),
  substatus: textOrNull("Detail of the status, such as `SUBMITTED` or `INCLUDED`; null if there is none"),
  transactionHash: nullableOnChainBody("The on-chain transaction; null until there is one"),
  legs: Schema.Array(LegBody).annotate({
    description: "On-chain transactions of the operation, in order"
  }),
  movements: Schema.Array(MovementBody).annotate({
    description: "The movements of amounts, fees and gas, as recorded on-chain; empty until the first one is recorded"
  }),
  chain: chainOrNull("Chain where the transaction starts, otherwise where it ends; null if neither is a chain"),
  chainIn: chainOrNull("Chain where the transaction starts; null if it starts at a bank"),
  chainOut: chainOrNull("Chain where the transaction ends; null if it ends at a bank"),
  type: TransactionType.annotate({ description: "Type of the transaction" }),
  userOperationHash: hexOrNull("Hash of the user operation that executes it; null if there is none"),
  receivedBy: textOrNull(
    "Address that received the token; while the transaction is pending, the expected receiver. Null if nothing is received"
  ),
  receivedFromAddress: textOrNull(
    "Address that sent the received token, or the largest part of it. For a pending transaction, the expected sender. Null if nothing is received, or if the sender has no address"
  ),
  receivedCryptoCurrency: tokenOrNull(
    "Received token; while the transaction is pending, the expected token. Null if nothing is received, or if the token is not listed"
  ),
  receivedAmount: amountOrNull("Received amount; while the transaction is pending, the expected amount"),
  sentTo: textOrNull(
    "Address that received the sent token, or the largest part of it. For a pending transaction, the expected receiver. Null if nothing is sent, or if the receiver has no address"
  ),
  sentCryptoCurrency: tokenOrNull(
    "Sent token; while the transaction is pending, the expected token. Null if nothing is sent, or if the token is not listed"
  ),
  sentAmount: amountOrNull("Sent amount without gas; while the transaction is pending, the expected amount"),
  ...detailsSchemas,
  fees: feesField,
  failure: Schema.NullOr(
    Schema.Struct({
      code: text("Short code of the reason"),
      message: text("Description of the reason")
    })
  ).annotate({ description: "Reason of the failure; null if the transaction did not fail" })
}

export const HistoryTransactionBody = Schema.Struct(historyFields).annotate({
  identifier: "Transaction",
  description: "A transaction of a wallet in its history"
})

export const HistoryResponse = Schema.Struct({
  nextLastId: textOrNull("Cursor: set `lastId` to this value to get the next page; null on the last page"),
  transactions: Schema.Array(HistoryTransactionBody).annotate({ description: "Newest first" })
}).annotate({ identifier: "HistoryPage", description: "A page of a wallet's history" })
