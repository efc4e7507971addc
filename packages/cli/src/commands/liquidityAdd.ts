import { liquidityAddBody } from "@countersign/adapters/wire"
import { AddLiquidityRequest, Liquidity } from "@countersign/core/liquidity"
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { linkBase } from "../environment/linkBase.ts"
import { chosenProject } from "../environment/project.ts"
import { asFlags } from "../input/asFlags.ts"
import { depositFlags, liquidityFlags, operationFlags, positionFlag, priceFlags } from "../input/liquidity.ts"
import { requestOf } from "../input/requestOf.ts"
import { chosenToken } from "../input/token.ts"
import { placementRows } from "../output/liquidity.ts"
import { preparedRows, requireExecutable } from "../output/prepared.ts"
import { print } from "../output/print.ts"
import { card } from "../output/table.ts"

const addRequestOf = requestOf(AddLiquidityRequest)

export const add = Command.make(
  "add",
  { ...operationFlags, ...depositFlags, ...priceFlags, position: positionFlag },
  (input) =>
    withServices(
      Effect.gen(function* () {
        const project = yield* chosenProject(input.project)
        const tokenIn = yield* chosenToken(input.chain, input.token)
        const gasToken = Option.isNone(input.gasToken) ? tokenIn : yield* chosenToken(input.chain, input.gasToken.value)
        const request = yield* addRequestOf({
          walletAddress: input.wallet,
          chainId: input.chain,
          tokenId: input.position,
          tokenIn: tokenIn.address,
          amountIn: input.amount,
          minPrice: input.min,
          maxPrice: input.max,
          slippage: input.slippage,
          gasFeePaymentMethod: input.deduct ? "DEDUCT_FROM_AMOUNT" : "ADD_TO_AMOUNT",
          payGasFeeToken: gasToken.address,
          acceptPriceImpact: input.acceptImpact
        })
        const quoted = yield* (yield* Liquidity).add(project, request)
        const body = liquidityAddBody(yield* linkBase, quoted)
        yield* print(input.json, body, () =>
          card([
            ["user operation", body.userOperationHash],
            ["you put in", `${body.amountIn} ${tokenIn.symbol} into position ${body.tokenId}`],
            ...placementRows(body, quoted.content.tokens),
            ...preparedRows(quoted.quote, body)
          ])
        )
        yield* requireExecutable([quoted.quote])
      }).pipe(asFlags(liquidityFlags))
    )
).pipe(
  Command.withDescription("Prepare more for a position of the wallet; --min and --max are those of the position"),
  Command.withExamples([
    {
      command: "countersign liquidity add --wallet 0x… --position 17 --token USDC --amount 100 --min 2500 --max 3600",
      description: "100 USDC for position 17"
    }
  ])
)
