import type { HexBytes } from "@countersign/core/foundation/primitives"
import type { SignData } from "@countersign/core/foundation/signing"
import type { Call, UserOperation } from "@countersign/core/operations/user-operations"
import { baseAccount08Abi as abi } from "../abi/simpleAccount.ts"
import { encoderOf } from "../encoderOf.ts"
import { bytesFromHex } from "../hex.ts"
import { packedUserOperationTypedData, userOperationHash } from "../user-operation/userOperationHash.ts"

const encode = encoderOf(abi)

/**
 * Encodes the calls of an account that is based on `BaseAccount` 0.8. A failing batch reverts with `ExecuteError(index,
 * data)`.
 */
export const encodeBaseAccount08Calls = (calls: ReadonlyArray<Call>): HexBytes => {
  const targets = calls.map((call) => ({ target: call.to, value: call.value, data: call.data }))
  const [only] = targets
  return bytesFromHex(
    targets.length === 1 && only !== undefined
      ? encode("execute", [only.target, only.value, only.data])
      : encode("executeBatch", [targets])
  )
}

/**
 * Builds the signing data. EntryPoint 0.8 hashes operations by EIP-712, and accounts recover the signer from this hash.
 */
export const packedUserOperationSignData = (operation: UserOperation): SignData => {
  const typedData = packedUserOperationTypedData(operation)
  return { type: "USER_OPERATION", method: "eth_signTypedData_v4", hash: userOperationHash(operation), typedData }
}
