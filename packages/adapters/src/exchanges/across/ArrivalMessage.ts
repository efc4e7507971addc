import type { Address, HexBytes } from "@countersign/core/foundation/primitives"

/** What the fill of a deposit does besides paying. */
export interface ArrivalMessage {
  /** The contract of the other chain that gets the fill, and does it. */
  readonly handler: Address
  readonly data: HexBytes
}
