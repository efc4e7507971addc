import { type GasFee, mainOperation } from "@countersign/core/intents"
import { type AssetChange, type Quote, signDataOf } from "@countersign/core/quotes"
import { type ByToken, type Token, tokenKey, type UsdPriceE18, usdValueOrNull } from "@countersign/core/tokens"
import type { Call } from "@countersign/core/user-operations"
import { Schema } from "effect"
import { amountText, changeText, coinText, type FindToken } from "./amounts.ts"
import { Text } from "./resources.ts"
import { signDataBody } from "./signData.ts"

/** What every answer has in common that prepares an operation: its gas, what it would do, what is to be signed. */

export const GasEstimateBody = Schema.Struct({
  payGasFeeToken: Schema.String,
  maxGasFeeToken: Schema.String,
  gasFeeTokenAmount: Schema.String,
  gasFeeTokenAmountUSD: Text,
  maxGasFeeNative: Schema.String
}).annotate({ identifier: "GasEstimate" })

export const PreviewBody = Schema.Struct({
  calls: Schema.Array(
    Schema.Struct({ to: Schema.String, value: Schema.String, data: Schema.String, summary: Schema.String })
  ),
  assetChanges: Schema.Array(Schema.Struct({ token: Schema.String, amount: Schema.String }))
})

export const gasBody = (gas: GasFee | null, payGasFeeToken: Token, prices: ByToken<UsdPriceE18>) => ({
  payGasFeeToken: payGasFeeToken.address,
  maxGasFeeToken: amountText(gas?.maxToken ?? 0n, payGasFeeToken),
  gasFeeTokenAmount: amountText(gas?.expectedToken ?? 0n, payGasFeeToken),
  gasFeeTokenAmountUSD: usdValueOrNull(gas?.expectedToken ?? 0n, payGasFeeToken, prices.get(tokenKey(payGasFeeToken))),
  maxGasFeeNative: coinText(gas?.maxWei ?? 0n)
})

/** A look-up among the tokens of a quote. */
export const amongTokens = (tokens: ReadonlyArray<Token>): FindToken => {
  const tokensByKey = new Map(tokens.map((token) => [tokenKey(token), token]))
  return (chainId, address) => tokensByKey.get(tokenKey({ chainId, address })) ?? null
}

/** The effect of the signature. Shows only those movements whose token the request names. */
export const previewBody = (calls: ReadonlyArray<Call>, assetChanges: ReadonlyArray<AssetChange>, find: FindToken) => ({
  calls: calls.map(({ data, summary, to, value }) => ({ to, value: coinText(value), data, summary })),
  assetChanges: assetChanges.flatMap(({ chainId, change, token }) => {
    const listedToken = find(chainId, token)
    return listedToken === null ? [] : [{ token, amount: changeText(change, listedToken) }]
  })
})

/** The fields of every answer about signing: the elements to sign and their hashes. */
export const signingOf = (quote: Quote) => {
  const signData = signDataBody(signDataOf(quote))
  const authorization = signData.find(({ type }) => type === "AUTHORIZATION")?.authorization
  const operation = mainOperation(quote.intents)
  const typedData = operation?.signData.find(({ type }) => type === "USER_OPERATION")?.typedData
  return {
    quoteId: quote.id,
    userOperationHash: operation?.hash ?? quote.id,
    signData,
    authorization: authorization === undefined ? {} : { authorization },
    typedData: typedData === undefined ? {} : { typedData },
    revertReason: quote.revertReason === null ? {} : { revertReason: quote.revertReason }
  }
}
