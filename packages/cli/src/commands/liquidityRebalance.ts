import { liquidityRebalanceBody } from "@countersign/adapters/wire"
import { Liquidity, RebalanceLiquidityRequest } from "@countersign/core/liquidity"
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { chosenProject } from "../environment/project.ts"
import { asFlags } from "../input/asFlags.ts"
import {
  gasTokenFlag,
  liquidityFlags,
  operationFlags,
  positionFlag,
  priceFlags,
  recipientFlag
} from "../input/liquidity.ts"
import { requestOf } from "../input/requestOf.ts"
import { chosenToken } from "../input/token.ts"
import { placementRows } from "../output/liquidity.ts"
import { preparedRows, requireExecutable } from "../output/prepared.ts"
import { print } from "../output/print.ts"
import { card } from "../output/table.ts"

const rebalanceRequestOf = requestOf(RebalanceLiquidityRequest)

export const rebalance = Command.make(
  "rebalance",
  {
    ...operationFlags,
    ...priceFlags,
    position: positionFlag,
    gasToken: gasTokenFlag,
    recipient: recipientFlag("Who gets the new NFT")
  },
  (input) =>
    withServices(
      Effect.gen(function* () {
        const project = yield* chosenProject(input.project)
        const gasToken = yield* chosenToken(input.chain, input.gasToken)
        const request = yield* rebalanceRequestOf({
          walletAddress: input.wallet,
          toAddress: Option.getOrElse(input.recipient, () => input.wallet),
          chainId: input.chain,
          tokenId: input.position,
          newPosition: { minPrice: input.min, maxPrice: input.max },
          slippage: input.slippage,
          payGasFeeToken: gasToken.address,
          acceptPriceImpact: input.acceptImpact
        })
        const quoted = yield* (yield* Liquidity).rebalance(project, request)
        const body = liquidityRebalanceBody(quoted)
        const { token0, token1 } = quoted.content.tokens
        yield* print(input.json, body, () =>
          card([
            ["user operation", body.userOperationHash],
            ["you move", `position ${body.tokenId} to a new one`],
            ["it gives", `${body.collected.amount0} ${token0.symbol} and ${body.collected.amount1} ${token1.symbol}`],
            ...placementRows(body, quoted.content.tokens),
            ...preparedRows(quoted.quote, body)
          ])
        )
        yield* requireExecutable([quoted.quote])
      }).pipe(asFlags(liquidityFlags))
    )
).pipe(
  Command.withDescription("Prepare to put a position into another range: prices of the pool's token0, in its token1"),
  Command.withExamples([
    {
      command: "countersign liquidity rebalance --wallet 0x… --position 17 --min 0.0003 --max 0.0004 --gas-token USDC",
      description: "Position 17 into a new range, gas paid in USDC"
    }
  ])
)
