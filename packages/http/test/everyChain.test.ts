import { evmChainIds } from "@countersign/core/foundation/chains"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { registerOneOfEachKind, swapOf, type TestWallet } from "./support/accounts.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Tests that the features work on each chain, although nodes, contracts and fees differ. */

let service: TestService
let wallet: TestWallet

beforeAll(async () => {
  service = await startTestService()
  wallet = (await registerOneOfEachKind(service))[0]!
})
afterAll(() => service.stop())

// biome-ignore lint/suspicious/noExplicitAny: read as a client without generated types does.
type Body = any

const requestOk = async (method: string, path: string, request?: object): Promise<Body> => {
  const { body, status } = await service.request(method, path, request)
  assert.strictEqual(status, 200, `${path}: ${JSON.stringify(body)}`)
  return body
}

describe.each(evmChainIds)("chain %i", (chainId) => {
  it("supports swaps, positions and loans", async () => {
    const { pools } = await requestOk("GET", `/api/v1/liquidity/pools?chainId=${chainId}`)
    const pool = pools.find(({ tokens }: Body) => tokens.some(({ symbol }: Body) => symbol.startsWith("USDC")))
    const [tokenIn, tokenOut] = pool.tokens.toSorted((a: Body) => (a.symbol.startsWith("USDC") ? -1 : 1))
    await service.fundOn(chainId, wallet.address, tokenIn.address, 100_000n * 10n ** BigInt(tokenIn.decimals))
    const gasFields = { payGasFeeToken: tokenIn.address, gasFeePaymentMethod: "ADD_TO_AMOUNT" }

    const { quotes } = await requestOk(
      "POST",
      "/api/v1/crypto/swap",
      swapOf(wallet, {
        chainIdIn: chainId,
        chainIdOut: chainId,
        tokenIn: tokenIn.address,
        tokenOut: tokenOut.address,
        ...gasFields
      })
    )
    await requestOk("POST", "/api/v1/crypto/execute-user-op", {
      userOperationHash: quotes[0].userOperationHash,
      ...(await service.signatures(wallet.privateKey, quotes[0].signData))
    })
    const { receivedAmount, status } = await service.settled(wallet.address, quotes[0].userOperationHash)
    assert.deepStrictEqual([status, receivedAmount.amount], ["COMPLETED", quotes[0].amountOut])

    const { operation } = await requestOk("POST", "/api/v1/liquidity", {
      walletAddress: wallet.address,
      toAddress: wallet.address,
      chainId,
      tokenIn: tokenIn.address,
      amountIn: "100",
      token0: tokenIn.address,
      token1: tokenOut.address,
      poolFeePercent: pool.fee,
      minPrice: 0,
      maxPrice: 1e12,
      ...gasFields
    })
    assert.isUndefined(operation.revertReason)

    const loan = await requestOk("POST", "/api/v1/lending/quote", {
      walletAddress: wallet.address,
      provider: "LENDING_PROVIDER_A",
      supply: { chainId, tokenAddress: tokenIn.address, amount: "100" },
      gas: { tokenAddress: tokenIn.address, paymentMethod: "ADD_TO_AMOUNT" }
    })
    assert.isUndefined(loan.revertReason)
  })
})
