import { type DepositInstructionsBody, fiatOrderBody } from "@countersign/adapters/api/wire"
import { BankDestination, FiatDirection, FiatMethod, type FiatOrderState, FiatOrders } from "@countersign/core/fiat"
import { DecimalString } from "@countersign/core/foundation/primitives"
import { IndividualId } from "@countersign/core/identity"
import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { callEndpoint } from "../environment/ask.ts"
import { withServices } from "../environment/connect.ts"
import { CommandRefused } from "../environment/errors.ts"
import { projectFlag, resolveProject } from "../environment/project.ts"
import { walletFlag } from "../input/address.ts"
import { asFlags } from "../input/asFlags.ts"
import { chainFlag } from "../input/chain.ts"
import { readAs } from "../input/readAs.ts"
import { jsonFlag, print } from "../output/print.ts"
import { printResponse } from "../output/printResponse.ts"
import { card, tableOrHint } from "../output/table.ts"

const quoteFlags = {
  "paymentMethod.type": "--method",
  "from.amount": "--amount",
  "from.currency": "--from",
  "to.currency": "--to",
  walletAddress: "--wallet",
  individualId: "--individual",
  chainId: "--chain"
}

const commonFlags = { project: projectFlag, json: jsonFlag }

const individual = Flag.String("individual").pipe(
  Flag.withDescription("Id of the verified individual"),
  readAs(IndividualId)
)

const toLowerCaseList = <const Words extends ReadonlyArray<string>>(words: Words) =>
  words.map((word) => word.toLowerCase())

/** Formats the payment instructions of a deposit as one line. */
const instructionsText = (instructions: typeof DepositInstructionsBody.Type): string => {
  switch (instructions.type) {
    case "PIX":
      return instructions.brCode
    case "SPEI":
      return instructions.clabe
    case "TRANSFERS":
      return instructions.account
    default:
      return `${instructions.accountNumber} at ${instructions.routingNumber}`
  }
}

const quote = Command.make(
  "quote",
  {
    direction: Argument.Literals("direction", toLowerCaseList(FiatDirection.literals)),
    method: Flag.Literals("method", FiatMethod.literals).pipe(Flag.withDescription("Payment method")),
    amount: Flag.String("amount").pipe(
      Flag.withDescription("Amount to pay, in units of the currency or stablecoin"),
      readAs(DecimalString)
    ),
    from: Flag.String("from").pipe(Flag.withDescription("Currency or stablecoin to pay, such as BRL")),
    to: Flag.String("to").pipe(Flag.withDescription("Stablecoin or currency to receive, such as USDC")),
    wallet: walletFlag("wallet").pipe(Flag.withDescription("Address of the registered smart wallet")),
    individual,
    chain: chainFlag,
    ...commonFlags
  },
  (input) => {
    const payload = {
      paymentMethod: { type: input.method },
      from: { currency: input.from, amount: input.amount },
      to: { currency: input.to },
      chainId: input.chain,
      walletAddress: input.wallet,
      individualId: input.individual
    }
    const response =
      input.direction === "deposit"
        ? callEndpoint(({ fiat }) => fiat.quoteDeposit, input.project, { payload })
        : callEndpoint(({ fiat }) => fiat.quoteWithdrawal, input.project, { payload })
    return printResponse(input, response.pipe(asFlags(quoteFlags)), (body) =>
      card([
        ["quote", body.quoteId],
        ["from", `${body.from.amount} ${body.from.currency}`],
        ["to", `${body.to.amount} ${body.to.currency}`],
        [
          "skipped",
          body.candidates
            .flatMap(({ provider, refusal }) => (refusal === null ? [] : [`${provider}: ${refusal}`]))
            .join("; ")
        ],
        ["expires at", body.expiresAt]
      ])
    )
  }
).pipe(Command.withDescription("Quote a deposit or a withdrawal"))

/**
 * Shows an order. With the receiving account of a withdrawal, or with --deposit, creates an order from a quote instead.
 */
const order = Command.make(
  "order",
  {
    id: Argument.String("id").pipe(
      Argument.withDescription("Id of a quote from which to create an order, or of an order to show")
    ),
    pix: Flag.String("pix").pipe(
      Flag.withDescription("For a withdrawal by PIX: PIX key of the receiver"),
      Flag.optional
    ),
    account: Flag.String("account").pipe(
      Flag.withDescription(
        'For a withdrawal by any payment method: the receiving account as JSON, such as {"type":"SPEI","clabe":"032180000118359719"}'
      ),
      readAs(Schema.fromJsonString(BankDestination)),
      Flag.optional
    ),
    deposit: Flag.Boolean("deposit").pipe(
      Flag.withDescription("Create a deposit order from the quote"),
      Flag.withDefault(false)
    ),
    ...commonFlags
  },
  ({ account, deposit, id, json, pix, project }) => {
    const destination = Option.orElse(account, () => Option.map(pix, (pixKey) => ({ type: "PIX" as const, pixKey })))
    if (Option.isSome(destination)) {
      const payload = { quoteId: id, paymentMethod: destination.value }
      const response = callEndpoint(({ fiat }) => fiat.withdraw, project, { payload })
      const flags = { "paymentMethod.pixKey": "--pix", paymentMethod: "--account" }
      return printResponse({ json }, response.pipe(asFlags(flags)), (body) =>
        card([
          ["order", body.id],
          ["status", body.status],
          ["the bank pays", `${body.to.amount} ${body.to.currency}`],
          ["sign", body.withdrawalInstructions.userOperationHash]
        ])
      )
    }
    if (deposit) {
      const response = callEndpoint(({ fiat }) => fiat.deposit, project, { payload: { quoteId: id } })
      return printResponse({ json }, response, (body) =>
        card([
          ["order", body.id],
          ["status", body.status],
          ["pay", `${body.from.amount} ${body.from.currency} by ${body.depositInstructions.type}`],
          ["to", instructionsText(body.depositInstructions)],
          ["memo", body.depositInstructions.memoCode ?? ""]
        ])
      )
    }
    return printResponse(
      { json },
      callEndpoint(({ fiat }) => fiat.order, project, { params: { orderId: id } }),
      (body) =>
        card([
          ["order", body.order.id],
          ["status", body.order.status],
          ["from", `${body.order.from.amount} ${body.order.from.currency}`],
          ["to", `${body.order.to.amount} ${body.order.to.currency}`],
          ["reason", body.order.reason ?? ""],
          ["transaction", body.order.transactionId ?? ""]
        ])
    )
  }
).pipe(Command.withDescription("Show an order, or create one from a quote with --deposit, --pix or --account"))

const list = Command.make(
  "list",
  {
    wallet: walletFlag("wallet").pipe(Flag.withDescription("Only orders of this wallet"), Flag.optional),
    individual: individual.pipe(Flag.optional),
    ...commonFlags
  },
  ({ individual: individualId, json, project, wallet }) => {
    const query = {
      ...Option.match(wallet, { onNone: () => ({}), onSome: (walletAddress) => ({ walletAddress }) }),
      ...Option.match(individualId, { onNone: () => ({}), onSome: (id) => ({ individualId: id }) })
    }
    return printResponse(
      { json },
      callEndpoint(({ fiat }) => fiat.orders, project, { query }),
      ({ orders }) =>
        tableOrHint(
          ["order", "direction", "status", "from", "to", "created at"],
          orders.map((listedOrder) => [
            listedOrder.id,
            listedOrder.direction.toLowerCase(),
            listedOrder.status,
            `${listedOrder.from.amount} ${listedOrder.from.currency}`,
            `${listedOrder.to.amount} ${listedOrder.to.currency}`,
            listedOrder.createdAt
          ]),
          "There are no fiat orders yet."
        )
    )
  }
).pipe(Command.withDescription("List the newest orders"))

const resolve = Command.make(
  "resolve",
  {
    id: Argument.String("order-id").pipe(
      Argument.withDescription("Id of an order that is IN_REVIEW, or pending and unchanged for a day")
    ),
    as: Flag.Literals("as", ["completed", "failed", "refunded", "returned"]).pipe(
      Flag.withDescription(
        "Final status: completed, failed or refunded for a deposit; completed, failed or returned for a withdrawal"
      )
    ),
    reason: Flag.String("reason").pipe(Flag.withDescription("Reason, which the API returns with the order")),
    ...commonFlags
  },
  ({ as, id, json, project, reason }) =>
    withServices(
      Effect.gen(function* () {
        const { id: projectId } = yield* resolveProject(project)
        const status = as.toUpperCase() as FiatOrderState
        const order = yield* (yield* FiatOrders)
          .resolve(projectId, id, { status, reason })
          .pipe(Effect.mapError(({ message }) => new CommandRefused({ reason: message })))
        yield* print(json, fiatOrderBody(order), () =>
          card([
            ["order", order.id],
            ["status", order.state],
            ["reason", order.reason ?? ""]
          ])
        )
      })
    )
).pipe(
  Command.withDescription(
    "End an order that is in review because the provider's reports do not match it, or that has been pending without a change for a day. The service then stops polling the provider for this order"
  ),
  Command.withExamples([
    {
      command: 'countersign fiat resolve 6c1b… --as failed --reason "The bank has no such payment"',
      description: "End an order as failed, after checking it at the provider"
    }
  ])
)

export const fiat = Command.make("fiat").pipe(
  Command.withDescription("Quote and show fiat deposits and withdrawals"),
  Command.withSubcommands([quote, order, list, resolve])
)
