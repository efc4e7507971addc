import { Context, type Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import type { Token } from "../../foundation/tokens/index.ts"
import type { Call } from "../../operations/user-operations/index.ts"

/** Whether a token's own rules let an account hold it. */
export type Admission =
  | { readonly _tag: "Admitted" }
  /** Not yet: these calls, which the account makes itself, put it on the token's list. */
  | { readonly _tag: "Joins"; readonly calls: ReadonlyArray<Call> }
  /** Only the issuer can put it there. */
  | { readonly _tag: "Refused"; readonly reason: string }

/** The allow-lists of tokens that not everybody may hold. */
export class HolderRules extends Context.Service<
  HolderRules,
  { readonly admission: (token: Token, account: Address) => Effect.Effect<Admission, UpstreamUnavailable> }
>()("@countersign/core/swap/HolderRules") {}
