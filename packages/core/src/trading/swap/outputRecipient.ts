import type { RequestProblem } from "../../foundation/errors/index.ts"
import type { WalletAddress } from "../../foundation/primitives/index.ts"

/**
 * Address values that routers interpret as special recipients. In Uniswap's SwapRouter02 and Universal Router, 1 means
 * the caller, and 2 means the router itself, whose balance the next caller can withdraw. Other routers use 0 for the
 * caller or the router.
 */
const ALIASES: ReadonlySet<string> = new Set([0, 1, 2].map((word) => `0x${String(word).padStart(40, "0")}`))

/**
 * Returns the problem with the recipient of a swap's output, for the field at `path`. Transfers accept these addresses.
 */
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
