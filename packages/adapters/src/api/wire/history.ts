import {
  Leg,
  MAX_HISTORY_PAGE,
  Movement,
  TransactionStatus,
  TransactionType
} from "@countersign/core/accounting/history"
import { described } from "@countersign/core/foundation/primitives"
import { fiatCodes } from "@countersign/core/foundation/tokens"
import { Schema } from "effect"
import { hex, hexOrNull, instant, instantOrNull, linkOrNull, text, textOrNull } from "./fields.ts"
import { detailsSchemas } from "./historyDetails.ts"
import { ChainBody, feesField, MetadataBody, TokenBody } from "./resources.ts"
import { chainIdsText, chainIdText, dateTimeText, flagText, Hash32Text, intText, wordsText } from "./scalars.ts"

export const HistoryQuery = {
  take: intText(
    { minimum: 1, maximum: MAX_HISTORY_PAGE, default: MAX_HISTORY_PAGE },
    "Transactions on a page, at most"
  ),
  lastId: Schema.optionalKey(
    Schema.String.pipe(described("`nextLastId` of the page before. Left out for the first page"))
  ),
  type: Schema.optionalKey(wordsText(TransactionType, "Only transactions of these types")),
  status: Schema.optionalKey(wordsText(TransactionStatus, "Only transactions with one of these statuses")),
  userOperationHash: Schema.optionalKey(Hash32Text.pipe(described("Only the transaction of this user operation"))),
  transactionHash: Schema.optionalKey(Hash32Text.pipe(described("Only those with this transaction on chain"))),
  chains: Schema.optionalKey(chainIdsText("Only transactions that start or end on one of these chains")),
  chainInId: Schema.optionalKey(chainIdText("Deprecated, use `chains`. Only transactions that start on this chain")),
  chainOutId: Schema.optionalKey(chainIdText("Deprecated, use `chains`. Only transactions that end on this chain")),
  createdAtLatest: Schema.optionalKey(dateTimeText("Only transactions that were created at this instant or before")),
  createdAtOldest: Schema.optionalKey(dateTimeText("Only transactions that were created at this instant or later")),
  metadataKey: Schema.optionalKey(
    Schema.String.pipe(described("With `metadataValue`: only transactions with this pair in their metadata"))
  ),
  metadataValue: Schema.optionalKey(Schema.String.pipe(described("The value under `metadataKey`"))),
  nftNumber: Schema.optionalKey(
    Schema.String.pipe(
      described(
        "Only transactions of the liquidity position with this NFT id, or with it as `positionId` in their metadata: the id of " +
          "its first NFT finds them all. Together with `metadataKey=positionId` either may match"
      )
    )
  ),
  includeUnlisted: flagText(
    "Whether transactions of tokens that the service does not list, which were found on chain and may be spam, are there too"
  )
}

const valueIn = (code: string) => textOrNull(`Value in ${code}; null where the rate is not known`)

export const FiatValuesBody = Schema.Struct(
  Object.fromEntries(fiatCodes.map((code) => [code, valueIn(code.toUpperCase())])) as {
    [code in (typeof fiatCodes)[number]]: ReturnType<typeof valueIn>
  }
).annotate({ identifier: "FiatValueMap", description: "A value in many currencies, with at most 8 decimals" })

const tokenOrNull = (description: string) => Schema.NullOr(TokenBody).annotate({ description })

const AmountBody = Schema.Struct({
  token: tokenOrNull("The token; null for one that the service does not list, and of a currency"),
  currency: textOrNull("The currency (ISO 4217) where it is one of a bank; null of a token"),
  amount: text("In whole tokens, or whole units of the currency; in base units where the token is not listed"),
  amountIn: FiatValuesBody,
  cryptoCurrency: tokenOrNull("The same as `token`")
}).annotate({ identifier: "HistoryAmount", description: "An amount, with its value when the transaction was recorded" })

const amountOrNull = (description: string) => Schema.NullOr(AmountBody).annotate({ description })

const chainOrNull = (description: string) => Schema.NullOr(ChainBody).annotate({ description })

const OnChainBody = Schema.Struct({
  hash: hex("Hash of the transaction on chain"),
  explorerURL: linkOrNull("Its page at a block explorer; null where the chain has none"),
  explorer: textOrNull("Name of that block explorer")
})

const onChainOrNull = (description: string) => Schema.NullOr(OnChainBody).annotate({ description })

const LegBody = Schema.Struct({
  chain: ChainBody,
  transactionHash: onChainOrNull("The transaction on this chain; null while it is in no block"),
  state: Leg.fields.state.annotate({
    description: "`PENDING`: in no block. `INCLUDED`: in one. `FINAL`: in one that stays"
  }),
  confirmations: Schema.optionalKey(
    Schema.Int.annotate({ description: "Of Bitcoin alone: blocks that have it or are on top of it" })
  )
}).annotate({ identifier: "Leg", description: "One transaction of a chain" })

const MovementBody = Schema.Struct({
  direction: Movement.fields.direction.annotate({
    description: "`IN`: the account received it. `OUT`: it went from there"
  }),
  role: Movement.fields.role.annotate({
    description:
      "`PRINCIPAL`: what the transaction is about. `FEE`: of the project, the operator or another. `GAS`: the network's"
  }),
  account: text("Address whose balance changed"),
  counterparty: textOrNull("The other address; null where there is none"),
  chain: chainOrNull("Where; null of a currency of a bank"),
  token: tokenOrNull("The token; null for one that the service does not list, and of a currency"),
  tokenAddress: textOrNull("Its contract; null of a currency"),
  currency: textOrNull("The currency (ISO 4217) where it is one of a bank; null of a token"),
  amount: text("In whole tokens, or whole units of the currency; in base units where the token is not listed"),
  valueUsd: textOrNull("Value when it happened; null where no price was known"),
  valueSource: textOrNull("Where that price is from, such as `FEED` or `coingecko`; null where it is not known")
}).annotate({ identifier: "Movement", description: "A change of an account's balance" })

export const historyFields = {
  metadata: MetadataBody,
  id: text("Id of the transaction (UUID)"),
  createdAt: instant("When the operation was accepted"),
  updatedAt: instant("When the transaction last changed"),
  executedAt: instantOrNull("When it was executed: on a chain, the time of the last block; null while it is not over"),
  status: TransactionStatus.annotate({
    description:
      "`PENDING_SIGNATURE`: waits for its owner. `PROCESSING`: is being included in a block. `ON_BRIDGE`: on its way between chains. " +
      "`COMPLETED`: done; `PARTIALLY_COMPLETED`: done in part. `FAILED`: can't be executed any more. `CANCELLED`, `EXPIRED`: " +
      "a limit order that ended. `REFUNDED`: what was sent came back"
  }),
  substatus: textOrNull("More than the status says, in words such as `SUBMITTED` or `INCLUDED`; null for nothing"),
  transactionHash: onChainOrNull("The transaction on chain; null while there is none"),
  legs: Schema.Array(LegBody).annotate({
    description: "The transactions on chains that it consists of, in their order"
  }),
  movements: Schema.Array(MovementBody).annotate({
    description: "The on-chain movements: amounts, fees and gas; empty before there are any"
  }),
  chain: chainOrNull("Where it starts, or else where it ends; null where neither is a chain"),
  chainIn: chainOrNull("Where it starts; null where that is no chain"),
  chainOut: chainOrNull("Where it ends; null where that is no chain"),
  type: TransactionType.annotate({ description: "Kind of the transaction" }),
  userOperationHash: hexOrNull("Hash of its user operation; null where it has none"),
  receivedBy: textOrNull("Address that received; null where nothing was received"),
  receivedFromAddress: textOrNull(
    "Address that it came from; null where nothing was received, or not from one address"
  ),
  receivedCryptoCurrency: tokenOrNull("Token that was received; null for nothing, or for a token that is not listed"),
  receivedAmount: amountOrNull("What was received; what is expected to be while the transaction is under way"),
  sentTo: textOrNull("Address that it went to; null where nothing was sent, or not to one address"),
  sentCryptoCurrency: tokenOrNull("Token that was sent; null for nothing, or for a token that is not listed"),
  sentAmount: amountOrNull("What was sent, without gas; what is expected to be while the transaction is under way"),
  ...detailsSchemas,
  fees: feesField,
  failure: Schema.NullOr(
    Schema.Struct({
      code: text("Short code of the reason"),
      message: text("The reason in words")
    })
  ).annotate({ description: "Why it failed; null where it did not" })
}

export const HistoryTransactionBody = Schema.Struct(historyFields).annotate({
  identifier: "Transaction",
  description: "A transaction of a wallet, as its owner sees it"
})

export const HistoryResponse = Schema.Struct({
  nextLastId: textOrNull("`lastId` of the next page; null where this is the last"),
  transactions: Schema.Array(HistoryTransactionBody).annotate({ description: "Newest first" })
}).annotate({ identifier: "HistoryPage", description: "A page of a wallet's history" })
