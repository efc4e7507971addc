import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { concatHex, type Hex, maxUint256, numberToHex, parseAbi } from "viem"
import { lendingOf } from "../../src/chains/deployments/index.ts"
import type { Artifacts } from "../contracts/index.ts"
import type { SandboxKeys } from "../keys.ts"
import { callsOf, type Transaction } from "./block.ts"
import { constructorOf, type InPlaceDeployment, initCodeOf } from "./InPlaceDeployment.ts"
import { amountForUsd, type SandboxMorphoMarket, sandboxMorphoMarkets } from "./lendingMarket.ts"

/**
 * Morpho's prices are base units of the loan token per base unit of the collateral, scaled by 10^36. The decimals of
 * the feeds cancel out, because they are equal for all feeds.
 */
const ORACLE_SCALE_EXPONENT = 36

/** Code that stores the selector of `latestAnswer()` in memory. */
const STORE_FEED_SELECTOR = "0x6350d25bcd5f52"

/** Encodes a STATICCALL to a feed with the four bytes at memory offset 28. The result is written to `resultOffset`. */
const callFeed = (feed: Address, resultOffset: number): Hex =>
  concatHex(["0x6020", `0x60${numberToHex(resultOffset, { size: 1 }).slice(2)}`, "0x6004601c73", feed, "0x5afa50"])

/** Builds runtime code whose `price()` is computed from two Chainlink feeds, as in Morpho's MorphoChainlinkOracleV2. */
const oracleCode = ({ collateral, collateralFeed, loan, loanFeed }: SandboxMorphoMarket): Hex => {
  const scale = 10n ** BigInt(ORACLE_SCALE_EXPONENT + loan.decimals - collateral.decimals)
  return concatHex([
    STORE_FEED_SELECTOR,
    callFeed(collateralFeed, 0x20),
    callFeed(loanFeed, 0x40),
    // collateral price * scale / loan price
    "0x6040517f",
    numberToHex(scale, { size: 32 }),
    "0x6020510204",
    "0x5f5260205ff3"
  ])
}

/** Deploys Morpho Blue, its interest rate model and the oracles of its markets at their production addresses. */
export const morphoPlacements = (
  artifacts: Artifacts,
  chainId: EvmChainId,
  owner: Address
): ReadonlyArray<InPlaceDeployment> => {
  const deployment = lendingOf(chainId).morphoBlue
  if (deployment === null) return []
  const { adaptiveCurveIrm, morpho } = deployment
  return [
    { address: morpho, initCode: initCodeOf(artifacts.Morpho, owner) },
    { address: adaptiveCurveIrm, initCode: initCodeOf(artifacts.AdaptiveCurveIrm, morpho) },
    ...sandboxMorphoMarkets(chainId).map((market) => ({
      address: market.params.oracle,
      initCode: constructorOf(oracleCode(market))
    }))
  ]
}

const morphoCall = callsOf(
  parseAbi([
    "struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }",
    "function enableIrm(address irm)",
    "function enableLltv(uint256 lltv)",
    "function createMarket(MarketParams params)",
    "function supply(MarketParams params, uint256 assets, uint256 shares, address onBehalf, bytes data)",
    "function supplyCollateral(MarketParams params, uint256 assets, address onBehalf, bytes data)",
    "function borrow(MarketParams params, uint256 assets, uint256 shares, address onBehalf, address receiver)",
    "function approve(address spender, uint256 amount)"
  ])
)

/** Returns the transactions with which Morpho's owner creates the markets. */
export const morphoSetupTransactions = (chainId: EvmChainId, { deployer }: SandboxKeys): ReadonlyArray<Transaction> => {
  const deployment = lendingOf(chainId).morphoBlue
  const markets = sandboxMorphoMarkets(chainId)
  if (deployment === null || markets.length === 0) return []
  const { adaptiveCurveIrm, morpho } = deployment
  const from = deployer.address
  return [
    morphoCall(from, morpho, "enableIrm", [adaptiveCurveIrm]),
    ...[...new Set(markets.map(({ params }) => params.lltv))].map((lltv) =>
      morphoCall(from, morpho, "enableLltv", [lltv])
    ),
    ...markets.map(({ params }) => morphoCall(from, morpho, "createMarket", [params]))
  ]
}

const SUPPLIED_USD = 20_000_000n
const BORROWED_USD = 15_000_000n
const COLLATERAL_USD = 30_000_000n

/**
 * Returns the transactions with which the treasury lends and borrows in each market, so that the rates are not zero.
 */
export const morphoLiquidity = (chainId: EvmChainId, { treasury }: SandboxKeys): ReadonlyArray<Transaction> => {
  const deployment = lendingOf(chainId).morphoBlue
  if (deployment === null) return []
  const { morpho } = deployment
  const from = treasury.address
  return sandboxMorphoMarkets(chainId).flatMap(({ collateral, loan, params: market }) => [
    morphoCall(from, loan.address, "approve", [morpho, maxUint256]),
    morphoCall(from, collateral.address, "approve", [morpho, maxUint256]),
    morphoCall(from, morpho, "supply", [market, amountForUsd(loan, SUPPLIED_USD), 0n, from, "0x"]),
    morphoCall(from, morpho, "supplyCollateral", [market, amountForUsd(collateral, COLLATERAL_USD), from, "0x"]),
    morphoCall(from, morpho, "borrow", [market, amountForUsd(loan, BORROWED_USD), 0n, from, from])
  ])
}
