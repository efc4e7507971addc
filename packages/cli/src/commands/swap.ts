import { quoteBody } from "@countersign/adapters/wire"
import { type SwapQuote, SwapRequest, Swaps } from "@countersign/core/swap"
import { Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { walletFlag } from "../input/address.ts"
import { asFlags } from "../input/asFlags.ts"
import { chainFlag } from "../input/chain.ts"
import { boundsOf, readAs, within } from "../input/readAs.ts"
import { requestOf } from "../input/requestOf.ts"
import { chosenToken } from "../input/token.ts"
import { preparedRows, requireExecutable, rowsUnder } from "../output/prepared.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card } from "../output/table.ts"

type RoutePart = ReturnType<typeof quoteBody>["route"][number]

const routeLine = ({ hops, sharePercent }: RoutePart): string =>
  `${sharePercent} % by ${hops.map(({ feePercent, venue }) => (feePercent === null ? venue : `${venue} ${feePercent} %`)).join(", then ")}`

const quoteCard = (swapQuote: SwapQuote) => {
  const body = quoteBody(swapQuote)
  const { amountIn, amountOut, estimatedGasFees, inverseRate, minAmountOut, rate, userOperationHash } = body
  const { content, quote } = swapQuote
  const { payGasFeeToken, tokenIn, tokenOut } = content.tokens
  const { gasFeeTokenAmount, maxGasFeeToken } = estimatedGasFees
  return card([
    ["user operation", userOperationHash],
    ["you give", `${amountIn} ${tokenIn.symbol}`],
    ["you get", `${amountOut} ${tokenOut.symbol}, at least ${minAmountOut}`],
    [
      "rate",
      `1 ${tokenIn.symbol} = ${rate} ${tokenOut.symbol}, 1 ${tokenOut.symbol} = ${inverseRate} ${tokenIn.symbol}`
    ],
    ["price impact", body.priceImpactPercent === null ? null : `${body.priceImpactPercent} %`],
    ...rowsUnder("route", body.route.map(routeLine)),
    ["gas", `about ${gasFeeTokenAmount} ${payGasFeeToken.symbol}, at most ${maxGasFeeToken}`],
    ["provider", content.provider],
    ...preparedRows(quote, body)
  ])
}

const flags = {
  walletAddress: "--wallet",
  toAddress: "--recipient",
  chainIdIn: "--chain",
  chainIdOut: "--chain",
  tokenIn: "--from",
  tokenOut: "--to",
  amountIn: "--amount",
  gasFeePaymentMethod: "--deduct",
  payGasFeeToken: "--gas-token",
  slippage: "--slippage"
}

const { amountIn, slippage } = SwapRequest.schema.fields
const slippageBounds = boundsOf(slippage)
const usual = Schema.decodeUnknownSync(Schema.Struct({ slippage }))({})

const swapRequestOf = requestOf(SwapRequest)

const quote = Command.make(
  "quote",
  {
    wallet: walletFlag("wallet").pipe(Flag.withDescription("Address of the registered wallet")),
    amount: Flag.String("amount").pipe(
      Flag.withDescription("How much to give, in whole tokens, such as 1.5"),
      readAs(amountIn)
    ),
    from: Flag.String("from").pipe(Flag.withDescription("Token to give: symbol, address or native")),
    to: Flag.String("to").pipe(Flag.withDescription("Token to get: symbol, address or native")),
    gasToken: Flag.String("gas-token").pipe(
      Flag.withDescription("Token that pays the gas: symbol, address or native; the token given when not named"),
      Flag.optional
    ),
    deduct: Flag.Boolean("deduct").pipe(
      Flag.withDescription("Take the gas fee out of the amount instead of adding it"),
      Flag.withDefault(false)
    ),
    chain: chainFlag,
    slippage: Flag.Finite("slippage").pipe(
      Flag.withDescription(`Percent, ${slippageBounds.minimum} to ${slippageBounds.maximum}`),
      within(slippageBounds.minimum, slippageBounds.maximum),
      Flag.withDefault(usual.slippage)
    ),
    recipient: walletFlag("recipient").pipe(
      Flag.withDescription("Who gets the tokens; the wallet itself when not given"),
      Flag.optional
    ),
    project: projectFlag,
    json: jsonFlag
  },
  (input) =>
    withServices(
      Effect.gen(function* () {
        const chainId = input.chain
        const project = yield* chosenProject(input.project)
        const tokenIn = yield* chosenToken(chainId, input.from)
        const tokenOut = yield* chosenToken(chainId, input.to)
        const gasToken = Option.isNone(input.gasToken) ? tokenIn : yield* chosenToken(chainId, input.gasToken.value)
        const request = yield* swapRequestOf({
          walletAddress: input.wallet,
          toAddress: Option.getOrElse(input.recipient, () => input.wallet),
          chainIdIn: chainId,
          chainIdOut: chainId,
          tokenIn: tokenIn.address,
          tokenOut: tokenOut.address,
          amountIn: input.amount,
          gasFeePaymentMethod: input.deduct ? "DEDUCT_FROM_AMOUNT" : "ADD_TO_AMOUNT",
          payGasFeeToken: gasToken.address,
          slippage: input.slippage
        })
        const { quotes } = yield* (yield* Swaps).quote(project, request)
        yield* print(input.json, { quotes: quotes.map(quoteBody) }, () => quotes.map(quoteCard).join("\n\n"))
        yield* requireExecutable(quotes.map((swapQuote) => swapQuote.quote))
      }).pipe(asFlags(flags))
    )
).pipe(
  Command.withDescription("Quote a swap"),
  Command.withExamples([
    {
      command: "countersign swap quote --wallet 0x… --amount 100 --from USDC --to WETH",
      description: "100 USDC for WETH, gas paid in USDC"
    }
  ])
)

export const swap = Command.make("swap").pipe(Command.withSubcommands([quote]))
