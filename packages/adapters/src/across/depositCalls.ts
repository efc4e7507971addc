import { chainOf } from "@countersign/core/chains"
import { decimalFromBaseUnits, HexBytes, isNativeCoin } from "@countersign/core/primitives"
import type { OfferTerms } from "@countersign/core/swap"
import type { Token } from "@countersign/core/tokens"
import { type Call, erc20Approve } from "@countersign/core/user-operations"
import { concatHex, zeroAddress } from "viem"
import { acrossOrNull } from "../deployments/index.ts"
import { encoderOf } from "../evm/index.ts"
import { spokePoolAbi } from "./abi.ts"
import type { AcrossWay } from "./acrossWay.ts"

const poolData = encoderOf(spokePoolAbi)

/**
 * Seconds from the deposit's block in which it can be filled; afterwards it is paid back. Two hours is what Across's API
 * gives; SpokePools take six.
 */
export const FILL_WINDOW_SECONDS = 7_200

/** What Across looks for at the end of a deposit's data, before the id of who made it. */
const INTEGRATOR_MARK: HexBytes = HexBytes.make("0x1dc0de")

/**
 * The allowance and the deposit. `depositV3Now` takes its times from its own block: an operation is signed minutes after
 * its quote, and no quote of fees may be too old by then.
 */
export const depositCalls = (
  { destinationChainId, input, originChainId, output }: AcrossWay,
  given: Token,
  amountIn: bigint,
  { minAmountOut, recipient, sender }: OfferTerms,
  integratorId: HexBytes | null
): ReadonlyArray<Call> => {
  const { spokePool } = acrossOrNull(originChainId)!
  const isCoin = isNativeCoin(given.address)
  const data = poolData("depositV3Now", [
    sender as `0x${string}`,
    recipient as `0x${string}`,
    input.address,
    output.address,
    amountIn,
    minAmountOut,
    BigInt(destinationChainId),
    zeroAddress,
    FILL_WINDOW_SECONDS,
    0,
    "0x"
  ])
  const deposit: Call = {
    to: spokePool,
    value: isCoin ? amountIn : 0n,
    data: HexBytes.make(integratorId === null ? data : concatHex([data, INTEGRATOR_MARK, integratorId])),
    summary: `Send ${decimalFromBaseUnits(amountIn, given.decimals)} ${given.symbol} by Across to ${recipient} on ${chainOf(destinationChainId).name}, for at least ${decimalFromBaseUnits(minAmountOut, output.decimals)} ${output.symbol} there`
  }
  return isCoin ? [deposit] : [erc20Approve(input, spokePool, amountIn), deposit]
}
