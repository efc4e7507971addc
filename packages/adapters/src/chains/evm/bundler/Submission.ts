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
  /** Signature of the EIP-7702 tuple; null if the operation has no tuple. */
  readonly authorizationSignature: HexBytes | null
  /**
   * Whether a plain transaction of the owner's key can make the validation fail after the check, by spending the native
   * tokens that pay or by changing the code of an EIP-7702 account. Such an operation is only bundled with operations
   * of its own account.
   */
  readonly canChange: boolean
  /** Whether the operation may make others fail. It is then bundled by itself. */
  readonly isSuspect: boolean
  readonly sent: Deferred.Deferred<void, OperationRejected | UpstreamUnavailable>
}
