import { acrossOrNull, deploymentOf } from "@countersign/adapters/chains/deployments"
import { assert, describe, it } from "@effect/vitest"
import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi, parseAbiParameters } from "viem"
import { enterArrival } from "../../src/verify/arrivals.ts"
import { NATIVE } from "../../src/verify/contracts.ts"
import { Ledger } from "../../src/verify/ledger.ts"
import { tokenKeyOn } from "../../src/verify/spokePools.ts"
import { enterCall } from "../../src/verify/walletCalls.ts"

/** Tests honest and forged messages of fills that deliver native tokens. */

const BASE = 8453
const FILL_SECONDS = 7_200n
/** Deadline of the router's swap in the message. */
const SWAP_DEADLINE = 2n ** 32n
const HANDLER = acrossOrNull(BASE)!.multicallHandler as Hex
const { tokens, uniswapV3, wrappedNative } = deploymentOf(BASE)
const WETH = wrappedNative.address as Hex
const USDC = tokens.find(({ symbol }) => symbol === "USDC")!.address as Hex
const ROUTER = uniswapV3.swapRouter02 as Hex
const RECEIVER = "0x00000000000000000000000000000000000000cc"
const ATTACKER = "0x00000000000000000000000000000000000000aa"
const ZERO_ADDRESS = `0x${"00".repeat(20)}` as const

const abi = parseAbi([
  "function withdraw(uint256 amount)",
  "function approve(address spender, uint256 amount)",
  "function multicall(uint256 deadline, bytes[] data)",
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)"
])
const messageParameters = parseAbiParameters(
  "((address target, bytes callData, uint256 value)[] calls, address fallbackRecipient)"
)

interface HandlerCall {
  readonly target: Hex
  readonly callData: Hex
  readonly value: bigint
}

const withdraw = (amount: bigint): HandlerCall => ({
  target: WETH,
  callData: encodeFunctionData({ abi, functionName: "withdraw", args: [amount] }),
  value: 0n
})
const pay = (target: Hex, value: bigint): HandlerCall => ({ target, callData: "0x", value })
/** Returns calls that swap USDC for WETH, which the handler receives. */
const swapToHandler = (amountIn: bigint, minAmount: bigint): ReadonlyArray<HandlerCall> => {
  const params = { tokenIn: USDC, tokenOut: WETH, fee: 500, recipient: HANDLER, amountIn, sqrtPriceLimitX96: 0n }
  const swap = encodeFunctionData({
    abi,
    functionName: "exactInputSingle",
    args: [{ ...params, amountOutMinimum: minAmount }]
  })
  const approval = encodeFunctionData({ abi, functionName: "approve", args: [ROUTER, amountIn] })
  return [
    { target: USDC, callData: approval, value: 0n },
    {
      target: ROUTER,
      callData: encodeFunctionData({ abi, functionName: "multicall", args: [SWAP_DEADLINE, [swap]] }),
      value: 0n
    }
  ]
}

const enterCalls = (token: Hex, amount: bigint, calls: ReadonlyArray<HandlerCall>, fallbackRecipient: Hex) => {
  const problems: Array<string> = []
  const ledger = new Ledger({
    wallet: "0x00000000000000000000000000000000000000bb",
    wrapped: deploymentOf(1).wrappedNative.address as Hex,
    routers: {},
    lenders: {},
    manager: null,
    position: null,
    bridge: null,
    trusted: new Set(),
    report: (code) => problems.push(code)
  })
  const message = encodeAbiParameters(messageParameters, [{ calls, fallbackRecipient }])
  enterArrival(
    ledger,
    { chainId: BASE, handler: HANDLER, token, amount, message, fillSeconds: FILL_SECONDS },
    enterCall
  )
  return { problems, paidAmounts: Object.fromEntries(ledger.paid), deadlines: ledger.deadlines }
}

const keyOf = (to: Hex, token: Hex): string => `${to} ${tokenKeyOn(BASE, token)}`

describe("the message of a fill", () => {
  it("delivers native tokens to a contract", () => {
    const { paidAmounts, problems } = enterCalls(WETH, 100n, [withdraw(100n), pay(RECEIVER, 100n)], RECEIVER)
    assert.deepStrictEqual(problems, [])
    assert.deepStrictEqual(paidAmounts, { [keyOf(RECEIVER, NATIVE)]: 100n })
  })

  it("limits the deadline, so that its swap has not expired at the last possible fill", () => {
    const calls = [...swapToHandler(100n, 90n), withdraw(90n), pay(RECEIVER, 90n)]
    assert.deepStrictEqual(enterCalls(USDC, 100n, calls, RECEIVER).deadlines, [SWAP_DEADLINE - FILL_SECONDS])
  })

  it("without calls delivers the wrapped native token to the fallback recipient", () => {
    for (const fallbackRecipient of [RECEIVER, ATTACKER, ZERO_ADDRESS] as const) {
      const { paidAmounts, problems } = enterCalls(WETH, 100n, [], fallbackRecipient)
      assert.deepStrictEqual(problems, [])
      assert.deepStrictEqual(paidAmounts, { [keyOf(fallbackRecipient, WETH)]: 100n })
    }
  })

  it("that leaves a part of the fill sends it to the fallback recipient", () => {
    assert.deepStrictEqual(enterCalls(WETH, 100n, [withdraw(99n), pay(RECEIVER, 99n)], RECEIVER).problems, [])
  })

  it.each([
    ["pays more than it unwraps", WETH, [withdraw(100n), pay(RECEIVER, 101n)], RECEIVER, ["unknown_spender"]],
    ["unwraps more than is filled", WETH, [withdraw(101n), pay(RECEIVER, 101n)], RECEIVER, ["unknown_spender"]],
    ["pays without unwrapping", WETH, [pay(RECEIVER, 100n)], RECEIVER, ["unknown_spender"]],
    ["has no fallback recipient", WETH, [withdraw(100n), pay(RECEIVER, 100n)], ZERO_ADDRESS, ["pays_somebody_else"]],
    ["falls back to a stranger", WETH, [withdraw(100n), pay(RECEIVER, 100n)], ATTACKER, ["pays_somebody_else"]],
    // The handler sends only the rest of the filled token to the fallback recipient.
    ["leaves native tokens in the handler", WETH, [withdraw(100n), pay(RECEIVER, 99n)], RECEIVER, ["left_in_router"]],
    [
      "leaves the output of a swap in the handler",
      USDC,
      [...swapToHandler(100n, 50n), withdraw(50n), pay(RECEIVER, 50n)],
      RECEIVER,
      ["left_in_router"]
    ]
  ] as const)("that %s is rejected", (_, token, calls, fallbackRecipient, codes) => {
    assert.deepStrictEqual(enterCalls(token, 100n, calls, fallbackRecipient).problems, [...codes])
  })

  it("that pays a stranger is not counted as a payment to the receiver", () => {
    const { paidAmounts } = enterCalls(WETH, 100n, [withdraw(100n), pay(ATTACKER, 100n)], ATTACKER)
    assert.deepStrictEqual(paidAmounts, { [keyOf(ATTACKER, NATIVE)]: 100n })
  })
})
