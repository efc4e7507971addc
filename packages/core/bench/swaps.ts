import { Address } from "../src/foundation/primitives/index.ts"
import { type ConcentratedPool, NO_PROTOCOL_FEE } from "../src/trading/liquidity/math/ConcentratedPool.ts"
import { swapConcentrated } from "../src/trading/liquidity/math/swapConcentrated.ts"
import { swapStepByStep } from "../src/trading/liquidity/math/swapStepByStep.fixture.ts"
import { sdkCore, v3Sdk } from "../src/trading/liquidity/math/uniswapSdk.fixture.ts"
import { compare } from "./alternating.ts"

/** Measures swaps in a pool with many positions: with this package's math, the contract's loop, and @uniswap/v3-sdk. */

const SPACING = 10
const POSITIONS = 150
const E18 = 10n ** 18n

const token = (digit: string) => Address.make(`0x${digit.repeat(40)}`)
/** One tick at each multiple of the spacing, on both sides of the price. The sizes of all positions differ. */
const ticks = [...Array.from({ length: 2 * POSITIONS }).keys()].map((i) => ({
  index: (i - POSITIONS + (i < POSITIONS ? 0 : 1)) * SPACING,
  liquidityNet: i < POSITIONS ? BigInt(i + 1) * E18 : -BigInt(2 * POSITIONS - i) * E18
}))

const pool: ConcentratedPool = {
  _tag: "Concentrated",
  id: token("1"),
  token0: token("2"),
  token1: token("3"),
  feePips: 500,
  protocolFeePips: NO_PROTOCOL_FEE,
  tickSpacing: SPACING,
  sqrtPriceX96: 2n ** 96n,
  tick: 0,
  liquidity: ticks.reduce((sum, { index, liquidityNet }) => (index <= 0 ? sum + liquidityNet : sum), 0n),
  ticks,
  firstWord: -10,
  lastWord: 10
}

const [token0, token1] = [pool.token0, pool.token1].map((address) => new sdkCore.Token(1, address, 18))
const sdkPool = new v3Sdk.Pool(
  token0!,
  token1!,
  pool.feePips,
  pool.sqrtPriceX96.toString(),
  pool.liquidity.toString(),
  pool.tick,
  ticks.map(({ index, liquidityNet }) => ({
    index,
    liquidityNet: liquidityNet.toString(),
    liquidityGross: (liquidityNet < 0n ? -liquidityNet : liquidityNet).toString()
  }))
)

/** Returns an amount that crosses this number of ticks, and ends between two ticks. */
const amountForTicks = (count: number, zeroForOne: boolean, exactIn: boolean): bigint => {
  const ticksCrossedBy = (amount: bigint) => {
    const outcome = swapStepByStep(pool, zeroForOne, amount, exactIn)
    return outcome._tag === "Swapped" ? outcome.ticksCrossed : Number.POSITIVE_INFINITY
  }
  let low = 1n
  let high = 1n << 100n
  const lowest = (target: number) => {
    low = 1n
    high = 1n << 100n
    while (low < high) {
      const midpoint = (low + high) / 2n
      if (ticksCrossedBy(midpoint) >= target) high = midpoint
      else low = midpoint + 1n
    }
    return low
  }
  return (lowest(count) + lowest(count + 1)) / 2n
}

for (const exactIn of [true, false]) {
  for (const count of [0, 10, 95]) {
    const amount = amountForTicks(count, true, exactIn)
    const currency = exactIn ? token0! : token1!
    const input = sdkCore.CurrencyAmount.fromRawAmount(currency, amount.toString())
    await compare(`exact ${exactIn ? "input" : "output"}, ${count} ticks crossed`, [
      {
        name: "@uniswap/v3-sdk",
        run: () => (exactIn ? sdkPool.getOutputAmount(input) : sdkPool.getInputAmount(input))
      },
      { name: "the contract's loop", run: () => swapStepByStep(pool, true, amount, exactIn) },
      { name: "sums, pool unchanged", run: () => swapConcentrated(pool, true, amount, exactIn) },
      { name: "sums, recomputed", run: () => swapConcentrated({ ...pool }, true, amount, exactIn) }
    ])
  }
}
