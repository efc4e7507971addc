import { bitcoinCoin } from "@countersign/core/bitcoin/chain"
import type { ChainId } from "@countersign/core/foundation/chains"
import type { Fee } from "@countersign/core/foundation/fees"
import { MAX_UINT256 } from "@countersign/core/foundation/primitives"
import {
  type ByToken,
  type Token,
  tokenKey,
  type UsdPriceE18,
  usdValueOrNull
} from "@countersign/core/foundation/tokens"
import { type GasFee, mainOperation } from "@countersign/core/operations/intents"
import type { AssetChange, Quote, RemainingAllowance } from "@countersign/core/operations/quotes"
import type { Call } from "@countersign/core/operations/user-operations"
import { Schema } from "effect"
import { contractName, decodedCall } from "../../chains/evm/index.ts"
import { amountText, changeText, coinText, type FindToken } from "./amounts.ts"
import { type Hex, hex, text, textOrNull } from "./fields.ts"
import { signDataBody } from "./signData.ts"
import { signedOperationsBody } from "./signedOperation.ts"

/** The fields of every answer that prepares an operation: its gas, its effect, the data to sign. */

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
  maxGasFeeNative: text("The most that gas can cost, in whole coins of the chain, also where a token pays for it")
}).annotate({
  identifier: "GasEstimate",
  description: "What the operation's gas can cost, and what it should cost. On Bitcoin both are the miner fee"
})

const argumentsField = Schema.Array(
  Schema.Struct({
    name: text("Name of the argument"),
    type: text("Its type in Solidity"),
    value: text("Its value: whole numbers in base units, lists and structures as JSON")
  }).annotate({ description: "One argument" })
).annotate({ description: "The decoded arguments, in order" })

export const PreviewBody = Schema.Struct({
  calls: Schema.Array(
    Schema.Struct({
      to: hex("Contract that is called"),
      value: text("Coin that goes with the call, in whole coins"),
      data: hex("Call data in hexadecimal"),
      summary: text("The call in words"),
      contract: textOrNull("Name of the contract, or symbol of the token that it is; null where it is not known here"),
      function: textOrNull("Name of the function; null where it is not known here, and for a plain transfer of coin"),
      arguments: argumentsField,
      steps: Schema.Array(
        Schema.Struct({
          function: text("Name of the function or of the router's command; its code where it is not known"),
          arguments: argumentsField
        }).annotate({ description: "One step of a router" })
      ).annotate({ description: "What a router does inside of the call, in order; empty for other calls" })
    }).annotate({ description: "One call of the wallet" })
  ).annotate({ description: "What the wallet calls, in order" }),
  assetChanges: Schema.Array(
    Schema.Struct({
      token: hex("Token whose balance changes"),
      amount: text("By how much, in whole tokens; with a minus where the wallet has less afterwards")
    }).annotate({ description: "The change of one balance of the wallet" })
  ).annotate({
    description:
      "How the wallet's balances change by the simulation, for the tokens that the request names. Gas is in them: where a " +
      "token pays, with `gasFeeTokenAmount`; where the wallet pays in coin, with all that the EntryPoint takes in advance. Of " +
      "that it keeps what gas does not use, as the wallet's deposit for its next operations"
  }),
  allowances: Schema.Array(
    Schema.Struct({
      token: hex("Token that may be taken"),
      symbol: textOrNull("Its short name; null of a token that the request does not name"),
      spender: hex("Address that may take it"),
      spenderName: textOrNull("Name of the contract that it is, or Paymaster; null where it is not known here"),
      amount: textOrNull(
        "How much, in whole tokens, or in base units of a token that the request does not name; null where there is no limit"
      ),
      bound: textOrNull("What bounds it further, in a sentence; null where nothing does")
    }).annotate({ description: "An allowance that is left for one token" })
  ).annotate({
    description:
      "What others may still take of the wallet's tokens once it is executed, by the simulation: of the allowances that it " +
      "gives, those that it does not use up. Where gas is paid with a token, the paymaster's, which serves later operations too"
  })
}).annotate({ identifier: "Preview", description: "The simulated effects of the signed operation" })

export const gasBody = (gas: GasFee | null, payGasFeeToken: Token, prices: ByToken<UsdPriceE18>) => ({
  payGasFeeToken: payGasFeeToken.address,
  maxGasFeeToken: amountText(gas?.maxToken ?? 0n, payGasFeeToken),
  gasFeeTokenAmount: amountText(gas?.expectedToken ?? 0n, payGasFeeToken),
  gasFeeTokenAmountUSD: usdValueOrNull(gas?.expectedToken ?? 0n, payGasFeeToken, prices.get(tokenKey(payGasFeeToken))),
  maxGasFeeNative: coinText(gas?.maxWei ?? 0n)
})

/** The same for a Bitcoin transaction: the miner fee, which is known exactly. */
export const minerFeeBody = (fee: bigint, prices: ByToken<UsdPriceE18>) => {
  const amount = amountText(fee, bitcoinCoin)
  return {
    payGasFeeToken: bitcoinCoin.address,
    maxGasFeeToken: amount,
    gasFeeTokenAmount: amount,
    gasFeeTokenAmountUSD: usdValueOrNull(fee, bitcoinCoin, prices.get(tokenKey(bitcoinCoin))),
    maxGasFeeNative: amount
  }
}

/** A look-up among the tokens of a quote. */
export const amongTokens = (tokens: ReadonlyArray<Token>): FindToken => {
  const tokensByKey = new Map(tokens.map((token) => [tokenKey(token), token]))
  return (chainId, address) => tokensByKey.get(tokenKey({ chainId, address })) ?? null
}

/** Its contract takes a fee for an operation of the wallet alone, by a rate that is part of what the owner signs. */
const BOUND_OF_PAYMASTER =
  "It takes gas fees alone, for operations that the owner signs, and of each no more than its `maxGasFeeToken`. It serves many of them."

/** A call is of one chain, and is shown twice where it is an element's of a batch. */
const callBodies = new WeakMap<Call, ReturnType<typeof newCallBody>>()

const newCallBody = (chainId: ChainId, call: Call) => ({
  to: call.to,
  value: coinText(call.value),
  data: call.data,
  summary: call.summary,
  ...decodedCall(chainId, call)
})

const callBody = (chainId: ChainId, call: Call) => {
  const known = callBodies.get(call)
  if (known !== undefined) return known
  const body = newCallBody(chainId, call)
  callBodies.set(call, body)
  return body
}

/** The effect of the signature. Shows only those movements whose token the request names. */
export const previewBody = (
  chainId: ChainId,
  calls: ReadonlyArray<Call>,
  {
    allowances,
    assetChanges,
    fees
  }: {
    readonly allowances: ReadonlyArray<RemainingAllowance>
    readonly assetChanges: ReadonlyArray<AssetChange>
    readonly fees: ReadonlyArray<Fee>
  },
  find: FindToken
) => ({
  calls: calls.map((call) => callBody(chainId, call)),
  assetChanges: assetChanges.flatMap(({ chainId, change, token }) => {
    const listedToken = find(chainId, token)
    return listedToken === null ? [] : [{ token, amount: changeText(change, listedToken) }]
  }),
  allowances: allowances.map(({ amount, chainId, spender, token }) => {
    const listedToken = find(chainId, token)
    const isPaymaster = fees.some(({ toAddress, type }) => type === "GAS" && toAddress === spender)
    return {
      token,
      symbol: listedToken?.symbol ?? null,
      spender,
      spenderName: isPaymaster ? "Paymaster" : contractName(chainId, spender),
      amount: amount === MAX_UINT256 ? null : amountText(amount, listedToken),
      bound: isPaymaster ? BOUND_OF_PAYMASTER : null
    }
  })
})

/** The fields of every answer about signing: the elements to sign and their hashes. */
export const signingOf = (quote: Quote) => {
  const signData = signDataBody(quote.intents)
  const authorization = signData.find((element) => element.type === "AUTHORIZATION")?.authorization
  const operation = mainOperation(quote.intents)
  const order = quote.intents.find((intent) => intent.type === "LIMIT_ORDER")?.order
  const typedData = order?.typedData ?? operation?.signData.find(({ type }) => type === "USER_OPERATION")?.typedData
  return {
    // What is prepared here has a hash for its id.
    quoteId: quote.id as Hex,
    userOperationHash: operation?.hash ?? null,
    signData,
    userOperations: signedOperationsBody(quote.intents),
    authorization: authorization === undefined ? {} : { authorization },
    typedData: typedData === undefined ? {} : { typedData },
    revertReason: quote.revertReason === null ? {} : { revertReason: quote.revertReason }
  }
}

/** The same of a quote that is executed by a user operation. */
export const operationSigningOf = (quote: Quote) => ({
  ...signingOf(quote),
  userOperationHash: mainOperation(quote.intents)!.hash
})
