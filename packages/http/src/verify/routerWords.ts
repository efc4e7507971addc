import type { AbiValue } from "./abi.ts"
import { type Bytes, Unreadable } from "./bytes.ts"
import { NATIVE } from "./contracts.ts"
import type { Ledger } from "./ledger.ts"

/** Shared parts of the router decoders, such as placeholder values. */

export type List = ReadonlyArray<AbiValue>

/**
 * Placeholder addresses in calls to SwapRouter02 and the Universal Router: the caller (1), and the router itself (2).
 */
export const CALLER: Bytes = "0x0000000000000000000000000000000000000001"
export const ROUTER: Bytes = "0x0000000000000000000000000000000000000002"

/** The Universal Router's placeholder amount for its complete balance. */
export const CONTRACT_BALANCE = 1n << 255n

export const number = (value: AbiValue | undefined): bigint => value as bigint
export const hex = (value: AbiValue | undefined): Bytes => value as Bytes

export const unknownStep = (step: string): never => {
  throw new Unreadable(`a router call contains an unknown command (${step.slice(0, 10)})`)
}

export const recipientOf = ({ wallet }: Ledger, router: Bytes, to: Bytes): Bytes =>
  to === CALLER ? wallet : to === ROUTER ? router : to

interface Exchange {
  readonly sold: Bytes
  readonly amount: bigint
  readonly bought: Bytes
  readonly to: Bytes
  readonly minAmount: bigint
}

/**
 * Records a swap by an aggregation router, which takes a token amount or native tokens and enforces the minimum output.
 */
export const exchange = (ledger: Ledger, router: Bytes, { amount, bought, minAmount, sold, to }: Exchange): void => {
  if (sold === NATIVE) ledger.use(router, NATIVE, amount)
  else ledger.pull(sold, router, amount, "ALLOWANCE")
  ledger.runCode(null)
  ledger.arrive(bought, to, minAmount, "AT_LEAST")
}

/** Returns the sentence about a route that cannot be decoded. */
export const undecodedRouteText = (name: string): string =>
  `The route of ${name} can't be decoded. The router takes the amount and enforces the minimum output. The deadline is unknown.`

export const endsOf = (tokens: ReadonlyArray<Bytes>): readonly [Bytes, Bytes] => [tokens[0]!, tokens.at(-1)!]

/** Returns the tokens of a path that is a list. */
export const listedTokens = (path: List): ReadonlyArray<Bytes> => {
  if (path.length < 2) throw new Unreadable("the path of a swap is malformed")
  return path.map(hex)
}
