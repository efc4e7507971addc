import type { TestService } from "./testService.ts"

export const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
/** A real-world asset. */
export const USDY = "0x96f6ef951840721adbf46ac996b59e0235cb985c"
export const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
export const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"

export interface TestWallet {
  readonly name: string
  readonly address: string
  readonly owner: string
  readonly privateKey: `0x${string}`
  readonly factory: string
  readonly eip7702: boolean
}

/** Registers one wallet of each account type, with different owners, with USDC and without native tokens. */
export const registerOneOfEachKind = async (service: TestService): Promise<ReadonlyArray<TestWallet>> => {
  const { body } = await service.request("GET", "/api/v1/wallets/factories")
  const wallets: Array<TestWallet> = []
  for (const [i, info] of body.factories.entries()) {
    const owner = service.chains.keys.owners[i]!
    const { factory, name, eip7702 } = info
    const registration = await service.request("POST", "/api/v1/wallets/register", {
      externallyOwnedAccount: owner.address,
      factory,
      eip7702
    })
    const address = registration.body.wallet.walletAddress
    await service.fund(address, USDC, 1_000_000_000_000n)
    wallets.push({ name, address, owner: owner.address, privateKey: owner.privateKey, factory, eip7702 })
  }
  return wallets
}

/** Builds a request to swap 100 USDC for WETH with gas in USDC, with these changes. */
export const swapOf = (wallet: Pick<TestWallet, "address">, changes: Record<string, unknown> = {}) => ({
  walletAddress: wallet.address,
  toAddress: wallet.address,
  chainIdIn: 1,
  chainIdOut: 1,
  tokenIn: USDC,
  tokenOut: WETH,
  amountIn: "100",
  payGasFeeToken: USDC,
  gasFeePaymentMethod: "ADD_TO_AMOUNT",
  ...changes
})

/**
 * Builds a request to deposit 5000 USDC into a position of WETH and USDC from 2500 to 3600 with gas in USDC, with these
 * changes.
 */
export const positionOf = (wallet: Pick<TestWallet, "address">, changes: Record<string, unknown> = {}) => ({
  walletAddress: wallet.address,
  toAddress: wallet.address,
  chainId: 1,
  tokenIn: USDC,
  amountIn: "5000",
  token0: WETH,
  token1: USDC,
  poolFeePercent: 0.3,
  minPrice: 2_500,
  maxPrice: 3_600,
  payGasFeeToken: USDC,
  gasFeePaymentMethod: "ADD_TO_AMOUNT",
  ...changes
})
