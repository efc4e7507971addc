import { type AbiValue, makeCallDecoder } from "./abi.ts"
import type { Bytes } from "./bytes.ts"
import { NATIVE } from "./contracts.ts"
import type { Ledger } from "./ledger.ts"
import type { PositionAct } from "./PositionAct.ts"
import { hex, type List, number, unknownStep } from "./routerWords.ts"

/** Decodes calls to Uniswap's NonfungiblePositionManager, directly or through SwapRouter02 (`ApproveAndCall.sol`). */

const MAX_UINT128 = 2n ** 128n - 1n

/** Converts the 256-bit word of an `int24` to a signed number. */
const tickOf = (value: AbiValue | undefined): number => Number(BigInt.asIntN(256, number(value)))

type ActDecoder = (ledger: Ledger, args: List) => PositionAct

const steps: Readonly<Record<string, ActDecoder>> = {
  "decreaseLiquidity((uint256,uint128,uint256,uint256,uint256))": (ledger, [params]) => {
    const [tokenId, liquidity, minAmount0, minAmount1, deadline] = params as List
    ledger.deadlines.push(number(deadline))
    return {
      does: "DECREASE",
      tokenId: number(tokenId),
      liquidity: number(liquidity),
      minAmounts: [number(minAmount0), number(minAmount1)]
    }
  },
  "collect((uint256,address,uint128,uint128))": (ledger, [params]) => {
    const [tokenId, recipient, maxAmount0, maxAmount1] = params as List
    ledger.collect(hex(recipient))
    return {
      does: "COLLECT",
      tokenId: number(tokenId),
      isWhole: maxAmount0 === MAX_UINT128 && maxAmount1 === MAX_UINT128
    }
  },
  "burn(uint256)": (_, [tokenId]) => ({ does: "BURN", tokenId: number(tokenId) })
}

const readStep = makeCallDecoder(steps)

const readManager = makeCallDecoder<(ledger: Ledger, args: List) => ReadonlyArray<PositionAct>>({
  "createAndInitializePoolIfNecessary(address,address,uint24,uint160)": (_, [token0, token1, fee, sqrtPriceX96]) => [
    {
      does: "CREATE_POOL",
      token0: hex(token0),
      token1: hex(token1),
      fee: Number(number(fee)),
      sqrtPriceX96: number(sqrtPriceX96)
    }
  ],
  "multicall(bytes[])": (ledger, [data]) =>
    (data as ReadonlyArray<Bytes>).map((step) => {
      const { args, definition } = readStep(step) ?? unknownStep(step)
      return definition(ledger, args)
    })
})

/**
 * Records a call to the position manager in the ledger. Returns false if the function is unknown, or if the call sends
 * native tokens.
 */
export const enterManagerCall = (ledger: Ledger, value: bigint, data: Bytes): boolean => {
  const call = readManager(data)
  if (call === null || value > 0n) return false
  ledger.positionActs.push(...call.definition(ledger, call.args))
  return true
}

type RouterStep = (ledger: Ledger, router: Bytes, args: List) => unknown

const addDeposits = (ledger: Ledger, router: Bytes, token0: Bytes, token1: Bytes) =>
  [ledger.addDeposit(router, token0), ledger.addDeposit(router, token1)] as const

/**
 * Functions of SwapRouter02 for deposits into positions. `mint` and `increaseLiquidity` use the router's complete
 * balance.
 */
export const routerPositionSteps: Readonly<Record<string, RouterStep>> = {
  "pull(address,uint256)": (ledger, router, [token, amount]) => {
    ledger.pull(hex(token), router, number(amount), "ALLOWANCE")
    ledger.arrive(hex(token), router, number(amount), "EXACTLY")
  },
  "wrapETH(uint256)": (ledger, router, [amount]) =>
    ledger.pass(ledger.use(router, NATIVE, number(amount)), ledger.wrapped, router, 0n),
  // The approval is safe, because the router holds no tokens between operations.
  "approveZeroThenMax(address)": (ledger, _, [token]) => ledger.managed.add(hex(token)),
  "mint((address,address,uint24,int24,int24,uint256,uint256,address))": (ledger, router, [params]) => {
    const [token0, token1, fee, tickLower, tickUpper, minAmount0, minAmount1, recipient] = params as List
    ledger.positionActs.push({
      does: "MINT",
      token0: hex(token0),
      token1: hex(token1),
      fee: Number(number(fee)),
      tickLower: tickOf(tickLower),
      tickUpper: tickOf(tickUpper),
      recipient: hex(recipient),
      minAmounts: [number(minAmount0), number(minAmount1)],
      held: addDeposits(ledger, router, hex(token0), hex(token1))
    })
  },
  "increaseLiquidity((address,address,uint256,uint256,uint256))": (ledger, router, [params]) => {
    const [token0, token1, tokenId, minAmount0, minAmount1] = params as List
    ledger.positionActs.push({
      does: "INCREASE",
      tokenId: number(tokenId),
      token0: hex(token0),
      token1: hex(token1),
      minAmounts: [number(minAmount0), number(minAmount1)],
      held: addDeposits(ledger, router, hex(token0), hex(token1))
    })
  }
}
