import type { SandboxFile } from "@countersign/adapters/home"
import { Effect } from "effect"
import { Execution, Prepared, Transfer } from "./answers.ts"
import { balances, type HeldToken } from "./balances.ts"
import type { Client } from "./client.ts"
import { say, showRequest, title } from "./narrate.ts"
import { settledTransaction } from "./settling.ts"
import { requireExecutable, showCalls, signAll } from "./signing.ts"

const SWAP_AMOUNT = "100"
const TRANSFER_AMOUNT = "25"

/** The client, owner, wallet and chain of the demo. */
export interface DemoContext {
  readonly client: Client
  readonly owner: SandboxFile["owners"][number]
  readonly wallet: string
  readonly chainId: number
  readonly rpcUrl: string
  readonly usdc: HeldToken & { readonly address: string }
}

/** New recipients for this demo run: their balances show only its payments. They differ from the wallet in one byte. */
const newAddress = (wallet: string, nth: number) =>
  wallet.slice(0, -2) + (Number.parseInt(wallet.slice(-2), 16) ^ nth).toString(16).padStart(2, "0")

/** Signs, executes and waits, as the first operation did it step by step. */
export const finish = Effect.fnUntraced(function* (context: DemoContext, quote: Prepared) {
  const { client, owner } = context
  yield* requireExecutable(quote)
  yield* showCalls(quote)
  const body = { quoteId: quote.quoteId, signatures: yield* signAll(owner, quote) }
  const { transactionId } = yield* client.post("/api/v1/crypto/execute", Execution, body)
  return yield* settledTransaction(client, transactionId)
})

export const transfer = Effect.fnUntraced(function* (context: DemoContext) {
  yield* title(10, "Transfer to somebody else")
  const recipient = newAddress(context.wallet, 1)
  const { chainId, client, rpcUrl, usdc, wallet } = context
  const body = {
    walletAddress: wallet,
    chainId,
    toAddress: recipient,
    token: usdc.address,
    amount: TRANSFER_AMOUNT,
    payGasFeeToken: usdc.address,
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    metadata: { made: "by the demo" }
  }
  yield* showRequest("POST /api/v1/crypto/transfer", [
    ["toAddress", recipient],
    ["amount", `${TRANSFER_AMOUNT} USDC`]
  ])
  const before = yield* balances(rpcUrl, recipient, [usdc])
  const { transfer: quote } = yield* client.post("/api/v1/crypto/transfer", Transfer, body)
  const { status } = yield* finish(context, quote)
  const after = yield* balances(rpcUrl, recipient, [usdc])
  yield* say(`${status}: the recipient had ${before[0]} USDC and has ${after[0]}.`)
})

export const batch = Effect.fnUntraced(function* (context: DemoContext, weth: string) {
  yield* title(11, "Do several things at once")
  const recipients = [newAddress(context.wallet, 2), newAddress(context.wallet, 3)]
  yield* say("A swap and two transfers, in one operation: all of them happen, or none. Gas is paid once.")
  const { chainId, client, rpcUrl, usdc, wallet } = context
  const gas = { payGasFeeToken: usdc.address, gasFeePaymentMethod: "ADD_TO_AMOUNT" }
  const swap = {
    type: "swap",
    params: { tokenIn: usdc.address, tokenOut: weth, amountIn: SWAP_AMOUNT, toAddress: wallet, ...gas }
  }
  const transfers = recipients.map((toAddress) => ({
    type: "transfer",
    params: { token: usdc.address, amount: TRANSFER_AMOUNT, toAddress, ...gas }
  }))
  const operations = [swap, ...transfers]
  yield* showRequest(
    "POST /api/v1/crypto/batch-operations",
    operations.map(({ params, type }, i) => [`operations[${i}]`, `${type} to ${params.toAddress}`])
  )
  const body = { walletAddress: wallet, chainId, operations, metadata: { made: "by the demo" } }
  const quote = yield* client.post("/api/v1/crypto/batch-operations", Prepared, body)
  const { status } = yield* finish(context, quote)
  const recipientBalances = yield* Effect.forEach(recipients, (recipient) => balances(rpcUrl, recipient, [usdc]))
  yield* say(`${status}: the recipients have ${recipientBalances.flat().join(" and ")} USDC.`)
})
