import { parseAbi } from "viem"

/**
 * Functions and events of Aave V3's Pool, aTokens and oracle. `getReserveData` returns the same struct in versions 3.0
 * to 3.7.
 */
export const aaveAbi = parseAbi([
  "struct ReserveData { uint256 configuration; uint128 liquidityIndex; uint128 currentLiquidityRate; uint128 variableBorrowIndex; uint128 currentVariableBorrowRate; uint128 currentStableBorrowRate; uint40 lastUpdateTimestamp; uint16 id; address aTokenAddress; address stableDebtTokenAddress; address variableDebtTokenAddress; address interestRateStrategyAddress; uint128 accruedToTreasury; uint128 unbacked; uint128 isolationModeTotalDebt; }",
  "function RESERVE_TREASURY_ADDRESS() view returns (address)",
  "function getReservesList() view returns (address[])",
  "function getReserveData(address asset) view returns (ReserveData)",
  "function getUserAccountData(address user) view returns (uint256 totalCollateralBase, uint256 totalDebtBase, uint256 availableBorrowsBase, uint256 currentLiquidationThreshold, uint256 ltv, uint256 healthFactor)",
  "function getUserConfiguration(address user) view returns (uint256)",
  "function getUserEMode(address user) view returns (uint256)",
  "function getAssetsPrices(address[] assets) view returns (uint256[])",
  "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
  "function borrow(address asset, uint256 amount, uint256 interestRateMode, uint16 referralCode, address onBehalfOf)",
  "function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf) returns (uint256)",
  "function withdraw(address asset, uint256 amount, address to) returns (uint256)",
  "event LiquidationCall(address indexed collateralAsset, address indexed debtAsset, address indexed user, uint256 debtToCover, uint256 liquidatedCollateralAmount, address liquidator, bool receiveAToken)",
  "event DeficitCreated(address indexed user, address indexed debtAsset, uint256 amountCreated)"
])
