import {
  type Address,
  isNativeToken,
  minBigInt,
  NATIVE_TOKEN,
  type WalletAddress,
  ZERO_ADDRESS
} from "../../../foundation/primitives/index.ts"
import type { TokenTransfer } from "../../user-operations/index.ts"

/** The net amount of a token that moved between an account and one counterparty. */
export interface Flow {
  readonly account: WalletAddress
  readonly token: Address
  readonly counterparty: Address
  net: bigint
}

/** Returns the net amounts by account, token and counterparty, in the order of their first transfer. */
export const flowsOf = (
  transfers: ReadonlyArray<TokenTransfer>,
  accounts: ReadonlyArray<WalletAddress>
): ReadonlyArray<Flow> => {
  const flows = new Map<string, Flow>()
  const add = (account: WalletAddress, token: Address, counterparty: Address, change: bigint) => {
    const key = `${account} ${token} ${counterparty}`
    const flow = flows.get(key) ?? { account, token, counterparty, net: 0n }
    flow.net += change
    flows.set(key, flow)
  }
  for (const { amount, from, to, token } of transfers) {
    if (from === to) continue
    if (accounts.includes(from)) add(from, token, to, -amount)
    if (accounts.includes(to)) add(to, token, from, amount)
  }
  return [...flows.values()].filter(({ net }) => net !== 0n)
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

/**
 * Returns the native token flow that matches a wrap or unwrap, which is a flow between an account and the zero address.
 */
const nativeTokenFlowOf = (
  flows: ReadonlyArray<Flow>,
  { account, counterparty, net, token }: Flow
): Flow | undefined =>
  counterparty === ZERO_ADDRESS
    ? flows.find(
        (flow) =>
          flow.account === account && isNativeToken(flow.token) && flow.counterparty === token && flow.net === -net
      )
    : undefined

/**
 * Removes wrapped native tokens that only pass through an account: the account wraps them for another contract, or
 * unwraps them after a contract sent them. A native token flow between the account and that contract replaces them. The
 * totals stay the same. A flow of wrapped tokens that the quote expects is not replaced.
 */
export const withoutPassedWrapping = (
  flows: ReadonlyArray<Flow>,
  isExpected: (flow: Flow) => boolean
): ReadonlyArray<Flow> =>
  flows.reduce((remainingFlows, wrapping) => {
    const nativeTokenFlow = nativeTokenFlowOf(remainingFlows, wrapping)
    if (nativeTokenFlow === undefined) return remainingFlows
    let passedUnits = 0n
    const otherFlows = remainingFlows.flatMap((flow) => {
      if (flow === nativeTokenFlow || flow === wrapping) return []
      const isPassedOn =
        flow.account === wrapping.account &&
        flow.token === wrapping.token &&
        flow.net < 0n !== wrapping.net < 0n &&
        !isExpected(flow)
      const units = isPassedOn ? minBigInt(magnitude(flow.net), magnitude(wrapping.net) - passedUnits) : 0n
      if (units === 0n) return [flow]
      passedUnits += units
      const net = flow.net < 0n ? -units : units
      return [
        { ...flow, token: NATIVE_TOKEN, net },
        { ...flow, net: flow.net - net }
      ]
    })
    if (passedUnits === 0n) return remainingFlows
    const remainder = (flow: Flow) => ({ ...flow, net: flow.net + (flow.net < 0n ? passedUnits : -passedUnits) })
    return [...otherFlows, remainder(nativeTokenFlow), remainder(wrapping)].filter(({ net }) => net !== 0n)
  }, flows)
