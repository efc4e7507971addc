import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { HexBytes, isEvmAddress, isNativeCoin, type WalletAddress } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import type { Call } from "@countersign/core/operations/user-operations"
import { Effect } from "effect"
import { acrossOrNull } from "../../chains/deployments/index.ts"
import { type RpcClients, wrappedNativeData } from "../../chains/evm/index.ts"
import type { ArrivalMessage } from "./ArrivalMessage.ts"
import type { AcrossWay } from "./acrossWay.ts"
import { handlerMessage } from "./arrivalSwap.ts"

/** The code of an account that an EIP-7702 authorization has given it begins so. */
const DELEGATION = "0xef0100"

/**
 * Whether a receiver gets the native token where a fill has its wrapped form: fills unwrap it for addresses that have no
 * code, or a delegation's alone. A smart wallet that is not deployed there has none.
 */
const getsNative = (
  rpc: RpcClients["Service"],
  { destinationChainId }: AcrossWay,
  recipient: WalletAddress
): Effect.Effect<boolean, UpstreamUnavailable> =>
  rpc.call(destinationChainId, async () => {
    const code = await rpc.request(destinationChainId, "eth_getCode", [recipient as `0x${string}`, "latest"])
    return code === "0x" || code.toLowerCase().startsWith(DELEGATION)
  })

/** The handler unwraps the fill and pays it to the receiver. */
const unwrapCalls = ({ output }: AcrossWay, recipient: WalletAddress, amount: bigint): ReadonlyArray<Call> => [
  {
    to: output.address,
    value: 0n,
    data: HexBytes.make(wrappedNativeData("withdraw", [amount])),
    summary: `Unwrap ${output.symbol}`
  },
  { to: recipient as Call["to"], value: amount, data: HexBytes.make("0x"), summary: `Pay ${recipient}` }
]

/**
 * The message of a deposit whose fill would bring the native token where its wrapped form is asked for, or the other way
 * round: the other chain's MulticallHandler then pays the form that is asked for. It pays what it gets without calls, in
 * the wrapped form. Null where the fill brings what is asked for.
 */
export const nativeDelivery = Effect.fnUntraced(function* (
  rpc: RpcClients["Service"],
  way: AcrossWay,
  tokenOut: Token,
  { amount, recipient }: { readonly recipient: WalletAddress; readonly amount: bigint }
): Effect.fn.Return<ArrivalMessage | null, UpstreamUnavailable> {
  if (!way.isUnwrapped || !isEvmAddress(recipient)) return null
  const isNativeAsked = isNativeCoin(tokenOut.address)
  if ((yield* getsNative(rpc, way, recipient)) === isNativeAsked) return null
  const calls = isNativeAsked ? unwrapCalls(way, recipient, amount) : []
  return { handler: acrossOrNull(way.destinationChainId)!.multicallHandler, data: handlerMessage(calls, recipient) }
})
