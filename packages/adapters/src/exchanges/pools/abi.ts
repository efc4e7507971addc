import { parseAbi } from "viem"

/** Functions of UniswapV2Pair. */
export const pairAbi = parseAbi([
  "function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)"
])

/**
 * Functions of UniswapV3Pool and its forks. The first two words of `slot0` are the same in all of them. PancakeSwap's
 * second-to-last word is wider.
 */
export const poolAbi = parseAbi([
  "function slot0() view returns (uint160 sqrtPriceX96, int24 tick)",
  "function liquidity() view returns (uint128)",
  "function tickSpacing() view returns (int24)",
  "event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)"
])

export const factoryAbi = parseAbi(["function feeAmountTickSpacing(uint24 fee) view returns (int24)"])

/** TickLens of v3-periphery. It can also read the pools of forks. */
export const tickLensAbi = parseAbi([
  "struct PopulatedTick { int24 tick; int128 liquidityNet; uint128 liquidityGross; }",
  "function getPopulatedTicksInWord(address pool, int16 tickBitmapIndex) view returns (PopulatedTick[] populatedTicks)"
])

/** PoolManager of Uniswap V4. */
export const poolManagerAbi = parseAbi([
  "function extsload(bytes32[] slots) view returns (bytes32[] values)",
  "event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)",
  "event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt)"
])
