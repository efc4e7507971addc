import type { AbiValue } from "./abi.ts"
import { type Bytes, Unreadable } from "./bytes.ts"
import type { Ledger } from "./ledger.ts"

/** Words that all router contracts share. */

export type List = ReadonlyArray<AbiValue>

/** A router's words for who calls it, and for itself. */
export const CALLER: Bytes = "0x0000000000000000000000000000000000000001"
export const ITSELF: Bytes = "0x0000000000000000000000000000000000000002"

/** The Universal Router's word for all that it holds. */
export const ALL = 1n << 255n

export const number = (value: AbiValue | undefined): bigint => value as bigint
export const hex = (value: AbiValue | undefined): Bytes => value as Bytes

export const unknownStep = (step: string): never => {
  throw new Unreadable(`a router is told to do something that is not known (${step.slice(0, 10)})`)
}

export const placeOf = ({ wallet }: Ledger, router: Bytes, to: Bytes): Bytes =>
  to === CALLER ? wallet : to === ITSELF ? router : to

/** The two ends of a path of tokens. */
export const endsOf = (path: List): readonly [Bytes, Bytes] => {
  if (path.length < 2) throw new Unreadable("the path of a swap is malformed")
  return [hex(path[0]), hex(path.at(-1))]
}
