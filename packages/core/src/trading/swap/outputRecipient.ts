import type { RequestProblem } from "../../foundation/errors/index.ts"
import type { WalletAddress } from "../../foundation/primitives/index.ts"

/**
 * Special values of routers instead of addresses: in Uniswap's SwapRouter02 and Universal Router 1 means the caller and
 * 2 the router itself, whose balance the next caller can take; other routers use 0 for one of the two.
 */
const ALIASES: ReadonlySet<string> = new Set([0, 1, 2].map((word) => `0x${String(word).padStart(40, "0")}`))

/** The problem with the receiver of a swap's output, in the field at `path`. Transfers have no such special values. */
export const outputRecipientProblems = (toAddress: WalletAddress, path = "toAddress"): ReadonlyArray<RequestProblem> =>
  ALIASES.has(toAddress)
    ? [
        {
          path,
          code: "router_alias",
          message: `Routers interpret ${toAddress} as themselves or as their caller, so the output of the swap would not arrive at this address. Use another address.`
        }
      ]
    : []
