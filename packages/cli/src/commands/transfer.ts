import { TransferPayload } from "@countersign/adapters/api/wire"
import { FeePriority, FURTHER_RECEIVERS_MAX } from "@countersign/core/bitcoin/payments"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { callEndpoint } from "../environment/ask.ts"
import { withServices } from "../environment/connect.ts"
import { projectFlag } from "../environment/project.ts"
import { walletFlag } from "../input/address.ts"
import { asFlags } from "../input/asFlags.ts"
import { chainFlag } from "../input/chain.ts"
import { gasFields, gasFlags } from "../input/gas.ts"
import { readAs, readAsReceiver } from "../input/readAs.ts"
import { resolveTokenAddress } from "../input/token.ts"
import { gasRow, paymentRows, printPrepared } from "../output/preparedCard.ts"
import { jsonFlag } from "../output/print.ts"

const flags = {
  walletAddress: "--wallet",
  toAddress: "--to",
  chainId: "--chain",
  token: "--token",
  amount: "--amount",
  gasFeePaymentMethod: "--deduct",
  payGasFeeToken: "--gas-token",
  feePriority: "--fee-priority",
  feeRate: "--fee-rate",
  furtherReceivers: "--further"
}

export const transfer = Command.make(
  "transfer",
  {
    wallet: walletFlag("wallet").pipe(Flag.withDescription("Address of the registered wallet")),
    amount: Flag.String("amount").pipe(
      Flag.withDescription(
        "Amount to send, in token units, such as 1.5. MAX sends the complete balance of a Bitcoin wallet"
      ),
      readAs(TransferPayload.fields.amount)
    ),
    token: Flag.String("token").pipe(Flag.withDescription("Token to send: symbol, address or native")),
    to: walletFlag("to").pipe(Flag.withDescription("Address of the receiver")),
    further: Flag.String("further").pipe(
      Flag.withDescription(
        "On Bitcoin: additional receiver in the same transaction, as ADDRESS=AMOUNT; may be repeated"
      ),
      readAsReceiver,
      Flag.between(0, FURTHER_RECEIVERS_MAX)
    ),
    ...gasFlags("the sent token"),
    feePriority: Flag.Literals("fee-priority", FeePriority.literals).pipe(
      Flag.withDescription("On Bitcoin: how fast the transaction should be included in a block"),
      Flag.optional
    ),
    feeRate: Flag.Finite("fee-rate").pipe(
      Flag.withDescription("On Bitcoin: fee rate in sat/vB, instead of a priority"),
      Flag.optional
    ),
    chain: chainFlag,
    project: projectFlag,
    json: jsonFlag
  },
  (input) =>
    withServices(
      Effect.gen(function* () {
        const token = yield* resolveTokenAddress(input.chain, input.token)
        const { transfer: quote } = yield* callEndpoint(({ transfer }) => transfer.quote, input.project, {
          payload: {
            walletAddress: input.wallet,
            chainId: input.chain,
            token,
            amount: input.amount,
            toAddress: input.to,
            ...(input.further.length > 0 ? { furtherReceivers: input.further } : {}),
            ...(Option.isSome(input.feePriority) ? { feePriority: input.feePriority.value } : {}),
            ...(Option.isSome(input.feeRate) ? { feeRate: input.feeRate.value } : {}),
            ...(yield* gasFields(input, token))
          }
        })
        yield* printPrepared(input, quote, [quote], (body, symbolOf) =>
          body.bitcoin === undefined
            ? [["you send", `${body.amount} ${symbolOf(body.token)} to ${body.toAddress}`], gasRow(body, symbolOf)]
            : paymentRows(body)
        )
      }).pipe(asFlags(flags))
    )
).pipe(
  Command.withExamples([
    {
      command: "countersign transfer --wallet 0x… --amount 25 --token USDC --to 0x…",
      description: "Quote a transfer of 25 USDC, with the gas fee paid in USDC in addition"
    },
    {
      command: "countersign transfer --chain bitcoin --wallet bc1q… --amount 0.01 --token native --to bc1q…",
      description: "Quote a payment of 0.01 BTC, plus the miner fee"
    }
  ])
)
