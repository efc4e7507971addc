import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import type { OfferTerms } from "@countersign/core/trading/swap"
import { type ContractFunctionArgs, decodeFunctionData, type Hex, slice, zeroAddress } from "viem"
import { deploymentOf } from "../../../chains/deployments/index.ts"
import { addressFromHex } from "../../../chains/evm/index.ts"
import { parityRoundingDown } from "../../across/index.ts"
import type { RouteReader } from "../RouteCall.ts"
import { fault, type RouteFault } from "../RouteFault.ts"
import { acrossFacetAbi } from "./abi.ts"
import { type AllowedContracts, type Steps, stepsOrNull, type TakenInput, takenInputOf, tokenOf } from "./steps.ts"

type Args = ContractFunctionArgs<typeof acrossFacetAbi, "payable", "startBridgeTokensViaAcrossV4">

/** A transfer, and the steps of the swap before it. `steps` is null if the token is transferred directly. */
interface Transfer {
  readonly bridge: Args[0]
  readonly across: Args[1]
  readonly steps: Steps | null
}

const decodeTransfer = (data: Hex): Transfer | null => {
  try {
    const { args, functionName } = decodeFunctionData({ abi: acrossFacetAbi, data })
    if (functionName === "startBridgeTokensViaAcrossV4") return { bridge: args[0], across: args[1], steps: null }
    const steps = stepsOrNull(args[1])
    return steps === null ? null : { bridge: args[0], across: args[2], steps }
  } catch {
    return null
  }
}

const addressIn = (word: Hex): Address | null =>
  BigInt(slice(word, 0, 12)) === 0n ? addressFromHex(slice(word, 12)) : null

/** The parties, times and chains that the calldata of a transfer must contain. */
export interface BridgeTerms extends Pick<OfferTerms, "sender" | "recipient" | "deadline"> {
  readonly chainId: EvmChainId
  readonly chainIdOut: EvmChainId
  /** The contracts that LI.FI may call before the transfer. */
  readonly allowed: AllowedContracts
}

/** Denominator of fractions in AcrossFacetV4. */
const MULTIPLIER_ONE = 10n ** 18n
/**
 * Maximum value of `exclusivityParameter` that is a number of seconds after the deposit. A larger value is an absolute
 * time in Unix seconds.
 */
const MAX_OFFSET_SECONDS = 31_536_000
/** Maximum time, in seconds, for which only one relayer can fill the transfer. Afterwards any relayer can fill it. */
const MAX_EXCLUSIVE_SECONDS = 600

const outputOf = ({ across, bridge, steps }: Transfer): bigint =>
  steps === null ? across.outputAmount : (bridge.minAmount * across.outputAmountMultiplier) / MULTIPLIER_ONE

const partyFaults = ({ across }: Transfer, { recipient, sender }: BridgeTerms): ReadonlyArray<RouteFault | null> => {
  const [receiver, refundReceiver] = [addressIn(across.receiverAddress), addressIn(across.refundAddress)]
  return [
    receiver === recipient ? null : fault("RECIPIENT", `Across would pay ${receiver} instead of ${recipient}`),
    refundReceiver === sender ? null : fault("RECIPIENT", `a refund would go to ${refundReceiver} instead of ${sender}`)
  ]
}

const exclusiveSeconds = ({ exclusivityParameter, quoteTimestamp }: Args[1]): number =>
  exclusivityParameter <= MAX_OFFSET_SECONDS ? exclusivityParameter : exclusivityParameter - quoteTimestamp

const timeFaults = ({ across }: Transfer, { deadline }: BridgeTerms): ReadonlyArray<RouteFault | null> => [
  // The transfer must not expire before the operation's deadline, because Across refunds an expired transfer only hours
  // later.
  across.fillDeadline > deadline
    ? null
    : fault("DEADLINE", "its fill deadline expires before the operation can be executed"),
  exclusiveSeconds(across) <= MAX_EXCLUSIVE_SECONDS
    ? null
    : fault("DEADLINE", `only one relayer could fill it for ${exclusiveSeconds(across)} seconds`)
]

const tokenFaults = (transfer: Transfer, { chainId, chainIdOut }: BridgeTerms): ReadonlyArray<RouteFault | null> => {
  const { across, bridge, steps } = transfer
  const sentToken = tokenOf(bridge.sendingAssetId)
  const sentTokenOnBridge = sentToken === NATIVE_TOKEN ? deploymentOf(chainId).wrappedNative.address : sentToken
  const bridgedToken = steps === null ? sentToken : tokenOf(steps.at(-1)!.receivingAssetId)
  const outputToken = addressIn(across.receivingAssetId)
  const maxAmount =
    outputToken === null
      ? null
      : parityRoundingDown(
          { chainId, token: sentTokenOnBridge },
          { chainId: chainIdOut, token: outputToken },
          bridge.minAmount
        )
  return [
    sentToken === NATIVE_TOKEN || addressIn(across.sendingAssetId) === sentTokenOnBridge
      ? null
      : fault("TOKEN", `it bridges ${addressIn(across.sendingAssetId)} but takes ${bridge.sendingAssetId}`),
    bridgedToken === sentToken ? null : fault("TOKEN", `it swaps to ${bridgedToken} but bridges ${sentToken}`),
    // No relayer fills a transfer at a loss, so an output that is too high would only cause a refund.
    maxAmount === null || outputOf(transfer) > maxAmount
      ? fault(
          "MINIMUM",
          "no relayer would fill it, because its output is worth more than the deposit, or is another token"
        )
      : null
  ]
}

const faultsOf = (transfer: Transfer, terms: BridgeTerms): ReadonlyArray<RouteFault> => {
  const { across, bridge, steps } = transfer
  const faults = [
    bridge.destinationChainId === BigInt(terms.chainIdOut)
      ? null
      : fault("CHAIN", `its destination is chain ${bridge.destinationChainId} instead of ${terms.chainIdOut}`),
    bridge.hasDestinationCall || across.message !== "0x"
      ? fault("DESTINATION_CALL", "it makes a call on the destination chain")
      : null,
    bridge.hasSourceSwaps === (steps !== null) ? null : fault("FUNCTION", "its flag `hasSourceSwaps` is wrong"),
    ...partyFaults(transfer, terms),
    ...timeFaults(transfer, terms),
    ...tokenFaults(transfer, terms)
  ]
  return faults.filter((each) => each !== null)
}

const takenInputOfTransfer = ({ bridge, steps }: Transfer, allowed: AllowedContracts): TakenInput => {
  if (steps === null) return { tokenIn: tokenOf(bridge.sendingAssetId), amountIn: bridge.minAmount, faults: [] }
  const deposits = steps.filter(({ requiresDeposit }) => requiresDeposit)
  return takenInputOf(allowed, steps, deposits, steps[0].sendingAssetId === zeroAddress)
}

/**
 * Creates a decoder for a cross-chain transfer by LI.FI over Across. The output is a minimum: Across pays at least this
 * amount or refunds the entire deposit. After a swap, the output is a fraction of the swap's output, for which LI.FI's
 * contract enforces `minAmount`. Other bridges are not supported.
 */
export const acrossBridgeReader =
  (terms: BridgeTerms): RouteReader =>
  (data) => {
    const transfer = decodeTransfer(data)
    if (transfer === null)
      return fault(
        "FUNCTION",
        "its call is not a transfer by Across, and only calls of Across contain the minimum output"
      )
    const { across, bridge } = transfer
    const tokenOut = addressIn(across.receivingAssetId)
    if (tokenOut === null) return fault("TOKEN", "its output is not a token of an EVM chain")
    const takenInput = takenInputOfTransfer(transfer, terms.allowed)
    return {
      ...takenInput,
      tokenOut,
      recipient: addressFromHex(bridge.receiver),
      minAmountOut: outputOf(transfer),
      faults: [...takenInput.faults, ...faultsOf(transfer, terms)]
    }
  }
