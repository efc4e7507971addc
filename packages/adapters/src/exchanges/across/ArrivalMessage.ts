import type { Address, HexBytes } from "@countersign/core/foundation/primitives"

/** The additional effect of a deposit's fill. */
export interface ArrivalMessage {
  /** The contract on the destination chain that receives the fill and executes the message. */
  readonly handler: Address
  readonly data: HexBytes
}
