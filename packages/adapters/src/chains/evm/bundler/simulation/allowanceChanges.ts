import type { Address } from "@countersign/core/foundation/primitives"
import type { AllowanceChange } from "@countersign/core/operations/user-operations"
import { type Hex, hexToBigInt, size, slice } from "viem"
import { addressFromHex } from "../../hex.ts"
import { type CallFrame, eventsOf, type TracedLog } from "./CallFrame.ts"

/**
 * Topic of ERC-20 `Approval(address,address,uint256)`. ERC-721's event has the same topic, but a third indexed
 * argument.
 */
const APPROVAL = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925"
/** Selector of `approve(address,uint256)`. */
const APPROVE = "0x095ea7b3"
/** Selector of `transferFrom(address,address,uint256)`. */
const TRANSFER_FROM = "0x23b872dd"

const addressInWord = (word: Hex): Address => addressFromHex(slice(word, 12))

/** Returns the argument words of a call; null if its type, selector or length differs. */
const argumentsOf = ({ input, type }: CallFrame, selector: Hex, count: number): ReadonlyArray<Hex> | null =>
  type === "CALL" && input.startsWith(selector) && size(input) === 4 + 32 * count
    ? Array.from({ length: count }, (_, i) => slice(input, 4 + 32 * i, 36 + 32 * i))
    : null

const changeInCall = (account: Address, frame: CallFrame): AllowanceChange | null => {
  if (frame.to === undefined) return null
  const [token, caller] = [addressFromHex(frame.to), addressFromHex(frame.from)]
  const approval = caller === account ? argumentsOf(frame, APPROVE, 2) : null
  if (approval !== null) {
    return { type: "GIVEN", token, spender: addressInWord(approval[0]!), amount: hexToBigInt(approval[1]!) }
  }
  const transfer = caller === account ? null : argumentsOf(frame, TRANSFER_FROM, 3)
  return transfer === null || addressInWord(transfer[0]!) !== account
    ? null
    : { type: "USED", token, spender: caller, amount: hexToBigInt(transfer[2]!) }
}

const changeInLog = (account: Address, { address, data, topics }: TracedLog): AllowanceChange | null => {
  const [event, owner, spender] = topics
  return event === APPROVAL && topics.length === 3 && size(data) === 32 && addressInWord(owner!) === account
    ? { type: "GIVEN", token: addressFromHex(address), spender: addressInWord(spender!), amount: hexToBigInt(data) }
    : null
}

/**
 * Returns all changes of the allowances for an account's tokens, in order. Reads calls, because a token may emit no
 * event, and logs, because permits and other functions also change allowances.
 */
export const allowanceChangesInTrace = (account: Address, top: CallFrame): ReadonlyArray<AllowanceChange> => {
  const changes: Array<AllowanceChange> = []
  for (const event of eventsOf(top)) {
    const change = "topics" in event ? changeInLog(account, event) : changeInCall(account, event)
    if (change !== null) changes.push(change)
  }
  return changes
}
