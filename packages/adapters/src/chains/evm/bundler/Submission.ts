import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import type { Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import type { OperationRejected, UserOperation } from "@countersign/core/operations/user-operations"
import type { Deferred } from "effect"

/** An operation on its way into a bundle, and who waits for it to be sent. */
export interface Submission {
  readonly operation: UserOperation
  readonly hash: Hash32
  /** In the account's own format. */
  readonly signature: HexBytes
  /** Signature of the EIP-7702 tuple; null where there is none. */
  readonly authorizationSignature: HexBytes | null
  /**
   * Whether a plain transaction of its owner's key can make its validation fail after it was checked: it takes away the coin
   * that pays, or the code of an EIP-7702 account. It goes with operations of its own account alone.
   */
  readonly canChange: boolean
  /** Whether it may bring others down with it: it goes in a bundle of its own. */
  readonly isSuspect: boolean
  readonly sent: Deferred.Deferred<void, OperationRejected | UpstreamUnavailable>
}
