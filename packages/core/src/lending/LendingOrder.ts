import { Option } from "effect"
import type { EvmChainId } from "../chains/index.ts"
import { baseUnitsOrNone } from "../primitives/index.ts"
import type { Project } from "../projects/index.ts"
import type { Token } from "../tokens/index.ts"
import type { SmartWallet } from "../wallets/index.ts"
import type { LendingLeg, LendingLegs, LendingMarket } from "./LendingMarket.ts"
import type { LendingRequest } from "./LendingRequest.ts"
import type { LendingType } from "./LendingType.ts"

/** A request with its wallet, its tokens and its provider looked up. */
export interface ResolvedOrder {
  readonly project: Project
  readonly wallet: SmartWallet
  readonly request: LendingRequest
  readonly type: LendingType
  readonly chainId: EvmChainId
  readonly provider: LendingMarket
  readonly legs: LendingLegs
  readonly payGasFeeToken: Token
}

/** A leg of the request. An amount that is none is told of as a problem before anybody takes its zero for one. */
export const legOf = (
  leg: NonNullable<LendingRequest["supply"] | LendingRequest["withdraw"]>,
  token: Token
): LendingLeg => ({
  token,
  amount: leg.amount === "MAX" ? "MAX" : Option.getOrElse(baseUnitsOrNone(leg.amount, token.decimals), () => 0n),
  marketId: leg.marketId ?? null,
  side: leg.side ?? null
})
