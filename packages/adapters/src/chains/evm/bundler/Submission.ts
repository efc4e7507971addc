import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import type { Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import type { OperationRejected, UserOperation } from "@countersign/core/operations/user-operations"
import type { Deferred } from "effect"

/** A signed operation that waits for a bundle, and the caller that waits for the result. */
export interface Submission {
  readonly operation: UserOperation
  readonly hash: Hash32
  /** Signature in the account's format. */
  readonly signature: HexBytes
  /** Signature of the EIP-7702 tuple; null if the operation contains none. */
  readonly authorizationSignature: HexBytes | null
  /**
   * Whether an ordinary transaction of the owner can make the validation fail after the simulation: by spending the
   * native tokens that pay the gas, or by changing the code of an EIP-7702 account. Such an operation is bundled only
   * with operations of its own account.
   */
  readonly canChange: boolean
  /** Whether the operation may make other operations fail. If so, it is bundled on its own. */
  readonly isSuspect: boolean
  readonly sendResult: Deferred.Deferred<void, OperationRejected | UpstreamUnavailable>
}
