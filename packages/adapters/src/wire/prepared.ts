import { type GasFee, mainOperation } from "@countersign/core/intents"
import { type AssetChange, type Quote, signDataOf } from "@countersign/core/quotes"
import { type ByToken, type Token, tokenKey, type UsdPriceE18, usdValueOrNull } from "@countersign/core/tokens"
import type { Call } from "@countersign/core/user-operations"
import { Schema } from "effect"
import { amountText, changeText, coinText, type FindToken } from "./amounts.ts"
import { hex, text, textOrNull } from "./fields.ts"
import { signDataBody } from "./signData.ts"

/** What every answer has in common that prepares an operation: its gas, what it would do, what is to be signed. */

export const GasEstimateBody = Schema.Struct({
  payGasFeeToken: hex("Token that pays for gas"),
  maxGasFeeToken: text(
    "The most that gas can cost, in whole tokens of `payGasFeeToken`. `DEDUCT_FROM_AMOUNT` takes this out of the amount. " +
      "The wallet needs it on top of what the operation spends, and gets back what gas does not use"
  ),
  gasFeeTokenAmount: text(
    "What gas cost in the simulation, in whole tokens of `payGasFeeToken`: the amount to expect. The asset changes of " +
      "`preview` have exactly this for gas"
  ),
  gasFeeTokenAmountUSD: textOrNull("`gasFeeTokenAmount` in dollars; null where the token has no known price"),
  maxGasFeeNative: text("The most that gas can cost, in whole coins of the chain, whatever token pays for it")
}).annotate({ identifier: "GasEstimate", description: "What the operation's gas can cost, and what it should cost" })

export const PreviewBody = Schema.Struct({
  calls: Schema.Array(
    Schema.Struct({
      to: hex("Contract that is called"),
      value: text("Coin that goes with the call, in whole coins"),
      data: hex("Call data in hexadecimal"),
      summary: text("The call in words")
    }).annotate({ description: "One call of the wallet" })
  ).annotate({ description: "What the wallet calls, in order" }),
  assetChanges: Schema.Array(
    Schema.Struct({
      token: hex("Token whose balance changes"),
      amount: text("By how much, in whole tokens; with a minus where the wallet has less afterwards")
    }).annotate({ description: "The change of one balance of the wallet" })
  ).annotate({
    description:
      "How the wallet's balances changed in the simulation, for the tokens that the request names. Gas is in them, with " +
      "`gasFeeTokenAmount`"
  })
}).annotate({ identifier: "Preview", description: "What the signature brings about, by a simulation" })

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
  const authorization = signData.find((element) => element.type === "AUTHORIZATION")?.authorization
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
