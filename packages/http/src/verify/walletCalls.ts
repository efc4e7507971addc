import { makeCallDecoder } from "./abi.ts"
import type { Call } from "./accounts.ts"
import type { AllowedAddresses } from "./arrivals.ts"
import { enterBridgeCall } from "./bridges.ts"
import type { Bytes } from "./bytes.ts"
import { NATIVE, permit2 } from "./contracts.ts"
import type { Ledger } from "./ledger.ts"
import { enterLendingCall } from "./lending.ts"
import { enterManagerCall } from "./positionCalls.ts"
import { enterRouterCall } from "./routers.ts"
import { hex, type List, number } from "./routerWords.ts"

type Step = (ledger: Ledger, call: Call, args: List, paymasters: AllowedAddresses["paymasters"]) => void

/**
 * Builds a function that records calls to these functions. It returns false for another function, or if the call sends
 * native tokens to a function that is not payable.
 */
const recorderOf = (steps: Readonly<Record<string, Step>>, payable: ReadonlyArray<Step> = []) => {
  const decodeStep = makeCallDecoder(steps)
  return (ledger: Ledger, { paymasters }: AllowedAddresses, call: Call): boolean => {
    const decodedStep = decodeStep(call.data)
    if (decodedStep === null || (call.value > 0n && !payable.includes(decodedStep.definition))) return false
    decodedStep.definition(ledger, call, decodedStep.args, paymasters)
    return true
  }
}

const deposit: Step = (ledger, { value }) => ledger.exchange(NATIVE, ledger.wrapped, value)

const enterWrapping = recorderOf(
  {
    "deposit()": deposit,
    "withdraw(uint256)": (ledger, _, [amount]) => ledger.exchange(ledger.wrapped, NATIVE, number(amount))
  },
  [deposit]
)

const enterToken = recorderOf({
  "transfer(address,uint256)": (ledger, { to }, [receiver, amount]) => ledger.send(to, hex(receiver), number(amount)),
  "approve(address,uint256)": (ledger, { to }, args, paymasters) => {
    const [spender, amount] = [hex(args[0]), number(args[1])]
    const isContract =
      ledger.routers[spender] !== undefined ||
      ledger.lenders[spender] !== undefined ||
      spender === permit2 ||
      spender === ledger.bridge?.pool
    if (!isContract && !paymasters.has(spender))
      ledger.report(
        "unknown_spender",
        `${spender} gets an allowance for ${to}, but is not a known router, lending protocol or paymaster.`
      )
    ledger.allow(to, spender, amount)
  }
})

const enterPermit2 = recorderOf({
  "approve(address,address,uint160,uint48)": (ledger, _, args) => {
    const [token, spender, amount] = [hex(args[0]), hex(args[1]), number(args[2])]
    if (ledger.routers[spender] === undefined) {
      ledger.report(
        "unknown_spender",
        `${spender} gets an allowance for ${token} through Permit2, but is not a known router.`
      )
    }
    ledger.allowByPermit2(token, spender, amount)
  }
})

const readApproval = makeCallDecoder({ "approve(address,uint256)": null })

/** Returns the amount of the gas token that a call allows a paymaster to spend. Null if the call does anything else. */
export const gasAllowanceOrNull = (
  { data, to, value }: Call,
  gasToken: Bytes,
  paymasters: ReadonlySet<Bytes>
): bigint | null => {
  const approval = to === gasToken && value === 0n ? readApproval(data) : null
  return approval !== null && paymasters.has(hex(approval.args[0])) ? number(approval.args[1]) : null
}

/**
 * Returns whether a call only approves a paymaster to spend the gas token. A separate operation before the main one may
 * do only this.
 */
export const isGasAllowance = (call: Call, gasToken: Bytes, paymasters: ReadonlySet<Bytes>): boolean =>
  gasAllowanceOrNull(call, gasToken, paymasters) !== null

/** Records a call of the wallet in the ledger. Reports an unknown call. */
export const enterCall = (ledger: Ledger, allowedAddresses: AllowedAddresses, call: Call): void => {
  const { data, to, value } = call
  if (ledger.routers[to] !== undefined) enterRouterCall(ledger, to, value, data)
  else if (ledger.lenders[to] !== undefined && value === 0n && enterLendingCall(ledger, to, data)) return
  else if (
    ledger.bridge !== null &&
    to === ledger.bridge.pool &&
    enterBridgeCall(ledger, ledger.bridge, call, enterCall)
  )
    return
  else if (to === ledger.manager && enterManagerCall(ledger, value, data)) return
  else if (to === ledger.wrapped && enterWrapping(ledger, allowedAddresses, call)) return
  else if (allowedAddresses.tokens.has(to) && enterToken(ledger, allowedAddresses, call)) return
  else if (to === permit2 && enterPermit2(ledger, allowedAddresses, call)) return
  else if (data === "0x") ledger.send(NATIVE, to, value)
  else
    ledger.report(
      "unknown_call",
      `The call to ${to} with the selector ${data.slice(0, 10)} is unknown: the contract or its function is unknown.`
    )
}
