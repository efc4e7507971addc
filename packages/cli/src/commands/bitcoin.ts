import { HexBytes } from "@countersign/core/foundation/primitives"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { callEndpoint } from "../environment/ask.ts"
import { withServices } from "../environment/connect.ts"
import { projectFlag } from "../environment/project.ts"
import { quoteArgument } from "../input/quoteId.ts"
import { inLowerCase, readAs } from "../input/readAs.ts"
import { paymentRows, printPrepared } from "../output/preparedCard.ts"
import { jsonFlag } from "../output/print.ts"
import { printResponse } from "../output/printResponse.ts"
import { card } from "../output/table.ts"

const broadcast = Command.make(
  "broadcast",
  {
    quote: quoteArgument,
    signed: Argument.String("signed").pipe(
      Argument.withDescription("Signed transaction, or PSBT with all signatures, in hexadecimal"),
      Argument.map((text) => (text.startsWith("0x") ? text : `0x${text}`)),
      readAs(inLowerCase(HexBytes))
    ),
    project: projectFlag,
    json: jsonFlag
  },
  ({ project, quote, signed, ...printOptions }) =>
    withServices(
      printResponse(
        printOptions,
        callEndpoint(({ bitcoin }) => bitcoin.broadcast, project, {
          payload: { quoteId: quote, signedTransactionHex: signed }
        }),
        ({ transactionHash }) => card([["on chain", transactionHash.slice(2)]])
      )
    )
).pipe(
  Command.withDescription("Broadcast a signed payment"),
  Command.withExamples([
    {
      command: "countersign bitcoin broadcast 0x… 0200…",
      description: "Broadcast a quote of `countersign transfer --chain bitcoin` that the wallet's owner has signed"
    }
  ])
)

const replacementFlags = {
  transaction: Argument.String("transaction").pipe(
    Argument.withDescription("Id of the payment in the wallet's history")
  ),
  feeRate: Flag.Finite("fee-rate").pipe(
    Flag.withDescription(
      "Fee rate in sat/vB, higher than that of the pending payment. The default is a rate for inclusion in one of the next blocks"
    ),
    Flag.optional
  ),
  project: projectFlag,
  json: jsonFlag
}

const bump = Command.make("bump", replacementFlags, ({ feeRate, transaction, ...input }) =>
  withServices(
    Effect.gen(function* () {
      const { transfer: quote } = yield* callEndpoint(({ bitcoin }) => bitcoin.bump, input.project, {
        params: { transactionId: transaction },
        payload: Option.isSome(feeRate) ? { feeRate: feeRate.value } : {}
      })
      yield* printPrepared({ ...input, chain: 0 }, quote, [quote], paymentRows)
    })
  )
).pipe(Command.withDescription("Quote the replacement of a pending payment with a higher fee"))

const cancel = Command.make("cancel", replacementFlags, ({ feeRate, transaction, ...input }) =>
  withServices(
    Effect.gen(function* () {
      const { transfer: quote } = yield* callEndpoint(({ bitcoin }) => bitcoin.cancel, input.project, {
        params: { transactionId: transaction },
        payload: Option.isSome(feeRate) ? { feeRate: feeRate.value } : {}
      })
      yield* printPrepared({ ...input, chain: 0 }, quote, [quote], paymentRows)
    })
  )
).pipe(Command.withDescription("Quote the cancellation of a pending payment"))

export const bitcoin = Command.make("bitcoin").pipe(
  Command.withDescription("Bitcoin payments: broadcast, speed up, cancel"),
  Command.withSubcommands([broadcast, bump, cancel])
)
