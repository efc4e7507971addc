import { MAX_HISTORY_PAGE, TransactionStatus, TransactionType } from "@countersign/core/history"
import { fiatCodes } from "@countersign/core/tokens"
import { Effect, Schema } from "effect"
import { ChainBody, FeeBody, MetadataBody, Text, TokenBody } from "./resources.ts"
import { ChainIdText, commaSeparated, DateTimeText, Hash32Text, intText } from "./scalars.ts"

export const HistoryQuery = {
  take: intText(1, MAX_HISTORY_PAGE).pipe(Schema.withDecodingDefaultKey(Effect.succeed(String(MAX_HISTORY_PAGE)))),
  lastId: Schema.optionalKey(Schema.String),
  type: Schema.optionalKey(commaSeparated(TransactionType)),
  status: Schema.optionalKey(commaSeparated(TransactionStatus)),
  userOperationHash: Schema.optionalKey(Hash32Text),
  transactionHash: Schema.optionalKey(Hash32Text),
  chains: Schema.optionalKey(commaSeparated(ChainIdText)),
  chainInId: Schema.optionalKey(ChainIdText),
  chainOutId: Schema.optionalKey(ChainIdText),
  createdAtLatest: Schema.optionalKey(DateTimeText),
  createdAtOldest: Schema.optionalKey(DateTimeText),
  metadataKey: Schema.optionalKey(Schema.String),
  metadataValue: Schema.optionalKey(Schema.String),
  nftNumber: Schema.optionalKey(Schema.String)
}

const FiatValuesBody = Schema.Struct(
  Object.fromEntries(fiatCodes.map((code) => [code, Text])) as { [code in (typeof fiatCodes)[number]]: typeof Text }
).annotate({ identifier: "FiatValueMap" })

const AmountBody = Schema.NullOr(
  Schema.Struct({
    token: Schema.NullOr(TokenBody),
    amount: Schema.String,
    amountIn: FiatValuesBody,
    cryptoCurrency: Schema.NullOr(TokenBody)
  }).annotate({ identifier: "HistoryAmount" })
)

export const HistoryTransactionBody = Schema.Struct({
  metadata: MetadataBody,
  id: Schema.String,
  createdAt: Schema.String,
  updatedAt: Schema.String,
  executedAt: Text,
  status: Schema.String,
  substatus: Text,
  transactionHash: Schema.Struct({ hash: Text, explorerURL: Text, explorer: Text }),
  chain: Schema.NullOr(ChainBody),
  chainIn: Schema.NullOr(ChainBody),
  chainOut: Schema.NullOr(ChainBody),
  type: Schema.String,
  userOperationHash: Text,
  receivedBy: Text,
  receivedFromAddress: Text,
  receivedCryptoCurrency: Schema.NullOr(TokenBody),
  receivedAmount: AmountBody,
  sentTo: Text,
  sentCryptoCurrency: Schema.NullOr(TokenBody),
  sentAmount: AmountBody,
  swapProvider: Text,
  fees: Schema.Array(FeeBody),
  failure: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String }))
}).annotate({ identifier: "HistoryTransaction" })

export const HistoryResponse = Schema.Struct({
  nextLastId: Text,
  transactions: Schema.Array(HistoryTransactionBody)
})
