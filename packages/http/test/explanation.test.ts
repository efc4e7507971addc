import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { formatUnits, parseUnits } from "viem"
import { NATIVE, registerOneOfEachKind, swapOf, type TestWallet, USDC, WETH } from "./support/accounts.ts"
import { allowanceOf, balanceOf } from "./support/balances.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Compares the explanation in a quote with the chain. */

let service: TestService
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  service = await startTestService()
  wallets = await registerOneOfEachKind(service)
})
afterAll(() => service.stop())

const quoteOf = async (wallet: TestWallet, changes: Record<string, unknown> = {}) => {
  const { body, status } = await service.request("POST", "/api/v1/crypto/swap", swapOf(wallet, changes))
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.quotes[0]
}

describe("a quote", () => {
  it("states the allowance that remains after execution, to the unit", async () => {
    for (const wallet of wallets) {
      const quote = await quoteOf(wallet)
      const [allowance, ...others] = quote.preview.allowances
      assert.deepStrictEqual(others, [], wallet.name)
      assert.strictEqual(allowance.spender, quote.userOperations[0].paymaster)
      const balanceBefore = await balanceOf(service, USDC, wallet.address)
      const execution = await service.request("POST", "/api/v1/crypto/execute-user-op", {
        userOperationHash: quote.userOperationHash,
        ...(await service.signatures(wallet.privateKey, quote.signData))
      })
      assert.strictEqual(execution.status, 200, JSON.stringify(execution.body))
      await service.settled(wallet.address, quote.userOperationHash)
      // The actual gas differs slightly from the simulated gas. Allowance and balance differ from the quote by the same
      // amount.
      const spentAmount = balanceBefore - (await balanceOf(service, USDC, wallet.address))
      const quotedChange = -parseUnits(
        quote.preview.assetChanges.find(({ token }: { readonly token: string }) => token === USDC).amount,
        6
      )
      const remainingAllowance = await allowanceOf(service, USDC, wallet.address, allowance.spender)
      assert.strictEqual(remainingAllowance, parseUnits(allowance.amount, 6) + quotedChange - spentAmount, wallet.name)
    }
  })

  it("states rate, inverse, price impact and the route with its shares, which agree with its amounts", async () => {
    const [small, large] = [await quoteOf(wallets[0]!), await quoteOf(wallets[0]!, { amountIn: "200000" })]
    for (const { amountIn, amountOut, inverseRate, rate, route } of [small, large]) {
      const product = (parseUnits(rate, 30) * parseUnits(amountIn, 6)) / 10n ** 6n
      assert.strictEqual(Number(formatUnits(product, 30)).toPrecision(12), Number(amountOut).toPrecision(12))
      assert.closeTo(Number(rate) * Number(inverseRate), 1, 1e-12)
      const sumOf = (name: string) =>
        route.reduce((total: bigint, part: Record<string, string>) => total + parseUnits(part[name]!, 18), 0n)
      assert.strictEqual(sumOf("sharePercent"), parseUnits("100", 18))
      assert.strictEqual(sumOf("amountIn"), parseUnits(amountIn, 18))
      assert.strictEqual(sumOf("amountOut"), parseUnits(amountOut, 18))
    }
    assert.isAbove(Number(large.priceImpactPercent), Number(small.priceImpactPercent) + 0.01)
  })

  it("decodes its calls without external services, including the commands of a router", async () => {
    const { preview } = await quoteOf(wallets[1]!, { tokenOut: NATIVE })
    const swapCall = preview.calls.at(-1)
    const steps = swapCall.steps.map((step: { readonly function: string }) => step.function)
    assert.match(steps.join(" "), /exactInput|SWAP_EXACT_IN/u)
    // Whichever router is used, one of its commands unwraps the native tokens or sends them to the wallet.
    assert.match(steps.join(" "), /unwrapWETH9|UNWRAP_WETH|SWEEP/u)
    const fundingCall = preview.calls.at(-2)
    assert.strictEqual(fundingCall.contract, "USDC")
    assert.match(fundingCall.function, /^(?:approve|transfer)$/u)
    assert.deepStrictEqual(
      fundingCall.arguments.map(({ type, value }: Record<string, string>) => [type, value]),
      [
        ["address", swapCall.to],
        ["uint256", "100000000"]
      ]
    )
  })

  it("names the contract that would fail, also behind a Safe", async () => {
    for (const wallet of wallets) {
      const { revertReason } = await quoteOf(wallet, { tokenIn: WETH, tokenOut: USDC, amountIn: "5" })
      assert.deepStrictEqual(revertReason.failedAt, { address: WETH, name: "WETH" }, wallet.name)
      assert.match(revertReason.decoded, /WETH are missing/u)
    }
  })
})
