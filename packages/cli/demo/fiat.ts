import { Effect } from "effect"
import { requestGateway } from "../src/environment/gatewayClient.ts"
import { balanceOf, type DemoContext, signAll } from "./DemoContext.ts"
import { DemoFailed } from "./DemoFailed.ts"
import { say, showRequest, showResponse, title } from "./narrate.ts"

/** An individual that the sandbox's bank and the project already know. */
const INDIVIDUAL = "individual-1"
const PAID_BRL = "541"
const GIVEN = "50"
const PIX_KEY = "529.982.247-25"
const TIMEOUT_MS = 180_000
const POLL_EVERY_MS = 200

interface BankContext extends DemoContext {
  readonly gatewayUrl: string
}

const orderFields = ({ chainId, wallet }: DemoContext) => ({
  paymentMethod: { type: "PIX" as const },
  chainId,
  walletAddress: wallet,
  individualId: INDIVIDUAL
})

/**
 * Makes the sandbox's bank process the payment of an order. With a real bank, a person pays or receives this payment.
 */
const bank = ({ gatewayUrl }: BankContext, orderId: string) =>
  Effect.runPromise(requestGateway(gatewayUrl, "POST", "/bank/pay", { orderId }))

const orderIn = async ({ client }: DemoContext, id: string, status: string) => {
  const deadline = performance.now() + TIMEOUT_MS
  for (;;) {
    const order = await client.fiat.order(id)
    if (order.status === status) return order
    if (performance.now() > deadline || order.reason !== null)
      throw new DemoFailed({ reason: `The order is ${order.status}: ${order.reason ?? "unknown reason"}` })
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS))
  }
}

/** Converts fiat to USDC in the wallet. */
export const deposit = async (context: BankContext): Promise<void> => {
  title(16, "Fiat deposit")
  const { client, rpcUrl, usdc, wallet } = context
  showRequest("POST /api/v2/fiat/deposit/quote", [
    ["from", `${PAID_BRL} BRL by PIX`],
    ["to", "USDC"]
  ])
  const quote = await client.fiat.quoteDeposit({
    ...orderFields(context),
    from: { currency: "BRL", amount: PAID_BRL },
    to: { currency: "USDC" }
  })
  const order = await client.fiat.deposit({ quoteId: quote.quoteId })
  const { depositInstructions: how } = order
  showResponse("201", [
    ["id", order.id],
    ["to", `${quote.to.amount} USDC`],
    ["brCode", how.type === "PIX" ? how.brCode : how.type]
  ])
  const balanceBefore = await balanceOf(rpcUrl, wallet, usdc)
  await bank(context, order.id)
  const { status } = await orderIn(context, order.id, "COMPLETED")
  say(`${status}: the wallet had ${balanceBefore} USDC and has ${await balanceOf(rpcUrl, wallet, usdc)}.`)
}

/** Converts USDC of the wallet to fiat. */
export const withdrawal = async (context: BankContext): Promise<void> => {
  title(17, "Fiat withdrawal")
  const { client, rpcUrl, usdc, wallet } = context
  const quote = await client.fiat.quoteWithdrawal({
    ...orderFields(context),
    from: { currency: "USDC", amount: GIVEN },
    to: { currency: "BRL" }
  })
  showRequest("POST /api/v2/fiat/withdrawal", [
    ["quoteId", quote.quoteId],
    ["paymentMethod", `PIX to ${PIX_KEY}`]
  ])
  const order = await client.fiat.withdraw({
    quoteId: quote.quoteId,
    paymentMethod: { type: "PIX", pixKey: PIX_KEY }
  })
  showResponse("201", [
    ["id", order.id],
    ["to", `${order.to.amount} BRL`],
    ["signData", `${order.signData.length} to sign`]
  ])
  const balanceBefore = await balanceOf(rpcUrl, wallet, usdc)
  const signatures = await signAll(context, order)
  await client.execute({ quoteId: order.withdrawalInstructions.userOperationHash, signatures })
  await orderIn(context, order.id, "PROCESSING")
  await bank(context, order.id)
  const { status, to } = await orderIn(context, order.id, "COMPLETED")
  say(
    `${status}: the bank paid ${to.amount} BRL; the wallet had ${balanceBefore} USDC and has ${await balanceOf(rpcUrl, wallet, usdc)}.`
  )
}
