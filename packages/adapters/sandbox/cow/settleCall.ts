import { concatHex, encodeFunctionData, type Hex, parseAbi } from "viem"
import { cowContracts, deploymentOf } from "../../src/chains/deployments/index.ts"
import type { BookedOrder, SigningScheme } from "./BookedOrders.ts"
import type { PoolRoute } from "./poolRoutes.ts"

const settleAbi = parseAbi([
  "struct Trade { uint256 sellTokenIndex; uint256 buyTokenIndex; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; uint256 flags; uint256 executedAmount; bytes signature; }",
  "struct Interaction { address target; uint256 value; bytes callData; }",
  "function settle(address[] tokens, uint256[] clearingPrices, Trade[] trades, Interaction[][3] interactions)"
])

const routerAbi = parseAbi([
  "function approve(address spender, uint256 amount)",
  "struct ExactInputParams { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }",
  "function exactInput(ExactInputParams params)"
])

/** Signing schemes in bits 5 and 6 of a trade's flags. */
const schemeFlags: { readonly [S in SigningScheme]: bigint } = {
  eip712: 0n,
  ethsign: 1n << 5n,
  eip1271: 2n << 5n,
  presign: 3n << 5n
}
const PARTIALLY_FILLABLE = 2n

const tradeSignature = ({ owner, signature, signingScheme }: BookedOrder): Hex => {
  if (signingScheme === "presign") return owner as Hex
  return signingScheme === "eip1271" ? concatHex([owner as Hex, signature as Hex]) : (signature as Hex)
}

/** The filled part of an order, its pool route, and the share of the output that the owner gets. */
export interface Fill {
  readonly booked: BookedOrder
  readonly amountIn: bigint
  readonly route: PoolRoute
  readonly amountOut: bigint
}

/** Encodes a `settle` call for one order, whose tokens are swapped through pools. */
export const settleCall = ({
  amountIn,
  amountOut,
  booked,
  route
}: Fill): { readonly to: string; readonly data: Hex } => {
  const { chainId, order, signingScheme } = booked
  const { swapRouter02 } = deploymentOf(chainId).uniswapV3
  const [sellToken, buyToken] = [order.sellToken as Hex, order.buyToken as Hex]
  const approve = encodeFunctionData({ abi: routerAbi, functionName: "approve", args: [swapRouter02, amountIn] })
  const swap = encodeFunctionData({
    abi: routerAbi,
    functionName: "exactInput",
    args: [{ path: route.path, recipient: cowContracts.settlement, amountIn, amountOutMinimum: route.amountOut }]
  })
  const trade = {
    sellTokenIndex: 0n,
    buyTokenIndex: 1n,
    receiver: order.receiver as Hex,
    sellAmount: BigInt(order.sellAmount),
    buyAmount: BigInt(order.buyAmount),
    validTo: order.validTo,
    appData: order.appData as Hex,
    feeAmount: 0n,
    flags: schemeFlags[signingScheme] | (order.partiallyFillable ? PARTIALLY_FILLABLE : 0n),
    executedAmount: order.partiallyFillable ? amountIn : 0n,
    signature: tradeSignature(booked)
  }
  const data = encodeFunctionData({
    abi: settleAbi,
    functionName: "settle",
    args: [
      [sellToken, buyToken],
      // Clearing prices: the price of each token is the amount of the other token.
      [amountOut, amountIn],
      [trade],
      [
        [],
        [
          { target: sellToken, value: 0n, callData: approve },
          { target: swapRouter02, value: 0n, callData: swap }
        ],
        []
      ]
    ]
  })
  return { to: cowContracts.settlement, data }
}
