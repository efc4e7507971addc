import type { RequestProblem } from "../../foundation/errors/index.ts"
import type { WalletAddress } from "../../foundation/primitives/index.ts"

/**
 * Not addresses to routers but words: Uniswap's SwapRouter02 and Universal Router take 1 for their caller and 2 for the
 * router itself, where what it gets lies open to the next caller; others take 0 for one of the two.
 */
const ALIASES: ReadonlySet<string> = new Set([0, 1, 2].map((word) => `0x${String(word).padStart(40, "0")}`))

/**
 * The problem of the receiver of a swap's output, named by the field at `path`. A transfer takes any: a token knows no
 * such words.
 */
export const outputRecipientProblems = (toAddress: WalletAddress, path = "toAddress"): ReadonlyArray<RequestProblem> =>
  ALIASES.has(toAddress)
    ? [
        {
          path,
          code: "router_alias",
          message: `Routers use ${toAddress} as a code for themselves or for their caller, so the output of the swap would not arrive there. Use another address.`
        }
      ]
    : []
