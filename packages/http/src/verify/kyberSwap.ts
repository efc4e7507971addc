import { functions } from "./abi.ts"
import { type Bytes, Unreadable } from "./bytes.ts"
import type { Ledger } from "./ledger.ts"
import { exchange, hex, inBetween, type List, number, unknownStep } from "./routerWords.ts"

/** KyberSwap's aggregation router. Its calls contain the input and the minimum output, but not the route. */

const DESCRIPTION = "(address,address,address[],uint256[],address[],uint256[],address,uint256,uint256,uint256,bytes)"

const read = functions({
  [`swap((address,address,bytes,${DESCRIPTION},bytes))`]: ([execution]: List) => (execution as List)[3] as List,
  [`swapSimpleMode(address,${DESCRIPTION},bytes,bytes)`]: ([, description]: List) => description as List
})

/** Flags for a partial fill with a lower minimum, for additional native tokens, and for burning gas tokens. */
const FORBIDDEN_FLAGS = 0x01n | 0x02n | 0x08n | 0x10n

export const runKyberSwap = (ledger: Ledger, router: Bytes, data: Bytes): void => {
  const { args, definition } = read(data) ?? unknownStep(data)
  const [tokenIn, tokenOut, , , feeReceivers, , to, amount, minAmount, flags, permit] = definition(args)
  if ((number(flags) & FORBIDDEN_FLAGS) !== 0n)
    throw new Unreadable("KyberSwap's router may take more, or sell only a part")
  if (hex(permit) !== "0x") throw new Unreadable("a call of KyberSwap's router contains a permit")
  if ((feeReceivers as List).length > 0) throw new Unreadable("KyberSwap's router pays a fee to another party")
  exchange(ledger, router, {
    sold: hex(tokenIn),
    amount: number(amount),
    bought: hex(tokenOut),
    to: hex(to),
    minAmount: number(minAmount)
  })
  ledger.unknown.add(inBetween("KyberSwap"))
}
