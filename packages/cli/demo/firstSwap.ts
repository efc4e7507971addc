import type { SignData, SwapQuote, Transaction } from "@countersign/http/client"
import { table } from "../src/output/table.ts"
import {
  balanceOf,
  type DemoContext,
  gasIn,
  type HeldToken,
  metadata,
  requireExecutable,
  settledTransaction,
  showCalls,
  signAll
} from "./DemoContext.ts"
import { DemoFailed } from "./DemoFailed.ts"
import { say, shorten, show, showRequest, showResponse, title } from "./narrate.ts"

const AMOUNT_IN = "100"

const requestQuote = async (context: DemoContext): Promise<SwapQuote> => {
  title(3, "Request a quote")
  const { chainId, usdc, wallet, weth } = context
  showRequest("POST /api/v1/crypto/swap", [
    ["walletAddress", wallet],
    ["tokenIn", `${usdc.address} (USDC)`],
    ["tokenOut", `${weth} (WETH)`],
    ["amountIn", AMOUNT_IN],
    ["payGasFeeToken", `${usdc.address} (USDC)`],
    ["gasFeePaymentMethod", gasIn(context).gasFeePaymentMethod]
  ])
  const quote = await context.client.swap.quote({
    walletAddress: wallet,
    toAddress: wallet,
    chainIdIn: chainId,
    chainIdOut: chainId,
    tokenIn: usdc.address,
    tokenOut: weth,
    amountIn: AMOUNT_IN,
    ...gasIn(context),
    metadata
  })
  showResponse("200", [
    ["amountOut", `${quote.amountOut} WETH, at least ${quote.minAmountOut}`],
    ["swapProvider", quote.swapProvider],
    ["gas", `about ${quote.estimatedGasFees.gasFeeTokenAmount} USDC, at most ${quote.estimatedGasFees.maxGasFeeToken}`],
    ["expiresAt", new Date(quote.expiresAt * 1_000).toISOString()],
    ["quoteId", quote.quoteId]
  ])
  return quote
}

const fieldsOf = (record: object) =>
  Object.entries(record).map(
    ([name, value]) => [name, shorten(typeof value === "string" ? value : JSON.stringify(value))] as const
  )

const showElement = (element: SignData): void => {
  say("")
  say("Sign this for the whole operation:")
  show([
    ["type", element.type],
    ["method", element.method],
    ["hash", element.hash]
  ])
  if (element.method !== "eth_signTypedData_v4") return
  const { domain, message, primaryType } = element.typedData
  say("")
  say("The hash is the digest of this typed data, as any wallet shows and computes it. Its domain:")
  show(fieldsOf(domain))
  say(`Its message, a ${primaryType}:`)
  show(fieldsOf(message))
}

const sign = async (context: DemoContext, quote: SwapQuote) => {
  title(4, "Check the data to sign")
  requireExecutable(quote)
  showCalls(quote)
  // If the quote has two operations, the first one only approves the gas token, and the last one is the swap.
  const operation = quote.signData.findLast(({ type }) => type === "USER_OPERATION")
  if (operation !== undefined) showElement(operation)

  title(5, "Sign it, with the owner's key and outside the service")
  const signatures = await signAll(context, quote)
  show([["signer", context.owner.address], ...fieldsOf(signatures)])
  return signatures
}

const execute = async (
  context: DemoContext,
  { quoteId }: SwapQuote,
  signatures: Record<`0x${string}`, `0x${string}`>
) => {
  title(6, "Execute")
  say("The service checks the signature, simulates again, and sends the operation to the chain.")
  showRequest("POST /api/v1/crypto/execute", [
    ["quoteId", quoteId],
    ["signatures", "the owner's signatures by element hash, as above"]
  ])
  const execution = await context.client.execute({ quoteId, signatures })
  showResponse("200", [
    ["transactionId", execution.transactionId],
    ["estimatedExecutionTime", execution.estimatedExecutionTime]
  ])

  title(7, "Wait for its block")
  say(
    "The history lists the operation immediately after it is sent. Its status PROCESSING changes to COMPLETED or FAILED."
  )
  return settledTransaction(context, execution.transactionId)
}

const amountText = (side: Transaction["sentAmount"]): string =>
  side === null ? "-" : `${side.amount} ${side.token?.symbol ?? ""}`

const showHistory = (transaction: Transaction): void => {
  title(8, "Read it in the history")
  showRequest("GET /api/v1/wallets/{walletAddress}/history")
  showResponse("200", [
    ["id", transaction.id],
    ["type", transaction.type],
    ["status", transaction.status],
    ["sentAmount", amountText(transaction.sentAmount)],
    ["receivedAmount", amountText(transaction.receivedAmount)],
    ["transactionHash", transaction.transactionHash?.hash ?? "-"]
  ])
}

/** Executes a swap and prints every step. Returns the price of one WETH in USDC. */
export const firstSwap = async (context: DemoContext): Promise<number> => {
  const { rpcUrl, usdc, wallet, weth } = context
  const tokens: ReadonlyArray<HeldToken> = [
    usdc,
    { symbol: "WETH", decimals: 18, address: weth },
    { symbol: "ETH", decimals: 18, address: null }
  ]
  const balances = () => Promise.all(tokens.map((token) => balanceOf(rpcUrl, wallet, token)))

  const balanceBefore = await balances()
  const quote = await requestQuote(context)
  const transaction = await execute(context, quote, await sign(context, quote))
  showHistory(transaction)

  title(9, "Compare the balances on the chain")
  const balanceAfter = await balances()
  const rows = tokens.map(({ symbol }, i) => [symbol, balanceBefore[i] ?? null, balanceAfter[i] ?? null])
  for (const line of table(["TOKEN", "BEFORE", "AFTER"], rows).split("\n")) say(`  ${line}`)
  const receivedAmount = transaction.receivedAmount?.amount
  if (receivedAmount !== quote.amountOut)
    throw new DemoFailed({
      reason: `The quote stated ${quote.amountOut} WETH, and the wallet received ${receivedAmount}.`
    })
  say("")
  say(
    `${transaction.status}: the quote stated ${quote.amountOut} WETH, and the wallet received ${receivedAmount} WETH.`
  )
  return Number(quote.amountIn) / Number(quote.amountOut)
}
