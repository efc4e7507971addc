import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, isNativeToken } from "@countersign/core/foundation/primitives"
import { encodeAbiParameters, encodeFunctionData, erc20Abi, type Hex, parseAbi, parseAbiParameters } from "viem"
import { deploymentOf } from "../../src/chains/deployments/index.ts"

const wrappedAbi = parseAbi(["function deposit() payable"])
const routerAbi = parseAbi([
  "struct ExactInputParams { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }",
  "function exactInput(ExactInputParams params) payable returns (uint256 amountOut)",
  "function unwrapWETH9(uint256 amountMinimum, address recipient) payable",
  "function multicall(bytes[] data) payable returns (bytes[] results)"
])
const mintableAbi = parseAbi(["function mint(uint256 value) returns (bool)"])

/** Placeholder address that SwapRouter02 replaces by its own address. */
const ROUTER_ITSELF = "0x0000000000000000000000000000000000000002"

export interface ExecutorCall {
  readonly target: Address
  readonly value: bigint
  readonly data: Hex
}

interface PoolSwap {
  readonly chainId: EvmChainId
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
  readonly path: Hex
  readonly recipient: Address
}

/** Returns the calls with which an executor that holds `amountIn` swaps it through Uniswap V3 pools. */
export const poolCalls = ({
  amountIn,
  chainId,
  path,
  recipient,
  tokenIn,
  tokenOut
}: PoolSwap): ReadonlyArray<ExecutorCall> => {
  const { uniswapV3, wrappedNative } = deploymentOf(chainId)
  const router = uniswapV3.swapRouter02
  const isNativeTokenOut = isNativeToken(tokenOut)
  const exactInput = encodeFunctionData({
    abi: routerAbi,
    functionName: "exactInput",
    args: [{ path, recipient: isNativeTokenOut ? ROUTER_ITSELF : recipient, amountIn, amountOutMinimum: 0n }]
  })
  const unwrap = encodeFunctionData({ abi: routerAbi, functionName: "unwrapWETH9", args: [0n, recipient] })
  const swap = isNativeTokenOut
    ? encodeFunctionData({ abi: routerAbi, functionName: "multicall", args: [[exactInput, unwrap]] })
    : exactInput
  const soldToken = isNativeToken(tokenIn) ? wrappedNative.address : tokenIn
  const wrap: ExecutorCall = {
    target: wrappedNative.address,
    value: amountIn,
    data: encodeFunctionData({ abi: wrappedAbi, functionName: "deposit" })
  }
  return [
    ...(isNativeToken(tokenIn) ? [wrap] : []),
    {
      target: soldToken,
      value: 0n,
      data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [router, amountIn] })
    },
    { target: router, value: 0n, data: swap }
  ]
}

/**
 * Returns the calls with which a market maker adds to the output of the pools. Any account can mint the sandbox's
 * tokens, except the wrapped native token.
 */
export const makerCalls = (tokenOut: Address, amount: bigint, recipient: Address): ReadonlyArray<ExecutorCall> => [
  { target: tokenOut, value: 0n, data: encodeFunctionData({ abi: mintableAbi, functionName: "mint", args: [amount] }) },
  {
    target: tokenOut,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [recipient, amount] })
  }
]

/** Encodes the deadline and the calls for the sandbox's executor. */
export const executorData = (deadline: bigint, calls: ReadonlyArray<ExecutorCall>): Hex =>
  encodeAbiParameters(parseAbiParameters("uint256 deadline, (address target, uint256 value, bytes data)[] calls"), [
    deadline,
    [...calls]
  ])
