import { randomBytes } from "node:crypto"
import { Liquidations, LoanStore } from "@countersign/core/trading/lending"
import type { LendingRequest } from "@countersign/http/client"
import { verifyQuote } from "@countersign/http/verify"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { encodeFunctionData, erc20Abi, formatUnits, type Hex, maxUint256, parseAbi, parseUnits } from "viem"
import { waitUntil, waitUntilTrue } from "../../core/test/support/until.ts"
import { NATIVE, registerOneOfEachKind, type TestWallet, USDC, WETH } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { allowanceOf, balanceOf } from "./support/balances.ts"
import { startTestService, type TestService } from "./support/testService.ts"
import { startWebhookReceiver, type WebhookReceiver } from "./support/webhookReceiver.ts"

/** Tests lending over HTTP, on the real contracts of Aave V3 and Morpho Blue. */

const PATH = "/api/v1/lending/quote"
const AAVE_POOL = "0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2"
const MORPHO = "0xbbbbbbbbbb9cc5e90e3b3af64bdaf62c37eeffcb"
const WBTC = "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599"
const USDC_ON_BASE = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7"
const USDY = "0x96f6ef951840721adbf46ac996b59e0235cb985c"
const WBTC_USDC = "0x3a85e619751152991742810df6ec69ce473daef99e28a64ab2340d7b7ccfee49"
const WBTC_USDT = "0xa921ef34e2fc7a27ccc50ae7e4b154e16c9799d3387076c421423ef52ac4df99"
const WBTC_USDC_ORACLE = "0xdddd770badd886df3864029e4b377b5f6a2b6b83"
const ETH_USD_FEED = "0x5f4ec3df9cbd43714fe2740f5e3616155c5b8419"
const BTC_USD_FEED = "0xf4030086522a5beea4988f8ca5b36dbc97bee88c"
const kinds = ["SimpleAccount 0.7", "SimpleAccount 0.8", "Safe 1.4.1", "Simple7702Account"]

let service: TestService
let wallets: ReadonlyArray<TestWallet>
let receiver: WebhookReceiver

beforeAll(async () => {
  service = await startTestService()
  receiver = await startWebhookReceiver()
  wallets = await registerOneOfEachKind(service)
  for (const { address } of wallets) {
    await service.fund(address, WETH, 10n ** 20n)
    await service.fund(address, WBTC, 10n ** 9n)
  }
})
afterAll(async () => {
  receiver.stop()
  await service.stop()
})

const positionData = (market: Hex, wallet: Hex) =>
  encodeFunctionData({
    abi: parseAbi(["function position(bytes32, address) view returns (uint256, uint128, uint128)"]),
    args: [market, wallet]
  })

const walletOf = (kind: string) => wallets.find(({ name }) => name === kind)!
const randomAddress = () => `0x${randomBytes(20).toString("hex")}`

const legOf = (tokenAddress: string, amount: string, extraFields: Record<string, unknown> = {}) => ({
  chainId: 1,
  tokenAddress,
  amount,
  ...extraFields
})

const gasFieldsOf = (tokenAddress: string, paymentMethod = "ADD_TO_AMOUNT") => ({
  gas: { tokenAddress, paymentMethod }
})

const lendingOf = (wallet: Pick<TestWallet, "address">, changes: Record<string, unknown>) => ({
  walletAddress: wallet.address,
  provider: "LENDING_PROVIDER_A",
  ...gasFieldsOf(USDC),
  ...changes
})

const quoteOf = async (wallet: TestWallet, changes: Record<string, unknown>) => {
  const { body, status } = await service.request("POST", PATH, lendingOf(wallet, changes))
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body
}

const executeAndWait = async (wallet: TestWallet, quote: Awaited<ReturnType<typeof quoteOf>>) => {
  assert.isUndefined(quote.revertReason, JSON.stringify(quote.revertReason))
  const { body, status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash: quote.userOperationHash,
    ...(await service.signatures(wallet.privateKey, quote.signData))
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  const transaction = await service.settled(wallet.address, quote.userOperationHash)
  assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction.failure))
  assert.strictEqual(transaction.type, quote.type)
  return transaction
}

const positionsOf = async ({ address }: TestWallet) => {
  const { body, status } = await service.request("GET", `/api/v1/wallets/${address}/lending`)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.positions
}

const assertNoAllowance = async ({ address }: TestWallet, token: string, spender: string) =>
  assert.strictEqual(await allowanceOf(service, token, address, spender), 0n)

describe("a loan of Aave V3", () => {
  it("is borrowed against collateral that the same operation supplies, and repaid completely with its interest", async () => {
    const wallet = walletOf(kinds[0]!)
    const balanceBefore = await balanceOf(service, USDC, wallet.address)
    const quote = await quoteOf(wallet, {
      supply: legOf(WETH, "10"),
      borrow: legOf(USDC, "10000"),
      metadata: { order: "42" }
    })
    assert.strictEqual(quote.type, "LENDING_SUPPLY_BORROW")
    assert.deepStrictEqual(quote.supply.tokenIn, {
      tokenAddress: WETH,
      chainId: 1,
      amount: { value: "10", usd: quote.supply.tokenIn.amount.usd },
      price: quote.supply.tokenIn.price
    })
    assert.approximately(Number(quote.supply.tokenIn.price), 3_000, 30)
    assert.strictEqual(quote.supply.tokenOut.amount.value, "10")
    assert.strictEqual(quote.borrow.token.amount.value, "10000")
    assert.isNull(quote.repay)
    assert.isNull(quote.healthFactor.before)
    // WETH worth 30,000 US dollars with a liquidation threshold of 83 %, against a debt of 10,000 USDC.
    assert.approximately(Number(quote.healthFactor.after), 2.49, 1e-6)
    assert.approximately(Number(quote.liquidationPrice.after), 10_000 / 0.83 / 10, 1e-3)
    assert.strictEqual(quote.liquidationPrice.tokenAddress, WETH)
    assert.isAbove(Number(quote.rates.borrowAprPercent.after), Number(quote.rates.borrowAprPercent.before))
    assert.isBelow(Number(quote.rates.supplyAprPercent.after), Number(quote.rates.supplyAprPercent.before))
    assert.deepStrictEqual(
      quote.preview.calls
        .slice(-3)
        .map((call: { function: string; contract: string }) => [call.contract, call.function]),
      [
        ["WETH", "approve"],
        ["Aave V3 Pool", "supply"],
        ["Aave V3 Pool", "borrow"]
      ]
    )
    const transaction = await executeAndWait(wallet, quote)
    assert.strictEqual(transaction.sentAmount.amount, "10")
    assert.strictEqual(transaction.receivedAmount.amount, "10000")
    assert.strictEqual(transaction.lending.provider, "LENDING_PROVIDER_A")
    assert.deepStrictEqual(transaction.metadata, { order: "42" })
    await assertNoAllowance(wallet, WETH, AAVE_POOL)
    assert.deepStrictEqual(
      (await positionsOf(wallet)).map((position: { positionType: string; token: { symbol: string } }) => [
        position.positionType,
        position.token.symbol
      ]),
      [
        ["supply", "WETH"],
        ["borrow", "USDC"]
      ]
    )
    const closingQuote = await quoteOf(wallet, { repay: legOf(USDC, "MAX"), withdraw: legOf(WETH, "MAX") })
    assert.strictEqual(closingQuote.type, "LENDING_REPAY_WITHDRAW")
    assert.isNotNull(closingQuote.healthFactor.before)
    assert.isNull(closingQuote.healthFactor.after)
    await executeAndWait(wallet, closingQuote)
    assert.deepStrictEqual(await positionsOf(wallet), [])
    await assertNoAllowance(wallet, USDC, AAVE_POOL)
    assert.isAtLeast(Number(await balanceOf(service, WETH, wallet.address)), 1e20)
    assert.isBelow(Number(await balanceOf(service, USDC, wallet.address)), Number(balanceBefore))
  })
})

describe("the native token", () => {
  const [nativeToken, wrappedToken] = [NATIVE, WETH]

  type MovementBody = Readonly<Record<"amount" | "counterparty" | "direction" | "role" | "tokenAddress", string>>
  const principalsOf = ({ movements }: { readonly movements: ReadonlyArray<MovementBody> }) =>
    movements
      .filter(({ role }) => role === "PRINCIPAL")
      .map(({ amount, direction, tokenAddress }) => [direction, tokenAddress, amount])

  /** Requests a quote on Aave V3, and checks that the verifier accepts it. */
  const verifiedQuoteOf = async (wallet: TestWallet, changes: Record<string, unknown>) => {
    const [request, quote] = [lendingOf(wallet, changes), await quoteOf(wallet, changes)]
    const { address: walletAddress, factory, owner: externallyOwnedAccount } = wallet
    const verification = verifyQuote({
      request: request as unknown as LendingRequest,
      quote,
      account: { walletAddress, factory, externallyOwnedAccount, salt: 0 },
      trust: { decimals: { [USDC]: 6, [WBTC]: 8 }, paymasters: Object.values(service.chains.paymasters) }
    })
    assert.deepStrictEqual(verification.ok ? [] : verification.problems, [])
    return quote
  }

  it("is wrapped for a supply and unwrapped for a withdrawal", async () => {
    const wallet = walletOf(kinds[2]!)
    await service.fund(wallet.address, "native", 5n * 10n ** 18n)
    const wrappedBalanceBefore = await balanceOf(service, wrappedToken, wallet.address)
    const supplyQuote = await quoteOf(wallet, { supply: legOf(nativeToken, "2"), borrow: legOf(USDC, "1000") })
    assert.deepStrictEqual(
      [supplyQuote.supply.tokenIn.tokenAddress, supplyQuote.supply.tokenOut.amount.value],
      [nativeToken, "2"]
    )
    assert.approximately(Number(supplyQuote.healthFactor.after), (2 * 3_000 * 0.83) / 1_000, 0.1)
    const supplyTransaction = await executeAndWait(wallet, supplyQuote)
    assert.deepStrictEqual(
      [
        supplyTransaction.sentAmount.amount,
        supplyTransaction.sentCryptoCurrency.address,
        supplyTransaction.receivedAmount.amount
      ],
      ["2", nativeToken, "1000"]
    )
    assert.notInclude([wrappedToken, null], supplyTransaction.sentTo)
    assert.deepStrictEqual(principalsOf(supplyTransaction), [
      ["OUT", nativeToken, "2"],
      ["IN", USDC, "1000"]
    ])
    // A supply of the native token can be withdrawn as wrapped token, and the reverse.
    await executeAndWait(wallet, await quoteOf(wallet, { withdraw: legOf(wrappedToken, "0.5") }))
    const closingQuote = await verifiedQuoteOf(wallet, {
      repay: legOf(USDC, "MAX"),
      withdraw: legOf(nativeToken, "MAX")
    })
    assert.isTrue(closingQuote.warnings.some((warning: string) => warning.includes("since the quote as WETH")))
    const closingTransaction = await executeAndWait(wallet, closingQuote)
    assert.strictEqual(closingTransaction.receivedCryptoCurrency.address, nativeToken)
    assert.strictEqual(closingTransaction.receivedAmount.amount, closingQuote.withdraw.tokenOut.amount.value)
    assert.deepStrictEqual(await positionsOf(wallet), [])
    const interest = (await balanceOf(service, wrappedToken, wallet.address)) - wrappedBalanceBefore - 5n * 10n ** 17n
    assert.isTrue(interest >= 0n && interest < 10n ** 15n, String(interest))
  })

  it("is collateral at Morpho Blue", async () => {
    const wallet = walletOf(kinds[0]!)
    await service.fundOn(8453, wallet.address, "native", 3n * 10n ** 18n)
    await service.fundOn(8453, wallet.address, USDC_ON_BASE, 10n ** 9n)
    const legOnBase = (tokenAddress: string, amount: string) => legOf(tokenAddress, amount, { chainId: 8453 })
    const commonFields = { provider: "LENDING_PROVIDER_B", ...gasFieldsOf(USDC_ON_BASE) }
    const supplyTransaction = await executeAndWait(
      wallet,
      await quoteOf(wallet, {
        ...commonFields,
        supply: legOnBase(nativeToken, "2"),
        borrow: legOnBase(USDC_ON_BASE, "1000")
      })
    )
    assert.deepStrictEqual([supplyTransaction.sentTo, supplyTransaction.receivedAmount.amount], [MORPHO, "1000"])
    const closingTransaction = await executeAndWait(
      wallet,
      await quoteOf(wallet, {
        ...commonFields,
        repay: legOnBase(USDC_ON_BASE, "MAX"),
        withdraw: legOnBase(nativeToken, "MAX")
      })
    )
    assert.deepStrictEqual(
      [closingTransaction.receivedFromAddress, closingTransaction.receivedAmount.amount],
      [MORPHO, "2"]
    )
  })

  it("is wrapped up to the debt only", async () => {
    const wallet = walletOf(kinds[3]!)
    await executeAndWait(wallet, await quoteOf(wallet, { supply: legOf(WBTC, "1"), borrow: legOf(nativeToken, "1") }))
    await service.fund(wallet.address, "native", 10n ** 18n)
    const quote = await verifiedQuoteOf(wallet, { repay: legOf(nativeToken, "5"), withdraw: legOf(WBTC, "MAX") })
    assert.isTrue(quote.warnings.some((warning: string) => warning.includes("stays in the wallet as WETH")))
    assert.approximately(Number((await executeAndWait(wallet, quote)).sentAmount.amount), 1, 1e-3)
    assert.deepStrictEqual(await positionsOf(wallet), [])
  })

  it("is borrowed and repaid, to the last unit", async () => {
    const wallet = walletOf(kinds[1]!)
    await executeAndWait(
      wallet,
      await verifiedQuoteOf(wallet, { supply: legOf(WBTC, "1"), borrow: legOf(nativeToken, "1") })
    )
    const wbtcBefore = await balanceOf(service, WBTC, wallet.address)
    await service.fund(wallet.address, "native", 10n ** 18n)
    const closingQuote = await verifiedQuoteOf(wallet, {
      repay: legOf(nativeToken, "MAX"),
      withdraw: legOf(WBTC, "MAX")
    })
    assert.isTrue(closingQuote.warnings.some((warning: string) => warning.includes("stays in the wallet as WETH")))
    const { movements, receivedAmount, receivedCryptoCurrency, sentAmount, sentCryptoCurrency, sentTo } =
      await executeAndWait(wallet, closingQuote)
    assert.deepStrictEqual([sentCryptoCurrency.address, receivedCryptoCurrency.address], [nativeToken, WBTC])
    // The supply can earn some units of interest before the withdrawal.
    assert.approximately(Number(receivedAmount.amount), 1, 1e-6)
    const receivedUnits = (await balanceOf(service, WBTC, wallet.address)) - wbtcBefore
    assert.strictEqual(parseUnits(receivedAmount.amount, 8), receivedUnits)
    assert.approximately(Number(sentAmount.amount), 1, 1e-3)
    assert.notInclude([wrappedToken, null], sentTo)
    const [sentMovement, returnedMovement] = movements.filter((movement: MovementBody) =>
      [movement.counterparty, movement.tokenAddress].includes(wrappedToken)
    )
    assert.deepStrictEqual(
      [sentMovement.direction, returnedMovement.direction, returnedMovement.tokenAddress],
      ["OUT", "IN", wrappedToken]
    )
    assert.strictEqual(sentMovement.amount, returnedMovement.amount)
    assert.deepStrictEqual(await positionsOf(wallet), [])
    await assertNoAllowance(wallet, WETH, AAVE_POOL)
  })
})

describe("gas of a loan", () => {
  it("is deducted from the supplied amount, if the wallet pays gas in the same token", async () => {
    const wallet = walletOf(kinds[1]!)
    const balanceBefore = await balanceOf(service, USDC, wallet.address)
    const quote = await quoteOf(wallet, { supply: legOf(USDC, "1000"), ...gasFieldsOf(USDC, "DEDUCT_FROM_AMOUNT") })
    const [fee] = quote.fees
    assert.deepStrictEqual([fee.type, fee.tokenAddress, fee.percent], ["GAS", USDC, 0])
    const suppliedAmount = parseUnits(quote.supply.tokenIn.amount.value, 6)
    assert.strictEqual(suppliedAmount, 1_000_000_000n - parseUnits(fee.amount.value, 6))
    await executeAndWait(wallet, quote)
    assert.isAtMost(Number(balanceBefore - (await balanceOf(service, USDC, wallet.address))), 1_000_000_000)
    const [position] = await positionsOf(wallet)
    assert.approximately(Number(position.token.amount), Number(quote.supply.tokenIn.amount.value), 1e-4)
  })

  it("is paid in native tokens by a Safe, which then withdraws its whole supply", async () => {
    const wallet = walletOf(kinds[2]!)
    await service.fund(wallet.address, "native", 10n ** 18n)
    await executeAndWait(wallet, await quoteOf(wallet, { supply: legOf(USDC, "500"), ...gasFieldsOf(NATIVE) }))
    const quote = await quoteOf(wallet, { withdraw: legOf(USDC, "MAX"), ...gasFieldsOf(NATIVE) })
    assert.strictEqual(quote.fees[0].tokenAddress, NATIVE)
    assert.isNull(quote.fees[0].recipient)
    await executeAndWait(wallet, quote)
    assert.deepStrictEqual(await positionsOf(wallet), [])
  })
})

describe("a loan of Morpho Blue", () => {
  const morphoRequest = (changes: Record<string, unknown>) => ({ provider: "LENDING_PROVIDER_B", ...changes })

  it("is identified by its two tokens, and closed to the last share", async () => {
    const wallet = walletOf(kinds[3]!)
    const quote = await quoteOf(wallet, morphoRequest({ supply: legOf(WBTC, "1"), borrow: legOf(USDC, "20000") }))
    assert.strictEqual(quote.marketId, WBTC_USDC)
    assert.strictEqual(quote.provider.name, "Morpho Blue")
    assert.deepStrictEqual(quote.supply.tokenOut, {
      tokenAddress: MORPHO,
      chainId: 1,
      amount: quote.supply.tokenIn.amount
    })
    assert.approximately(Number(quote.healthFactor.after), (95_000 * 0.86) / 20_000, 1e-6)
    assert.approximately(Number(quote.liquidationPrice.after), 20_000 / 0.86, 1e-2)
    assert.strictEqual(quote.liquidationPrice.inTokenAddress, USDC)
    assert.deepStrictEqual(quote.preview.calls.at(-1).contract, "Morpho Blue")
    await executeAndWait(wallet, quote)
    // The position determines the market of the withdrawal.
    const largerQuote = await quoteOf(wallet, morphoRequest({ borrow: legOf(USDC, "1000") }))
    assert.strictEqual(largerQuote.marketId, WBTC_USDC)
    await executeAndWait(wallet, largerQuote)
    await executeAndWait(wallet, await quoteOf(wallet, morphoRequest({ repay: legOf(USDC, "500.5") })))
    await executeAndWait(
      wallet,
      await quoteOf(wallet, morphoRequest({ repay: legOf(USDC, "MAX"), withdraw: legOf(WBTC, "MAX") }))
    )
    assert.deepStrictEqual(await positionsOf(wallet), [])
    await assertNoAllowance(wallet, USDC, MORPHO)
  })

  it("is shown and can be closed while its oracle does not respond", async () => {
    const wallet = walletOf(kinds[3]!)
    const loanFields = { supply: legOf(WBTC, "1"), borrow: legOf(USDC, "20000") }
    await executeAndWait(wallet, await quoteOf(wallet, morphoRequest(loanFields)))
    const originalCode = await callRpc("eth_getCode", WBTC_USDC_ORACLE, "latest")
    await callRpc("anvil_setCode", WBTC_USDC_ORACLE, "0x5f5ffd")
    try {
      assert.deepStrictEqual(
        (await positionsOf(wallet)).map(({ healthFactor, positionType }: Record<string, unknown>) => [
          positionType,
          healthFactor
        ]),
        [
          ["supply", null],
          ["borrow", null]
        ]
      )
      const { body } = await service.request("GET", "/api/v1/lending/markets?chainId=1&provider=LENDING_PROVIDER_B")
      assert.deepStrictEqual(
        body.markets.map(({ canBorrow, marketId }: Record<string, unknown>) => [marketId, canBorrow]),
        [
          [WBTC_USDC, false],
          [WBTC_USDT, true]
        ]
      )
      for (const legs of [{ borrow: legOf(USDC, "1") }, { withdraw: legOf(WBTC, "0.1") }]) {
        const { revertReason } = await quoteOf(wallet, morphoRequest(legs))
        assert.match(revertReason.decoded, /^The oracle of this Morpho Blue market does not respond/u)
      }
      await executeAndWait(
        wallet,
        await quoteOf(wallet, morphoRequest({ repay: legOf(USDC, "MAX"), withdraw: legOf(WBTC, "MAX") }))
      )
    } finally {
      await callRpc("anvil_setCode", WBTC_USDC_ORACLE, originalCode)
    }
    assert.deepStrictEqual(await positionsOf(wallet), [])
  })

  it("accepts a supply of its loan token, which a withdrawal with the side LOAN returns", async () => {
    const wallet = walletOf(kinds[0]!)
    const quote = await quoteOf(wallet, morphoRequest({ supply: legOf(USDC, "100", { marketId: WBTC_USDC }) }))
    assert.deepStrictEqual([quote.side, quote.marketId], ["LOAN", WBTC_USDC])
    assert.isNull(quote.rates.borrowAprPercent.before)
    assert.isAbove(Number(quote.rates.supplyAprPercent.before), 0)
    const shares = quote.supply.tokenOut
    assert.deepStrictEqual([shares.tokenAddress, shares.amount.usd], [MORPHO, quote.supply.tokenIn.amount.usd])
    await executeAndWait(wallet, quote)
    const { withdraw } = await quoteOf(wallet, morphoRequest({ withdraw: legOf(USDC, "MAX", { side: "LOAN" }) }))
    const positionResponse = await callRpc(
      "eth_call",
      { to: MORPHO, data: positionData(WBTC_USDC, wallet.address as Hex) },
      "latest"
    )
    assert.strictEqual(parseUnits(withdraw.tokenIn.amount.value, 12), BigInt(positionResponse.slice(0, 66)))
    // The interest since the quote increases the value of a share.
    assert.approximately(Number(withdraw.tokenIn.amount.value), Number(shares.amount.value), 1e-3)
  })

  it("is not guessed if several markets match", async () => {
    const { body, status } = await service.request(
      "POST",
      PATH,
      lendingOf(walletOf(kinds[0]!), morphoRequest({ supply: legOf(WBTC, "1") }))
    )
    assert.strictEqual(status, 400)
    assert.deepStrictEqual([body.errors[0].path, body.errors[0].code], ["body.supply.marketId", "several_markets"])
    assert.include(body.message, WBTC_USDC)
    assert.include(body.message, WBTC_USDT)
  })
})

describe("a repayment of more than the debt", () => {
  it("repays Aave the debt only: the quote, the wallet's balance and the history agree", async () => {
    const wallet = walletOf(kinds[2]!)
    await executeAndWait(wallet, await quoteOf(wallet, { supply: legOf(WETH, "10"), borrow: legOf(USDT, "1000") }))
    const quote = await quoteOf(wallet, { repay: legOf(USDT, "5000") })
    assert.match(quote.repay.token.amount.value, /^1000(?:\.0\d*)?$/u)
    // The wallet holds only the borrowed amount, but the debt has grown.
    assert.match(quote.revertReason.decoded, /^0\.\d+ USDT are missing/u)
    await service.fund(wallet.address, USDT, 100_000_000n)
    const coveredQuote = await quoteOf(wallet, { repay: legOf(USDT, "5000"), withdraw: legOf(WETH, "MAX") })
    const { sentAmount } = await executeAndWait(wallet, coveredQuote)
    assert.approximately(Number(sentAmount.amount), Number(coveredQuote.repay.token.amount.value), 1e-3)
    assert.deepStrictEqual(await positionsOf(wallet), [])
  })
})

describe("a lending quote that cannot be executed", () => {
  it("states the reason in a readable sentence", async () => {
    const wallet = walletOf(kinds[3]!)
    const reasonOf = async (changes: Record<string, unknown>): Promise<string> =>
      (await quoteOf(wallet, changes)).revertReason?.decoded ?? "nothing"
    assert.include(await reasonOf({ borrow: legOf(USDC, "100") }), "The wallet has no collateral in Aave")
    assert.include(await reasonOf({ repay: legOf(USDT, "100") }), "The wallet owes Aave no USDT")
    assert.include(await reasonOf({ supply: legOf(WETH, "5000000") }), "supply cap is exceeded")
    assert.match(
      await reasonOf({ supply: legOf(WETH, "1"), borrow: legOf(USDC, "2500") }),
      /^The collateral does not cover the loan: it secures loans of up to \$2415, and this loan is \$2500\. The simulation ended with: 36: /u
    )
    assert.include(
      await reasonOf({ provider: "LENDING_PROVIDER_B", borrow: legOf(USDC, "100", { marketId: WBTC_USDC }) }),
      "no collateral in this Morpho Blue market"
    )
  })

  it("of a withdrawal that the debt forbids states the maximum, which then can be withdrawn", async () => {
    const wallet = walletOf(kinds[3]!)
    const morphoFields = { provider: "LENDING_PROVIDER_B" }
    await executeAndWait(wallet, await quoteOf(wallet, { supply: legOf(WETH, "10"), borrow: legOf(USDC, "10000") }))
    await executeAndWait(
      wallet,
      await quoteOf(wallet, { ...morphoFields, supply: legOf(WBTC, "1"), borrow: legOf(USDC, "20000") })
    )
    const reasonOf = async (changes: Record<string, unknown>) => {
      const { revertReason } = await quoteOf(wallet, { ...changes, acceptLowHealthFactor: true })
      return revertReason?.decoded
    }
    const aaveReason = await reasonOf({ withdraw: legOf(WETH, "MAX") })
    const [, dollars] =
      /^The remaining collateral in Aave would not secure the debt of \$10000\. About \$([\d.]+) of WETH/u.exec(
        aaveReason
      )!
    assert.approximately(Number(dollars), 30_000 - 10_000 / 0.83, 1)
    const wethWithdrawal = (share: number) => ({
      withdraw: legOf(WETH, ((Number(dollars) * share) / 3_000).toFixed(6))
    })
    assert.isUndefined(await reasonOf(wethWithdrawal(0.999)))
    assert.include(await reasonOf(wethWithdrawal(1.001)), "would not secure the debt")

    const allLegs = { ...morphoFields, repay: legOf(USDC, "1"), withdraw: legOf(WBTC, "MAX") }
    const [, maxAmount] =
      /^The remaining collateral in Morpho Blue would not secure the debt\. At most ([\d.]+) WBTC can be withdrawn/u.exec(
        await reasonOf(allLegs)
      )!
    assert.approximately(Number(maxAmount), 1 - 19_999 / 0.86 / 95_000, 1e-6)
    const wbtcWithdrawal = (share: number) => ({
      ...allLegs,
      withdraw: legOf(WBTC, (Number(maxAmount) * share).toFixed(8))
    })
    assert.isUndefined(await reasonOf(wbtcWithdrawal(0.99999)))
    assert.include(await reasonOf(wbtcWithdrawal(1.00001)), "would not secure the debt")

    const closingLegs = { repay: legOf(USDC, "MAX") }
    await executeAndWait(wallet, await quoteOf(wallet, { ...closingLegs, withdraw: legOf(WETH, "MAX") }))
    await executeAndWait(
      wallet,
      await quoteOf(wallet, { ...morphoFields, ...closingLegs, withdraw: legOf(WBTC, "MAX") })
    )
  })

  it("names each reason once, before the error of the simulation", async () => {
    const { revertReason } = await quoteOf(walletOf(kinds[3]!), { repay: legOf(USDT, "100") })
    assert.match(
      revertReason.decoded,
      /^The wallet owes Aave no USDT\. The simulation ended with: 39: there is no debt of this type$/u
    )
    const bothQuote = await quoteOf(walletOf(kinds[3]!), {
      supply: legOf(WETH, "1000"),
      borrow: legOf(USDT, "5000000"),
      acceptLowHealthFactor: true
    })
    assert.lengthOf(bothQuote.revertReason.decoded.match(/The simulation ended with: /gu), 1)
    assert.match(bothQuote.revertReason.decoded, /The collateral does not cover the loan.* WETH are missing/u)
  })

  it("has a warning if the health factor is low, and is rejected below a limit unless the caller accepts it", async () => {
    const wallet = walletOf(kinds[3]!)
    const loanFieldsOf = (usdc: string) => ({
      provider: "LENDING_PROVIDER_B",
      supply: legOf(WBTC, "1"),
      borrow: legOf(USDC, usdc)
    })
    assert.match(
      (await quoteOf(wallet, loanFieldsOf("72000"))).warnings.join(),
      /health factor after the operation is 1\.13/u
    )
    const rejection = await service.request("POST", PATH, lendingOf(wallet, loanFieldsOf("81000")))
    assert.deepStrictEqual(
      [rejection.status, rejection.body.errors[0].code, rejection.body.errors[0].path],
      [400, "health_factor_too_low", "body.acceptLowHealthFactor"]
    )
    const acceptedQuote = await quoteOf(wallet, { ...loanFieldsOf("81000"), acceptLowHealthFactor: true })
    assert.isUndefined(acceptedQuote.revertReason)
    assert.approximately(Number(acceptedQuote.healthFactor.after), 81_700 / 81_000, 1e-6)
  })
})

describe("an invalid lending request", () => {
  it.each<[string, Record<string, unknown>, string, string]>([
    ["no leg", {}, "body", "no_lending_type"],
    ["legs that make no type", { supply: legOf(WETH, "1"), repay: legOf(USDC, "1") }, "body", "no_lending_type"],
    [
      "legs on two chains",
      { supply: legOf(WETH, "1"), borrow: legOf(USDC, "1", { chainId: 8453 }) },
      "body.borrow.chainId",
      "several_chains"
    ],
    ["MAX to supply", { supply: legOf(WETH, "MAX") }, "body.supply.amount", "invalid"],
    ["MAX to borrow", { borrow: legOf(WETH, "MAX") }, "body.borrow.amount", "invalid"],
    ["nothing to supply", { supply: legOf(WETH, "0") }, "body.supply.amount", "not_positive"],
    ["more digits than the token has", { supply: legOf(USDC, "0.0000001") }, "body.supply.amount", "too_many_decimals"],
    ["a malformed amount", { supply: legOf(USDC, "-1") }, "body.supply.amount", "invalid"],
    ["a token without a market", { supply: legOf(USDY, "1") }, "body.supply.tokenAddress", "no_market"],
    [
      "a provider that is not on the chain",
      {
        provider: "LENDING_PROVIDER_B",
        supply: legOf("0xb6ceceab302e2e4948951ee7843fc24e92933061", "1", { chainId: 196 }),
        gas: { tokenAddress: NATIVE, paymentMethod: "ADD_TO_AMOUNT" }
      },
      "body.provider",
      "provider_not_on_chain"
    ],
    [
      "a market of Aave's",
      { supply: legOf(USDC, "1", { marketId: `0x${"11".repeat(32)}` }) },
      "body.supply.marketId",
      "one_market"
    ],
    ["an unknown provider", { provider: "LENDING_PROVIDER_C", supply: legOf(USDC, "1") }, "body.provider", "invalid"],
    [
      "gas out of another token's amount",
      { supply: legOf(WETH, "1"), ...gasFieldsOf(USDC, "DEDUCT_FROM_AMOUNT") },
      "body.gas.paymentMethod",
      "gas_token_is_not_lent"
    ],
    [
      "less than its gas",
      { supply: legOf(USDC, "0.000001"), ...gasFieldsOf(USDC, "DEDUCT_FROM_AMOUNT") },
      "body.supply.amount",
      "fees_exceed_amount"
    ],
    [
      "the loan's side for its collateral",
      { provider: "LENDING_PROVIDER_B", supply: legOf(WBTC, "1", { side: "LOAN" }), borrow: legOf(USDC, "1") },
      "body.supply.side",
      "side_is_collateral"
    ],
    [
      "an unknown market",
      { provider: "LENDING_PROVIDER_B", supply: legOf(WBTC, "1", { marketId: `0x${"11".repeat(32)}` }) },
      "body.supply.marketId",
      "no_market"
    ]
  ])("with %s is rejected with 400", async (_, changes, path, code) => {
    const { body, status } = await service.request("POST", PATH, lendingOf(walletOf(kinds[0]!), changes))
    assert.strictEqual(status, 400, JSON.stringify(body))
    assert.deepStrictEqual(
      body.errors.map((error: { readonly path: string; readonly code: string }) => [error.path, error.code]),
      [[path, code]]
    )
  })

  it("of an unlisted token is rejected with NOT_AUTHORIZED_TOKENS, and of an unregistered wallet with 404", async () => {
    const unlistedResponse = await service.request(
      "POST",
      PATH,
      lendingOf(walletOf(kinds[0]!), { supply: legOf(randomAddress(), "1") })
    )
    assert.deepStrictEqual([unlistedResponse.status, unlistedResponse.body.id], [400, "NOT_AUTHORIZED_TOKENS"])
    const unknownWalletResponse = await service.request(
      "POST",
      PATH,
      lendingOf({ address: randomAddress() }, { supply: legOf(USDC, "1") })
    )
    const id = "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT"
    assert.deepStrictEqual([unknownWalletResponse.status, unknownWalletResponse.body.id], [404, id])
    const positionsResponse = await service.request("GET", `/api/v1/wallets/${randomAddress()}/lending`)
    assert.deepStrictEqual([positionsResponse.status, positionsResponse.body.id], [404, id])
  })
})

describe("the markets", () => {
  it("include those of both providers, with rates, caps and ratios", async () => {
    const { body } = await service.request("GET", "/api/v1/lending/markets?chainId=1")
    const aaveMarkets = body.markets.filter(
      (market: { provider: { id: string } }) => market.provider.id === "LENDING_PROVIDER_A"
    )
    const wethMarket = aaveMarkets.find(
      (market: { loanToken: { symbol: string } }) => market.loanToken.symbol === "WETH"
    )
    assert.deepStrictEqual(
      [wethMarket.ltvPercent, wethMarket.liquidationThresholdPercent, wethMarket.canBorrow, wethMarket.marketId],
      ["80.5", "83", true, null]
    )
    assert.isAbove(Number(wethMarket.borrowAprPercent), Number(wethMarket.supplyAprPercent))
    const morphoMarkets = await service.request("GET", "/api/v1/lending/markets?chainId=1&provider=LENDING_PROVIDER_B")
    assert.deepStrictEqual(
      morphoMarkets.body.markets.map((market: { marketId: string }) => market.marketId),
      [WBTC_USDC, WBTC_USDT]
    )
    assert.strictEqual(morphoMarkets.body.markets[0].ltvPercent, "86")
    const logoResponse = await service.request(
      "GET",
      new URL(morphoMarkets.body.markets[0].provider.logo, service.baseUrl).pathname
    )
    assert.strictEqual(logoResponse.status, 200)
  })

  it.each([
    ["?chainId=0", "query.chainId", "not_evm", "Bitcoin has no lending markets."],
    [
      "?chainId=196&provider=LENDING_PROVIDER_B",
      "query.provider",
      "provider_not_on_chain",
      "Morpho Blue is not available on X Layer Mainnet. Use LENDING_PROVIDER_A (Aave V3)."
    ]
  ])("of %s are rejected, with what is missing", async (query, path, code, message) => {
    const { body, status } = await service.request("GET", `/api/v1/lending/markets${query}`)
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(body.errors, [{ path, code, message }])
  })
})

const abi = parseAbi([
  "function updateAnswer(int256 answer)",
  "function liquidationCall(address collateral, address debt, address user, uint256 debtToCover, bool receiveAToken)",
  "function setLiquidationProtocolFee(address asset, uint256 fee)",
  "function getReserveData(address asset)",
  "function setReserveFreeze(address asset, bool freeze)",
  "function setReservePause(address asset, bool paused)",
  "function setReserveBorrowing(address asset, bool enabled)",
  "function setBorrowCap(address asset, uint256 cap)",
  "function configureReserveAsCollateral(address asset, uint256 ltv, uint256 liquidationThreshold, uint256 liquidationBonus)",
  "function setAssetEModeCategory(address asset, uint8 category)",
  "function setEModeCategory(uint8 category, uint16 ltv, uint16 threshold, uint16 bonus, address oracle, string label)",
  "function setUserEMode(uint8 category)",
  "function supply(address asset, uint256 amount, address owner, uint16 referral)",
  "function borrow(address asset, uint256 amount, uint256 rateMode, uint16 referral, address owner)",
  "struct Market { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }",
  "function liquidate(Market market, address borrower, uint256 seizedAssets, uint256 repaidShares, bytes data)"
])

const callRpc = (method: string, ...params: ReadonlyArray<unknown>) =>
  askChain(service.chains.rpcUrl(1), method, ...params)

const send = async (from: string, to: string, data: string) => {
  const receipt = await callRpc("eth_sendTransactionSync", { from, to, data, gas: "0x7a1200" })
  assert.strictEqual(receipt.status, "0x1")
  return receipt
}

/** Runs with a state of the chain that is reverted afterwards. */
const withSnapshot = async (run: () => Promise<void>) => {
  const snapshot = await callRpc("evm_snapshot")
  try {
    await run()
  } finally {
    await callRpc("evm_revert", snapshot)
  }
}

const CONFIGURATOR = "0x64b761d848206f447fe2dd461b0c635ec39ebb27"
/** Changes Aave's reserves as its governance does. */
const configure = (data: `0x${string}`) => send(service.chains.keys.deployer.address, CONFIGURATOR, data)

describe("a market that Aave's governance has changed", () => {
  const usdtArgs = <A extends ReadonlyArray<unknown>>(...values: A) => [USDT, ...values] as const

  it.each<[string, `0x${string}`, Record<string, unknown>, RegExp]>([
    [
      "frozen",
      encodeFunctionData({ abi, functionName: "setReserveFreeze", args: usdtArgs(true) }),
      { supply: legOf(USDT, "1") },
      /^Aave has frozen its market for USDT/u
    ],
    [
      "paused",
      encodeFunctionData({ abi, functionName: "setReservePause", args: usdtArgs(true) }),
      { supply: legOf(USDT, "1") },
      /^Aave has paused its market for USDT/u
    ],
    [
      "not lent",
      encodeFunctionData({ abi, functionName: "setReserveBorrowing", args: usdtArgs(false) }),
      { supply: legOf(WETH, "1"), borrow: legOf(USDT, "1") },
      /^Aave does not lend USDT/u
    ],
    [
      "capped",
      encodeFunctionData({ abi, functionName: "setBorrowCap", args: usdtArgs(20_000_001n) }),
      { supply: legOf(WETH, "1"), borrow: legOf(USDT, "100") },
      /^Aave's borrow cap is exceeded: 2000\d+\.?\d* USDT of at most 20000001 USDT/u
    ]
  ])("is quoted as %s", async (_, change, legs, reason) => {
    const wallet = walletOf(kinds[2]!)
    await service.fund(wallet.address, USDT, 10n ** 9n)
    await withSnapshot(async () => {
      await configure(change)
      assert.match((await quoteOf(wallet, legs)).revertReason.decoded, reason)
    })
  })

  it("explains that the token is not in the e-mode, and that the collateral has no borrowing power", async () => {
    const wallet = walletOf(kinds[2]!)
    const owner = wallet.address
    const reasonOf = async (legs: Record<string, unknown>) => (await quoteOf(wallet, legs)).revertReason.decoded
    await executeAndWait(wallet, await quoteOf(wallet, { supply: legOf(WETH, "10"), borrow: legOf(USDT, "10") }))
    await withSnapshot(async () => {
      const category = [1, 9_000, 9_300, 10_100, `0x${"0".repeat(40)}`, "near a dollar"] as const
      await configure(encodeFunctionData({ abi, functionName: "setEModeCategory", args: category }))
      await configure(encodeFunctionData({ abi, functionName: "setAssetEModeCategory", args: usdtArgs(1) }))
      await callRpc("anvil_impersonateAccount", owner)
      await callRpc("anvil_setBalance", owner, "0xde0b6b3a7640000")
      await send(owner, AAVE_POOL, encodeFunctionData({ abi, functionName: "setUserEMode", args: [1] }))
      assert.include(
        await reasonOf({ borrow: legOf(USDC, "1") }),
        "58: the token is not in the wallet's eMode category"
      )
    })
    await withSnapshot(async () => {
      await configure(
        encodeFunctionData({ abi, functionName: "configureReserveAsCollateral", args: [WETH, 0n, 8_300n, 10_500n] })
      )
      assert.match(await reasonOf({ borrow: legOf(USDT, "1") }), /has a loan-to-value ratio of 0/u)
    })
  })

  it("lends no more than its liquidity", async () => {
    const wallet = walletOf(kinds[2]!)
    await service.fund(wallet.address, WETH, 20_000n * 10n ** 18n)
    const { revertReason } = await quoteOf(wallet, { supply: legOf(WETH, "20000"), borrow: legOf(USDC, "35000000") })
    assert.match(
      revertReason.decoded,
      /^Insufficient liquidity: only \d+\.?\d* USDC can be withdrawn from Aave's market/u
    )
  })
})

describe("a liquidation", () => {
  const followLiquidations = () => service.run(Liquidations.use(({ searchDue: followDue }) => followDue))
  const getTreasury = () => service.chains.keys.treasury.address

  /**
   * Runs the watcher of liquidations until it detects one. Several runs can be necessary, because the cached head of
   * the chain may be half a second old.
   */
  const waitForLiquidation = () => waitUntil(followLiquidations, (count) => count > 0)

  const liquidateAtPrice = async (feed: string, usd: bigint, liquidate: () => Promise<{ transactionHash: string }>) => {
    const originalPrice = await callRpc("eth_call", { to: feed, data: "0x50d25bcd" }, "latest")
    const priceDataOf = (price: bigint) => encodeFunctionData({ abi, functionName: "updateAnswer", args: [price] })
    await send(getTreasury(), feed, priceDataOf(usd * 10n ** 8n))
    const { transactionHash } = await liquidate()
    await send(getTreasury(), feed, priceDataOf(BigInt(originalPrice)))
    return transactionHash
  }

  const liquidationsOf = async ({ address }: TestWallet, transactionHash: string) => {
    const { body } = await service.request(
      "GET",
      `/api/v1/wallets/${address}/history?type=LENDING_LIQUIDATION&transactionHash=${transactionHash}`
    )
    return body.transactions
  }

  const approve = (token: string, spender: string) =>
    send(
      getTreasury(),
      token,
      encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender as `0x${string}`, maxUint256] })
    )

  it("is detected for an external loan, once the service has quoted anything for its wallet", async () => {
    const { factory, owner } = walletOf(kinds[1]!)
    const { body } = await service.request("POST", "/api/v1/wallets/register", {
      externallyOwnedAccount: owner,
      factory,
      salt: "77"
    })
    const wallet = { ...walletOf(kinds[1]!), address: body.wallet.walletAddress }
    await service.fund(wallet.address, WETH, 10n ** 18n)
    await callRpc("anvil_impersonateAccount", wallet.address)
    await callRpc("anvil_setBalance", wallet.address, "0xde0b6b3a7640000")
    const ownAddress = wallet.address
    const pool = AAVE_POOL
    const approval = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [pool, maxUint256] })
    await send(ownAddress, WETH, approval)
    await send(
      ownAddress,
      pool,
      encodeFunctionData({ abi, functionName: "supply", args: [WETH, 10n ** 18n, ownAddress, 0] })
    )
    await send(
      ownAddress,
      pool,
      encodeFunctionData({ abi, functionName: "borrow", args: [USDT, 1_000_000_000n, 2n, 0, ownAddress] })
    )
    const isLoanWatched = async () => {
      const loans = await service.run(LoanStore.use((store) => store.listWatched(1, null, 100)))
      return loans.some(({ walletAddress }) => walletAddress === wallet.address)
    }
    assert.isFalse(await isLoanWatched())
    assert.isNotNull((await quoteOf(wallet, { withdraw: legOf(WETH, "0.1") })).healthFactor.before)
    assert.isTrue(await isLoanWatched())
  })

  it("of Aave V3 is detected on chain, is in the wallet's history once, and is reported to webhooks", async () => {
    const wallet = walletOf(kinds[1]!)
    await executeAndWait(wallet, await quoteOf(wallet, { supply: legOf(WETH, "10"), borrow: legOf(USDT, "20000") }))
    await followLiquidations()
    await approve(USDT, AAVE_POOL)
    // A tenth of the bonus goes to the protocol.
    await configure(encodeFunctionData({ abi, functionName: "setLiquidationProtocolFee", args: [WETH, 1_000n] }))
    const data = await callRpc(
      "eth_call",
      { to: AAVE_POOL, data: encodeFunctionData({ abi, functionName: "getReserveData", args: [WETH] }) },
      "latest"
    )
    const aToken = `0x${data.slice(2 + 64 * 8 + 24, 2 + 64 * 9)}`
    const suppliedBefore = await balanceOf(service, aToken, wallet.address)
    const path = "/liquidations"
    const { body: webhook } = await service.request("POST", "/api/v1/webhooks", {
      url: receiver.url(path),
      eventTypes: ["transaction.completed"]
    })
    assert.isDefined(webhook.webhook.id, JSON.stringify(webhook))
    const transactionHash = await liquidateAtPrice(ETH_USD_FEED, 2_300n, () =>
      send(
        getTreasury(),
        AAVE_POOL,
        encodeFunctionData({
          abi,
          functionName: "liquidationCall",
          args: [WETH, USDT, wallet.address as `0x${string}`, 5_000_000_000n, false]
        })
      )
    )
    assert.strictEqual(await waitForLiquidation(), 1)
    assert.strictEqual(await followLiquidations(), 0)
    const transactions = await liquidationsOf(wallet, transactionHash)
    assert.strictEqual(transactions.length, 1)
    const [liquidation] = transactions
    assert.deepStrictEqual(
      [liquidation.type, liquidation.status, liquidation.sentCryptoCurrency.symbol, liquidation.sentTo],
      ["LENDING_LIQUIDATION", "COMPLETED", "WETH", getTreasury()]
    )
    assert.deepStrictEqual(
      [liquidation.lending.provider, liquidation.lending.debtToken, liquidation.lending.debtAmount],
      ["LENDING_PROVIDER_A", USDT, "5000"]
    )
    // The repaid 5,000 USDT plus a bonus of 5 %, including the protocol's share of the bonus.
    assert.approximately(Number(liquidation.sentAmount.amount), (5_000 * 1.05) / 2_300, 0.001)
    const lostAmount = suppliedBefore - (await balanceOf(service, aToken, wallet.address))
    assert.approximately(Number(liquidation.sentAmount.amount), Number(formatUnits(lostAmount, 18)), 0.0001)
    const [delivery] = await receiver.waitFor(path, 1)
    const { event } = delivery!
    assert.deepStrictEqual(
      [event.type, event.data.type, event.data.id],
      ["transaction.completed", "LENDING_LIQUIDATION", liquidation.id]
    )
    assert.deepStrictEqual([event.data.sequence, event.data.previousStatus], [2, null])
  })

  it("of Morpho Blue is detected, and no longer COMPLETED after a reorg", async () => {
    const wallet = walletOf(kinds[1]!)
    const loanFields = { provider: "LENDING_PROVIDER_B", supply: legOf(WBTC, "1"), borrow: legOf(USDC, "70000") }
    await executeAndWait(wallet, await quoteOf(wallet, loanFields))
    await followLiquidations()
    await approve(USDC, MORPHO)
    const snapshot = await callRpc("evm_snapshot")
    const market = {
      loanToken: USDC,
      collateralToken: WBTC,
      oracle: WBTC_USDC_ORACLE,
      irm: "0x870ac11d48b15db9a138cf899d20f13f79ba00bc",
      lltv: 860_000_000_000_000_000n
    } as const
    const transactionHash = await liquidateAtPrice(BTC_USD_FEED, 80_000n, () =>
      send(
        getTreasury(),
        MORPHO,
        encodeFunctionData({
          abi,
          functionName: "liquidate",
          args: [market, wallet.address as `0x${string}`, 10_000_000n, 0n, "0x"]
        })
      )
    )
    assert.strictEqual(await waitForLiquidation(), 1)
    const [liquidation] = await liquidationsOf(wallet, transactionHash)
    assert.deepStrictEqual([liquidation.sentAmount.amount, liquidation.lending.marketId], ["0.1", WBTC_USDC])

    await callRpc("evm_revert", snapshot)
    // Mines at least as many blocks as the revert has removed.
    for (let i = 0; i < 4; i++) await callRpc("evm_mine")
    await waitUntilTrue(async () => {
      await followLiquidations()
      return (await liquidationsOf(wallet, transactionHash))[0].status !== "COMPLETED"
    })
    const [undoneLiquidation] = await liquidationsOf(wallet, transactionHash)
    assert.deepStrictEqual(
      [undoneLiquidation.status, undoneLiquidation.substatus, undoneLiquidation.sentAmount],
      ["FAILED", "REORGED", null]
    )
    assert.strictEqual(await followLiquidations(), 0)
  })
})

describe("a protocol that cannot be read", () => {
  const readLoans = async () => {
    const wallet = walletOf(kinds[0]!)
    const paths = ["/api/v1/lending/markets?chainId=1", `/api/v1/wallets/${wallet.address}/lending`]
    return Promise.all(paths.map((path) => service.request("GET", path)))
  }

  it("is named, and the response still contains the other protocols", async () => {
    const node = service.chains.rpcUrl(1)
    const code = await askChain(node, "eth_getCode", AAVE_POOL, "latest")
    await askChain(node, "anvil_setCode", AAVE_POOL, "0x")
    const [marketsResponse, positionsResponse] = await readLoans()
    await askChain(node, "anvil_setCode", AAVE_POOL, code)
    for (const { body, status } of [marketsResponse!, positionsResponse!]) {
      assert.strictEqual(status, 200)
      const [{ chain, provider, reason }, ...others] = body.unread
      assert.deepStrictEqual([chain.id, provider.id, others.length], [1, "LENDING_PROVIDER_A", 0])
      assert.match(reason, /^Ethereum RPC node is unavailable: /u)
    }
    assert.isAbove(marketsResponse!.body.markets.length, 0)
    for (const { body } of await readLoans()) assert.deepStrictEqual(body.unread, [])
  })

  it("fails the request if no other protocol can be read either", async () => {
    service.takeNodeDown(true)
    const responses = await readLoans()
    service.takeNodeDown(false)
    for (const { body, status } of responses) assert.deepStrictEqual([status, body.id], [502, "UPSTREAM_UNAVAILABLE"])
  })
})
