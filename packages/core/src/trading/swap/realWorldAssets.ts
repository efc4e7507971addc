import { Effect } from "effect"
import { BadRequest } from "../../foundation/errors/index.ts"
import { isEvmAddress, type WalletAddress } from "../../foundation/primitives/index.ts"
import { IndividualVerificationRequired, type Token } from "../../foundation/tokens/index.ts"
import { VerifiedIndividuals } from "../../identity/index.ts"
import type { Call } from "../../operations/user-operations/index.ts"
import type { Project } from "../../tenancy/projects/index.ts"
import { addressOf, type Wallet } from "../../wallets/registry/index.ts"
import { HolderRules } from "./HolderRules.ts"
import type { SwapRequest } from "./SwapRequest.ts"

interface SwapTokens {
  readonly tokenIn: Token
  readonly tokenOut: Token
}

interface Holding {
  readonly field: "toAddress" | "walletAddress"
  readonly token: Token
  readonly account: WalletAddress
  /** Whether an operation of the wallet, on the chain of tokenIn, can add the account to the allowlist. */
  readonly canJoin: boolean
}

/** Returns the accounts that will hold tokenIn and tokenOut. */
const holdingsOf = (
  { chainIdIn, chainIdOut, toAddress }: SwapRequest,
  { tokenIn, tokenOut }: SwapTokens,
  wallet: WalletAddress
): ReadonlyArray<Holding> => [
  { field: "walletAddress", token: tokenIn, account: wallet, canJoin: true },
  { field: "toAddress", token: tokenOut, account: toAddress, canJoin: toAddress === wallet && chainIdIn === chainIdOut }
]

/**
 * Checks the requirements for swaps of tokenized real-world assets: a verified individual, and accounts on the token's
 * allowlist.
 */
export const realWorldAssets = Effect.gen(function* () {
  const individuals = yield* VerifiedIndividuals
  const rules = yield* HolderRules

  const readAllowlistCalls = Effect.fnUntraced(function* ({ account, canJoin, field, token }: Holding) {
    if (!token.realWorldAsset || !isEvmAddress(account)) return []
    const admission = yield* rules.admission(token, account)
    if (admission._tag === "Admitted") return []
    if (admission._tag === "Joins" && canJoin) return admission.calls
    const reason =
      admission._tag === "Refused"
        ? admission.reason
        : "The receiver is not on the token's allow-list, and only the receiver can join it."
    return yield* BadRequest.of(field, "holder_not_allowed", `${account} may not hold ${token.symbol}: ${reason}`)
  })

  return {
    requireVerified: Effect.fnUntraced(function* (project: Project, { individualId }: SwapRequest, tokens: SwapTokens) {
      const asset = [tokens.tokenIn, tokens.tokenOut].find(({ realWorldAsset }) => realWorldAsset)
      if (asset === undefined) return
      const isVerified = individualId !== null && (yield* individuals.isVerified(project.id, individualId))
      if (!isVerified) return yield* new IndividualVerificationRequired({ symbol: asset.symbol })
    }),
    /** Returns the calls that add the wallet to the allowlists of the tokens. Empty if none is needed. */
    joiningCalls: (wallet: Wallet, request: SwapRequest, tokens: SwapTokens) =>
      Effect.map(
        Effect.forEach(holdingsOf(request, tokens, addressOf(wallet)), readAllowlistCalls, { concurrency: 2 }),
        (calls): ReadonlyArray<Call> => calls.flat()
      )
  }
})
