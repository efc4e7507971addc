import { Effect } from "effect"
import type { HexBytes } from "../../../foundation/primitives/index.ts"
import type { Authorization } from "../../../foundation/signing/index.ts"
import type { UserOperationIntent } from "../../intents/index.ts"
import type { AccountOperations } from "../../user-operations/index.ts"

/** Upper bound for the number of transactions that an owner sends during the lifetime of a quote. */
const MAX_LATER_NONCES = 16

/**
 * Returns the EIP-7702 tuple that an owner has signed: the quoted tuple, or the same tuple with a transaction count
 * that is at most `MAX_LATER_NONCES` higher. A higher count changes neither the operation nor its hash. Null if the
 * signature matches no such tuple, or if the quote has none.
 */
export const signedTuple = Effect.fnUntraced(function* (
  accounts: AccountOperations["Service"],
  { account, operation: { authorization: quotedAuthorization, chainId } }: UserOperationIntent,
  signature: HexBytes
): Effect.fn.Return<Authorization | null> {
  if (quotedAuthorization === null) return null
  for (let nonceIncrease = 0; nonceIncrease <= MAX_LATER_NONCES; nonceIncrease++) {
    const tuple =
      nonceIncrease === 0
        ? quotedAuthorization
        : accounts.buildAuthorization(
            chainId,
            quotedAuthorization.address,
            BigInt(quotedAuthorization.nonce) + BigInt(nonceIncrease)
          )
    const element = {
      type: "AUTHORIZATION",
      method: "eip7702_authorization",
      hash: tuple.hash,
      authorization: tuple
    } as const
    if ((yield* accounts.recoverSigner(element, signature)) === account.owner) return tuple
  }
  return null
})
