import { randomBytes } from "node:crypto"
import { ActivityWatch } from "@countersign/core/wallets/chain-activity"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { parseUnits } from "viem"
import { waitUntil } from "../../core/test/support/until.ts"
import { NATIVE, positionOf, registerOneOfEachKind, swapOf, type TestWallet, USDC, WETH } from "./support/accounts.ts"
import { balanceOf } from "./support/balances.ts"
import { fiatClient } from "./support/fiatClient.ts"
import { linesOf } from "./support/taxTieOut.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Tests tax exports of operations on real contracts. */

const DAI = "0x6b175474e89094c44da98b954eedeac495271d0f"
const WBTC = "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599"
const USDC_ON_BASE = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
const gasFields = { gasFeePaymentMethod: "ADD_TO_AMOUNT", payGasFeeToken: USDC }

let service: TestService
let wallets: ReadonlyArray<TestWallet>

// biome-ignore lint/suspicious/noExplicitAny: the tests read bodies as a client without generated types does.
type Body = any
type Line = Readonly<Record<string, string>>

beforeAll(async () => {
  service = await startTestService()
  wallets = await registerOneOfEachKind(service)
})
afterAll(() => service.stop())

const walletOf = (name: string) => wallets.find((wallet) => wallet.name === name)!
const randomAddress = () => `0x${randomBytes(20).toString("hex")}`

/** Executes a quote. Returns its transaction. */
const executeAndWait = async (
  wallet: TestWallet,
  path: string,
  body: object,
  selectQuote: (body: Body) => Body = (b) => b
) => {
  const response = await service.request("POST", path, body)
  assert.strictEqual(response.status, 200, JSON.stringify(response.body))
  const quote = selectQuote(response.body)
  assert.isUndefined(quote.revertReason, JSON.stringify(quote.revertReason))
  const { userOperationHash } = quote
  const signatures = await service.signatures(wallet.privateKey, quote.signData)
  const acceptResponse = await service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash,
    ...signatures
  })
  assert.strictEqual(acceptResponse.status, 200, JSON.stringify(acceptResponse.body))
  const historyPath = `/api/v1/wallets/${wallet.address}/history?userOperationHash=${userOperationHash}`
  const transaction = await waitUntil(
    async () => (await service.request("GET", historyPath)).body.transactions[0] as Body,
    (currentTransaction) => currentTransaction?.status === "COMPLETED"
  )
  return { quote, transaction }
}

/**
 * Returns the months of a wallet's operations. They can differ from the test's month, because the service's clock is
 * ahead.
 */
const monthsOf = async (wallet: TestWallet) => {
  const { body } = await service.request("GET", `/api/v1/wallets/${wallet.address}/history?take=100`)
  return [...new Set<string>(body.transactions.map(({ executedAt }: Body) => executedAt.slice(0, 7)))].sort()
}

const exportOf = async (wallet: TestWallet) => {
  const path = `/api/v1/wallets/${wallet.address}/tax-export?format=full,koinly`
  const [movements, koinly]: [Array<Line>, Array<Line>] = [[], []]
  let balances: ReadonlyArray<Body> = []
  for (const month of await monthsOf(wallet)) {
    const { body, status } = await service.request("POST", path, { month, timezone: "UTC" })
    assert.strictEqual(status, 200, JSON.stringify(body))
    movements.push(...linesOf(body.files[0].content))
    koinly.push(...linesOf(body.files[3].content))
    balances = body.balances
  }
  return { movements, koinly, balances }
}

const linesOfType = (lines: ReadonlyArray<Line>, type: string) => lines.filter((line) => line.Description === type)

const sidesOf = (line: Line) => [
  line["Sent Amount"],
  line["Sent Currency"],
  line["Received Amount"],
  line["Received Currency"],
  line.Label
]

const amountOf = (line: Line) => line["Sent Amount"] || line["Received Amount"] || line["Fee Amount"] || ""

describe("loans", () => {
  const legOf = (tokenAddress: string, amount: string) => ({ chainId: 1, tokenAddress, amount })

  it.each([
    ["LENDING_PROVIDER_A", "Safe 1.4.1", WETH, 18],
    ["LENDING_PROVIDER_B", "SimpleAccount 0.7", WBTC, 8]
  ] as const)(
    "of %s are collateral and debt, with interest as a cost",
    async (provider, kind, collateral, decimals) => {
      const wallet = walletOf(kind)
      await service.fund(wallet.address, collateral, 10n * 10n ** BigInt(decimals))
      const executeLoan = (legs: object) =>
        executeAndWait(wallet, "/api/v1/lending/quote", {
          walletAddress: wallet.address,
          provider,
          gas: { tokenAddress: USDC, paymentMethod: "ADD_TO_AMOUNT" },
          ...legs
        })
      await executeLoan({ supply: legOf(collateral, "1"), borrow: legOf(USDC, "500") })
      await service.advanceClock(3_600)
      await executeLoan({ repay: legOf(USDC, "MAX"), withdraw: legOf(collateral, "MAX") })
      const { balances, koinly, movements } = await exportOf(wallet)
      const symbol = provider === "LENDING_PROVIDER_A" ? "WETH" : "WBTC"

      assert.sameDeepMembers(linesOfType(koinly, "LENDING_SUPPLY_BORROW").map(sidesOf), [
        ["1", symbol, "", "", "add to pool"],
        ["", "", "500", "USDC", "loan"]
      ])
      const returnLines = movements.filter(({ Type }) => Type === "LENDING_REPAY_WITHDRAW")
      const kinds = returnLines.map((line) => `${line.Role} ${line["Tax Kind"]} ${line.Asset}`)
      assert.includeMembers(kinds, ["PRINCIPAL DEBT USDC", "PRINCIPAL FEE USDC", `PRINCIPAL COLLATERAL ${symbol}`])
      const amountsOf = (taxKind: string) => returnLines.filter((line) => line["Tax Kind"] === taxKind).map(amountOf)
      assert.deepStrictEqual([amountsOf("DEBT"), amountsOf("COLLATERAL")], [["500"], ["1"]])
      assert.isTrue(movements.every((line) => !["DISPOSAL", "ACQUISITION"].includes(line["Tax Kind"]!)))
      for (const line of returnLines.filter((each) => each["Tax Kind"] === "DEBT"))
        assert.strictEqual(line["Gain USD"], "0")
      if (provider === "LENDING_PROVIDER_A") assert.include(kinds, `PRINCIPAL INCOME ${symbol}`)

      const closingBalanceOf = (wantedSymbol: string) =>
        balances.find((balance) => balance.symbol === wantedSymbol).closing
      const heldBalances = await Promise.all(
        [USDC, collateral].map((token) => balanceOf(service, token, wallet.address))
      )
      const fundedAmounts = [1_000_000_000_000n, 10n * 10n ** BigInt(decimals)]
      assert.deepStrictEqual(
        heldBalances,
        [parseUnits(closingBalanceOf("USDC"), 6), parseUnits(closingBalanceOf(symbol), decimals)].map(
          (units, i) => units + fundedAmounts[i]!
        )
      )
    }
  )
})

describe("loans in the native token", () => {
  it("keep their cost basis, and the wrapped remainder of a repayment is exchanged at cost", async () => {
    const safeWallet = walletOf("Safe 1.4.1")
    const { body } = await service.request("POST", "/api/v1/wallets/register", {
      externallyOwnedAccount: safeWallet.owner,
      factory: walletOf("SimpleAccount 0.8").factory
    })
    const wallet: TestWallet = { ...safeWallet, address: body.wallet.walletAddress }
    const fundedAmounts = { ETH: 10n ** 19n, WETH: 0n, WBTC: 10n ** 9n, USDC: 10n ** 10n }
    await service.fund(wallet.address, "native", fundedAmounts.ETH)
    await service.fund(wallet.address, WBTC, fundedAmounts.WBTC)
    await service.fund(wallet.address, USDC, fundedAmounts.USDC)
    const legOf = (tokenAddress: string, amount: string) => ({ chainId: 1, tokenAddress, amount })
    const executeLoan = (legs: object) =>
      executeAndWait(wallet, "/api/v1/lending/quote", {
        walletAddress: wallet.address,
        provider: "LENDING_PROVIDER_A",
        gas: { tokenAddress: USDC, paymentMethod: "ADD_TO_AMOUNT" },
        ...legs
      })
    await executeLoan({ supply: legOf(NATIVE, "2"), borrow: legOf(USDC, "500") })
    await service.advanceClock(3_600)
    await executeLoan({ withdraw: legOf(WETH, "0.5") })
    await executeLoan({ repay: legOf(USDC, "MAX"), withdraw: legOf(NATIVE, "MAX") })
    await executeLoan({ supply: legOf(WBTC, "1"), borrow: legOf(NATIVE, "1") })
    await service.advanceClock(3_600)
    await executeLoan({ repay: legOf(NATIVE, "MAX"), withdraw: legOf(WBTC, "MAX") })
    await service.run(ActivityWatch.use(({ watchDue }) => watchDue))
    const { balances, movements } = await exportOf(wallet)

    const sumOf = (type: string, kind: string, asset: string) =>
      movements
        .filter((line) => line.Type === type && line["Tax Kind"] === kind && line.Asset === asset)
        .reduce((sum, line) => sum + parseUnits(amountOf(line), 18), 0n)
    const [ether, halfEther] = [10n ** 18n, 5n * 10n ** 17n]
    assert.strictEqual(sumOf("LENDING_SUPPLY_BORROW", "COLLATERAL", "ETH"), 2n * ether)
    assert.strictEqual(sumOf("LENDING_WITHDRAW", "COLLATERAL", "WETH"), halfEther)
    assert.strictEqual(sumOf("LENDING_REPAY_WITHDRAW", "COLLATERAL", "ETH"), 3n * halfEther)
    assert.strictEqual(sumOf("LENDING_SUPPLY_BORROW", "DEBT", "ETH"), ether)
    assert.strictEqual(sumOf("LENDING_REPAY_WITHDRAW", "DEBT", "ETH"), ether)
    const income = ["ETH", "WETH"].map((asset) => sumOf("LENDING_REPAY_WITHDRAW", "INCOME", asset))
    assert.isTrue(income[0]! + income[1]! > 0n)
    assert.isTrue(sumOf("LENDING_REPAY_WITHDRAW", "FEE", "ETH") > 0n)

    const exchangeLines = movements.filter((line) => ["DISPOSAL", "ACQUISITION"].includes(line["Tax Kind"]!))
    assert.deepStrictEqual(
      exchangeLines.map((line) => `${line.Type} ${line["Tax Kind"]} ${line.Asset}`),
      ["LENDING_REPAY_WITHDRAW DISPOSAL ETH", "LENDING_REPAY_WITHDRAW ACQUISITION WETH"]
    )
    assert.strictEqual(amountOf(exchangeLines[0]!), amountOf(exchangeLines[1]!))
    assert.strictEqual(exchangeLines[0]!["Value USD"], exchangeLines[1]!["Value USD"])
    assert.strictEqual(exchangeLines[0]!["Gain USD"], "0")
    assert.isTrue(movements.every((line) => !line.Type!.startsWith("CRYPTO_")))

    for (const [symbol, token, decimals] of [
      ["ETH", NATIVE, 18],
      ["WETH", WETH, 18],
      ["WBTC", WBTC, 8],
      ["USDC", USDC, 6]
    ] as const) {
      const closingBalance: string = balances.find((balance) => balance.symbol === symbol)?.closing ?? "0"
      const heldAmount = await balanceOf(service, token, wallet.address)
      assert.strictEqual(parseUnits(closingBalance, decimals) + fundedAmounts[symbol], heldAmount, symbol)
    }

    const portfolioPath = `/api/v1/wallets/${wallet.address}/portfolio?includePnL=true&timerange=all`
    const { pnl } = (await service.request("GET", portfolioPath)).body
    assert.deepStrictEqual(pnl.total.incomplete, [])
    assert.match(pnl.total.totalUsd, /^-?\d/u)
  })
})

describe("a batch", () => {
  it("is exported as a transfer and a swap, and not as one trade", async () => {
    const wallet = walletOf("Simple7702Account")
    const receiver = randomAddress()
    const { quote } = await executeAndWait(wallet, "/api/v1/crypto/batch-operations", {
      walletAddress: wallet.address,
      chainId: 1,
      operations: [
        { type: "transfer", params: { amount: "900", token: USDC, toAddress: receiver, ...gasFields } },
        { type: "swap", params: { amountIn: "100", tokenIn: USDC, tokenOut: WETH, ...gasFields } }
      ]
    })
    const { koinly, movements } = await exportOf(wallet)
    const { amountOut } = quote.operations[1].swap
    assert.sameDeepMembers(linesOfType(koinly, "BATCH").map(sidesOf), [
      ["900", "USDC", "", "", ""],
      ["100", "USDC", amountOut, "WETH", ""]
    ])
    const transferLine = movements.find((line) => line["Tax Kind"] === "EXTERNAL_TRANSFER")
    assert.deepStrictEqual([transferLine?.Counterparty, transferLine?.["Sent Amount"]], [receiver, "900"])
  })
})

describe("a transfer between wallets of one owner", () => {
  it("moves the cost basis, and realizes no gain", async () => {
    const sender = walletOf("Simple7702Account")
    const { body } = await service.request("POST", "/api/v1/wallets/register", {
      externallyOwnedAccount: sender.owner,
      factory: walletOf("Safe 1.4.1").factory
    })
    const receiverAddress: string = body.wallet.walletAddress
    await executeAndWait(sender, "/api/v1/crypto/swap", swapOf(sender, { amountIn: "300" }), ({ quotes }) => quotes[0])
    await executeAndWait(
      sender,
      "/api/v1/crypto/transfer",
      {
        walletAddress: sender.address,
        chainId: 1,
        token: WETH,
        amount: "0.05",
        toAddress: receiverAddress,
        ...gasFields
      },
      ({ transfer }) => transfer
    )
    const arrivalExport = await waitUntil(
      async () => {
        await service.run(ActivityWatch.use(({ watchDue }) => watchDue))
        return exportOf({ ...sender, address: receiverAddress })
      },
      ({ movements }) => movements.length > 0
    )
    const [arrivalLine] = arrivalExport.movements
    assert.deepStrictEqual(
      [arrivalLine?.Type, arrivalLine?.["Tax Kind"], arrivalLine?.["Received Amount"]],
      ["CRYPTO_DEPOSIT", "OWN_TRANSFER", "0.05"]
    )
    const sentLine = (await exportOf(sender)).movements.find((line) => line["Tax Kind"] === "OWN_TRANSFER")
    assert.deepStrictEqual([sentLine?.["Sent Amount"], sentLine?.["Gain USD"]], ["0.05", "0"])
    const [balance] = arrivalExport.balances
    assert.deepStrictEqual([balance.symbol, balance.costUsd], ["WETH", sentLine?.["Cost USD"]])
  })
})

describe("a swap to another chain", () => {
  it("is one trade of the sent token for the received token and the remainder of the intermediate token", async () => {
    const wallet = walletOf("SimpleAccount 0.8")
    await service.fund(wallet.address, DAI, 1_000n * 10n ** 18n)
    const swapRequest = swapOf(wallet, { tokenIn: DAI, amountIn: "150", chainIdOut: 8453, tokenOut: USDC_ON_BASE })
    const { quote, transaction } = await executeAndWait(
      wallet,
      "/api/v1/crypto/swap",
      swapRequest,
      ({ quotes }) => quotes[0]
    )
    const { receivedAmount } = transaction
    assert.deepStrictEqual([receivedAmount.amount, receivedAmount.token.chainId], [quote.amountOut, 8453])
    const { koinly, movements } = await exportOf(wallet)
    const lines = linesOfType(koinly, "CROSS_SWAP")
    assert.isTrue(lines.every((line) => line["Sent Currency"] === "DAI" && line["Received Currency"] === "USDC"))
    const sentAmount = lines.reduce((sum, line) => sum + parseUnits(line["Sent Amount"]!, 18), 0n)
    assert.strictEqual(sentAmount, parseUnits("150", 18))
    assert.include(
      lines.map((line) => line["Received Amount"]),
      quote.amountOut
    )
    const passThroughLines = movements.filter((line) => line["Tax Kind"] === "PASS_THROUGH")
    assert.sameMembers(
      passThroughLines.map((line) => `${line.Chain} ${line.Asset}`),
      ["Ethereum USDC", "Ethereum USDC"]
    )
  })
})

describe("a position", () => {
  it("receives and returns tokens at their cost basis, with its fees as income", async () => {
    const wallet = walletOf("SimpleAccount 0.8")
    const { transaction } = await executeAndWait(
      wallet,
      "/api/v1/liquidity",
      positionOf(wallet, { amountIn: "200000", poolFeePercent: 0.05 }),
      ({ operation }) => operation
    )
    const executeWithdrawal = (percentage: number) =>
      executeAndWait(
        wallet,
        "/api/v1/liquidity/withdraw",
        {
          walletAddress: wallet.address,
          toAddress: wallet.address,
          chainId: 1,
          tokenId: transaction.liquidity.tokenId,
          tokenOut: USDC,
          percentage,
          payGasFeeToken: USDC
        },
        ({ operation }) => operation
      )
    const { quote: firstQuote, transaction: firstWithdrawal } = await executeWithdrawal(50)
    await executeWithdrawal(100)
    const { koinly, movements } = await exportOf(wallet)
    const [creationLine, ...otherLines] = linesOfType(koinly, "LIQUIDITY_CREATE").filter(
      (line) => line.Label !== "cost"
    )
    assert.deepStrictEqual(sidesOf(creationLine!), ["200000", "USDC", "", "", "add to pool"])
    assert.isTrue(otherLines.every((line) => line.Label === "remove from pool"))
    const withdrawalLines = movements.filter(({ Type }) => Type === "LIQUIDITY_WITHDRAW")
    const receivedUnitsOf = (line: Line) =>
      line["Received Amount"] === "" ? 0n : parseUnits(line["Received Amount"]!, 6)
    const isOfFirstWithdrawal = (line: Line) => line.Transaction === firstWithdrawal.id
    assert.strictEqual(
      withdrawalLines.filter(isOfFirstWithdrawal).reduce((sum, line) => sum + receivedUnitsOf(line), 0n),
      parseUnits(firstQuote.amountOut, 6)
    )
    const income = withdrawalLines.filter((line) => line["Tax Kind"] === "INCOME")
    assert.strictEqual(income.length, 1, "the swap of the first withdrawal pays fees to the rest of the position")
    assert.isTrue(receivedUnitsOf(income[0]!) > 0n)
    assert.isTrue(movements.every((line) => line.Type === "CROSS_SWAP" || line["Tax Kind"] !== "DISPOSAL"))
  })
})

describe("fiat", () => {
  it("is exported as purchases and sales at the amounts that the bank received or paid, and is in no balance", async () => {
    const wallet = walletOf("Safe 1.4.1")
    const client = fiatClient(service, wallet, "tia")
    await client.verify()
    await client.bank("customer", { individualId: "tia" })
    const deposit = await client.deposit()
    await client.bank("pay", { orderId: deposit.id })
    await client.orderIn(deposit.id, "COMPLETED")
    const withdrawal = await client.withdrawal({ type: "PIX", pixKey: "529.982.247-25" })
    await client.execute(withdrawal)
    await client.orderIn(withdrawal.id, "PROCESSING")
    await client.bank("pay", { orderId: withdrawal.id })
    const finalOrder = await client.orderIn(withdrawal.id, "COMPLETED")
    const { balances, koinly, movements } = await exportOf(wallet)
    assert.deepStrictEqual(linesOfType(koinly, "FIAT_DEPOSIT").map(sidesOf), [["541", "BRL", "100", "USDC", ""]])
    assert.deepStrictEqual(
      linesOfType(koinly, "FIAT_WITHDRAWAL")
        .filter((line) => line["Received Currency"] === "BRL")
        .map(sidesOf),
      [["100", "USDC", finalOrder.to.amount, "BRL", ""]]
    )
    const boughtLine = movements.find(({ Asset, Type }) => Type === "FIAT_DEPOSIT" && Asset === "USDC")
    assert.deepStrictEqual([boughtLine?.["Value BRL"], boughtLine?.["Source BRL"]], ["541", "paid"])
    const soldLine = movements.find(
      ({ Asset, Role, Type }) => Type === "FIAT_WITHDRAWAL" && Asset === "USDC" && Role === "PRINCIPAL"
    )
    assert.deepStrictEqual([soldLine?.["Value BRL"], soldLine?.["Source BRL"]], [finalOrder.to.amount, "paid"])
    assert.notInclude(
      balances.map(({ symbol }) => symbol),
      "BRL"
    )
  })
})
