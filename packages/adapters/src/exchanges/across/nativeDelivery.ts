import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { HexBytes, isEvmAddress, isNativeToken, type WalletAddress } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import type { Call } from "@countersign/core/operations/user-operations"
import { Effect } from "effect"
import { acrossOrNull } from "../../chains/deployments/index.ts"
import { DELEGATION_PREFIX, type RpcClients, wrappedNativeData } from "../../chains/evm/index.ts"
import type { ArrivalMessage } from "./ArrivalMessage.ts"
import type { AcrossRoute } from "./acrossRoute.ts"
import { handlerMessage } from "./arrivalSwap.ts"

/**
 * Whether a fill in the wrapped native token pays the receiver in the native token. A fill unwraps the token if the
 * receiver has no code, such as a smart wallet that is not deployed on the chain, or has only an EIP-7702 delegation.
 */
const receivesNativeToken = (
  rpc: RpcClients["Service"],
  { destinationChainId }: AcrossRoute,
  recipient: WalletAddress
): Effect.Effect<boolean, UpstreamUnavailable> =>
  rpc.call(destinationChainId, async () => {
    const code = await rpc.request(destinationChainId, "eth_getCode", [recipient as `0x${string}`, "latest"])
    return code === "0x" || code.toLowerCase().startsWith(DELEGATION_PREFIX)
  })

/** Builds the calls with which the handler unwraps the fill and pays the native token to the receiver. */
const unwrapCalls = ({ output }: AcrossRoute, recipient: WalletAddress, amount: bigint): ReadonlyArray<Call> => [
  {
    to: output.address,
    value: 0n,
    data: HexBytes.make(wrappedNativeData("withdraw", [amount])),
    summary: `Unwrap ${output.symbol}`
  },
  { to: recipient as Call["to"], value: amount, data: HexBytes.make("0x"), summary: `Pay ${recipient}` }
]

/**
 * Builds the message for a deposit whose fill would pay the native token instead of the requested wrapped token, or the
 * reverse. With the message the destination chain's MulticallHandler pays the requested form. A message without calls
 * makes the handler pay the wrapped token. Null if the fill itself pays the requested form.
 */
export const nativeDelivery = Effect.fnUntraced(function* (
  rpc: RpcClients["Service"],
  route: AcrossRoute,
  tokenOut: Token,
  { amount, recipient }: { readonly recipient: WalletAddress; readonly amount: bigint }
): Effect.fn.Return<ArrivalMessage | null, UpstreamUnavailable> {
  if (!route.isUnwrapped || !isEvmAddress(recipient)) return null
  const isNativeRequested = isNativeToken(tokenOut.address)
  if ((yield* receivesNativeToken(rpc, route, recipient)) === isNativeRequested) return null
  const calls = isNativeRequested ? unwrapCalls(route, recipient, amount) : []
  return { handler: acrossOrNull(route.destinationChainId)!.multicallHandler, data: handlerMessage(calls, recipient) }
})
