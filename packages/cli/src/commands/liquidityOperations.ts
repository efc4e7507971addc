import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { callEndpoint } from "../environment/ask.ts"
import { withServices } from "../environment/connect.ts"
import { asFlags } from "../input/asFlags.ts"
import { gasFields } from "../input/gas.ts"
import {
  commonFields,
  depositFlags,
  gasTokenFlag,
  liquidityFlags,
  operationFlags,
  percentageFlag,
  positionFlag,
  priceFlags,
  recipientFlag
} from "../input/liquidity.ts"
import { readAsPair } from "../input/readAs.ts"
import { resolveTokenAddress } from "../input/token.ts"
import { collectedRow, placementRows } from "../output/liquidity.ts"
import { gasRow, printPrepared } from "../output/preparedCard.ts"

/** Runs a command with the services, and reports invalid fields by their flags. */
const runOperation = <A, E, R>(command: Effect.Effect<A, E, R>) => withServices(command.pipe(asFlags(liquidityFlags)))

export const create = Command.make(
  "create",
  {
    ...operationFlags,
    ...depositFlags,
    ...priceFlags,
    pool: Flag.String("pool").pipe(
      Flag.withDescription(
        "The two tokens of the pool, such as WETH/USDC. Prices are amounts of the second token per unit of the first token"
      ),
      readAsPair
    ),
    fee: Flag.Finite("fee").pipe(Flag.withDescription("Fee tier of the pool in percent, such as 0.3")),
    recipient: recipientFlag("Address that receives the NFT")
  },
  (input) =>
    runOperation(
      Effect.gen(function* () {
        const [first, second] = input.pool
        const token0 = yield* resolveTokenAddress(input.chain, first)
        const token1 = yield* resolveTokenAddress(input.chain, second)
        const tokenIn = yield* resolveTokenAddress(input.chain, input.token)
        const response = yield* callEndpoint(({ liquidity }) => liquidity.create, input.project, {
          payload: {
            ...commonFields(input),
            toAddress: Option.getOrElse(input.recipient, () => input.wallet),
            tokenIn,
            amountIn: input.amount,
            token0,
            token1,
            poolFeePercent: input.fee,
            minPrice: input.min,
            maxPrice: input.max,
            ...(yield* gasFields(input, tokenIn))
          }
        })
        yield* printPrepared(input, response.operation, [response.operation], (body, symbolOf) => [
          ["deposit", `${body.amountIn} ${body.tokenIn.symbol}`],
          ...placementRows(body, symbolOf),
          ["new pool", body.poolCreated ? "yes" : "no"]
        ])
      })
    )
).pipe(
  Command.withDescription("Quote a new position, funded with one token"),
  Command.withExamples([
    {
      command:
        "countersign liquidity create --wallet 0x… --token USDC --amount 1000 --pool WETH/USDC --fee 0.3 --min 2500 --max 3600",
      description: "Quote a deposit of 1000 USDC into a new position from 2500 to 3600 USDC per WETH"
    }
  ])
)

export const add = Command.make(
  "add",
  { ...operationFlags, ...depositFlags, ...priceFlags, position: positionFlag },
  (input) =>
    runOperation(
      Effect.gen(function* () {
        const tokenIn = yield* resolveTokenAddress(input.chain, input.token)
        const response = yield* callEndpoint(({ liquidity }) => liquidity.add, input.project, {
          payload: {
            ...commonFields(input),
            tokenId: input.position,
            tokenIn,
            amountIn: input.amount,
            minPrice: input.min,
            maxPrice: input.max,
            ...(yield* gasFields(input, tokenIn))
          }
        })
        yield* printPrepared(input, response.operation, [response.operation], (body, symbolOf) => [
          ["deposit", `${body.amountIn} ${body.tokenIn.symbol} into position ${body.tokenId}`],
          ...placementRows(body, symbolOf)
        ])
      })
    )
).pipe(
  Command.withDescription(
    "Quote a deposit into a position of the wallet. --min and --max must be the position's price range"
  ),
  Command.withExamples([
    {
      command: "countersign liquidity add --wallet 0x… --position 17 --token USDC --amount 100 --min 2500 --max 3600",
      description: "100 USDC for position 17"
    }
  ])
)

export const withdraw = Command.make(
  "withdraw",
  {
    ...operationFlags,
    position: positionFlag,
    percent: percentageFlag,
    to: Flag.String("to").pipe(Flag.withDescription("Token to receive: symbol, address or native")),
    gasToken: gasTokenFlag,
    recipient: recipientFlag("Address that receives the token")
  },
  (input) =>
    runOperation(
      Effect.gen(function* () {
        const response = yield* callEndpoint(({ liquidity }) => liquidity.withdraw, input.project, {
          payload: {
            ...commonFields(input),
            toAddress: Option.getOrElse(input.recipient, () => input.wallet),
            tokenId: input.position,
            tokenOut: yield* resolveTokenAddress(input.chain, input.to),
            percentage: input.percent,
            payGasFeeToken: yield* resolveTokenAddress(input.chain, input.gasToken)
          }
        })
        yield* printPrepared(input, response.operation, [response.operation], (body, symbolOf) => [
          ["withdrawal", `${body.percentage} % of position ${body.tokenId}${body.burned ? ", which is burned" : ""}`],
          collectedRow(body, symbolOf),
          ["you get", `${body.amountOut} ${symbolOf(body.tokenOut)}, at least ${body.minAmountOut}`],
          ["price impact", `${body.priceImpactPercent} %`],
          gasRow(body, symbolOf)
        ])
      })
    )
).pipe(
  Command.withDescription("Quote the withdrawal of a percentage of a position and all of its fees, as one token"),
  Command.withExamples([
    {
      command: "countersign liquidity withdraw --wallet 0x… --position 17 --percent 50 --to USDC",
      description: "Withdraw half of position 17 as USDC, with gas paid in the native token"
    }
  ])
)

export const rebalance = Command.make(
  "rebalance",
  {
    ...operationFlags,
    ...priceFlags,
    position: positionFlag,
    gasToken: gasTokenFlag,
    recipient: recipientFlag("Address that receives the new NFT")
  },
  (input) =>
    runOperation(
      Effect.gen(function* () {
        const response = yield* callEndpoint(({ liquidity }) => liquidity.rebalance, input.project, {
          payload: {
            ...commonFields(input),
            toAddress: Option.getOrElse(input.recipient, () => input.wallet),
            tokenId: input.position,
            newPosition: { minPrice: input.min, maxPrice: input.max },
            payGasFeeToken: yield* resolveTokenAddress(input.chain, input.gasToken)
          }
        })
        yield* printPrepared(input, response.operation, [response.operation], (body, symbolOf) => [
          ["you move", `position ${body.tokenId} to a new one`],
          collectedRow(body, symbolOf),
          ...placementRows(body, symbolOf)
        ])
      })
    )
).pipe(
  Command.withDescription(
    "Quote moving a position to another price range. Prices are amounts of the pool's token1 per token0"
  ),
  Command.withExamples([
    {
      command: "countersign liquidity rebalance --wallet 0x… --position 17 --min 0.0003 --max 0.0004 --gas-token USDC",
      description: "Move position 17 to a new range, with gas paid in USDC"
    }
  ])
)
