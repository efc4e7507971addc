import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import {
  concatHex,
  getContractAddress,
  getCreate2Address,
  type Hex,
  maxUint256,
  pad,
  parseAbi,
  stringToHex,
  zeroAddress
} from "viem"
import { accountContracts, lendingOf } from "../../src/chains/deployments/index.ts"
import { type Artifacts, linkLibraries } from "../contracts/index.ts"
import type { SandboxKeys } from "../keys.ts"
import { callsOf, type Transaction } from "./block.ts"
import { type InPlaceDeployment, initCodeOf } from "./InPlaceDeployment.ts"
import { amountForUsd, type SandboxReserve, sandboxReserves } from "./lendingMarket.ts"

const RAY = 10n ** 27n
/** Aave's account data has US dollar amounts with eight decimals. */
const USD_UNIT = 10n ** 8n

const libraries = [
  "BorrowLogic",
  "BridgeLogic",
  "ConfiguratorLogic",
  "EModeLogic",
  "FlashLoanLogic",
  "LiquidationLogic",
  "PoolLogic",
  "SupplyLogic"
] as const
const implementations = ["pool", "configurator", "volatileRates", "stableRates"] as const
type DeployedName = (typeof libraries)[number] | (typeof implementations)[number]

/** Returns an arbitrary address for code whose production address differs between chains. */
const codeAddress = (index: number): Address =>
  Address.make(`0x${(0xaa7e_0000 + index).toString(16).padStart(40, "0")}`)

const codeAddresses = Object.fromEntries(
  [...libraries, ...implementations].map((name, i) => [name, codeAddress(i + 1)])
) as Readonly<Record<DeployedName, Address>>

/**
 * Returns the creation code and the CREATE2 address of contracts that are deployed later, because their constructors
 * call other Aave contracts.
 */
const laterDeployments = (artifacts: Artifacts, chainId: EvmChainId) => {
  const { pool, poolAddressesProvider } = lendingOf(chainId).aaveV3
  const codes = {
    aclManager: initCodeOf(artifacts.AaveAclManager, poolAddressesProvider),
    aToken: initCodeOf(artifacts.AaveAToken, pool),
    stableDebtToken: initCodeOf(artifacts.AaveStableDebtToken, pool),
    variableDebtToken: initCodeOf(artifacts.AaveVariableDebtToken, pool)
  }
  const addressOf = (bytecode: Hex): Hex =>
    getCreate2Address({ from: accountContracts.create2Deployer, salt: pad("0x"), bytecode })
  return Object.fromEntries(
    Object.entries(codes).map(([name, code]) => [name, { code, address: addressOf(code) }])
  ) as Readonly<Record<keyof typeof codes, { readonly code: Hex; readonly address: Hex }>>
}

const rayToPercent = (percent: number): bigint => (RAY * BigInt(Math.round(percent * 100))) / 10_000n

/**
 * Builds the code of an interest rate strategy from the optimal utilization and the two slopes of variable rates, in
 * percent. The base rate is zero. Stable rates are not offered.
 */
const strategyCode = (artifacts: Artifacts, provider: Address, optimal: number, slope1: number, slope2: number): Hex =>
  initCodeOf(
    artifacts.AaveRateStrategy,
    provider,
    ...[optimal, 0, slope1, slope2, slope1, slope2, 1, 8, 20].map(rayToPercent)
  )

const oracleCode = (artifacts: Artifacts, provider: Address, reserves: ReadonlyArray<SandboxReserve>): Hex =>
  initCodeOf(
    artifacts.AaveOracle,
    provider,
    reserves.map(({ token }) => token.address),
    reserves.map(({ feed }) => feed),
    zeroAddress,
    zeroAddress,
    USD_UNIT
  )

/**
 * Deploys Aave V3.0 with its address provider and oracle at their production addresses. The pool is the first contract
 * that the provider creates, so it also gets its production address.
 */
export const aavePlacements = (
  artifacts: Artifacts,
  chainId: EvmChainId,
  owner: Address
): ReadonlyArray<InPlaceDeployment> => {
  const { oracle, poolAddressesProvider } = lendingOf(chainId).aaveV3
  const pool = linkLibraries(artifacts.AavePool, codeAddresses)
  return [
    {
      address: poolAddressesProvider,
      initCode: initCodeOf(artifacts.AavePoolAddressesProvider, "Aave sandbox market", owner)
    },
    ...libraries.map((name) => ({
      address: codeAddresses[name],
      initCode: linkLibraries(artifacts[`Aave${name}`], codeAddresses).bytecode
    })),
    { address: codeAddresses.pool, initCode: initCodeOf(pool, poolAddressesProvider) },
    {
      address: codeAddresses.configurator,
      initCode: linkLibraries(artifacts.AavePoolConfigurator, codeAddresses).bytecode
    },
    { address: codeAddresses.volatileRates, initCode: strategyCode(artifacts, poolAddressesProvider, 80, 3, 80) },
    { address: codeAddresses.stableRates, initCode: strategyCode(artifacts, poolAddressesProvider, 90, 4, 60) },
    { address: oracle, initCode: oracleCode(artifacts, poolAddressesProvider, sandboxReserves(chainId)) }
  ]
}

const providerCall = callsOf(
  parseAbi([
    "function setACLAdmin(address admin)",
    "function setACLManager(address manager)",
    "function setPoolImpl(address implementation)",
    "function setPoolConfiguratorImpl(address implementation)",
    "function setPriceOracle(address oracle)",
    "function addPoolAdmin(address admin)",
    "function addEmergencyAdmin(address admin)"
  ])
)

const configuratorCall = callsOf(
  parseAbi([
    "struct Reserve { address aTokenImpl; address stableDebtTokenImpl; address variableDebtTokenImpl; uint8 underlyingAssetDecimals; address interestRateStrategyAddress; address underlyingAsset; address treasury; address incentivesController; string aTokenName; string aTokenSymbol; string variableDebtTokenName; string variableDebtTokenSymbol; string stableDebtTokenName; string stableDebtTokenSymbol; bytes params; }",
    "function initReserves(Reserve[] reserves)",
    "function configureReserveAsCollateral(address asset, uint256 ltv, uint256 liquidationThreshold, uint256 liquidationBonus)",
    "function setReserveBorrowing(address asset, bool enabled)",
    "function setReserveFactor(address asset, uint256 reserveFactor)",
    "function setBorrowCap(address asset, uint256 cap)",
    "function setSupplyCap(address asset, uint256 cap)"
  ])
)

/** Returns the address of the configurator, which is the second contract that the provider creates. */
const configuratorOf = (provider: Address): Address =>
  Address.make(getContractAddress({ from: provider, nonce: 2n }).toLowerCase())

const SUPPLY_CAP_USD = 500_000_000n
const BORROW_CAP_USD = 300_000_000n
const RESERVE_FACTOR = 1_000n

/** Converts US dollars to whole units of a token, because Aave states caps in whole tokens. */
const wholeTokens = ({ token }: SandboxReserve, usd: bigint): bigint => (usd * USD_UNIT) / token.priceUsd8

/** Returns the owner's transactions that configure the market. */
export const aaveSetupTransactions = (
  artifacts: Artifacts,
  chainId: EvmChainId,
  { deployer, treasury }: SandboxKeys
): ReadonlyArray<Transaction> => {
  const { oracle, poolAddressesProvider } = lendingOf(chainId).aaveV3
  const configurator = configuratorOf(poolAddressesProvider)
  const laterContracts = laterDeployments(artifacts, chainId)
  const from = deployer.address
  const aclManager = Address.make(laterContracts.aclManager.address.toLowerCase())
  return [
    providerCall(from, poolAddressesProvider, "setPoolImpl", [codeAddresses.pool]),
    providerCall(from, poolAddressesProvider, "setACLAdmin", [from]),
    ...Object.values(laterContracts).map(({ code }) => ({
      from,
      to: accountContracts.create2Deployer,
      data: concatHex([pad("0x"), code])
    })),
    providerCall(from, poolAddressesProvider, "setACLManager", [aclManager]),
    providerCall(from, poolAddressesProvider, "setPoolConfiguratorImpl", [codeAddresses.configurator]),
    providerCall(from, poolAddressesProvider, "setPriceOracle", [oracle]),
    providerCall(from, aclManager, "addPoolAdmin", [from]),
    providerCall(from, aclManager, "addEmergencyAdmin", [from]),
    ...sandboxReserves(chainId).flatMap((reserve) => {
      const { decimals, symbol } = reserve.token
      const asset = reserve.token.address
      const reserveInput = {
        aTokenImpl: laterContracts.aToken.address,
        stableDebtTokenImpl: laterContracts.stableDebtToken.address,
        variableDebtTokenImpl: laterContracts.variableDebtToken.address,
        underlyingAssetDecimals: decimals,
        interestRateStrategyAddress: reserve.isStable ? codeAddresses.stableRates : codeAddresses.volatileRates,
        underlyingAsset: asset,
        treasury: treasury.address,
        incentivesController: zeroAddress,
        aTokenName: `Aave ${symbol}`,
        aTokenSymbol: `a${symbol}`,
        variableDebtTokenName: `Aave variable debt ${symbol}`,
        variableDebtTokenSymbol: `variableDebt${symbol}`,
        stableDebtTokenName: `Aave stable debt ${symbol}`,
        stableDebtTokenSymbol: `stableDebt${symbol}`,
        params: stringToHex("")
      }
      const risk = [reserve.ltv, reserve.liquidationThreshold, reserve.liquidationBonus] as const
      const [ltv, threshold, bonus] = risk.map(BigInt) as [bigint, bigint, bigint]
      return [
        configuratorCall(from, configurator, "initReserves", [[reserveInput]]),
        ...(ltv === 0n
          ? []
          : [configuratorCall(from, configurator, "configureReserveAsCollateral", [asset, ltv, threshold, bonus])]),
        configuratorCall(from, configurator, "setReserveBorrowing", [asset, true]),
        configuratorCall(from, configurator, "setReserveFactor", [asset, RESERVE_FACTOR]),
        configuratorCall(from, configurator, "setSupplyCap", [asset, wholeTokens(reserve, SUPPLY_CAP_USD)]),
        configuratorCall(from, configurator, "setBorrowCap", [asset, wholeTokens(reserve, BORROW_CAP_USD)])
      ]
    })
  ]
}

const poolCall = callsOf(
  parseAbi([
    "function approve(address spender, uint256 amount)",
    "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
    "function borrow(address asset, uint256 amount, uint256 interestRateMode, uint16 referralCode, address onBehalfOf)"
  ])
)

const SUPPLIED_USD = 50_000_000n
const BORROWED_USD = 20_000_000n
const VARIABLE_RATE = 2n

/**
 * Returns the transactions with which the treasury supplies each asset and borrows a part of it, so that the interest
 * rates are not zero.
 */
export const aaveLiquidity = (chainId: EvmChainId, { treasury }: SandboxKeys): ReadonlyArray<Transaction> => {
  const { pool } = lendingOf(chainId).aaveV3
  const from = treasury.address
  const reserves = sandboxReserves(chainId)
  return [
    ...reserves.flatMap(({ token }) => [
      poolCall(from, token.address, "approve", [pool, maxUint256]),
      poolCall(from, pool, "supply", [token.address, amountForUsd(token, SUPPLIED_USD), from, 0])
    ]),
    ...reserves.map(({ token }) =>
      poolCall(from, pool, "borrow", [token.address, amountForUsd(token, BORROWED_USD), VARIABLE_RATE, 0, from])
    )
  ]
}
