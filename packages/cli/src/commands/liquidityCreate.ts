import { liquidityCreateBody } from "@countersign/adapters/wire"
import { CreateLiquidityRequest, Liquidity } from "@countersign/core/liquidity"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { linkBase } from "../environment/linkBase.ts"
import { chosenProject } from "../environment/project.ts"
import { asFlags } from "../input/asFlags.ts"
import { depositFlags, liquidityFlags, operationFlags, priceFlags, recipientFlag } from "../input/liquidity.ts"
import { readAsPair } from "../input/readAs.ts"
import { requestOf } from "../input/requestOf.ts"
import { chosenToken } from "../input/token.ts"
import { placementRows } from "../output/liquidity.ts"
import { preparedRows, requireExecutable } from "../output/prepared.ts"
import { print } from "../output/print.ts"
import { card } from "../output/table.ts"

const createRequestOf = requestOf(CreateLiquidityRequest)

export const create = Command.make(
  "create",
  {
    ...operationFlags,
    ...depositFlags,
    ...priceFlags,
    pool: Flag.String("pool").pipe(
      Flag.withDescription("The two tokens of the pool, such as WETH/USDC: prices are of the first, in the second"),
      readAsPair
    ),
    fee: Flag.Finite("fee").pipe(Flag.withDescription("Fee tier of the pool in percent, such as 0.3")),
    recipient: recipientFlag("Who gets the NFT")
  },
  (input) =>
    withServices(
      Effect.gen(function* () {
        const project = yield* chosenProject(input.project)
        const [first, second] = input.pool
        const token0 = yield* chosenToken(input.chain, first)
        const token1 = yield* chosenToken(input.chain, second)
        const tokenIn = yield* chosenToken(input.chain, input.token)
        const gasToken = Option.isNone(input.gasToken) ? tokenIn : yield* chosenToken(input.chain, input.gasToken.value)
        const request = yield* createRequestOf({
          walletAddress: input.wallet,
          toAddress: Option.getOrElse(input.recipient, () => input.wallet),
          chainId: input.chain,
          tokenIn: tokenIn.address,
          amountIn: input.amount,
          token0: token0.address,
          token1: token1.address,
          poolFeePercent: input.fee,
          minPrice: input.min,
          maxPrice: input.max,
          slippage: input.slippage,
          gasFeePaymentMethod: input.deduct ? "DEDUCT_FROM_AMOUNT" : "ADD_TO_AMOUNT",
          payGasFeeToken: gasToken.address,
          acceptPriceImpact: input.acceptImpact
        })
        const quoted = yield* (yield* Liquidity).create(project, request)
        const body = liquidityCreateBody(yield* linkBase, quoted)
        yield* print(input.json, body, () =>
          card([
            ["user operation", body.userOperationHash],
            ["you put in", `${body.amountIn} ${tokenIn.symbol}`],
            ...placementRows(body, quoted.content.tokens),
            ["new pool", body.poolCreated ? "yes" : "no"],
            ...preparedRows(quoted.quote, body)
          ])
        )
        yield* requireExecutable([quoted.quote])
      }).pipe(asFlags(liquidityFlags))
    )
).pipe(
  Command.withDescription("Prepare a new position from one token"),
  Command.withExamples([
    {
      command:
        "countersign liquidity create --wallet 0x… --token USDC --amount 1000 --pool WETH/USDC --fee 0.3 --min 2500 --max 3600",
      description: "1000 USDC between 2500 and 3600 USDC for one WETH"
    }
  ])
)
