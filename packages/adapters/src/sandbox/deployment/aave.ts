import type { EvmChainId } from "@countersign/core/chains"
import { Address } from "@countersign/core/primitives"
import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  getCreate2Address,
  type Hex,
  maxUint256,
  pad,
  parseAbi,
  parseAbiParameters,
  stringToHex,
  zeroAddress
} from "viem"
import { accountContracts, lendingOf } from "../../deployments/index.ts"
import { type Artifacts, linkedBytecode } from "../contracts/index.ts"
import type { SandboxKeys } from "../keys.ts"
import type { Transaction } from "./block.ts"
import { addressArguments, type InPlacePlacement } from "./InPlacePlacement.ts"
import { type SandboxReserve, sandboxReserves, worthUsd } from "./lendingMarket.ts"

const RAY = 10n ** 27n
/** Prices and amounts of account data are in dollars with eight decimals. */
const USD_UNIT = 10n ** 8n

/** Of no meaning on any chain: code that production has at other addresses on each chain. */
const codeAddress = (index: number): Address =>
  Address.make(`0x${(0xaa7e_0000 + index).toString(16).padStart(40, "0")}`)

const places = {
  BorrowLogic: codeAddress(1),
  BridgeLogic: codeAddress(2),
  ConfiguratorLogic: codeAddress(3),
  EModeLogic: codeAddress(4),
  FlashLoanLogic: codeAddress(5),
  LiquidationLogic: codeAddress(6),
  PoolLogic: codeAddress(7),
  SupplyLogic: codeAddress(8),
  pool: codeAddress(9),
  configurator: codeAddress(10),
  volatileRates: codeAddress(11),
  stableRates: codeAddress(12)
}

/** Creation code whose constructor asks other contracts of Aave, which have to be there before. */
const deployedLater = (artifacts: Artifacts, chainId: EvmChainId) => {
  const { pool, poolAddressesProvider } = lendingOf(chainId).aaveV3
  const withPool = (code: Hex) => concatHex([code, addressArguments(pool)])
  const codes = {
    aclManager: concatHex([artifacts.AaveAclManager.bytecode, addressArguments(poolAddressesProvider)]),
    aToken: withPool(artifacts.AaveAToken.bytecode),
    stableDebtToken: withPool(artifacts.AaveStableDebtToken.bytecode),
    variableDebtToken: withPool(artifacts.AaveVariableDebtToken.bytecode)
  }
  const addressOf = (bytecode: Hex): Hex =>
    getCreate2Address({ from: accountContracts.create2Deployer, salt: pad("0x"), bytecode })
  return Object.fromEntries(
    Object.entries(codes).map(([name, code]) => [name, { code, address: addressOf(code) }])
  ) as Readonly<Record<keyof typeof codes, { readonly code: Hex; readonly address: Hex }>>
}

const percentOfRay = (percent: number): bigint => (RAY * BigInt(Math.round(percent * 100))) / 10_000n

/** Optimal use, base rate and the two slopes of variable rates; no stable rates are offered. */
const strategyCode = (artifacts: Artifacts, provider: Address, optimal: number, slope1: number, slope2: number): Hex =>
  concatHex([
    artifacts.AaveRateStrategy.bytecode,
    encodeAbiParameters(parseAbiParameters("address, uint256[9]"), [
      provider,
      [
        percentOfRay(optimal),
        0n,
        percentOfRay(slope1),
        percentOfRay(slope2),
        percentOfRay(slope1),
        percentOfRay(slope2),
        percentOfRay(1),
        percentOfRay(8),
        percentOfRay(20)
      ]
    ])
  ])

const oracleCode = (artifacts: Artifacts, provider: Address, reserves: ReadonlyArray<SandboxReserve>): Hex =>
  concatHex([
    artifacts.AaveOracle.bytecode,
    encodeAbiParameters(parseAbiParameters("address, address[], address[], address, address, uint256"), [
      provider,
      reserves.map(({ token }) => token.address),
      reserves.map(({ feed }) => feed),
      zeroAddress,
      zeroAddress,
      USD_UNIT
    ])
  ])

/**
 * Aave V3.0: its address provider and its oracle at their production addresses. The provider's first child is the pool, which
 * therefore comes to be at its production address too.
 */
export const aavePlacements = (
  artifacts: Artifacts,
  chainId: EvmChainId,
  owner: Address
): ReadonlyArray<InPlacePlacement> => {
  const { oracle, poolAddressesProvider } = lendingOf(chainId).aaveV3
  const linked = (name: "AaveFlashLoanLogic" | "AavePool" | "AavePoolConfigurator") =>
    linkedBytecode(artifacts[name], places)
  return [
    {
      address: poolAddressesProvider,
      initCode: concatHex([
        artifacts.AavePoolAddressesProvider.bytecode,
        encodeAbiParameters(parseAbiParameters("string, address"), ["Aave sandbox market", owner])
      ])
    },
    { address: places.BorrowLogic, initCode: artifacts.AaveBorrowLogic.bytecode },
    { address: places.BridgeLogic, initCode: artifacts.AaveBridgeLogic.bytecode },
    { address: places.ConfiguratorLogic, initCode: artifacts.AaveConfiguratorLogic.bytecode },
    { address: places.EModeLogic, initCode: artifacts.AaveEModeLogic.bytecode },
    { address: places.FlashLoanLogic, initCode: linked("AaveFlashLoanLogic") },
    { address: places.LiquidationLogic, initCode: artifacts.AaveLiquidationLogic.bytecode },
    { address: places.PoolLogic, initCode: artifacts.AavePoolLogic.bytecode },
    { address: places.SupplyLogic, initCode: artifacts.AaveSupplyLogic.bytecode },
    { address: places.pool, initCode: concatHex([linked("AavePool"), addressArguments(poolAddressesProvider)]) },
    { address: places.configurator, initCode: linked("AavePoolConfigurator") },
    { address: places.volatileRates, initCode: strategyCode(artifacts, poolAddressesProvider, 80, 3, 80) },
    { address: places.stableRates, initCode: strategyCode(artifacts, poolAddressesProvider, 90, 4, 60) },
    { address: oracle, initCode: oracleCode(artifacts, poolAddressesProvider, sandboxReserves(chainId)) }
  ]
}

const providerAbi = parseAbi([
  "function setACLAdmin(address admin)",
  "function setACLManager(address manager)",
  "function setPoolImpl(address implementation)",
  "function setPoolConfiguratorImpl(address implementation)",
  "function setPriceOracle(address oracle)",
  "function addPoolAdmin(address admin)",
  "function addEmergencyAdmin(address admin)"
])

const configuratorAbi = parseAbi([
  "struct Reserve { address aTokenImpl; address stableDebtTokenImpl; address variableDebtTokenImpl; uint8 underlyingAssetDecimals; address interestRateStrategyAddress; address underlyingAsset; address treasury; address incentivesController; string aTokenName; string aTokenSymbol; string variableDebtTokenName; string variableDebtTokenSymbol; string stableDebtTokenName; string stableDebtTokenSymbol; bytes params; }",
  "function initReserves(Reserve[] reserves)",
  "function configureReserveAsCollateral(address asset, uint256 ltv, uint256 liquidationThreshold, uint256 liquidationBonus)",
  "function setReserveBorrowing(address asset, bool enabled)",
  "function setReserveFactor(address asset, uint256 reserveFactor)",
  "function setBorrowCap(address asset, uint256 cap)",
  "function setSupplyCap(address asset, uint256 cap)"
])

/** The configurator is the provider's second child. */
const configuratorOf = (provider: Address): Address =>
  Address.make(getContractAddress({ from: provider, nonce: 2n }).toLowerCase())

const SUPPLY_CAP_USD = 500_000_000n
const BORROW_CAP_USD = 300_000_000n
const RESERVE_FACTOR = 1_000n

/** Caps are whole tokens. */
const wholeTokens = ({ token }: SandboxReserve, usd: bigint): bigint => (usd * USD_UNIT) / token.priceUsd8

/** The market's set-up, by its owner. */
export const aaveFurnishing = (
  artifacts: Artifacts,
  chainId: EvmChainId,
  { deployer, treasury }: SandboxKeys
): ReadonlyArray<Transaction> => {
  const { oracle, poolAddressesProvider } = lendingOf(chainId).aaveV3
  const configurator = configuratorOf(poolAddressesProvider)
  const later = deployedLater(artifacts, chainId)
  const from = deployer.address
  const call = (to: string, data: Hex): Transaction => ({ from, to: Address.make(to.toLowerCase()), data })
  const provide = (
    functionName: "setACLAdmin" | "setACLManager" | "setPoolImpl" | "setPoolConfiguratorImpl" | "setPriceOracle",
    address: Hex
  ) => call(poolAddressesProvider, encodeFunctionData({ abi: providerAbi, functionName, args: [address] }))
  const role = (functionName: "addPoolAdmin" | "addEmergencyAdmin") =>
    call(later.aclManager.address, encodeFunctionData({ abi: providerAbi, functionName, args: [from] }))
  const set = (data: Hex) => call(configurator, data)
  return [
    provide("setPoolImpl", places.pool),
    provide("setACLAdmin", from),
    ...Object.values(later).map(({ code }) => call(accountContracts.create2Deployer, concatHex([pad("0x"), code]))),
    provide("setACLManager", later.aclManager.address),
    provide("setPoolConfiguratorImpl", places.configurator),
    provide("setPriceOracle", oracle),
    role("addPoolAdmin"),
    role("addEmergencyAdmin"),
    ...sandboxReserves(chainId).flatMap((reserve) => {
      const { decimals, symbol } = reserve.token
      const asset = reserve.token.address
      return [
        set(
          encodeFunctionData({
            abi: configuratorAbi,
            functionName: "initReserves",
            args: [
              [
                {
                  aTokenImpl: later.aToken.address,
                  stableDebtTokenImpl: later.stableDebtToken.address,
                  variableDebtTokenImpl: later.variableDebtToken.address,
                  underlyingAssetDecimals: decimals,
                  interestRateStrategyAddress: reserve.isStable ? places.stableRates : places.volatileRates,
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
              ]
            ]
          })
        ),
        ...(reserve.ltv === 0
          ? []
          : [
              set(
                encodeFunctionData({
                  abi: configuratorAbi,
                  functionName: "configureReserveAsCollateral",
                  args: [
                    asset,
                    BigInt(reserve.ltv),
                    BigInt(reserve.liquidationThreshold),
                    BigInt(reserve.liquidationBonus)
                  ]
                })
              )
            ]),
        set(encodeFunctionData({ abi: configuratorAbi, functionName: "setReserveBorrowing", args: [asset, true] })),
        set(
          encodeFunctionData({
            abi: configuratorAbi,
            functionName: "setReserveFactor",
            args: [asset, RESERVE_FACTOR]
          })
        ),
        set(
          encodeFunctionData({
            abi: configuratorAbi,
            functionName: "setSupplyCap",
            args: [asset, wholeTokens(reserve, SUPPLY_CAP_USD)]
          })
        ),
        set(
          encodeFunctionData({
            abi: configuratorAbi,
            functionName: "setBorrowCap",
            args: [asset, wholeTokens(reserve, BORROW_CAP_USD)]
          })
        )
      ]
    })
  ]
}

const poolAbi = parseAbi([
  "function approve(address spender, uint256 amount)",
  "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
  "function borrow(address asset, uint256 amount, uint256 interestRateMode, uint16 referralCode, address onBehalfOf)"
])

const SUPPLIED_USD = 50_000_000n
const BORROWED_USD = 20_000_000n
const VARIABLE_RATE = 2n

/** What the treasury supplies of each asset, and borrows of it, so that there are rates. */
export const aaveLiquidity = (chainId: EvmChainId, { treasury }: SandboxKeys): ReadonlyArray<Transaction> => {
  const { pool } = lendingOf(chainId).aaveV3
  const from = treasury.address
  const reserves = sandboxReserves(chainId)
  return [
    ...reserves.flatMap(({ token }) => {
      return [
        {
          from,
          to: token.address,
          data: encodeFunctionData({ abi: poolAbi, functionName: "approve", args: [pool, maxUint256] })
        },
        {
          from,
          to: pool,
          data: encodeFunctionData({
            abi: poolAbi,
            functionName: "supply",
            args: [token.address, worthUsd(token, SUPPLIED_USD), from, 0]
          })
        }
      ]
    }),
    ...reserves.map(({ token }) => ({
      from,
      to: pool,
      data: encodeFunctionData({
        abi: poolAbi,
        functionName: "borrow",
        args: [token.address, worthUsd(token, BORROWED_USD), VARIABLE_RATE, 0, from]
      })
    }))
  ]
}
