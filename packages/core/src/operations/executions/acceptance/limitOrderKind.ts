import { Effect } from "effect"
import type { LimitOrderIntent } from "../../intents/index.ts"
import { AccountOperations } from "../../user-operations/index.ts"
import type { IntentKind } from "./IntentKind.ts"
import { ownerSignatureProblem } from "./ownerSignature.ts"

/** Handles the acceptance of limit orders: the owner signs them, and the order book validates them. */
export const limitOrderKind = Effect.gen(function* () {
  const accounts = yield* AccountOperations
  const kind: IntentKind<LimitOrderIntent> = {
    type: "LIMIT_ORDER",
    signerOf: ({ signer }) => signer,
    signatureProblem: ({ signer }, element, signature) => ownerSignatureProblem(accounts, signer, element, signature),
    makeReady: () => Effect.succeed({ cover: null })
  }
  return kind
})
