import { chainOf } from "@countersign/core/foundation/chains"
import { decimalFromBaseUnits, HexBytes, isNativeCoin } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { type Call, erc20Approve } from "@countersign/core/operations/user-operations"
import type { OfferTerms } from "@countersign/core/trading/swap"
import { concatHex, zeroAddress } from "viem"
import { acrossOrNull } from "../../chains/deployments/index.ts"
import { encoderOf } from "../../chains/evm/index.ts"
import type { ArrivalMessage } from "./ArrivalMessage.ts"
import { spokePoolAbi } from "./abi.ts"
import type { AcrossWay } from "./acrossWay.ts"

const poolData = encoderOf(spokePoolAbi)

/**
 * Seconds from the deposit's block in which the deposit can be filled. Afterwards Across refunds it. Across's API uses
 * two hours; SpokePools allow six.
 */
export const FILL_WINDOW_SECONDS = 7_200

/** The marker at the end of a deposit's data, before the integrator id. */
const INTEGRATOR_MARK: HexBytes = HexBytes.make("0x1dc0de")

/** The required terms of a fill. */
export interface DepositTerms extends Pick<OfferTerms, "recipient" | "sender"> {
  readonly outputAmount: bigint
}

/**
 * The approval and the deposit. A deposit with a message goes to the contract on the destination chain that executes
 * the message. `depositV3Now` takes its times from its own block. This is needed because an operation is signed minutes
 * after its quote, when the time of the fee quote would be too old.
 */
export const depositCalls = (
  { destinationChainId, input, originChainId, output }: AcrossWay,
  given: Token,
  amountIn: bigint,
  { outputAmount, recipient, sender }: DepositTerms,
  message: ArrivalMessage | null,
  integratorId: HexBytes | null
): ReadonlyArray<Call> => {
  const { spokePool } = acrossOrNull(originChainId)!
  const isCoin = isNativeCoin(given.address)
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
    value: isCoin ? amountIn : 0n,
    data: HexBytes.make(integratorId === null ? data : concatHex([data, INTEGRATOR_MARK, integratorId])),
    summary: `Send ${decimalFromBaseUnits(amountIn, given.decimals)} ${given.symbol} by Across to ${recipient} on ${chainOf(destinationChainId).name}, for at least ${decimalFromBaseUnits(outputAmount, output.decimals)} ${output.symbol} there`
  }
  return isCoin ? [deposit] : [erc20Approve(input, spokePool, amountIn), deposit]
}
