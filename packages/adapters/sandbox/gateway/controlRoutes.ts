import { EvmChainId } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import { RelayerMode } from "../across/RelayerSettings.ts"
import { kycStatuses, type SandboxBank } from "../bank/index.ts"
import type { SandboxBridge } from "../bridge/index.ts"
import type { SandboxBook } from "../cow/index.ts"
import type { SandboxNetwork } from "../network/SandboxNetwork.ts"
import { SandboxError } from "../SandboxError.ts"
import type { ProvidedOrder } from "../SandboxService.ts"
import { VaultMode } from "../vaults/VaultMode.ts"

const toLowerCaseText = (value: unknown): unknown => (typeof value === "string" ? value.toLowerCase() : value)

const ClockStep = Schema.Struct({ advanceSeconds: Schema.Int })
const FaucetRequest = Schema.Struct({
  chainId: EvmChainId,
  address: Address,
  token: Schema.Union([Schema.Literal("native"), Address]),
  amount: Schema.String.check(
    Schema.isPattern(/^[1-9]\d{0,77}$/u, { message: "Expected base units as decimal digits" })
  )
})

const Solver = Schema.Struct({
  isSolving: Schema.optionalKey(Schema.Boolean),
  largestPercent: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })))
})

const decodeSolver = Schema.decodeUnknownSync(Solver)
const decodeClockStep = Schema.decodeUnknownSync(ClockStep)
const decodeFaucetRequest = Schema.decodeUnknownSync(FaucetRequest)
const decodeVault = Schema.decodeUnknownSync(VaultMode)
const decodeRelayer = Schema.decodeUnknownSync(RelayerMode)

const status = async (network: SandboxNetwork, { solver }: SandboxBook) => ({
  clockOffsetSeconds: network.clock.offsetSeconds,
  nowSeconds: network.clock.nowSeconds(),
  relayer: network.relayer.mode,
  thorchain: network.thorchain.mode,
  lifi: network.lifi.mode,
  solver: solver.mode,
  chains: await network.status()
})

const BankOrder = Schema.Struct({
  orderId: Schema.String,
  /** In cents of the currency. */
  amount: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))),
  /** Name on the account that pays a deposit. */
  fromName: Schema.optionalKey(Schema.NonEmptyString)
})
const BankCustomer = Schema.Struct({ individualId: Schema.String })
const BankWebhook = Schema.Struct({ url: Schema.NullOr(Schema.String) })
const BankWebhookResend = Schema.Struct({ orderId: Schema.String, copies: Schema.Int })
const decodeBankWebhook = Schema.decodeUnknownSync(BankWebhook)
const decodeWebhookResend = Schema.decodeUnknownSync(BankWebhookResend)
const BankFalseReport = Schema.Struct({ orderId: Schema.String, transactionHash: Schema.NullOr(Schema.String) })
const decodeFalseReport = Schema.decodeUnknownSync(BankFalseReport)
const BankFailures = Schema.Struct({
  count: Schema.Int,
  status: Schema.Int,
  after: Schema.optionalKey(Schema.Int),
  isDone: Schema.optionalKey(Schema.Boolean)
})
const decodeBankOrder = Schema.decodeUnknownSync(BankOrder)
const decodeBankCustomer = Schema.decodeUnknownSync(BankCustomer)
const decodeBankCustomerStatus = Schema.decodeUnknownSync(
  Schema.Struct({ individualId: Schema.String, status: Schema.Literals(kycStatuses) })
)
const decodeBankTakeLater = Schema.decodeUnknownSync(Schema.Struct({ takesLater: Schema.Boolean }))
const decodeBankFailures = Schema.decodeUnknownSync(BankFailures)

const Review = Schema.Struct({
  sessionId: Schema.String,
  decision: Schema.Literals(["approve", "approved", "reject", "rejected"]),
  reason: Schema.optionalKey(Schema.String)
})
const decodeReview = Schema.decodeUnknownSync(Review)

const review = (network: SandboxNetwork, body: unknown): Promise<unknown> => {
  const { decision, reason, sessionId } = decodeReview({
    ...Object(body),
    decision: toLowerCaseText(Object(body).decision)
  })
  if (network.service === null)
    throw new SandboxError({ message: "The sandbox's service has not started yet. Try again shortly." })
  const refusal = decision.startsWith("approve") ? null : (reason ?? "The documents do not prove the identity")
  return network.service.decide({ sessionId, refusal })
}

type Route = (network: SandboxNetwork, body: unknown, book: SandboxBook) => Promise<unknown>

const ledgers = ({ bank, bridge }: SandboxBook) => ({ ledger: bank.ledger, bridge: bridge.ledger })

/**
 * Finds an order at Bridge. Null if Bridge has no such order, for example because it is at BlindPay. Reads the order
 * from the service first, because Bridge stores a withdrawal only under its own id.
 */
const bridgedOrderOrNull = async (
  { service }: SandboxNetwork,
  { bridge }: SandboxBook,
  orderId: string
): Promise<ProvidedOrder | null> => {
  const order = (await service?.fiatOrder(orderId)) ?? null
  return order !== null && bridge.transferOrNull(order.id) !== null ? order : null
}

interface BankAction {
  readonly blindPay: (bank: SandboxBank, body: typeof BankOrder.Type) => Promise<void>
  readonly bridge: (bridge: SandboxBridge, order: ProvidedOrder, body: typeof BankOrder.Type) => Promise<unknown>
}

/** Builds the route of a bank's action on an order. */
const bankActionRoute =
  ({ blindPay, bridge }: BankAction): Route =>
  async (network, body, book) => {
    const order = decodeBankOrder(body)
    const bridgedOrder = await bridgedOrderOrNull(network, book, order.orderId)
    if (bridgedOrder !== null) await bridge(book.bridge, bridgedOrder, order)
    else {
      await blindPay(book.bank, order)
      await book.bank.notify(order.orderId)
    }
    return { ...(await status(network, book)), ...ledgers(book) }
  }

/**
 * Requests with which the command line controls a sandbox in another process. Most of them respond with the sandbox's
 * state after the action.
 */
export const controlRoutes: Readonly<Record<string, Route>> = {
  "GET /status": (network, _body, book) => status(network, book),
  "POST /identity/decide": async (network, body) => review(network, body),
  "POST /clock": async (network, body, book) => {
    await network.advance(decodeClockStep(body).advanceSeconds)
    return status(network, book)
  },
  "POST /fund": async (network, body, book) => {
    const fields = Object(body) as Record<string, unknown>
    const { chainId, address, token, amount } = decodeFaucetRequest({
      ...fields,
      address: toLowerCaseText(fields.address),
      token: toLowerCaseText(fields.token)
    })
    await network.fund(chainId, address, token, BigInt(amount))
    return status(network, book)
  },
  "POST /bitcoin-control": async (network, body, book) => {
    const bitcoin = await network.bitcoin.control(Object(body) as object)
    return { ...(await status(network, book)), bitcoin }
  },
  "POST /solver": (network, body, book) => {
    book.solver.mode = { ...book.solver.mode, ...decodeSolver(body) }
    return status(network, book)
  },
  "POST /relayer": async (network, body, book) => {
    await network.relayer.setMode(decodeRelayer(body))
    return status(network, book)
  },
  "POST /thorchain": async (network, body, book) => {
    await network.thorchain.setMode(decodeVault(body))
    return status(network, book)
  },
  "POST /lifi": async (network, body, book) => {
    await network.lifi.setMode(decodeVault(body))
    return status(network, book)
  },
  "POST /bank/customer": (network, body, book) => {
    const { individualId } = decodeBankCustomer(body)
    book.bank.addCustomer(individualId)
    book.bridge.customers.add(individualId)
    return status(network, book)
  },
  /** Sets the bank's decision about a customer, by the individual's id. */
  "POST /bank/customer-status": async (network, body, book) => {
    const { individualId, status: kycStatus } = decodeBankCustomerStatus(body)
    await book.bank.reviewCustomer(individualId, kycStatus)
    return status(network, book)
  },
  "GET /bank/ledger": async (_network, _body, book) => ledgers(book),
  "POST /bank/pay": bankActionRoute({
    blindPay: (bank, { amount, fromName, orderId }) =>
      bank.pay(orderId, {
        ...(amount === undefined ? {} : { amount: BigInt(amount) }),
        ...(fromName === undefined ? {} : { fromName })
      }),
    bridge: (bridge, { cents, id }, { amount }) => bridge.pay(id, amount === undefined ? cents : BigInt(amount))
  }),
  "POST /bank/return": bankActionRoute({
    blindPay: (bank, { orderId }) => bank.sendBack(orderId),
    bridge: (bridge, { cents, id }) => bridge.sendBack(id, cents)
  }),
  "POST /bank/review": bankActionRoute({
    blindPay: (bank, { orderId }) => bank.review(orderId),
    bridge: (bridge, { id }) => bridge.set(id, "in_review")
  }),
  "POST /bank/close": bankActionRoute({
    blindPay: (bank, { orderId }) => bank.close(orderId),
    bridge: (bridge, { id }) => bridge.set(id, "canceled")
  }),
  "POST /bank/misreport": async (network, body, book) => {
    const { orderId, transactionHash } = decodeFalseReport(body)
    await book.bank.setFalseReport(orderId, transactionHash)
    return status(network, book)
  },
  /** Sets whether later withdrawals wait for `/bank/take`. */
  "POST /bank/take-later": (network, body, book) => {
    book.bank.takesLater = decodeBankTakeLater(body).takesLater
    return status(network, book)
  },
  /** Transfers the tokens of a withdrawal to the bank: later than usual, or again after a reorg. */
  "POST /bank/take": async (network, body, book) => {
    await book.bank.take(decodeBankOrder(body).orderId)
    return status(network, book)
  },
  /**
   * Repeats the bank's transfers that a reorg has removed. `missing` is the number of transfers that could not be
   * repeated yet.
   */
  "POST /bank/resend": async (network, _body, book) => {
    const missingTransferCount = await book.bank.resend()
    return { ...(await status(network, book)), missing: missingTransferCount }
  },
  /** Sets the URL that receives the bank's webhooks. */
  "POST /bank/webhook": (network, body, book) => {
    book.bank.webhook = decodeBankWebhook(body).url
    return status(network, book)
  },
  "POST /bank/tell": async (network, body, book) => {
    const { copies, orderId } = decodeWebhookResend(body)
    await book.bank.notify(orderId, copies)
    return status(network, book)
  },
  "POST /bank/failures": async (network, body, book) => {
    book.bank.failures = { ...decodeBankFailures(body) }
    return { ...(await status(network, book)), ...ledgers(book) }
  },
  "POST /reset": async (network, _body, book) => {
    await network.reset()
    book.book.orders.clear()
    return status(network, book)
  }
}
