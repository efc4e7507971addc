import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import type { Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import type { OperationRejected, UserOperation } from "@countersign/core/operations/user-operations"
import type { Deferred } from "effect"

/** An operation that waits for a bundle, with its caller. */
export interface Submission {
  readonly operation: UserOperation
  readonly hash: Hash32
  /** In the account's format. */
  readonly signature: HexBytes
  /** Signature of the EIP-7702 tuple; null if there is none. */
  readonly authorizationSignature: HexBytes | null
  /**
   * Whether a plain transaction of its owner's key can make its validation fail after the check: it could spend the
   * native tokens that pay, or change the code of an EIP-7702 account. It is only bundled with operations of its own
   * account.
   */
  readonly canChange: boolean
  /** Whether it may make others fail: it is bundled alone. */
  readonly isSuspect: boolean
  readonly sent: Deferred.Deferred<void, OperationRejected | UpstreamUnavailable>
}
