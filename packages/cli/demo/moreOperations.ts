import type { LendingRequest } from "@countersign/http/client"
import { drawRange } from "../src/output/drawnRange.ts"
import { healthBar, healthText } from "../src/output/healthBar.ts"
import { balanceOf, type DemoContext, finish, gasIn, metadata } from "./DemoContext.ts"
import { DemoFailed } from "./DemoFailed.ts"
import { say, showRequest, title } from "./narrate.ts"

const SWAP_AMOUNT = "100"
const TRANSFER_AMOUNT = "25"
const DEPOSIT = "200"
/** The lower and the upper end of the range, relative to the price. */
const BELOW = 0.8
const ABOVE = 1.25
const SUPPLY = "200"
const LOAN = "0.03"

/**
 * Returns a recipient whose address differs from the wallet's in the last byte. The wallet is new in each run, so the
 * recipient has no earlier balance.
 */
const newAddress = (wallet: string, nth: number): string =>
  wallet.slice(0, -2) + (Number.parseInt(wallet.slice(-2), 16) ^ nth).toString(16).padStart(2, "0")

export const transfer = async (context: DemoContext): Promise<void> => {
  title(10, "Transfer to another address")
  const { chainId, client, rpcUrl, usdc, wallet } = context
  const recipient = newAddress(wallet, 1)
  showRequest("POST /api/v1/crypto/transfer", [
    ["toAddress", recipient],
    ["amount", `${TRANSFER_AMOUNT} USDC`]
  ])
  const balanceBefore = await balanceOf(rpcUrl, recipient, usdc)
  const quote = await client.transfer.quote({
    walletAddress: wallet,
    chainId,
    toAddress: recipient,
    token: usdc.address,
    amount: TRANSFER_AMOUNT,
    ...gasIn(context),
    metadata
  })
  const { status } = await finish(context, quote)
  say(`${status}: the recipient had ${balanceBefore} USDC and has ${await balanceOf(rpcUrl, recipient, usdc)}.`)
}

export const batch = async (context: DemoContext): Promise<void> => {
  title(11, "Batch several operations")
  say("A swap and two transfers in one operation: all of them are executed, or none. Gas is paid once.")
  const { chainId, client, rpcUrl, usdc, wallet, weth } = context
  const gas = gasIn(context)
  const recipients = [newAddress(wallet, 2), newAddress(wallet, 3)]
  const swap = { tokenIn: usdc.address, tokenOut: weth, amountIn: SWAP_AMOUNT, toAddress: wallet, ...gas }
  const operations = [
    { type: "swap" as const, params: swap },
    ...recipients.map((toAddress) => ({
      type: "transfer" as const,
      params: { token: usdc.address, amount: TRANSFER_AMOUNT, toAddress, ...gas }
    }))
  ]
  showRequest(
    "POST /api/v1/crypto/batch-operations",
    operations.map(({ params, type }, i) => [`operations[${i}]`, `${type} to ${params.toAddress}`])
  )
  const { status } = await finish(
    context,
    await client.batch.quote({ walletAddress: wallet, chainId, operations, metadata })
  )
  const balances = await Promise.all(recipients.map((recipient) => balanceOf(rpcUrl, recipient, usdc)))
  say(`${status}: the recipients have ${balances.join(" and ")} USDC.`)
}

const createPosition = async (context: DemoContext, price: number): Promise<string> => {
  const { chainId, client, usdc, wallet, weth } = context
  const [minPrice, maxPrice] = [Math.floor(price * BELOW), Math.ceil(price * ABOVE)]
  title(12, "Open a liquidity position with USDC")
  say("A position of Uniswap V3 needs WETH and USDC. The wallet pays USDC: the same operation swaps a part of it.")
  showRequest("POST /api/v1/liquidity", [
    ["tokenIn", `${DEPOSIT} USDC`],
    ["poolFeePercent", "0.3"],
    ["minPrice, maxPrice", `${minPrice}, ${maxPrice} USDC for 1 WETH`]
  ])
  const quote = await client.liquidity.create({
    walletAddress: wallet,
    toAddress: wallet,
    chainId,
    tokenIn: usdc.address,
    amountIn: DEPOSIT,
    token0: weth,
    token1: usdc.address,
    poolFeePercent: 0.3,
    minPrice,
    maxPrice,
    ...gasIn(context),
    metadata
  })
  const { liquidity, status } = await finish(context, quote)
  const tokenId = liquidity?.tokenId
  if (tokenId == null) throw new DemoFailed({ reason: "The history has no token id of the position." })
  say(`${status}: position ${tokenId} holds ${quote.amount0} WETH and ${quote.amount1} USDC.`)
  const position = await client.liquidity.position(chainId, tokenId)
  say(`  ${drawRange({ ...position.range, tick: position.currentTick })}`)
  return tokenId
}

/** Opens a position and withdraws it. The price is in USDC per WETH. */
export const liquidity = async (context: DemoContext, price: number): Promise<void> => {
  const { chainId, client, usdc, wallet } = context
  const tokenId = await createPosition(context, price)
  title(13, "Withdraw the position as USDC")
  showRequest("POST /api/v1/liquidity/withdraw", [
    ["tokenId", tokenId],
    ["percentage", "100"],
    ["tokenOut", "USDC"]
  ])
  const quote = await client.liquidity.withdraw({
    walletAddress: wallet,
    toAddress: wallet,
    chainId,
    tokenId,
    percentage: 100,
    tokenOut: usdc.address,
    payGasFeeToken: usdc.address,
    metadata
  })
  const { receivedAmount, status } = await finish(context, quote)
  say(`${status}: the quote stated ${quote.amountOut} USDC, and the wallet received ${receivedAmount?.amount} USDC.`)
}

const lend = async (context: DemoContext, legs: Partial<LendingRequest>): Promise<string> => {
  const { client, usdc, wallet } = context
  const quote = await client.lending.quote({
    walletAddress: wallet,
    provider: "LENDING_PROVIDER_A",
    gas: { paymentMethod: "ADD_TO_AMOUNT", tokenAddress: usdc.address },
    metadata,
    ...legs
  })
  const { after, before } = quote.healthFactor
  say(`Health before  ${healthBar(before)} ${healthText(before)}`)
  say(`Health after   ${healthBar(after)} ${healthText(after)}`)
  return (await finish(context, quote)).status
}

/** Borrows WETH against USDC, and repays the loan. */
export const loan = async (context: DemoContext): Promise<void> => {
  const { chainId, usdc, weth } = context
  const leg = (tokenAddress: string, amount: string) => ({ chainId, tokenAddress, amount })
  title(14, "Borrow against dollars")
  say("Supplying and borrowing is one operation. Below a health factor of 1 others may liquidate the collateral.")
  showRequest("POST /api/v1/lending/quote", [
    ["provider", "LENDING_PROVIDER_A (Aave V3)"],
    ["supply", `${SUPPLY} USDC`],
    ["borrow", `${LOAN} WETH`]
  ])
  const borrowStatus = await lend(context, { supply: leg(usdc.address, SUPPLY), borrow: leg(weth, LOAN) })
  say(`${borrowStatus}: the wallet has borrowed ${LOAN} WETH.`)

  title(15, "Repay the whole debt, including interest")
  showRequest("POST /api/v1/lending/quote", [
    ["repay", "MAX WETH"],
    ["withdraw", "MAX USDC"]
  ])
  const endedTransaction = await lend(context, { repay: leg(weth, "MAX"), withdraw: leg(usdc.address, "MAX") })
  say(`${endedTransaction}: the debt is repaid, and the whole supply is withdrawn.`)
}
