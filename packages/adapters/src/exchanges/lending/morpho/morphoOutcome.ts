import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import type { Call } from "@countersign/core/operations/user-operations"
import type { LendingFigures, LendingTerms, LiquidationPrice } from "@countersign/core/trading/lending"
import type { PublicClient } from "viem"
import { deploymentOf, type MorphoBlueDeployment } from "../../../chains/deployments/index.ts"
import { runAs } from "../runAs.ts"
import type { Candidate } from "./chooseMarket.ts"
import type { MorphoMarket } from "./MorphoMarket.ts"
import { borrowableRoundingDown, healthFactorRoundingDown, priceE18Of } from "./morphoMath.ts"
import { type MorphoState, stateReads } from "./morphoState.ts"

const E18 = 10n ** 18n

const decimalsOf = (chainId: EvmChainId, token: Address): number | null =>
  deploymentOf(chainId).tokens.find(({ address }) => address === token)?.decimals ?? null

/** Returns the health factor scaled by 10^18; null if there is no debt or the oracle does not respond. */
export const healthFactorOf = ({ collateral, debt, price }: MorphoState, { params }: MorphoMarket): bigint | null =>
  price === null ? null : healthFactorRoundingDown(borrowableRoundingDown(collateral, price, params.lltv), debt)

const liquidationPriceOf = (
  chainId: EvmChainId,
  { price }: MorphoState,
  { params: { collateralToken, loanToken } }: MorphoMarket,
  healthFactorE18: bigint | null
): LiquidationPrice | null => {
  const [loanDecimals, collateralDecimals] = [decimalsOf(chainId, loanToken), decimalsOf(chainId, collateralToken)]
  if (!healthFactorE18 || price === null || loanDecimals === null || collateralDecimals === null) return null
  return {
    token: collateralToken,
    priceE18: (priceE18Of(price, loanDecimals, collateralDecimals) * E18) / healthFactorE18,
    inToken: loanToken
  }
}

const figuresOf = (chainId: EvmChainId, state: MorphoState, { market, side }: Candidate): LendingFigures => {
  const healthFactorE18 = healthFactorOf(state, market)
  return {
    healthFactorE18,
    liquidationPrice: liquidationPriceOf(chainId, state, market, healthFactorE18),
    // Collateral earns no interest.
    supplyRateE18: side === "LOAN" ? state.supplyRateE18 : null,
    borrowRateE18: side === "LOAN" ? null : state.borrowRateE18
  }
}

/** Simulates the calls between two reads of the state, in one `eth_call`. */
export const outcomeOf = async (
  client: PublicClient,
  deployment: MorphoBlueDeployment,
  { account, chainId }: LendingTerms,
  candidate: Candidate,
  calls: ReadonlyArray<Call>
) => {
  const reads = stateReads(deployment, candidate.market, account)
  const results = await runAs(client, chainId, account, [
    ...reads.calls,
    ...calls.map(({ data, to, value }) => ({ target: to, callData: data, value })),
    ...reads.calls
  ])
  const figures = (from: number) =>
    figuresOf(chainId, reads.stateOf(results.slice(from, from + reads.calls.length)), candidate)
  const end = reads.calls.length + calls.length
  const allSucceeded = results.slice(reads.calls.length, end).every((result) => result !== null)
  return { before: figures(0), after: allSucceeded ? figures(end) : null }
}
