import packages from "./artifactPackages.json" with { type: "json" }

/** A published package with compiled contracts, pinned by the hash of its tarball. */
export interface ArtifactPackage {
  readonly name: string
  readonly version: string
  /** `dist.integrity` in the npm registry: sha512 of the tarball in base64. */
  readonly integrity: string
}

/**
 * Where a contract's bytecode is. `javascriptConstant` is the name of a constant with init code in a JavaScript module.
 */
export interface ArtifactSource {
  readonly package: ArtifactPackage
  readonly path: string
  readonly javascriptConstant?: string
  /**
   * Also keep the deployed bytecode, because it is used as a state override, or because the package contains no
   * creation code.
   */
  readonly keepDeployedBytecode?: true
  /** The field `bytecode` of the file is the deployed code, not the creation code. */
  readonly bytecodeIsDeployed?: true
}

const solidityArtifact = (source: ArtifactPackage, root: string, file: string): ArtifactSource => ({
  package: source,
  path: `${root}/${file}.sol/${file.slice(file.lastIndexOf("/") + 1)}.json`
})

const safeArtifact = (file: string) => solidityArtifact(packages.safe, "build/artifacts/contracts", file)
const safe4337Artifact = (file: string) => solidityArtifact(packages.safe4337, "build/artifacts/contracts", file)
const coreArtifact = (file: string) => solidityArtifact(packages.uniswapCore, "artifacts/contracts", file)
const peripheryArtifact = (file: string) => solidityArtifact(packages.uniswapPeriphery, "artifacts/contracts", file)
const aaveArtifact = (file: string) => solidityArtifact(packages.aave, "artifacts/contracts", file)
const aaveLogic = (name: string) => aaveArtifact(`protocol/libraries/logic/${name}`)
const v4PeripheryArtifact = (file: string) => solidityArtifact(packages.uniswapV4Periphery, "foundry-out", file)
const pancakeArtifact = (file: string) => solidityArtifact(packages.pancakeV3Core, "artifacts/contracts", file)
const routerArtifact = (file: string) => solidityArtifact(packages.uniswapRouter, "artifacts/contracts", file)

export const artifactManifest = {
  EntryPoint07: { package: packages.accountAbstraction07, path: "artifacts/EntryPoint.json" },
  EntryPointSimulations07: {
    package: packages.accountAbstraction07,
    path: "artifacts/EntryPointSimulations.json",
    keepDeployedBytecode: true
  },
  SimpleAccountFactory07: { package: packages.accountAbstraction07, path: "artifacts/SimpleAccountFactory.json" },
  EntryPoint08: { package: packages.accountAbstraction08, path: "artifacts/EntryPoint.json" },
  EntryPointSimulations08: {
    package: packages.accountAbstraction08,
    path: "artifacts/EntryPointSimulations.json",
    keepDeployedBytecode: true
  },
  SimpleAccountFactory08: { package: packages.accountAbstraction08, path: "artifacts/SimpleAccountFactory.json" },
  Simple7702Account: { package: packages.accountAbstraction08, path: "artifacts/Simple7702Account.json" },
  SafeL2: safeArtifact("SafeL2"),
  SafeProxyFactory: safeArtifact("proxies/SafeProxyFactory"),
  MultiSend: safeArtifact("libraries/MultiSend"),
  Safe4337Module: safe4337Artifact("Safe4337Module"),
  SafeModuleSetup: safe4337Artifact("SafeModuleSetup"),
  SingletonPaymaster07: {
    package: packages.mockPaymaster,
    path: "_esm/constants.js",
    javascriptConstant: "getSingletonPaymaster07InitCode"
  },
  SingletonPaymaster08: {
    package: packages.mockPaymaster,
    path: "_esm/constants.js",
    javascriptConstant: "getSingletonPaymaster08InitCode"
  },
  Permit2: { package: packages.oneInch, path: "dist/src/permit2.json", bytecodeIsDeployed: true },
  WETH9: { package: packages.canonicalWeth, path: "build/contracts/WETH9.json" },
  MintableERC20: aaveArtifact("mocks/tokens/MintableERC20"),
  AavePoolAddressesProvider: aaveArtifact("protocol/configuration/PoolAddressesProvider"),
  AaveAclManager: aaveArtifact("protocol/configuration/ACLManager"),
  AavePool: aaveArtifact("protocol/pool/Pool"),
  AavePoolConfigurator: aaveArtifact("protocol/pool/PoolConfigurator"),
  AaveRateStrategy: aaveArtifact("protocol/pool/DefaultReserveInterestRateStrategy"),
  AaveOracle: aaveArtifact("misc/AaveOracle"),
  AaveAToken: aaveArtifact("protocol/tokenization/AToken"),
  AaveStableDebtToken: aaveArtifact("protocol/tokenization/StableDebtToken"),
  AaveVariableDebtToken: aaveArtifact("protocol/tokenization/VariableDebtToken"),
  AaveBorrowLogic: aaveLogic("BorrowLogic"),
  AaveBridgeLogic: aaveLogic("BridgeLogic"),
  AaveConfiguratorLogic: aaveLogic("ConfiguratorLogic"),
  AaveEModeLogic: aaveLogic("EModeLogic"),
  AaveFlashLoanLogic: aaveLogic("FlashLoanLogic"),
  AaveLiquidationLogic: aaveLogic("LiquidationLogic"),
  AavePoolLogic: aaveLogic("PoolLogic"),
  AaveSupplyLogic: aaveLogic("SupplyLogic"),
  UniswapV3Factory: coreArtifact("UniswapV3Factory"),
  NFTDescriptor: peripheryArtifact("libraries/NFTDescriptor"),
  NonfungibleTokenPositionDescriptor: peripheryArtifact("NonfungibleTokenPositionDescriptor"),
  NonfungiblePositionManager: peripheryArtifact("NonfungiblePositionManager"),
  TickLens: peripheryArtifact("lens/TickLens"),
  SwapRouter02: routerArtifact("SwapRouter02"),
  QuoterV2: routerArtifact("lens/QuoterV2"),
  UniswapV2Factory: { package: packages.uniswapV2Core, path: "build/UniswapV2Factory.json" },
  UniswapV2Router02: { package: packages.uniswapV2Periphery, path: "build/UniswapV2Router02.json" },
  /** A token that burns 1 % of each transfer. No chain contains it; tests deploy it at the address of another token. */
  DeflatingERC20: { package: packages.uniswapV2Periphery, path: "build/DeflatingERC20.json" },
  JoeFactory: { package: packages.joe, path: "deployments/avalanche/JoeFactory.json" },
  JoeRouter02: { package: packages.joe, path: "deployments/avalanche/JoeRouter02.json" },
  PoolManager: solidityArtifact(packages.uniswapV4Core, "out", "PoolManager"),
  PositionManager: v4PeripheryArtifact("PositionManager"),
  StateView: v4PeripheryArtifact("StateView"),
  V4Quoter: v4PeripheryArtifact("V4Quoter"),
  UniversalRouter: solidityArtifact(packages.universalRouter, "artifacts/contracts", "UniversalRouter"),
  PancakeV3Factory: pancakeArtifact("PancakeV3Factory"),
  PancakeV3Pool: pancakeArtifact("PancakeV3Pool"),
  SwapRouter: peripheryArtifact("SwapRouter"),
  CowAuthentication: { package: packages.cow, path: "lib/contracts/GPv2AllowListAuthentication.json" },
  CowSettlement: { package: packages.cow, path: "lib/contracts/GPv2Settlement.json" },
  EthereumSpokePool: solidityArtifact(packages.across, "dist/evm/artifacts", "Ethereum_SpokePool"),
  MulticallHandler: solidityArtifact(packages.across, "dist/evm/artifacts", "MulticallHandler"),
  Aggregator: { package: packages.chainlink, path: "abi/v0.6/MockV3Aggregator.json" }
} as const satisfies Record<string, ArtifactSource>

export type ArtifactName = keyof typeof artifactManifest
