import { parseAbi, parseAbiParameters } from "viem"

/** Functions that operations call, by project. */
export const knownFunctionsAbi = parseAbi([
  // ERC-20
  "function transfer(address to, uint256 amount)",
  "function transferFrom(address from, address to, uint256 amount)",
  "function approve(address spender, uint256 amount)",
  // WETH9
  "function deposit()",
  "function withdraw(uint256 amount)",
  // SwapRouter02, and PancakeSwap's SmartRouter
  "struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "struct ExactInputParams { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }",
  "function exactInputSingle(ExactInputSingleParams params)",
  "function exactInput(ExactInputParams params)",
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to)",
  "function unwrapWETH9(uint256 amountMinimum, address recipient)",
  "function sweepToken(address token, uint256 amountMinimum, address recipient)",
  "function refundETH()",
  "function multicall(uint256 deadline, bytes[] data)",
  "function multicall(bytes[] data)",
  // PancakeSwap's SwapRouter for V3 pools
  "struct ExactInputSingleUntil { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "struct ExactInputUntil { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }",
  "function exactInputSingle(ExactInputSingleUntil params)",
  "function exactInput(ExactInputUntil params)",
  // Uniswap V2's Router02 and its forks
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactAVAXForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactTokensForAVAX(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  // CoW Protocol's settlement
  "function setPreSignature(bytes orderUid, bool signed)",
  "function invalidateOrder(bytes orderUid)",
  // Aave V3's pool
  "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
  "function borrow(address asset, uint256 amount, uint256 interestRateMode, uint16 referralCode, address onBehalfOf)",
  "function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf)",
  "function withdraw(address asset, uint256 amount, address to)",
  // Morpho Blue
  "struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }",
  "function supply(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, bytes data)",
  "function withdraw(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, address receiver)",
  "function borrow(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, address receiver)",
  "function repay(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, bytes data)",
  "function supplyCollateral(MarketParams marketParams, uint256 assets, address onBehalf, bytes data)",
  "function withdrawCollateral(MarketParams marketParams, uint256 assets, address onBehalf, address receiver)",
  // SwapRouter02's functions for positions
  "struct RouterMintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Min; uint256 amount1Min; address recipient; }",
  "struct RouterIncreaseParams { address token0; address token1; uint256 tokenId; uint256 amount0Min; uint256 amount1Min; }",
  "function pull(address token, uint256 value)",
  "function wrapETH(uint256 value)",
  "function approveZeroThenMax(address token)",
  "function mint(RouterMintParams params)",
  "function increaseLiquidity(RouterIncreaseParams params)",
  // NonfungiblePositionManager of Uniswap V3
  "struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }",
  "struct IncreaseLiquidityParams { uint256 tokenId; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }",
  "struct DecreaseLiquidityParams { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }",
  "struct CollectParams { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }",
  "function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96)",
  "function mint(MintParams params)",
  "function increaseLiquidity(IncreaseLiquidityParams params)",
  "function decreaseLiquidity(DecreaseLiquidityParams params)",
  "function collect(CollectParams params)",
  "function burn(uint256 tokenId)",
  // Universal Router 2.0
  "function execute(bytes commands, bytes[] inputs, uint256 deadline)"
])

/** Commands of the Universal Router 2.0 (`Commands.sol`) with their input types (`Dispatcher.sol`). */
export const routerCommands = {
  0: {
    name: "V3_SWAP_EXACT_IN",
    inputs: parseAbiParameters(
      "address recipient, uint256 amountIn, uint256 amountOutMin, bytes path, bool payerIsUser"
    )
  },
  2: { name: "PERMIT2_TRANSFER_FROM", inputs: parseAbiParameters("address token, address recipient, uint160 amount") },
  4: { name: "SWEEP", inputs: parseAbiParameters("address token, address recipient, uint256 amountMin") },
  5: { name: "TRANSFER", inputs: parseAbiParameters("address token, address recipient, uint256 value") },
  6: { name: "PAY_PORTION", inputs: parseAbiParameters("address token, address recipient, uint256 bips") },
  8: {
    name: "V2_SWAP_EXACT_IN",
    inputs: parseAbiParameters(
      "address recipient, uint256 amountIn, uint256 amountOutMin, address[] path, bool payerIsUser"
    )
  },
  11: { name: "WRAP_ETH", inputs: parseAbiParameters("address recipient, uint256 amount") },
  12: { name: "UNWRAP_WETH", inputs: parseAbiParameters("address recipient, uint256 amountMin") },
  16: { name: "V4_SWAP", inputs: parseAbiParameters("bytes actions, bytes[] params") }
} as const

/** Actions of Uniswap V4's router (`Actions.sol`). */
export const v4Actions = {
  6: {
    name: "SWAP_EXACT_IN_SINGLE",
    inputs: parseAbiParameters([
      "Params params",
      "struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }",
      "struct Params { PoolKey poolKey; bool zeroForOne; uint128 amountIn; uint128 amountOutMinimum; bytes hookData; }"
    ])
  },
  7: {
    name: "SWAP_EXACT_IN",
    inputs: parseAbiParameters([
      "Params params",
      "struct PathKey { address intermediateCurrency; uint24 fee; int24 tickSpacing; address hooks; bytes hookData; }",
      "struct Params { address currencyIn; PathKey[] path; uint128 amountIn; uint128 amountOutMinimum; }"
    ])
  },
  11: { name: "SETTLE", inputs: parseAbiParameters("address currency, uint256 amount, bool payerIsUser") },
  12: { name: "SETTLE_ALL", inputs: parseAbiParameters("address currency, uint256 maxAmount") },
  14: { name: "TAKE", inputs: parseAbiParameters("address currency, address recipient, uint256 amount") },
  15: { name: "TAKE_ALL", inputs: parseAbiParameters("address currency, uint256 minAmount") }
} as const
