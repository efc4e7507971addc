import { chainOf } from "@countersign/core/foundation/chains"
import { decimalFromBaseUnits, HexBytes, isNativeToken } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { approveCall, type Call } from "@countersign/core/operations/user-operations"
import type { OfferTerms } from "@countersign/core/trading/swap"
import { concatHex, zeroAddress } from "viem"
import { acrossOrNull } from "../../chains/deployments/index.ts"
import { encoderOf } from "../../chains/evm/index.ts"
import type { ArrivalMessage } from "./ArrivalMessage.ts"
import { spokePoolAbi } from "./abi.ts"
import type { AcrossRoute } from "./acrossRoute.ts"

const poolData = encoderOf(spokePoolAbi)

/**
 * Seconds after the deposit's block in which relayers can fill the deposit. Afterwards Across refunds it. Across's API
 * uses two hours; SpokePools allow six.
 */
export const FILL_WINDOW_SECONDS = 7_200

/** Marks the end of a deposit's calldata, before the integrator id. */
const INTEGRATOR_MARK: HexBytes = HexBytes.make("0x1dc0de")

/** What a fill of the deposit must pay, and to whom. */
export interface DepositTerms extends Pick<OfferTerms, "recipient" | "sender"> {
  readonly outputAmount: bigint
}

/**
 * Builds the deposit, and the approval if it is not in the native token. If the deposit has a message, its receiver is
 * the contract on the destination chain that executes the message. `depositV3Now` takes its times from its own block.
 * This is necessary because an owner may sign minutes after the quote, when the quoted time would be too old.
 */
export const depositCalls = (
  { destinationChainId, input, originChainId, output }: AcrossRoute,
  tokenIn: Token,
  amountIn: bigint,
  { outputAmount, recipient, sender }: DepositTerms,
  message: ArrivalMessage | null,
  integratorId: HexBytes | null
): ReadonlyArray<Call> => {
  const { spokePool } = acrossOrNull(originChainId)!
  const isNative = isNativeToken(tokenIn.address)
  const data = poolData("depositV3Now", [
    sender as `0x${string}`,
    message === null ? (recipient as `0x${string}`) : message.handler,
    input.address,
    output.address,
    amountIn,
    outputAmount,
    BigInt(destinationChainId),
    zeroAddress,
    FILL_WINDOW_SECONDS,
    0,
    message?.data ?? "0x"
  ])
  const deposit: Call = {
    to: spokePool,
    value: isNative ? amountIn : 0n,
    data: HexBytes.make(integratorId === null ? data : concatHex([data, INTEGRATOR_MARK, integratorId])),
    summary: `Send ${decimalFromBaseUnits(amountIn, tokenIn.decimals)} ${tokenIn.symbol} by Across to ${recipient} on ${chainOf(destinationChainId).name}, for at least ${decimalFromBaseUnits(outputAmount, output.decimals)} ${output.symbol} there`
  }
  return isNative ? [deposit] : [approveCall(input, spokePool, amountIn), deposit]
}
