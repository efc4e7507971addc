import { bitcoinToken } from "@countersign/core/bitcoin/chain"
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

/** The gas fee of a prepared operation. */

export const GasEstimateBody = Schema.Struct({
  payGasFeeToken: hex("Token that pays for gas"),
  maxGasFeeToken: text(
    "Maximum gas fee, in units of `payGasFeeToken`. `DEDUCT_FROM_AMOUNT` deducts it from the amount. " +
      "Otherwise the wallet pays it in addition to the spent amounts. The unused amount returns to the wallet"
  ),
  gasFeeTokenAmount: text(
    "Gas fee of the simulation, which is the expected fee, in units of `payGasFeeToken`. The asset changes of " +
      "`preview` include exactly this gas fee"
  ),
  gasFeeTokenAmountUSD: textOrNull("`gasFeeTokenAmount` in US dollars; null if no price is known"),
  maxGasFeeNative: text("Maximum gas fee in units of the native token, also if the fee is paid in another token")
}).annotate({
  identifier: "GasEstimate",
  description: "Maximum and expected gas fee of the operation. On Bitcoin both are the miner fee"
})

const argumentsField = Schema.Array(
  Schema.Struct({
    name: text("Name of the argument"),
    type: text("Type of the argument in Solidity"),
    value: text("Value of the argument: whole numbers in base units, lists and structures as JSON")
  }).annotate({ description: "An argument of the call" })
).annotate({ description: "The decoded arguments, in order" })

export const PreviewBody = Schema.Struct({
  calls: Schema.Array(
    Schema.Struct({
      to: hex("Contract that is called"),
      value: text("Amount that the call sends, in units of the native token (not wei)"),
      data: hex("Calldata in hexadecimal"),
      summary: text("Description of the call"),
      contract: textOrNull("Name of the contract, or symbol of the token; null if unknown"),
      function: textOrNull("Name of the function; null if unknown, and for a transfer of the native token"),
      arguments: argumentsField,
      steps: Schema.Array(
        Schema.Struct({
          function: text("Name of the function or router command; the command's code if the name is unknown"),
          arguments: argumentsField
        }).annotate({ description: "A step of a router" })
      ).annotate({ description: "Steps that a router executes within the call, in order; empty for other calls" })
    }).annotate({ description: "A call of the wallet" })
  ).annotate({ description: "Calls of the wallet, in order" }),
  assetChanges: Schema.Array(
    Schema.Struct({
      token: hex("Token whose balance changes"),
      amount: text("Change in token units; negative for a decrease")
    }).annotate({ description: "A change of the wallet's balance in one token" })
  ).annotate({
    description:
      "Changes of the wallet's balances in the simulation, for the tokens of the request. The changes include gas: if a " +
      "token pays, `gasFeeTokenAmount`; if the wallet pays with the native token, the full prefund of the EntryPoint, which " +
      "keeps the unused part as the wallet's deposit for its next operations"
  }),
  allowances: Schema.Array(
    Schema.Struct({
      token: hex("Token of the allowance"),
      symbol: textOrNull("Symbol of the token; null for a token that is not in the request"),
      spender: hex("Spender of the allowance"),
      spenderName: textOrNull("Name of the spender's contract, or Paymaster; null if unknown"),
      amount: textOrNull(
        "Amount in token units, or in base units for a token that is not in the request; null for no limit"
      ),
      bound: textOrNull("A sentence that describes an additional limit of the allowance; null if there is none")
    }).annotate({ description: "A remaining allowance for a token" })
  ).annotate({
    description:
      "Allowances for the wallet's tokens that remain after the execution, according to the simulation: of the allowances that the operation " +
      "sets, only those that remain. If a token pays for gas, also the paymaster's allowance, which later operations use too"
  })
}).annotate({ identifier: "Preview", description: "The simulated effects of the signed operation" })

export const gasBody = (gas: GasFee | null, payGasFeeToken: Token, prices: ByToken<UsdPriceE18>) => ({
  payGasFeeToken: payGasFeeToken.address,
  maxGasFeeToken: amountText(gas?.maxToken ?? 0n, payGasFeeToken),
  gasFeeTokenAmount: amountText(gas?.expectedToken ?? 0n, payGasFeeToken),
  gasFeeTokenAmountUSD: usdValueOrNull(gas?.expectedToken ?? 0n, payGasFeeToken, prices.get(tokenKey(payGasFeeToken))),
  maxGasFeeNative: coinText(gas?.maxWei ?? 0n)
})

/** Builds the fee of a Bitcoin transaction: the miner fee, which is known exactly. */
export const minerFeeBody = (fee: bigint, prices: ByToken<UsdPriceE18>) => {
  const amount = amountText(fee, bitcoinToken)
  return {
    payGasFeeToken: bitcoinToken.address,
    maxGasFeeToken: amount,
    gasFeeTokenAmount: amount,
    gasFeeTokenAmountUSD: usdValueOrNull(fee, bitcoinToken, prices.get(tokenKey(bitcoinToken))),
    maxGasFeeNative: amount
  }
}

export const tokenFinder = (tokens: ReadonlyArray<Token>): FindToken => {
  const tokensByKey = new Map(tokens.map((token) => [tokenKey(token), token]))
  return (chainId, address) => tokensByKey.get(tokenKey({ chainId, address })) ?? null
}

/**
 * Describes how the remaining allowance of a paymaster is limited. The paymaster contract charges a wallet only for the
 * wallet's own operations, at a rate that the owner signs.
 */
const PAYMASTER_BOUND =
  "The paymaster can use this allowance only for the gas fees of operations that the owner signs, at most `maxGasFeeToken` for each operation. The allowance covers many operations."

/** Cache of decoded calls. A batch contains each call twice. A `Call` object belongs to only one chain. */
const callBodies = new WeakMap<Call, ReturnType<typeof newCallBody>>()

const newCallBody = (chainId: ChainId, call: Call) => ({
  to: call.to,
  value: coinText(call.value),
  data: call.data,
  summary: call.summary,
  ...decodedCall(chainId, call)
})

const callBody = (chainId: ChainId, call: Call) => {
  const cachedBody = callBodies.get(call)
  if (cachedBody !== undefined) return cachedBody
  const body = newCallBody(chainId, call)
  callBodies.set(call, body)
  return body
}

/**
 * Builds the preview of an operation. Omits balance changes of tokens that `find` does not return, because the decimals
 * of these tokens are unknown.
 */
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
      bound: isPaymaster ? PAYMASTER_BOUND : null
    }
  })
})

/** Builds the signing fields of a response: the elements to sign and their hashes. */
export const signingOf = (quote: Quote) => {
  const signData = signDataBody(quote.intents)
  const authorization = signData.find((element) => element.type === "AUTHORIZATION")?.authorization
  const operation = mainOperation(quote.intents)
  const order = quote.intents.find((intent) => intent.type === "LIMIT_ORDER")?.order
  const typedData = order?.typedData ?? operation?.signData.find(({ type }) => type === "USER_OPERATION")?.typedData
  return {
    // These quotes have a hash as their id.
    quoteId: quote.id as Hex,
    userOperationHash: operation?.hash ?? null,
    signData,
    userOperations: signedOperationsBody(quote.intents),
    authorization: authorization === undefined ? {} : { authorization },
    typedData: typedData === undefined ? {} : { typedData },
    revertReason: quote.revertReason === null ? {} : { revertReason: quote.revertReason }
  }
}

/** Builds the signing fields of a quote that a user operation executes. */
export const operationSigningOf = (quote: Quote) => ({
  ...signingOf(quote),
  userOperationHash: mainOperation(quote.intents)!.hash
})
