import type { Address, HexBytes } from "@countersign/core/foundation/primitives"

/** The calls that the destination chain executes when a deposit is filled. */
export interface ArrivalMessage {
  /** The contract on the destination chain that receives the fill and executes the message. */
  readonly handler: Address
  readonly data: HexBytes
}
