/** A published package that carries compiled contracts, pinned to the bytes of its tarball. */
export interface ArtifactPackage {
  readonly name: string
  readonly version: string
  /** `dist.integrity` of the registry: sha512 of the tarball, base64. */
  readonly integrity: string
}

/** Where one contract's bytecode is. `javascriptConstant` is for a package that ships init code inside a module. */
export interface ArtifactSource {
  readonly package: ArtifactPackage
  readonly path: string
  readonly javascriptConstant?: string
  /** Keep the deployed bytecode too: it is used as a state override, or there is nothing else. */
  readonly keepDeployedBytecode?: true
  /** The file's `bytecode` is what lies on chain, not what a deployment runs. */
  readonly bytecodeIsDeployed?: true
}

const accountAbstraction07: ArtifactPackage = {
  name: "@account-abstraction/contracts",
  version: "0.7.0",
  integrity: "sha512-Bt/66ilu3u8I9+vFZ9fTd+cWs55fdb9J5YKfrhsrFafH1drkzwuCSL/xEot1GGyXXNJLQuXbMRztQPyelNbY1A=="
}
const accountAbstraction08: ArtifactPackage = {
  name: "@account-abstraction/contracts",
  version: "0.8.0",
  integrity: "sha512-8krPx/gpnoT+5xAroagVCbeA7FbUigMZWXFKKPm+oghyr29Dksssdx5sI7xGv9212i4JPaDDUGFk58dpuwVgHA=="
}
const safe: ArtifactPackage = {
  name: "@safe-global/safe-contracts",
  version: "1.4.1",
  integrity: "sha512-fP1jewywSwsIniM04NsqPyVRFKPMAuirC3ftA/TA4X3Zc5EnwQp/UCJUU2PL/37/z/jMo8UUaJ+pnFNWmMU7dQ=="
}
const safe4337: ArtifactPackage = {
  name: "@safe-global/safe-4337",
  version: "0.3.0",
  integrity: "sha512-PL/+GrMwfyvRru1rhDwWVMXmHqzc8afa67cUOt1CGwSmbuFzamQGSPMxt9sX4Esmoyh7ICrO5lauPWPYp1Ei1Q=="
}
const mockPaymaster: ArtifactPackage = {
  name: "@pimlico/mock-paymaster",
  version: "0.0.7",
  integrity: "sha512-nYRlLC/s1LmgFg1Fz0Y3SO+PovTWwz+ETkmo0RUW0VYQnE0SZp+/RhT8iqt9duHzevwl4hc1kQZUqYxy2ZSIeA=="
}
const oneInch: ArtifactPackage = {
  name: "@1inch/solidity-utils",
  version: "6.9.16",
  integrity: "sha512-SnOB37v1BC5rGT60d7gUi0cEhwpUczoHdIfilKeehbmX7o3CDENgvbMpOv2jmSADh/iq+zhs+RDum+nJ+uUwTQ=="
}
const canonicalWeth: ArtifactPackage = {
  name: "canonical-weth",
  version: "1.4.0",
  integrity: "sha512-9rkLfAFndWALLhxd5lpyTX4RkV36WmVBZ92NYtYr1kWdAUmclRp7I5KkK4wvogzDcCI++yw53TLwx/GCPcocMg=="
}
const aave: ArtifactPackage = {
  name: "@aave/core-v3",
  version: "1.19.3",
  integrity: "sha512-Xr7+VcoU5b4mPwM4IUCnskw3lciwrnL4Xloyad8GOddYeixnri2lZYobNmErm1LwE50vqjI0O+9QGNKY2TDkeQ=="
}
const uniswapCore: ArtifactPackage = {
  name: "@uniswap/v3-core",
  version: "1.0.1",
  integrity: "sha512-7pVk4hEm00j9tc71Y9+ssYpO6ytkeI0y7WE9P6UcmNzhxPePwyAxImuhVsTqWK9YFvzgtvzJHi64pBl4jUzKMQ=="
}
const uniswapPeriphery: ArtifactPackage = {
  name: "@uniswap/v3-periphery",
  version: "1.4.4",
  integrity: "sha512-S4+m+wh8HbWSO3DKk4LwUCPZJTpCugIsHrWR86m/OrUyvSqGDTXKFfc2sMuGXCZrD1ZqO3rhQsKgdWg3Hbb2Kw=="
}
const uniswapRouter: ArtifactPackage = {
  name: "@uniswap/swap-router-contracts",
  version: "1.3.1",
  integrity: "sha512-mh/YNbwKb7Mut96VuEtL+Z5bRe0xVIbjjiryn+iMMrK2sFKhR4duk/86mEz0UO5gSx4pQIw9G5276P5heY/7Rg=="
}
const uniswapV2Core: ArtifactPackage = {
  name: "@uniswap/v2-core",
  version: "1.0.1",
  integrity: "sha512-MtybtkUPSyysqLY2U210NBDeCHX+ltHt3oADGdjqoThZaFRDKwM6k1Nb3F0A3hk5hwuQvytFWhrWHOEq6nVJ8Q=="
}
const uniswapV2Periphery: ArtifactPackage = {
  name: "@uniswap/v2-periphery",
  version: "1.1.0-beta.0",
  integrity: "sha512-6dkwAMKza8nzqYiXEr2D86dgW3TTavUvCR0w2Tu33bAbM8Ah43LKAzH7oKKPRT5VJQaMi1jtkGs1E8JPor1n5g=="
}
const uniswapV4Core: ArtifactPackage = {
  name: "@uniswap/v4-core",
  version: "1.0.2",
  integrity: "sha512-X15Tm2wWd+USAzEExMbo+g9naA6QN6mPgWm0MzDwRNlOfaNlepfUpSyt9RSrUfEODspwbyWbcLg6t5nwc/e7lg=="
}
const uniswapV4Periphery: ArtifactPackage = {
  name: "@uniswap/v4-periphery",
  version: "1.0.3",
  integrity: "sha512-JxLL0Djv9XcMvI2PatEnWrCrxuEaYNVhHxstndBOP+aJfh1XLg5ec8SDZ0xyoVfg2ElJTvuKpBgnu90bNValsg=="
}
const universalRouter: ArtifactPackage = {
  name: "@uniswap/universal-router",
  version: "2.0.0",
  integrity: "sha512-6V21kuf547hE1gLfLQ89gv41DMSJY1ZZKer/k7CBagNPJ0oDnUyme+qQPtdoWknyUgSKd1M6sDm/WpocjVmPlA=="
}
const pancakeV3Core: ArtifactPackage = {
  name: "@pancakeswap/v3-core",
  version: "1.0.2",
  integrity: "sha512-9aZU8I1J6SbZOSW7NcNxuyaAC17tGkOaZJM9aJgvl6MMUOExpq0i0EC/jc3HxWbpC8sbZL+8eG544NEJs8CS+w=="
}
const joe: ArtifactPackage = {
  name: "@traderjoe-xyz/core",
  version: "2.4.6",
  integrity: "sha512-YmDEkxa8avXRlILFNT3p87vkXrQ1ONK/Hb3XJiUZxGktTPf4gaAHjAPtETn1LwDBAqLvs2ZhiZDSgHSdDivhNw=="
}

const chainlink: ArtifactPackage = {
  name: "@chainlink/contracts",
  version: "0.0.10",
  integrity: "sha512-ok+ucSQ+3mrR+zjbi6zIrdd5M9XymcqVcnXGVyqBVRYZp97jS2/rt/glP320JmHxmi4pacgDOg0Ux11xIr1S8Q=="
}

const solidityArtifact = (source: ArtifactPackage, root: string, file: string): ArtifactSource => ({
  package: source,
  path: `${root}/${file}.sol/${file.slice(file.lastIndexOf("/") + 1)}.json`
})

const safeArtifact = (file: string) => solidityArtifact(safe, "build/artifacts/contracts", file)
const safe4337Artifact = (file: string) => solidityArtifact(safe4337, "build/artifacts/contracts", file)
const coreArtifact = (file: string) => solidityArtifact(uniswapCore, "artifacts/contracts", file)
const peripheryArtifact = (file: string) => solidityArtifact(uniswapPeriphery, "artifacts/contracts", file)
const aaveArtifact = (file: string) => solidityArtifact(aave, "artifacts/contracts", file)
const aaveLogic = (name: string) => aaveArtifact(`protocol/libraries/logic/${name}`)
const v4PeripheryArtifact = (file: string) => solidityArtifact(uniswapV4Periphery, "foundry-out", file)
const pancakeArtifact = (file: string) => solidityArtifact(pancakeV3Core, "artifacts/contracts", file)
const routerArtifact = (file: string) => solidityArtifact(uniswapRouter, "artifacts/contracts", file)

export const artifactManifest = {
  EntryPoint07: { package: accountAbstraction07, path: "artifacts/EntryPoint.json" },
  EntryPointSimulations07: {
    package: accountAbstraction07,
    path: "artifacts/EntryPointSimulations.json",
    keepDeployedBytecode: true
  },
  SimpleAccountFactory07: { package: accountAbstraction07, path: "artifacts/SimpleAccountFactory.json" },
  EntryPoint08: { package: accountAbstraction08, path: "artifacts/EntryPoint.json" },
  EntryPointSimulations08: {
    package: accountAbstraction08,
    path: "artifacts/EntryPointSimulations.json",
    keepDeployedBytecode: true
  },
  SimpleAccountFactory08: { package: accountAbstraction08, path: "artifacts/SimpleAccountFactory.json" },
  Simple7702Account: { package: accountAbstraction08, path: "artifacts/Simple7702Account.json" },
  SafeL2: safeArtifact("SafeL2"),
  SafeProxyFactory: safeArtifact("proxies/SafeProxyFactory"),
  MultiSend: safeArtifact("libraries/MultiSend"),
  Safe4337Module: safe4337Artifact("Safe4337Module"),
  SafeModuleSetup: safe4337Artifact("SafeModuleSetup"),
  SingletonPaymaster07: {
    package: mockPaymaster,
    path: "_esm/constants.js",
    javascriptConstant: "getSingletonPaymaster07InitCode"
  },
  SingletonPaymaster08: {
    package: mockPaymaster,
    path: "_esm/constants.js",
    javascriptConstant: "getSingletonPaymaster08InitCode"
  },
  Permit2: { package: oneInch, path: "dist/src/permit2.json", bytecodeIsDeployed: true },
  WETH9: { package: canonicalWeth, path: "build/contracts/WETH9.json" },
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
  UniswapV2Factory: { package: uniswapV2Core, path: "build/UniswapV2Factory.json" },
  UniswapV2Router02: { package: uniswapV2Periphery, path: "build/UniswapV2Router02.json" },
  /** Burns a hundredth of each transfer. No chain has it: tests put it in the place of a token. */
  DeflatingERC20: { package: uniswapV2Periphery, path: "build/DeflatingERC20.json" },
  JoeFactory: { package: joe, path: "deployments/avalanche/JoeFactory.json" },
  JoeRouter02: { package: joe, path: "deployments/avalanche/JoeRouter02.json" },
  PoolManager: solidityArtifact(uniswapV4Core, "out", "PoolManager"),
  PositionManager: v4PeripheryArtifact("PositionManager"),
  StateView: v4PeripheryArtifact("StateView"),
  V4Quoter: v4PeripheryArtifact("V4Quoter"),
  UniversalRouter: solidityArtifact(universalRouter, "artifacts/contracts", "UniversalRouter"),
  PancakeV3Factory: pancakeArtifact("PancakeV3Factory"),
  PancakeV3Pool: pancakeArtifact("PancakeV3Pool"),
  SwapRouter: peripheryArtifact("SwapRouter"),
  Aggregator: { package: chainlink, path: "abi/v0.6/MockV3Aggregator.json" }
} as const satisfies Record<string, ArtifactSource>

export type ArtifactName = keyof typeof artifactManifest
