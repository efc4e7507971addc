import { makeCallDecoder } from "./abi.ts"
import { type Bytes, smallest, Unreadable } from "./bytes.ts"
import { ZERO } from "./contracts.ts"
import type { Ledger } from "./ledger.ts"
import { exchange, hex, type List, number, undecodedRouteText, unknownStep } from "./routerWords.ts"

/**
 * Decodes calls to Velora's aggregation router. They state the input and the minimum output. The route cannot be
 * decoded.
 */

const decodeSwap = makeCallDecoder({
  "swapExactAmountIn(address,(address,address,uint256,uint256,uint256,bytes32,address),uint256,bytes,bytes)": true
})

/** Mask of the partner fee on the bought amount. Adjacent bits determine who gets output beyond the quoted amount. */
const FEE = 0x3fffn

export const runVelora = (ledger: Ledger, router: Bytes, data: Bytes): void => {
  const { args } = decodeSwap(data) ?? unknownStep(data)
  const [, swap, partnerAndFee, permit] = args
  const [tokenIn, tokenOut, amount, minAmount, quotedAmount, , to] = swap as List
  if ((number(partnerAndFee) & FEE) !== 0n) throw new Unreadable("Velora's router pays a fee to another party")
  if (hex(permit) !== "0x") throw new Unreadable("a call to Velora's router contains a permit")
  exchange(ledger, router, {
    sold: hex(tokenIn),
    amount: number(amount),
    bought: hex(tokenOut),
    to: hex(to) === ZERO ? ledger.wallet : hex(to),
    // The router enforces `minAmount`, keeps output beyond the quoted amount, and keeps one base unit.
    minAmount: smallest(number(minAmount), number(quotedAmount)) - 1n
  })
  ledger.unknown.add(undecodedRouteText("Velora"))
}
