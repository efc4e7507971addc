import { randomBytes } from "node:crypto"
import { encodeFunctionData, erc20Abi, toHex } from "viem"
import { waitUntil } from "../../../core/test/support/until.ts"
import { NATIVE, positionOf, swapOf, USDC, WETH } from "../support/accounts.ts"
import type { BitcoinOwner } from "../support/bitcoinOwner.ts"
import { type Actor, type Body, gasInUsdc, type Month, WBTC } from "./Month.ts"

/** The operations of a month. Each runs from the quote to its end. */

const DAI = "0x6b175474e89094c44da98b954eedeac495271d0f"
const BASE = 8453
export const USDC_ON_BASE = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
const ORDERS_PATH = "/api/v1/crypto/limit-orders"

const randomAddress = (): string => `0x${randomBytes(20).toString("hex")}`

type Operation = (month: Month, actor: Actor) => Promise<unknown>

type Choices<A> = readonly [A, ...ReadonlyArray<A>]

const trades: Choices<readonly [tokenIn: string, tokenOut: string, amountIn: string]> = [
  [USDC, WETH, "120"],
  [WETH, USDC, "0.03"],
  [USDC, DAI, "75.5"],
  [NATIVE, USDC, "0.05"],
  [USDC, NATIVE, "60"]
]

const swap: Operation = (month, { wallet }) => {
  const [tokenIn, tokenOut, amountIn] = month.random.pick(trades)
  return month.done(
    wallet,
    "/api/v1/crypto/swap",
    swapOf(wallet, { tokenIn, tokenOut, amountIn, slippage: 5, transactionFeePercent: month.random.pick([0, 0.5]) }),
    ({ quotes }) => quotes[0]
  )
}

const transferAmounts: Choices<readonly [token: string, amount: string]> = [
  [USDC, "12.25"],
  [WETH, "0.004"],
  [NATIVE, "0.01"]
]

const transfer: Operation = (month, { wallet }) => {
  const [token, amount] = month.random.pick(transferAmounts)
  const otherAddresses = month.actors
    .map((other) => other.wallet.address)
    .filter((address) => address !== wallet.address)
  const toAddress = month.random.pick([randomAddress(), ...otherAddresses])
  return month.done(
    wallet,
    "/api/v1/crypto/transfer",
    { chainId: 1, token, amount, toAddress, ...gasInUsdc },
    (body) => body.transfer
  )
}

const batch: Operation = (month, { wallet }) =>
  month.done(wallet, "/api/v1/crypto/batch-operations", {
    chainId: 1,
    operations: [
      { type: "transfer", params: { token: USDC, amount: "9", toAddress: randomAddress(), ...gasInUsdc } },
      { type: "swap", params: { tokenIn: USDC, tokenOut: WETH, amountIn: "40", slippage: 5, ...gasInUsdc } }
    ]
  })

/** Opens a loan, or repays the open one. */
const makeLendingOperation =
  (provider: string, collateral: string): Operation =>
  async (month, { loans, wallet }) => {
    const legOf = (tokenAddress: string, amount: string) => ({ chainId: 1, tokenAddress, amount })
    const lend = (legs: object) =>
      month.done(wallet, "/api/v1/lending/quote", {
        provider,
        gas: { tokenAddress: USDC, paymentMethod: "ADD_TO_AMOUNT" },
        ...legs
      })
    if (loans.delete(provider)) return lend({ repay: legOf(USDC, "MAX"), withdraw: legOf(collateral, "MAX") })
    await lend({ supply: legOf(collateral, "0.5"), borrow: legOf(USDC, "200") })
    loans.set(provider, collateral)
  }

/** Opens a position, adds to it, or withdraws from it. */
const changeLiquidity: Operation = async (month, actor) => {
  const { wallet } = actor
  if (actor.position === null) {
    const creationTransaction = await month.done(
      wallet,
      "/api/v1/liquidity",
      positionOf(wallet, { amountIn: "700" }),
      operationOf
    )
    actor.position = creationTransaction.liquidity.tokenId
    return
  }
  if (month.random.fraction() < 0.5) {
    const additionFields = {
      chainId: 1,
      tokenId: actor.position,
      tokenIn: USDC,
      amountIn: "90",
      minPrice: 2_500,
      maxPrice: 3_600
    }
    return month.done(wallet, "/api/v1/liquidity/add", { ...additionFields, ...gasInUsdc }, operationOf)
  }
  const withdrawalFields = {
    chainId: 1,
    tokenId: actor.position,
    tokenOut: USDC,
    percentage: 100,
    toAddress: wallet.address
  }
  await month.done(wallet, "/api/v1/liquidity/withdraw", { ...withdrawalFields, payGasFeeToken: USDC }, operationOf)
  actor.position = null
}

const operationOf = ({ operation }: Body): Body => operation

const quoteOrder =
  (changes: object) =>
  (month: Month, { wallet }: Actor) =>
    month.request(
      "POST",
      "/api/v1/crypto/swap",
      swapOf(wallet, { minAmountOut: "0.01", expiration: 86_400, ...changes })
    )

const placeOrder = async (month: Month, actor: Actor, changes: object): Promise<string> => {
  const { quotes } = await quoteOrder(changes)(month, actor)
  return month.execute(actor.wallet, quotes[0])
}

const fillOrder: Operation = async (month, actor) => month.ended(await placeOrder(month, actor, {}))

const cancelOrder: Operation = async (month, actor) => {
  const id = await placeOrder(month, actor, { minAmountOut: "1" })
  await month.once(id, ({ substatus }) => substatus === "OPEN")
  const preparedCancellation = await month.request("POST", `${ORDERS_PATH}/${id}/cancel`, {})
  if (preparedCancellation.requiresExecution) await month.ended(await month.execute(actor.wallet, preparedCancellation))
  else {
    const signature = await month.service.sign(actor.wallet.privateKey, preparedCancellation.signData[0])
    await month.request("POST", `${ORDERS_PATH}/${id}/cancel`, { signature })
  }
  month.later.push(id)
}

/** Places an order that expires after two minutes, because no solver fills it. */
export const placeExpiringOrder: Operation = async (month, actor) =>
  void month.later.push(await placeOrder(month, actor, { minAmountOut: "1", expiration: 120 }))

export const swapToOtherChain: Operation = async (month, { wallet }) => {
  const request = swapOf(wallet, { chainIdOut: BASE, tokenOut: USDC_ON_BASE, amountIn: "55", slippage: 5 })
  const { quotes } = await month.request("POST", "/api/v1/crypto/swap", request)
  month.later.push(await month.execute(wallet, quotes[0]))
}

const PIX = { type: "PIX", pixKey: "529.982.247-25" }

const createFiatOrder = async (month: Month, { individualId, wallet }: Actor, kind: "deposit" | "withdrawal") => {
  const isDeposit = kind === "deposit"
  const { quoteId } = await month.request("POST", `/api/v2/fiat/${kind}/quote`, {
    paymentMethod: { type: "PIX" },
    from: isDeposit ? { currency: "BRL", amount: "541.00" } : { currency: "USDC", amount: "100" },
    to: { currency: isDeposit ? "USDC" : "BRL" },
    chainId: 1,
    walletAddress: wallet.address,
    individualId
  })
  return month.request("POST", `/api/v2/fiat/${kind}`, { quoteId, ...(isDeposit ? {} : { paymentMethod: PIX }) })
}

const waitForOrder = (month: Month, { id }: Body, status: string) =>
  waitUntil(
    async () => (await month.request("GET", `/api/v2/fiat/orders/${id}`)).order,
    (order) => order.status === status
  )

const depositFiat: Operation = async (month, actor) => {
  const order = await createFiatOrder(month, actor, "deposit")
  await month.control("bank/pay", { orderId: order.id })
  await waitForOrder(month, order, "COMPLETED")
}

/** Creates a withdrawal that the bank pays out or returns. */
const makeFiatWithdrawal =
  (action: "pay" | "return", status: string): Operation =>
  async (month, actor) => {
    const order = await createFiatOrder(month, actor, "withdrawal")
    await month.execute(actor.wallet, { ...order, quoteId: order.withdrawalInstructions.userOperationHash })
    await waitForOrder(month, order, "PROCESSING")
    await month.control(`bank/${action}`, { orderId: order.id })
    await waitForOrder(month, order, status)
  }

/** Pays the wallet from an unregistered address. */
const depositExternally: Operation = (month, { wallet }) =>
  month.undisturbed(() => payFromExternalWallet(month, wallet.address))

const payFromExternalWallet = async (month: Month, receiver: string): Promise<void> => {
  const payer = randomAddress()
  await month.service.fund(payer, "native", 10n ** 18n)
  await month.service.fund(payer, USDC, 10n ** 9n)
  await month.chain("anvil_impersonateAccount", payer)
  const args = [receiver as `0x${string}`, BigInt(1_000_000 + month.random.below(5_000_000))] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args })
  const sentAsset = month.random.pick([
    { to: USDC, data },
    { to: receiver, value: toHex(10n ** 16n) }
  ])
  await month.chain("eth_sendTransactionSync", { from: payer, gas: toHex(300_000), ...sentAsset })
}

/** All operations with their frequency in percent. */
export const operations: ReadonlyArray<readonly [name: string, share: number, operation: Operation]> = [
  ["swap", 20, swap],
  ["transfer", 15, transfer],
  ["batch", 6, batch],
  ["external deposit", 10, depositExternally],
  ["loan at Aave", 10, makeLendingOperation("LENDING_PROVIDER_A", WETH)],
  ["loan at Morpho", 8, makeLendingOperation("LENDING_PROVIDER_B", WBTC)],
  ["position", 9, changeLiquidity],
  ["filled order", 5, fillOrder],
  ["cancelled order", 3, cancelOrder],
  ["crossing", 5, swapToOtherChain],
  ["fiat deposit", 4, depositFiat],
  ["fiat withdrawal", 3, makeFiatWithdrawal("pay", "COMPLETED")],
  ["returned withdrawal", 2, makeFiatWithdrawal("return", "RETURNED")]
]

const NATIVE_TOKEN = NATIVE
const RECEIVER = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"

/** Creates a Bitcoin payment. Some payments are replaced by a fee bump, and some are cancelled. */
export const payBitcoin = async (month: Month, payer: BitcoinOwner): Promise<string> => {
  const request = {
    walletAddress: payer.address,
    chainId: 0,
    token: NATIVE_TOKEN,
    amount: `0.00${1 + month.random.below(8)}`,
    toAddress: RECEIVER,
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    payGasFeeToken: NATIVE_TOKEN,
    spendUnconfirmedChange: true,
    feeRate: 3
  }
  const { transfer: quote } = await month.request("POST", "/api/v1/crypto/transfer", request)
  const id = await month.publish(payer, quote)
  const action = month.random.pick(["pay", "pay", "bump", "cancel"] as const)
  if (action !== "pay") {
    const { transfer: replacement } = await month.request("POST", `/api/v1/crypto/bitcoin/${id}/${action}`, {
      feeRate: 9
    })
    await month.publish(payer, replacement)
  }
  await month.bitcoin.control({ mine: 1 })
  return `Bitcoin ${action}`
}
