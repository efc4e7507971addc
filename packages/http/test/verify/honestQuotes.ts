import { UnpaidGasLimits } from "@countersign/core/operations/unpaid-gas"
import type { AnyQuote, AnyRequest, KnownAccount, Trust } from "@countersign/http/verify"
import { NATIVE, swapOf, type TestWallet, USDC, WETH } from "../support/accounts.ts"
import type { TestService } from "../support/testService.ts"
import {
  createEthereumPositions,
  createGnosisRequests,
  LINK,
  liquidityRequestsOf,
  type NamedRequest,
  WBTC
} from "./honestLiquidity.ts"

/** A quote of the real service, with the facts that the caller knows from other sources. */
export interface HonestQuote {
  readonly name: string
  readonly kind: string
  readonly request: AnyRequest
  readonly quote: AnyQuote
  readonly account: KnownAccount
  readonly trust: Trust
}

export const FRIEND = `0x${"f1".repeat(20)}`
export const PARTNER = `0x${"f2".repeat(20)}`

/**
 * Limits of unpaid gas that allow a deposit into a new pool. The gas of this operation exceeds a project's default
 * budget for a first use.
 */
export const raisedUnpaidGasLimits = {
  unpaidGasLimits: {
    ...UnpaidGasLimits.defaultValue(),
    projectUsdE6PerDay: 10n ** 10n,
    operatorUsdE6PerDay: 10n ** 10n
  }
}

const gasFields = { payGasFeeToken: USDC, gasFeePaymentMethod: "ADD_TO_AMOUNT" }
const feeFields = { transactionFeePercent: 1.5, extraFee: { percentage: 0.25, toAddress: PARTNER } }

/** Morpho Blue market with WBTC as collateral and USDC as loan token. */
export const MARKET = "0x3a85e619751152991742810df6ec69ce473daef99e28a64ab2340d7b7ccfee49"

/** Builds a leg of a lending operation on Ethereum. */
const legOf = (tokenAddress: string, amount: string) => ({ chainId: 1, tokenAddress, amount })

const lendingOf = ({ address }: TestWallet, legs: object, gasToken = USDC, paymentMethod = "ADD_TO_AMOUNT") => ({
  walletAddress: address,
  provider: "LENDING_PROVIDER_A",
  gas: { tokenAddress: gasToken, paymentMethod },
  ...legs
})

const lendingRequestsOf = (wallet: TestWallet): ReadonlyArray<NamedRequest> => [
  ["supply, gas in native tokens", "lending/quote", lendingOf(wallet, { supply: legOf(USDC, "40") }, NATIVE)],
  [
    "supply with gas deducted",
    "lending/quote",
    lendingOf(wallet, { supply: legOf(USDC, "300") }, USDC, "DEDUCT_FROM_AMOUNT")
  ],
  [
    "supply and borrow",
    "lending/quote",
    lendingOf(wallet, { supply: legOf(USDC, "900"), borrow: legOf(WETH, "0.05") })
  ],
  [
    "supply of the native token and borrow",
    "lending/quote",
    lendingOf(wallet, { supply: legOf(NATIVE, "0.5"), borrow: legOf(USDC, "100") }, NATIVE, "DEDUCT_FROM_AMOUNT")
  ],
  [
    "supply and borrow of the native token",
    "lending/quote",
    lendingOf(wallet, { supply: legOf(USDC, "900"), borrow: legOf(NATIVE, "0.05") })
  ],
  [
    "lending in a market",
    "lending/quote",
    lendingOf(wallet, {
      provider: "LENDING_PROVIDER_B",
      supply: { ...legOf(USDC, "40"), side: "LOAN", marketId: MARKET }
    })
  ]
]

/** Returns requests for all types of operation, in variants that differ in the signed data. */
const requestsOf = (wallet: TestWallet, tokenId: string, isFirst: boolean): ReadonlyArray<NamedRequest> => [
  ...cryptoRequestsOf(wallet).map(([name, path, request]) => [name, `crypto/${path}`, request] as const),
  ...lendingRequestsOf(wallet),
  ...liquidityRequestsOf(wallet, tokenId, FRIEND, PARTNER, isFirst)
]

const cryptoRequestsOf = ({ address }: TestWallet): ReadonlyArray<NamedRequest> => [
  ["swap", "swap", swapOf({ address })],
  [
    "swap to native tokens, with fees, to another receiver",
    "swap",
    swapOf({ address }, { ...feeFields, tokenOut: NATIVE, toAddress: FRIEND })
  ],
  ["swap with gas deducted", "swap", swapOf({ address }, { gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT" })],
  [
    "swap of native tokens, gas in native tokens",
    "swap",
    swapOf({ address }, { tokenIn: NATIVE, tokenOut: USDC, amountIn: "0.5", payGasFeeToken: NATIVE })
  ],
  [
    "wrapping for another receiver",
    "swap",
    swapOf({ address }, { tokenIn: NATIVE, tokenOut: WETH, amountIn: "0.5", payGasFeeToken: NATIVE, toAddress: FRIEND })
  ],
  [
    "transfer with fees",
    "transfer",
    { walletAddress: address, chainId: 1, token: USDC, amount: "25.5", toAddress: FRIEND, ...gasFields, ...feeFields }
  ],
  [
    "transfer, gas in native tokens",
    "transfer",
    {
      walletAddress: address,
      chainId: 1,
      token: USDC,
      amount: "7",
      toAddress: FRIEND,
      ...gasFields,
      payGasFeeToken: NATIVE
    }
  ],
  [
    "transfer of native tokens, gas deducted",
    "transfer",
    {
      walletAddress: address,
      chainId: 1,
      token: NATIVE,
      amount: "0.25",
      toAddress: FRIEND,
      payGasFeeToken: NATIVE,
      gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT"
    }
  ],
  [
    "batch",
    "batch-operations",
    {
      walletAddress: address,
      chainId: 1,
      operations: [
        { type: "swap", params: { amountIn: "20", tokenIn: USDC, tokenOut: NATIVE, ...gasFields, ...feeFields } },
        { type: "transfer", params: { amount: "5", token: USDC, toAddress: FRIEND, ...gasFields } },
        { type: "swap", params: { amountIn: "30", tokenIn: USDC, tokenOut: WETH, toAddress: FRIEND, ...gasFields } }
      ]
    }
  ]
]

const quoteOf = (body: Record<string, unknown>): AnyQuote => {
  type QuoteBody = { quotes?: ReadonlyArray<AnyQuote>; transfer?: AnyQuote; operation?: AnyQuote }
  const { operation, quotes, transfer } = body as QuoteBody
  return quotes?.[0] ?? transfer ?? operation ?? (body as unknown as AnyQuote)
}

export const requestHonestQuotes = async (
  service: TestService,
  wallets: ReadonlyArray<TestWallet>
): Promise<ReadonlyArray<HonestQuote>> => {
  const { numbers: tokenIds, positions } = await createEthereumPositions(service, wallets)
  const trust: Trust = {
    decimals: { [USDC]: 6, [LINK]: 18, [WBTC]: 8 },
    positions,
    paymasters: Object.values(service.chains.paymasters),
    collectors: [service.project.treasury!]
  }
  const requestQuote = async (
    wallet: TestWallet,
    knownTrust: Trust,
    [name, path, request]: NamedRequest
  ): Promise<HonestQuote> => {
    const { address, factory, name: kind, owner } = wallet
    const { body, status } = await service.request("POST", `/api/v1/${path}`, request)
    if (status !== 200) throw new Error(`${kind}, ${name}: ${JSON.stringify(body)}`)
    const quote = quoteOf(body)
    if (quote.revertReason !== undefined) throw new Error(`${kind}, ${name}: ${quote.revertReason.decoded}`)
    const account = { walletAddress: address, factory, externallyOwnedAccount: owner, salt: 0 }
    // The verifier uses the time at which the quote arrived, however long these tests take.
    const now = Math.floor(Date.now() / 1000)
    return { name, kind, request: request as AnyRequest, quote, account, trust: { ...knownTrust, now } }
  }
  const quotes: Array<HonestQuote> = []
  for (const [i, wallet] of wallets.entries()) {
    for (const request of requestsOf(wallet, tokenIds[i]!, i === 0))
      quotes.push(await requestQuote(wallet, trust, request))
  }
  const { requests, ...gnosisTrust } = await createGnosisRequests(service, wallets[0]!, FRIEND, PARTNER)
  for (const request of requests) quotes.push(await requestQuote(wallets[0]!, { ...trust, ...gnosisTrust }, request))
  return quotes
}
