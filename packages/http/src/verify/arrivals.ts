import { codec } from "./abi.ts"
import type { Call } from "./accounts.ts"
import { type Bytes, Unreadable } from "./bytes.ts"
import { chains, NATIVE } from "./contracts.ts"
import { Ledger } from "./ledger.ts"
import { hex, type List, number } from "./routerWords.ts"
import { spokePools, tokenKeyOn } from "./spokePools.ts"

/** The tokens and paymasters that calls may use. */
export interface AllowedAddresses {
  readonly tokens: ReadonlySet<Bytes>
  readonly paymasters: ReadonlySet<Bytes>
}

export type EnterCall = (ledger: Ledger, allowedAddresses: AllowedAddresses, call: Call) => void

/** A fill on another chain, with a message for the contract that receives it. */
export interface Arrival {
  readonly chainId: number
  readonly handler: Bytes
  readonly token: Bytes
  readonly amount: bigint
  readonly message: Bytes
  /** Time for relayers to fill the deposit, in seconds after the deposit. */
  readonly fillSeconds: bigint
}

const instructions = codec("((address,bytes,uint256)[],address)")

const fallbackSentence = ({ amount, chainId, token }: Arrival, fallback: Bytes): string =>
  `The swap on chain ${chainId} is executed when a relayer fills the deposit, which can be hours after signing. If the swap fails, ${fallback} receives ${amount} base units of ${token} instead.`

/**
 * Returns the tokens that may remain in the handler. The handler pays only the rest of the filled token to the fallback
 * recipient. Unused input that a router returns counts as possible, because its amount is unknown.
 */
const dustInHandler = ({ in: inflows, out, unbounded, wallet }: Ledger, filledToken: Bytes): ReadonlyArray<string> =>
  [...inflows].flatMap(([token, amount]) => {
    const mayBeMore = amount > 0n && unbounded.has(`${wallet} ${token}`)
    return token !== filledToken && (mayBeMore || amount > (out.get(token) ?? 0n)) ? [token] : []
  })

/**
 * Records the calls of a fill in a ledger for the destination chain. The account of this ledger is Across's handler.
 * Reports calls that spend more than they receive, pay another receiver than the fallback recipient, or may leave
 * tokens in a contract.
 */
export const enterArrival = (ledger: Ledger, arrival: Arrival, enter: EnterCall): void => {
  const { amount, chainId, fillSeconds, handler, message, token } = arrival
  const contracts = chains[chainId]
  if (contracts === undefined || spokePools[chainId]?.handler !== handler)
    throw new Unreadable("a deposit contains a message for an unknown contract")
  const [calls, fallback] = instructions.decode(message)[0] as readonly [ReadonlyArray<List>, Bytes]
  // Without calls the handler pays the filled amount to the fallback recipient.
  if (calls.length === 0) {
    ledger.arrive(tokenKeyOn(chainId, token), fallback, amount, "EXACTLY")
    return
  }
  const destinationLedger = new Ledger({
    wallet: handler,
    wrapped: contracts.wrapped,
    routers: contracts.routers,
    lenders: {},
    manager: null,
    position: null,
    bridge: null,
    trusted: new Set([token, contracts.wrapped, NATIVE]),
    report: ledger.report
  })
  for (const [to, data, value] of calls) {
    enter(
      destinationLedger,
      { tokens: new Set([token]), paymasters: new Set() },
      { to: hex(to), data: hex(data), value: number(value) }
    )
  }
  for (const [spentToken, spentAmount] of destinationLedger.out) {
    const available = (spentToken === token ? amount : 0n) + (destinationLedger.in.get(spentToken) ?? 0n)
    if (spentAmount > available)
      ledger.report(
        "unknown_spender",
        `The fill delivers ${amount} of ${token}, but its calls spend ${spentAmount} of ${spentToken}.`
      )
  }
  const leftovers = [
    ...destinationLedger.leftovers(),
    ...dustInHandler(destinationLedger, token).map((remainingToken) => `${handler} ${remainingToken}`)
  ]
  for (const key of leftovers) {
    const [holder, remainingToken] = key.split(" ")
    ledger.report(
      "left_in_router",
      `On the destination chain ${remainingToken} may remain in ${holder}, and any account can take it.`
    )
  }
  for (const [key, paidAmount] of destinationLedger.paid) {
    const [to, paidToken] = key.split(" ") as [Bytes, Bytes]
    if (to !== fallback)
      ledger.report(
        "pays_somebody_else",
        `If the swap on the destination chain fails, ${fallback} gets the filled amount instead of the receiver.`
      )
    ledger.arrive(tokenKeyOn(chainId, paidToken), to, paidAmount, "AT_LEAST")
  }
  for (const sentence of [...destinationLedger.unknown, fallbackSentence(arrival, fallback)])
    ledger.unknown.add(sentence)
  // If a swap expires before the last possible fill, it can fail. The fallback recipient then gets the filled token
  // instead of the output.
  ledger.deadlines.push(...destinationLedger.deadlines.map((deadline) => deadline - fillSeconds))
}
