import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import type { Address } from "@countersign/core/foundation/primitives"
import { Effect } from "effect"
import type { RpcClients } from "../../chains/evm/index.ts"
import type { AcrossWay } from "./acrossWay.ts"

/** The code of an account that an EIP-7702 authorization has given it begins so. */
const DELEGATION = "0xef0100"

/**
 * Whether a receiver gets the coin where a fill has its wrapped form: fills unwrap it for addresses that have no code, or a
 * delegation's alone. A smart wallet that is not deployed there has none.
 */
export const getsCoin = (
  rpc: RpcClients["Service"],
  { destinationChainId, isUnwrapped }: AcrossWay,
  recipient: Address
): Effect.Effect<boolean, UpstreamUnavailable> =>
  isUnwrapped
    ? rpc.call(destinationChainId, async () => {
        const code = await rpc.request(destinationChainId, "eth_getCode", [recipient, "latest"])
        return code === "0x" || code.toLowerCase().startsWith(DELEGATION)
      })
    : Effect.succeed(false)
