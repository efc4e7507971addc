import { transferBody } from "@countersign/adapters/wire"
import { TransferRequest, Transfers } from "@countersign/core/transfer"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { walletFlag } from "../input/address.ts"
import { asFlags } from "../input/asFlags.ts"
import { chainFlag } from "../input/chain.ts"
import { readAs } from "../input/readAs.ts"
import { requestOf } from "../input/requestOf.ts"
import { chosenToken } from "../input/token.ts"
import { preparedRows, requireExecutable } from "../output/prepared.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card } from "../output/table.ts"

const flags = {
  walletAddress: "--wallet",
  toAddress: "--to",
  chainId: "--chain",
  token: "--token",
  amount: "--amount",
  gasFeePaymentMethod: "--deduct",
  payGasFeeToken: "--gas-token"
}

const transferRequestOf = requestOf(TransferRequest)

export const transfer = Command.make(
  "transfer",
  {
    wallet: walletFlag("wallet").pipe(Flag.withDescription("Address of the registered wallet")),
    amount: Flag.String("amount").pipe(
      Flag.withDescription("How much to send, in whole tokens, such as 1.5"),
      readAs(TransferRequest.schema.fields.amount)
    ),
    token: Flag.String("token").pipe(Flag.withDescription("Token to send: symbol, address or native")),
    to: walletFlag("to").pipe(Flag.withDescription("Who gets it")),
    gasToken: Flag.String("gas-token").pipe(
      Flag.withDescription("Token that pays the gas: symbol, address or native; the token sent when not named"),
      Flag.optional
    ),
    deduct: Flag.Boolean("deduct").pipe(
      Flag.withDescription("Take the gas fee out of the amount instead of adding it"),
      Flag.withDefault(false)
    ),
    chain: chainFlag,
    project: projectFlag,
    json: jsonFlag
  },
  (input) =>
    withServices(
      Effect.gen(function* () {
        const project = yield* chosenProject(input.project)
        const token = yield* chosenToken(input.chain, input.token)
        const gasToken = Option.isNone(input.gasToken) ? token : yield* chosenToken(input.chain, input.gasToken.value)
        const request = yield* transferRequestOf({
          walletAddress: input.wallet,
          chainId: input.chain,
          token: token.address,
          amount: input.amount,
          toAddress: input.to,
          gasFeePaymentMethod: input.deduct ? "DEDUCT_FROM_AMOUNT" : "ADD_TO_AMOUNT",
          payGasFeeToken: gasToken.address
        })
        const transferQuote = yield* (yield* Transfers).quote(project, request)
        const body = transferBody(transferQuote)
        const { gasFeeTokenAmount, maxGasFeeToken } = body.estimatedGasFees
        yield* print(input.json, body, () =>
          card([
            ["user operation", body.userOperationHash],
            ["you send", `${body.amount} ${token.symbol} to ${body.toAddress}`],
            ["gas", `about ${gasFeeTokenAmount} ${gasToken.symbol}, at most ${maxGasFeeToken}`],
            ...preparedRows(transferQuote.quote, body)
          ])
        )
        yield* requireExecutable([transferQuote.quote])
      }).pipe(asFlags(flags))
    )
).pipe(
  Command.withExamples([
    {
      command: "countersign transfer --wallet 0x… --amount 25 --token USDC --to 0x…",
      description: "25 USDC, gas paid in USDC on top of them"
    }
  ])
)
