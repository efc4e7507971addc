import { Effect } from "effect"
import { drawnRange } from "../output/drawnRange.ts"
import { healthBar, healthText } from "../output/healthBar.ts"
import { Loan, NewPosition, Position, Withdrawal } from "./answers.ts"
import { DemoFailed } from "./DemoFailed.ts"
import { say, showRequest, title } from "./narrate.ts"
import { type DemoContext, finish } from "./transferAndBatch.ts"

const DEPOSIT = "200"
/** How far the range reaches below the price and above it. */
const BELOW = 0.8
const ABOVE = 1.25
const SUPPLY = "200"
const LOAN = "0.03"

const inPool = ({ chainId, usdc, wallet }: DemoContext) => ({
  walletAddress: wallet,
  toAddress: wallet,
  chainId,
  payGasFeeToken: usdc.address,
  metadata: { made: "by the demo" }
})

const createPosition = Effect.fnUntraced(function* (context: DemoContext, weth: string, price: number) {
  const [minPrice, maxPrice] = [Math.floor(price * BELOW), Math.ceil(price * ABOVE)]
  yield* title(12, "Put dollars into a pool, and into both its tokens at once")
  yield* say(
    "A position of Uniswap V3 needs WETH and USDC. The wallet gives USDC: one signature swaps what is needed of it."
  )
  yield* showRequest("POST /api/v1/liquidity", [
    ["tokenIn", `${DEPOSIT} USDC`],
    ["poolFeePercent", "0.3"],
    ["minPrice, maxPrice", `${minPrice}, ${maxPrice} USDC for 1 WETH`]
  ])
  const { operation } = yield* context.client.post("/api/v1/liquidity", NewPosition, {
    ...inPool(context),
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    tokenIn: context.usdc.address,
    amountIn: DEPOSIT,
    token0: weth,
    token1: context.usdc.address,
    poolFeePercent: 0.3,
    minPrice,
    maxPrice
  })
  const { liquidity, status } = yield* finish(context, operation)
  const tokenId = liquidity?.tokenId
  if (tokenId == null) return yield* new DemoFailed({ reason: "The history does not tell the position's number." })
  yield* say(`${status}: position ${tokenId} holds ${operation.amount0} WETH and ${operation.amount1} USDC.`)
  const { position } = yield* context.client.get(`/api/v1/liquidity/positions/${context.chainId}/${tokenId}`, Position)
  yield* say(`  ${drawnRange({ ...position.range, tick: position.currentTick })}`)
  return tokenId
})

const withdraw = Effect.fnUntraced(function* (context: DemoContext, tokenId: string) {
  yield* title(13, "Take it out again, as dollars")
  yield* showRequest("POST /api/v1/liquidity/withdraw", [
    ["tokenId", tokenId],
    ["percentage", "100"],
    ["tokenOut", "USDC"]
  ])
  const { operation } = yield* context.client.post("/api/v1/liquidity/withdraw", Withdrawal, {
    ...inPool(context),
    tokenId,
    percentage: 100,
    tokenOut: context.usdc.address
  })
  const { receivedAmount, status } = yield* finish(context, operation)
  yield* say(`${status}: the quote said ${operation.amountOut} USDC, and ${receivedAmount?.amount} USDC came.`)
})

/** A position from its beginning to its end. The price is in dollars, for one WETH. */
export const liquidity = Effect.fnUntraced(function* (context: DemoContext, weth: string, price: number) {
  yield* withdraw(context, yield* createPosition(context, weth, price))
})

const lend = Effect.fnUntraced(function* (context: DemoContext, legs: object) {
  const { usdc, wallet } = context
  const quote = yield* context.client.post("/api/v1/lending/quote", Loan, {
    walletAddress: wallet,
    provider: "LENDING_PROVIDER_A",
    gas: { paymentMethod: "ADD_TO_AMOUNT", tokenAddress: usdc.address },
    metadata: { made: "by the demo" },
    ...legs
  })
  const { after, before } = quote.healthFactor
  yield* say(`Health before  ${healthBar(before)} ${healthText(before)}`)
  yield* say(`Health after   ${healthBar(after)} ${healthText(after)}`)
  return (yield* finish(context, quote)).status
})

/** A loan against dollars, and its end. */
export const loan = Effect.fnUntraced(function* (context: DemoContext, weth: string) {
  const { chainId, usdc } = context
  const leg = (tokenAddress: string, amount: string) => ({ chainId, tokenAddress, amount })
  yield* title(14, "Borrow against dollars")
  yield* say("Supplying and borrowing is one operation. Below a health of 1 others may sell what secures the loan.")
  yield* showRequest("POST /api/v1/lending/quote", [
    ["provider", "LENDING_PROVIDER_A (Aave V3)"],
    ["supply", `${SUPPLY} USDC`],
    ["borrow", `${LOAN} WETH`]
  ])
  const begun = yield* lend(context, { supply: leg(usdc.address, SUPPLY), borrow: leg(weth, LOAN) })
  yield* say(`${begun}: the wallet has ${LOAN} WETH more, and owes them.`)

  yield* title(15, "Pay everything back, to the last unit of interest")
  yield* showRequest("POST /api/v1/lending/quote", [
    ["repay", "MAX WETH"],
    ["withdraw", "MAX USDC"]
  ])
  const ended = yield* lend(context, { repay: leg(weth, "MAX"), withdraw: leg(usdc.address, "MAX") })
  yield* say(`${ended}: nothing is owed, and nothing is left behind.`)
})
