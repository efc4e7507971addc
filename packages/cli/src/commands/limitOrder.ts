import { HexBytes } from "@countersign/core/foundation/primitives"
import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { callEndpoint } from "../environment/ask.ts"
import { withServices } from "../environment/connect.ts"
import { projectFlag } from "../environment/project.ts"
import { walletArgument } from "../input/address.ts"
import { quoteArgument } from "../input/quoteId.ts"
import { inLowerCase, readAs, readAsSignatures, requireWithin } from "../input/readAs.ts"
import { jsonFlag } from "../output/print.ts"
import { printResponse } from "../output/printResponse.ts"
import { card, tableOrHint } from "../output/table.ts"

const TAKE_MAX = 100

const signatureFlag = (description: string) =>
  Flag.String("signature").pipe(Flag.withDescription(description), readAs(inLowerCase(HexBytes)), Flag.optional)

const transactionArgument = Argument.String("transaction").pipe(
  Argument.withDescription("Transaction id of the order, from `limit-order place` or the history")
)

const place = Command.make(
  "place",
  {
    quote: quoteArgument,
    signature: signatureFlag("Signature of the order by the owner; of the first element if the wallet signs on-chain"),
    signatures: Flag.KeyValuePair("signatures").pipe(
      Flag.withDescription(
        "HASH=SIGNATURE: the owner's signature of the element with this hash, if the quote has several elements; may be repeated"
      ),
      readAsSignatures,
      Flag.optional
    ),
    project: projectFlag,
    json: jsonFlag
  },
  ({ project, quote, signature, signatures, ...printOptions }) =>
    withServices(
      printResponse(
        printOptions,
        callEndpoint(({ limitOrders }) => limitOrders.place, project, {
          payload: {
            quoteId: quote,
            ...(Option.isSome(signature) ? { signature: signature.value } : {}),
            ...(Option.isSome(signatures) ? { signatures: signatures.value } : {})
          }
        }),
        ({ id, status }) =>
          card([
            ["transaction", id],
            ["status", status]
          ])
      )
    )
).pipe(
  Command.withDescription("Submit a signed limit order to the order book"),
  Command.withExamples([
    {
      command: "countersign limit-order place 0x… --signature 0x…",
      description: "Submit a quote of `countersign swap quote --min` that the wallet's owner has signed"
    }
  ])
)

const list = Command.make(
  "list",
  {
    wallet: walletArgument("wallet").pipe(Argument.withDescription("Address of the wallet")),
    take: Flag.Int("take").pipe(
      Flag.withDescription("Number of orders, 1 to 100"),
      requireWithin(1, TAKE_MAX),
      Flag.withDefault(20)
    ),
    open: Flag.Boolean("open").pipe(Flag.withDescription("Only open orders"), Flag.withDefault(false)),
    project: projectFlag,
    json: jsonFlag
  },
  ({ open, project, take, wallet, ...printOptions }) =>
    printResponse(
      printOptions,
      callEndpoint(({ history }) => history.list, project, {
        params: { walletAddress: wallet },
        query: { take: String(take), type: "LIMIT_ORDER", ...(open ? { status: "PROCESSING" } : {}) }
      }),
      ({ transactions }) =>
        tableOrHint(
          ["CREATED", "STATUS", "SELLS", "BUYS", "TRANSACTION"],
          transactions.map(({ createdAt, id, receivedAmount, sentAmount, status, substatus }) => [
            createdAt,
            status === substatus || substatus === null ? status : `${status} ${substatus}`,
            sentAmount === null ? null : `${sentAmount.amount} ${sentAmount.token?.symbol ?? ""}`,
            receivedAmount === null ? null : `${receivedAmount.amount} ${receivedAmount.token?.symbol ?? ""}`,
            id
          ]),
          "The wallet has no matching limit orders. `countersign swap quote --min` quotes one."
        )
    )
).pipe(Command.withDescription("List the limit orders of a wallet, newest first"))

const cancel = Command.make(
  "cancel",
  {
    transaction: transactionArgument,
    signature: signatureFlag(
      "Signature of the cancellation by the owner. Without it the command shows the data to sign"
    ),
    project: projectFlag,
    json: jsonFlag
  },
  ({ project, signature, transaction, ...printOptions }) =>
    withServices(
      printResponse(
        printOptions,
        callEndpoint(({ limitOrders }) => limitOrders.cancel, project, {
          params: { transactionId: transaction },
          payload: Option.isSome(signature) ? { signature: signature.value } : {}
        }),
        ({ id, quoteId, requiresExecution, signData, status }) =>
          card([
            ["transaction", id],
            ["status", status],
            // If the cancellation requires an operation, the first element only identifies the order, and the owner
            // does not sign it.
            ...signData
              .slice(requiresExecution ? 1 : 0)
              .map(({ hash, method }) => ["to sign", `${hash} by ${method}`] as const),
            ...(requiresExecution
              ? [["next", `countersign sign ${quoteId}, then countersign execute ${quoteId}`] as const]
              : status !== "PENDING_SIGNATURE"
                ? []
                : [["next", `countersign limit-order cancel ${id} --signature 0x…`] as const])
          ])
      )
    )
).pipe(Command.withDescription("Cancel a limit order, or show the data to sign for the cancellation"))

export const limitOrder = Command.make("limit-order").pipe(Command.withSubcommands([place, list, cancel]))
