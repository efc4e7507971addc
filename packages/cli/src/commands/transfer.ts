import { TransferRequest } from "@countersign/core/transfer"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { ask } from "../environment/ask.ts"
import { withServices } from "../environment/connect.ts"
import { projectFlag } from "../environment/project.ts"
import { walletFlag } from "../input/address.ts"
import { asFlags } from "../input/asFlags.ts"
import { chainFlag } from "../input/chain.ts"
import { gasFields, gasFlags } from "../input/gas.ts"
import { readAs } from "../input/readAs.ts"
import { chosenAddress } from "../input/token.ts"
import { gasRow, printPrepared } from "../output/prepared.ts"
import { jsonFlag } from "../output/print.ts"

const flags = {
  walletAddress: "--wallet",
  toAddress: "--to",
  chainId: "--chain",
  token: "--token",
  amount: "--amount",
  gasFeePaymentMethod: "--deduct",
  payGasFeeToken: "--gas-token"
}

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
    ...gasFlags("the token sent"),
    chain: chainFlag,
    project: projectFlag,
    json: jsonFlag
  },
  (input) =>
    withServices(
      Effect.gen(function* () {
        const token = yield* chosenAddress(input.chain, input.token)
        const { transfer: quote } = yield* ask(({ transferQuote }) => transferQuote, input.project, {
          payload: {
            walletAddress: input.wallet,
            chainId: input.chain,
            token,
            amount: input.amount,
            toAddress: input.to,
            ...(yield* gasFields(input, token))
          }
        })
        yield* printPrepared(input, quote, [quote], (body, symbolOf) => [
          ["you send", `${body.amount} ${symbolOf(body.token)} to ${body.toAddress}`],
          gasRow(body, symbolOf)
        ])
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
