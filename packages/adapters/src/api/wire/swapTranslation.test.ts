import { anOperationIntent, aQuote } from "@countersign/core/contracts/operations/quotes/QuoteStore"
import { Address, DecimalString } from "@countersign/core/foundation/primitives"
import { type Token, tokenKey } from "@countersign/core/foundation/tokens"
import { type SwapContent, SwapRequest } from "@countersign/core/trading/swap"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { SwapQuoteBody } from "./swap.ts"
import { quoteBody } from "./swapTranslation.ts"

const address = (digits: string) => Address.make(`0x${digits.repeat(20)}`)

const token = (symbol: string, decimals: number, digits: string): Token => ({
  chainId: 1,
  address: address(digits),
  name: symbol,
  symbol,
  decimals,
  realWorldAsset: false
})

const USDC = token("USDC", 6, "a1")
const WETH = token("WETH", 18, "b2")
const DAI = token("DAI", 18, "c3")
const [treasury, operator, wallet] = [address("d4"), address("e5"), address("f6")]

const request = Schema.decodeUnknownSync(SwapRequest)({
  amountIn: "100.50",
  chainIdIn: 1,
  chainIdOut: 1,
  gasFeePaymentMethod: "ADD_TO_AMOUNT",
  payGasFeeToken: DAI.address,
  tokenIn: USDC.address,
  tokenOut: WETH.address,
  walletAddress: wallet,
  toAddress: wallet,
  transactionFeePercent: 1
})

const content: SwapContent = {
  request,
  tokens: { tokenIn: USDC, tokenOut: WETH, payGasFeeToken: DAI },
  provider: "UNISWAP_V3",
  amountIn: 100_500_000n,
  amountOut: 40_000_000_000_000_000n,
  minAmountOut: 39_800_000_000_000_000n,
  certainty: "EXACT",
  warnings: [],
  route: [
    {
      amountIn: 66_661_650n,
      amountOut: 26_800_000_000_000_000n,
      hops: [
        {
          venue: "Pools",
          through: address("11"),
          poolId: null,
          feePips: 500,
          tokenIn: USDC.address,
          tokenOut: WETH.address
        }
      ]
    },
    {
      amountIn: 32_833_350n,
      amountOut: 13_200_000_000_000_000n,
      hops: [
        {
          venue: "Wrap",
          through: address("22"),
          poolId: null,
          feePips: null,
          tokenIn: USDC.address,
          tokenOut: WETH.address
        }
      ]
    }
  ],
  priceImpactE18: 1_230_000_000_000_001n,
  split: {
    gasFee: 0n,
    transactionFee: 1_005_000n,
    extraFee: 0n,
    net: 99_495_000n,
    treasuryFee: 904_500n,
    operatorFee: 100_500n
  },
  collectors: { treasury, operatorTreasury: operator, operatorSharePercent: 10 },
  fees: [
    { type: "GAS", chainId: 1, token: DAI.address, amount: 2n * 10n ** 18n, toAddress: operator, percentage: null },
    { type: "SERVICE", chainId: 1, token: USDC.address, amount: 1_005_000n, toAddress: treasury, percentage: "1" },
    { type: "PROVIDER", chainId: 137, token: USDC.address, amount: 7n, toAddress: null, percentage: null }
  ],
  gas: {
    token: DAI.address,
    maxWei: 10n ** 15n,
    maxToken: 2n * 10n ** 18n,
    expectedToken: 15n * 10n ** 17n,
    unpaidWei: 0n,
    isFirstUse: false
  },
  prices: { [tokenKey(USDC)]: 10n ** 18n, [tokenKey(DAI)]: 999n * 10n ** 15n },
  calls: [
    { to: WETH.address, value: 5n * 10n ** 17n, data: "0x" as SwapContent["calls"][number]["data"], summary: "Wrap" }
  ],
  assetChanges: [
    { chainId: 1, token: USDC.address, change: -100_500_000n },
    { chainId: 1, token: address("77"), change: 5n },
    { chainId: 1, token: WETH.address, change: 40_000_000_000_000_000n }
  ],
  allowances: [
    { chainId: 1, token: DAI.address, spender: operator, amount: 5n * 10n ** 17n },
    { chainId: 1, token: USDC.address, spender: treasury, amount: 2n ** 256n - 1n }
  ],
  estimatedExecutionTime: DateTime.makeUnsafe("2026-01-01T00:00:24Z"),
  candidates: [
    {
      provider: "UNISWAP_V3",
      name: "Uniswap V3",
      latencyMs: 12,
      amountOut: 40_000_000_000_000_000n,
      refusal: null,
      skippedPools: [{ venue: "Uniswap V4", poolId: "0x44", reason: "it has a hook" }]
    },
    { provider: "OTHER", name: "Other", latencyMs: 3, amountOut: null, refusal: "no route", skippedPools: [] }
  ]
}

describe("the body of a quote", () => {
  it("has every amount in token units and every value in US dollars", () => {
    const intent = anOperationIntent()
    const quote = aQuote({
      id: intent.hash,
      intents: [intent],
      metadata: { order: "7" },
      expiresAt: DateTime.makeUnsafe("2026-01-01T00:01:00.999Z")
    })
    const encodedBody: unknown = Schema.encodeSync(SwapQuoteBody)(quoteBody({ quote, content }))
    assert.deepStrictEqual(encodedBody, {
      type: "SWAP",
      metadata: { order: "7" },
      warnings: [],
      tokenIn: USDC.address,
      tokenOut: WETH.address,
      amountIn: "100.50",
      minAmountOut: "0.0398",
      amountOut: "0.04",
      rate: "0.0003980099502487562189",
      inverseRate: "2512.5",
      priceImpactPercent: "0.1231",
      route: [
        {
          sharePercent: "67",
          amountIn: "66.66165",
          amountOut: "0.0268",
          hops: [
            {
              venue: "Pools",
              through: address("11"),
              poolId: null,
              feePercent: "0.05",
              tokenIn: USDC.address,
              tokenOut: WETH.address
            }
          ]
        },
        {
          sharePercent: "33",
          amountIn: "32.83335",
          amountOut: "0.0132",
          hops: [
            {
              venue: "Wrap",
              through: address("22"),
              poolId: null,
              feePercent: null,
              tokenIn: USDC.address,
              tokenOut: WETH.address
            }
          ]
        }
      ],
      chainIn: 1,
      chainOut: 1,
      estimatedExecutionTime: "2026-01-01T00:00:24.000Z",
      estimatedGasFees: {
        payGasFeeToken: DAI.address,
        maxGasFeeToken: "2",
        gasFeeTokenAmount: "1.5",
        gasFeeTokenAmountUSD: "1.4985",
        maxGasFeeNative: "0.001"
      },
      estimatedCollectedFee: {
        collectedFeeToken: USDC.address,
        collectedFee: "0.9045",
        collectedFeePercent: "1",
        serviceCollectedFee: "0.1005",
        serviceCollectedFeePercent: "10"
      },
      amountInUSD: "100.5",
      amountOutUSD: null,
      tokenInPrice: "1",
      swapProvider: "UNISWAP_V3",
      expiresAt: 1_767_225_660,
      fees: [
        {
          type: "GAS",
          token: DAI.address,
          currency: null,
          amount: "2",
          maxAmount: "2",
          toAddress: operator,
          percentage: null
        },
        {
          type: "SERVICE",
          token: USDC.address,
          amount: "1.005",
          currency: null,
          maxAmount: null,
          toAddress: treasury,
          percentage: "1"
        },
        // The token is not part of the request, so its decimals are unknown and the amount is in base units.
        {
          type: "PROVIDER",
          token: USDC.address,
          currency: null,
          amount: "7",
          maxAmount: null,
          toAddress: null,
          percentage: null
        }
      ],
      userOperationHash: intent.hash,
      quoteId: intent.hash,
      walletAddress: wallet,
      toAddress: wallet,
      signData: intent.signData.map((asked) => ({ ...asked, userOperationHash: intent.hash })),
      userOperations: [
        {
          userOperationHash: intent.hash,
          chainId: intent.operation.chainId,
          entryPoint: intent.operation.entryPoint,
          entryPointVersion: intent.operation.entryPointVersion,
          sender: intent.operation.sender,
          nonce: String(intent.operation.nonce),
          factory: intent.operation.factory,
          factoryData: intent.operation.factoryData,
          callData: intent.operation.callData,
          callGasLimit: String(intent.operation.callGasLimit),
          verificationGasLimit: String(intent.operation.verificationGasLimit),
          preVerificationGas: String(intent.operation.preVerificationGas),
          maxFeePerGas: String(intent.operation.maxFeePerGas),
          maxPriorityFeePerGas: String(intent.operation.maxPriorityFeePerGas),
          paymaster: null,
          paymasterVerificationGasLimit: null,
          paymasterPostOpGasLimit: null,
          paymasterData: null,
          validUntil: null
        }
      ],
      preview: {
        calls: [
          {
            to: WETH.address,
            value: "0.5",
            data: "0x",
            summary: "Wrap",
            contract: null,
            function: null,
            arguments: [],
            steps: []
          }
        ],
        assetChanges: [
          { token: USDC.address, amount: "-100.5" },
          { token: WETH.address, amount: "0.04" }
        ],
        allowances: [
          {
            token: DAI.address,
            symbol: "DAI",
            spender: operator,
            spenderName: "Paymaster",
            amount: "0.5",
            bound:
              "The paymaster can use this allowance only for the gas fees of operations that the owner signs, at most `maxGasFeeToken` for each operation. The allowance covers many operations."
          },
          { token: USDC.address, symbol: "USDC", spender: treasury, spenderName: null, amount: null, bound: null }
        ]
      },
      candidates: [
        {
          provider: "UNISWAP_V3",
          name: "Uniswap V3",
          latencyMs: 12,
          amountOut: "0.04",
          refusal: null,
          leftOut: [{ venue: "Uniswap V4", poolId: "0x44", reason: "it has a hook" }]
        },
        { provider: "OTHER", name: "Other", latencyMs: 3, amountOut: null, refusal: "no route", leftOut: [] }
      ]
    })
  })

  it("has fees without a receiver if the project has none, and the revert reason if the swap would revert", () => {
    const revertReason = { decoded: "no balance", raw: content.calls[0]!.data, utf8: "" }
    const collectors = { treasury: null, operatorTreasury: null, operatorSharePercent: 10 }
    const body = quoteBody({ quote: aQuote({ revertReason }), content: { ...content, collectors } })
    assert.deepStrictEqual(body.revertReason, revertReason)
    const { collectedFeePercent, serviceCollectedFeePercent } = body.estimatedCollectedFee
    assert.deepStrictEqual([collectedFeePercent, serviceCollectedFeePercent], ["0", "0"])
  })
})

describe("the request of a swap", () => {
  it("has the defaults of the API document", () => {
    const { individualId, metadata, partialFillable, routeProfile, slippage } = request
    assert.deepStrictEqual(
      { individualId, metadata, partialFillable, routeProfile, slippage },
      { individualId: null, metadata: {}, partialFillable: true, routeProfile: "QUICKEST_QUOTE", slippage: 0.5 }
    )
    assert.strictEqual(request.amountIn, DecimalString.make("100.50"))
  })
})
