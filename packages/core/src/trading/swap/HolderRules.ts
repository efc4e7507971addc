import { Context, type Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import type { Token } from "../../foundation/tokens/index.ts"
import type { Call } from "../../operations/user-operations/index.ts"

/** Whether the token's own rules allow an account to hold the token. */
export type Admission =
  | { readonly _tag: "Admitted" }
  /** The account can join: these calls from it add it to the token's allowlist. */
  | { readonly _tag: "Joins"; readonly calls: ReadonlyArray<Call> }
  /** Only the issuer can add the account. */
  | { readonly _tag: "Refused"; readonly reason: string }

/** Checks the allowlists of permissioned tokens. */
export class HolderRules extends Context.Service<
  HolderRules,
  { readonly admission: (token: Token, account: Address) => Effect.Effect<Admission, UpstreamUnavailable> }
>()("@countersign/core/swap/HolderRules") {}
