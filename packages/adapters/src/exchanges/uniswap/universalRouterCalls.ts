import { type Address, decimalFromBaseUnits, isNativeToken } from "@countersign/core/foundation/primitives"
import { type Call, transferCall } from "@countersign/core/operations/user-operations"
import type { OfferRequest } from "@countersign/core/trading/swap"
import { concatHex } from "viem"
import type { ChainDeployment } from "../../chains/deployments/index.ts"
import { encoderOf } from "../../chains/evm/index.ts"
import { universalRouterAbi } from "./abi.ts"
import { CALLER, type Command, NATIVE_TOKEN, ROUTER, sweep, unwrapAll, WHOLE_BALANCE, wrap } from "./commands.ts"
import { legsOf, partCommands } from "./partCommands.ts"
import type { SwapPart } from "./SwapPart.ts"
import type { SwapTerms } from "./swapTerms.ts"

const universalRouterData = encoderOf(universalRouterAbi)

const sumOf = (parts: ReadonlyArray<SwapPart>): bigint => parts.reduce((sum, { amountIn }) => sum + amountIn, 0n)

const spendsNativeToken = (part: SwapPart): boolean => legsOf(part)[0]!.inputCurrency === NATIVE_TOKEN
const outputsNativeToken = (part: SwapPart): boolean => legsOf(part).at(-1)!.outputCurrency === NATIVE_TOKEN

/**
 * Builds the commands that convert the native token to the form that each split route needs. The routes keep their
 * order, because the amounts of routes with a common pool depend on it.
 */
const convertNativeInput = (parts: ReadonlyArray<SwapPart>, isNativeIn: boolean): ReadonlyArray<Command> => {
  const tokenParts = parts.filter((part) => !spendsNativeToken(part))
  if (!isNativeIn && tokenParts.length === parts.length) return []
  return [...(isNativeIn ? [] : [unwrapAll(ROUTER, 0n)]), ...(tokenParts.length > 0 ? [wrap(sumOf(tokenParts))] : [])]
}

/** Sends the entire output to the receiver. Reverts if it is below the minimum. */
const payOut = (
  parts: ReadonlyArray<SwapPart>,
  hasForeignOutputs: boolean,
  { tokenOut }: OfferRequest,
  wrapped: Address,
  { minAmountOut, recipient }: SwapTerms
): ReadonlyArray<Command> => {
  const hasNativeOutput = parts.some(outputsNativeToken)
  const hasTokenOutput = hasForeignOutputs || parts.some((part) => !outputsNativeToken(part))
  if (isNativeToken(tokenOut.address)) {
    if (!hasNativeOutput) return [unwrapAll(recipient, minAmountOut)]
    return [...(hasTokenOutput ? [unwrapAll(ROUTER, 0n)] : []), sweep(NATIVE_TOKEN, recipient, minAmountOut)]
  }
  const wrapAll = tokenOut.address === wrapped && hasNativeOutput ? [wrap(WHOLE_BALANCE)] : []
  return [...wrapAll, sweep(tokenOut.address, recipient, minAmountOut)]
}

/** Builds the commands that send unused input of V3 hops back to the caller. A pool leaves input unused when its liquidity is exhausted. */
const returnRemainderCommands = (parts: ReadonlyArray<SwapPart>): ReadonlyArray<Command> => {
  const inputs = parts.flatMap(({ hops }) => hops.filter(({ key }) => key._tag === "V3").map(({ tokenIn }) => tokenIn))
  return [...new Set(inputs)].map((token) => sweep(token, CALLER, 0n))
}

/**
 * Executes the split routes through the Universal Router. A call in the same batch sends the tokens to the router, so
 * no allowance is needed. Each route leaves its output in the router, which enforces the minimum on the sum. The output
 * also includes amounts that others have paid into the router.
 */
export const universalRouterCalls = (
  { universalRouter, wrappedNative }: ChainDeployment,
  request: OfferRequest,
  parts: ReadonlyArray<SwapPart>,
  hasForeignOutputs: boolean,
  terms: SwapTerms
): ReadonlyArray<Call> => {
  const { tokenIn, tokenOut } = request
  const isNativeIn = isNativeToken(tokenIn.address)
  const amountIn = sumOf(parts)
  const commands = [
    ...convertNativeInput(parts, isNativeIn),
    ...parts.flatMap(partCommands),
    ...payOut(parts, hasForeignOutputs, request, wrappedNative.address, terms),
    ...returnRemainderCommands(parts)
  ]
  const soldText = `${decimalFromBaseUnits(request.amountIn, tokenIn.decimals)} ${tokenIn.symbol}`
  const boughtText = `${decimalFromBaseUnits(terms.minAmountOut, tokenOut.decimals)} ${tokenOut.symbol}`
  const swap: Call = {
    to: universalRouter!,
    value: isNativeIn ? amountIn : 0n,
    data: universalRouterData("execute", [
      concatHex(commands.map(({ code }) => code)),
      commands.map(({ input }) => input),
      BigInt(terms.deadline)
    ]),
    summary: `Swap ${soldText} for at least ${boughtText} to ${terms.recipient}`
  }
  return isNativeIn || amountIn === 0n ? [swap] : [transferCall(tokenIn, universalRouter!, amountIn), swap]
}
