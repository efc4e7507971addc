import { liquidityWithdrawBody } from "@countersign/adapters/wire"
import { Liquidity, WithdrawLiquidityRequest } from "@countersign/core/liquidity"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { chosenProject } from "../environment/project.ts"
import { asFlags } from "../input/asFlags.ts"
import {
  gasTokenFlag,
  liquidityFlags,
  operationFlags,
  percentageFlag,
  positionFlag,
  recipientFlag
} from "../input/liquidity.ts"
import { requestOf } from "../input/requestOf.ts"
import { chosenToken } from "../input/token.ts"
import { gasRow } from "../output/liquidity.ts"
import { preparedRows, requireExecutable } from "../output/prepared.ts"
import { print } from "../output/print.ts"
import { card } from "../output/table.ts"

const withdrawRequestOf = requestOf(WithdrawLiquidityRequest)

export const withdraw = Command.make(
  "withdraw",
  {
    ...operationFlags,
    position: positionFlag,
    percent: percentageFlag,
    to: Flag.String("to").pipe(Flag.withDescription("Token to receive: symbol, address or native")),
    gasToken: gasTokenFlag,
    recipient: recipientFlag("Who gets the token")
  },
  (input) =>
    withServices(
      Effect.gen(function* () {
        const project = yield* chosenProject(input.project)
        const tokenOut = yield* chosenToken(input.chain, input.to)
        const gasToken = yield* chosenToken(input.chain, input.gasToken)
        const request = yield* withdrawRequestOf({
          walletAddress: input.wallet,
          toAddress: Option.getOrElse(input.recipient, () => input.wallet),
          chainId: input.chain,
          tokenId: input.position,
          tokenOut: tokenOut.address,
          percentage: input.percent,
          slippage: input.slippage,
          payGasFeeToken: gasToken.address,
          acceptPriceImpact: input.acceptImpact
        })
        const quoted = yield* (yield* Liquidity).withdraw(project, request)
        const body = liquidityWithdrawBody(quoted)
        const { token0, token1 } = quoted.content.tokens
        yield* print(input.json, body, () =>
          card([
            ["user operation", body.userOperationHash],
            [
              "you take out",
              `${body.percentage} % of position ${body.tokenId}${body.burned ? ", which is burned" : ""}`
            ],
            ["it gives", `${body.collected.amount0} ${token0.symbol} and ${body.collected.amount1} ${token1.symbol}`],
            ["you get", `${body.amountOut} ${tokenOut.symbol}, at least ${body.minAmountOut}`],
            ["price impact", `${body.priceImpactPercent} %`],
            gasRow(body, gasToken),
            ...preparedRows(quoted.quote, body)
          ])
        )
        yield* requireExecutable([quoted.quote])
      }).pipe(asFlags(liquidityFlags))
    )
).pipe(
  Command.withDescription("Prepare to take a share of a position out, with all of its fees, as one token"),
  Command.withExamples([
    {
      command: "countersign liquidity withdraw --wallet 0x… --position 17 --percent 50 --to USDC",
      description: "Half of position 17 as USDC, gas paid in the chain's coin"
    }
  ])
)
