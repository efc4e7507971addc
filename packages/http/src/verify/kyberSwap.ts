import { makeCallDecoder } from "./abi.ts"
import { type Bytes, Unreadable } from "./bytes.ts"
import type { Ledger } from "./ledger.ts"
import { exchange, hex, type List, number, undecodedRouteText, unknownStep } from "./routerWords.ts"

/**
 * Decodes calls to KyberSwap's aggregation router. They state the input and the minimum output. The route cannot be
 * decoded.
 */

const DESCRIPTION = "(address,address,address[],uint256[],address[],uint256[],address,uint256,uint256,uint256,bytes)"

const decodeSwap = makeCallDecoder({
  [`swap((address,address,bytes,${DESCRIPTION},bytes))`]: ([execution]: List) => (execution as List)[3] as List,
  [`swapSimpleMode(address,${DESCRIPTION},bytes,bytes)`]: ([, description]: List) => description as List
})

/**
 * Flags that allow a partial fill with a lower minimum, that take additional native tokens, or that burn gas tokens.
 */
const FORBIDDEN_FLAGS = 0x01n | 0x02n | 0x08n | 0x10n

export const runKyberSwap = (ledger: Ledger, router: Bytes, data: Bytes): void => {
  const { args, definition } = decodeSwap(data) ?? unknownStep(data)
  const [tokenIn, tokenOut, , , feeReceivers, , to, amount, minAmount, flags, permit] = definition(args)
  if ((number(flags) & FORBIDDEN_FLAGS) !== 0n)
    throw new Unreadable("the flags allow KyberSwap's router to take more tokens, or to sell only a part")
  if (hex(permit) !== "0x") throw new Unreadable("a call to KyberSwap's router contains a permit")
  if ((feeReceivers as List).length > 0) throw new Unreadable("KyberSwap's router pays a fee to another party")
  exchange(ledger, router, {
    sold: hex(tokenIn),
    amount: number(amount),
    bought: hex(tokenOut),
    to: hex(to),
    minAmount: number(minAmount)
  })
  ledger.unknown.add(undecodedRouteText("KyberSwap"))
}
