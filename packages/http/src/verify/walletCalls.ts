import { functions } from "./abi.ts"
import type { Call } from "./accounts.ts"
import type { Bytes } from "./bytes.ts"
import { NATIVE, permit2 } from "./contracts.ts"
import type { Ledger } from "./ledger.ts"
import { enterLendingCall } from "./lending.ts"
import { enterManagerCall } from "./positionCalls.ts"
import { enterRouterCall } from "./routers.ts"

const TRANSFER = "transfer(address,uint256)"
const APPROVE = "approve(address,uint256)"
const DEPOSIT = "deposit()"
const WITHDRAW = "withdraw(uint256)"
const PERMIT2_APPROVE = "approve(address,address,uint160,uint48)"

const readToken = functions([TRANSFER, APPROVE])
const readWrapped = functions([DEPOSIT, WITHDRAW])
const readPermit2 = functions([PERMIT2_APPROVE])

/** What the calls may be made to: everything else is unknown. */
export interface Surroundings {
  readonly tokens: ReadonlySet<Bytes>
  readonly paymasters: ReadonlySet<Bytes>
}

const withWrapped = (ledger: Ledger, { data, value }: Call): boolean => {
  const call = readWrapped(data)
  if (call === null || (value > 0n && call.signature !== DEPOSIT)) return false
  const amount = call.signature === DEPOSIT ? value : (call.args[0] as bigint)
  const [given, got] = call.signature === DEPOSIT ? [NATIVE, ledger.wrapped] : [ledger.wrapped, NATIVE]
  ledger.exchange(given, got, amount)
  return true
}

const withToken = (ledger: Ledger, { paymasters }: Surroundings, { data, to, value }: Call): boolean => {
  const call = readToken(data)
  if (call === null || value > 0n) return false
  const [other, amount] = call.args as readonly [Bytes, bigint]
  if (call.signature === TRANSFER) ledger.send(to, other, amount)
  else {
    const isContract = ledger.routers[other] !== undefined || ledger.lenders[other] !== undefined || other === permit2
    if (!isContract && !paymasters.has(other))
      ledger.report("unknown_spender", `${other} may take ${to}, and is no contract that is known to need it.`)
    ledger.allow(to, other, amount)
  }
  return true
}

const withPermit2 = (ledger: Ledger, { data, value }: Call): boolean => {
  const call = readPermit2(data)
  if (call === null || value > 0n) return false
  const [token, spender, amount] = call.args as readonly [Bytes, Bytes, bigint]
  if (ledger.routers[spender] === undefined) {
    ledger.report("unknown_spender", `${spender} may take ${token} through Permit2, and is no router that is known.`)
  }
  ledger.allowByPermit2(token, spender, amount)
  return true
}

/** Enters a call of the wallet into the ledger. What is not known is a problem. */
export const enterCall = (ledger: Ledger, surroundings: Surroundings, call: Call): void => {
  const { data, to, value } = call
  if (ledger.routers[to] !== undefined) enterRouterCall(ledger, to, value, data)
  else if (ledger.lenders[to] !== undefined && value === 0n && enterLendingCall(ledger, to, data)) return
  else if (to === ledger.manager && enterManagerCall(ledger, value, data)) return
  else if (to === ledger.wrapped && withWrapped(ledger, call)) return
  else if (surroundings.tokens.has(to) && withToken(ledger, surroundings, call)) return
  else if (to === permit2 && withPermit2(ledger, call)) return
  else if (data === "0x") ledger.send(NATIVE, to, value)
  else
    ledger.report(
      "unknown_call",
      `A call to ${to} with ${data.slice(0, 10)} is not known, or not to a contract that is.`
    )
}
