import { chainOf } from "@countersign/core/foundation/chains"
import { RouteProfile, SwapRequest } from "@countersign/core/trading/swap"
import { Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { callEndpoint } from "../environment/ask.ts"
import { withServices } from "../environment/connect.ts"
import { CommandRefused } from "../environment/errors.ts"
import { projectFlag } from "../environment/project.ts"
import { walletFlag } from "../input/address.ts"
import { asFlags } from "../input/asFlags.ts"
import { chainFlag, otherChainFlag } from "../input/chain.ts"
import { gasFields, gasFlags } from "../input/gas.ts"
import { boundsOf, readAs, requireWithin } from "../input/readAs.ts"
import { resolveTokenAddress, symbolsOn } from "../input/token.ts"
import { gasRow, printPrepared, rowsUnder, swapPaymentRows } from "../output/preparedCard.ts"
import { jsonFlag } from "../output/print.ts"

interface RoutePart {
  readonly sharePercent: string
  readonly hops: ReadonlyArray<{ readonly feePercent: string | null; readonly venue: string }>
}

const routeLine = ({ hops, sharePercent }: RoutePart): string =>
  `${sharePercent} % by ${hops.map(({ feePercent, venue }) => (feePercent === null ? venue : `${venue} ${feePercent} %`)).join(", then ")}`

const flags = {
  walletAddress: "--wallet",
  toAddress: "--recipient",
  chainIdIn: "--chain",
  chainIdOut: "--to-chain",
  tokenIn: "--from",
  tokenOut: "--to",
  amountIn: "--amount",
  gasFeePaymentMethod: "--deduct",
  payGasFeeToken: "--gas-token",
  slippage: "--slippage",
  routeProfile: "--profile",
  minAmountOut: "--min",
  expiration: "--expires",
  partialFillable: "--whole",
  transactionFeePercent: "--fee",
  "extraFee.percentage": "--extra-fee",
  "extraFee.toAddress": "--extra-fee-to",
  extraFee: "--extra-fee",
  metadata: "--metadata",
  individualId: "--individual"
}

const { amountIn, slippage } = SwapRequest.schema.fields
const slippageBounds = boundsOf(slippage)
const defaults = Schema.decodeUnknownSync(Schema.Struct({ slippage }))({})

const optionalField = (field: string, value: Option.Option<unknown>) =>
  Option.match(value, { onNone: () => ({}), onSome: (each) => ({ [field]: each }) })

/** Builds the request's `extraFee`. The flags of the percentage and the receiver require each other. */
const extraFeeField = Effect.fnUntraced(function* ({
  extraFee,
  extraFeeTo
}: {
  readonly extraFee: Option.Option<number>
  readonly extraFeeTo: Option.Option<string>
}) {
  if (Option.isNone(extraFee) && Option.isNone(extraFeeTo)) return {}
  if (Option.isSome(extraFee) && Option.isSome(extraFeeTo))
    return { extraFee: { percentage: extraFee.value, toAddress: extraFeeTo.value } }
  return yield* new CommandRefused({
    reason: "--extra-fee and --extra-fee-to must be used together. Pass the percentage and the receiver."
  })
})

const quote = Command.make(
  "quote",
  {
    wallet: walletFlag("wallet").pipe(Flag.withDescription("Address of the registered wallet")),
    amount: Flag.String("amount").pipe(
      Flag.withDescription("Amount to pay, in token units, such as 1.5"),
      readAs(amountIn)
    ),
    from: Flag.String("from").pipe(Flag.withDescription("Token to pay: symbol, address or native")),
    to: Flag.String("to").pipe(Flag.withDescription("Token to receive: symbol, address or native")),
    ...gasFlags("the input token"),
    chain: chainFlag,
    toChain: otherChainFlag,
    slippage: Flag.Finite("slippage").pipe(
      Flag.withDescription(`Slippage in percent, ${slippageBounds.minimum} to ${slippageBounds.maximum}`),
      requireWithin(slippageBounds.minimum, slippageBounds.maximum),
      Flag.withDefault(defaults.slippage)
    ),
    profile: Flag.Literals("profile", RouteProfile.literals).pipe(
      Flag.withDescription(
        "Which quote to return: the first executable quote, the best of all quotes, or the fastest quote to another chain"
      ),
      Flag.optional
    ),
    fee: Flag.Finite("fee").pipe(
      Flag.withDescription("Percent of the amount that goes to the project's treasury"),
      Flag.optional
    ),
    extraFee: Flag.Finite("extra-fee").pipe(
      Flag.withDescription("Percent of the amount that goes to --extra-fee-to"),
      Flag.optional
    ),
    extraFeeTo: walletFlag("extra-fee-to").pipe(
      Flag.withDescription("Address that receives --extra-fee"),
      Flag.optional
    ),
    individual: Flag.String("individual").pipe(
      Flag.withDescription("Id of a verified individual, for tokens of real-world assets"),
      Flag.optional
    ),
    metadata: Flag.KeyValuePair("metadata").pipe(
      Flag.withDescription("Metadata as KEY=VALUE, by which the history can be filtered"),
      Flag.optional
    ),
    recipient: walletFlag("recipient").pipe(
      Flag.withDescription("Address of the receiver; by default the wallet"),
      Flag.optional
    ),
    min: Flag.String("min").pipe(
      Flag.withDescription("Quote a limit order with this minimum amount to receive, in token units"),
      readAs(amountIn),
      Flag.optional
    ),
    expires: Flag.Int("expires").pipe(
      Flag.withDescription("Seconds until a limit order expires; by default one week"),
      Flag.optional
    ),
    whole: Flag.Boolean("whole").pipe(
      Flag.withDescription("Fill the limit order completely or not at all"),
      Flag.withDefault(false)
    ),
    project: projectFlag,
    json: jsonFlag
  },
  (input) =>
    withServices(
      Effect.gen(function* () {
        const { chain } = input
        const chainOut = Option.getOrElse(input.toChain, () => chain)
        const tokenIn = yield* resolveTokenAddress(chain, input.from)
        const symbolOut = yield* symbolsOn(chainOut)
        const response = yield* callEndpoint(({ swap }) => swap.quotes, input.project, {
          payload: {
            walletAddress: input.wallet,
            toAddress: Option.getOrElse(input.recipient, () => input.wallet),
            chainIdIn: chain,
            chainIdOut: chainOut,
            tokenIn,
            tokenOut: yield* resolveTokenAddress(chainOut, input.to),
            amountIn: input.amount,
            slippage: input.slippage,
            ...optionalField("minAmountOut", input.min),
            ...optionalField("expiration", input.expires),
            ...(input.whole ? { partialFillable: false } : {}),
            ...optionalField("routeProfile", input.profile),
            ...optionalField("transactionFeePercent", input.fee),
            ...optionalField("metadata", input.metadata),
            ...optionalField("individualId", input.individual),
            ...(yield* extraFeeField(input)),
            ...(yield* gasFields(input, tokenIn))
          }
        })
        const destinationText = chainOut === chain ? "" : ` on ${chainOf(chainOut).name}`
        yield* printPrepared(input, response, response.quotes, (body, symbolOf) => {
          const [inputSymbol, outputSymbol] = [symbolOf(body.tokenIn), symbolOut(body.tokenOut)]
          return [
            ["you give", `${body.amountIn} ${inputSymbol}`],
            ["you get", `${body.amountOut} ${outputSymbol}${destinationText}, at least ${body.minAmountOut}`],
            ["arrives", chainOut === chain ? null : `about ${body.estimatedExecutionTime}`],
            [
              "rate",
              `1 ${inputSymbol} = ${body.rate} ${outputSymbol}, 1 ${outputSymbol} = ${body.inverseRate} ${inputSymbol}`
            ],
            ["price impact", body.priceImpactPercent === null ? null : `${body.priceImpactPercent} %`],
            ...rowsUnder("route", body.route.map(routeLine)),
            ...(body.bitcoin === undefined ? [gasRow(body, symbolOf)] : swapPaymentRows(body.bitcoin)),
            ["provider", body.swapProvider]
          ]
        })
      }).pipe(asFlags(flags))
    )
).pipe(
  Command.withDescription("Quote a swap"),
  Command.withExamples([
    {
      command: "countersign swap quote --wallet 0x… --amount 100 --from USDC --to WETH",
      description: "Quote 100 USDC for WETH, with gas paid in USDC"
    },
    {
      command:
        "countersign swap quote --wallet 0x… --amount 100 --from USDC --to USDC --chain base --to-chain ethereum",
      description: "Quote 100 USDC on Base for USDC on Ethereum"
    },
    {
      command:
        "countersign swap quote --wallet bc1q… --recipient 0x… --amount 0.01 --from BTC --to USDC --chain bitcoin --to-chain base",
      description: "Quote bitcoins for USDC on Base, through THORChain"
    },
    {
      command: "countersign swap quote --wallet 0x… --amount 100 --from USDC --to WETH --profile BEST_OUTPUT --fee 0.3",
      description: "Quote with the best of all providers, with 0.3 % for the project's treasury"
    },
    {
      command: "countersign swap quote --wallet 0x… --amount 100 --from USDC --to WETH --min 0.04 --expires 86400",
      description: "Quote a limit order: 100 USDC for at least 0.04 WETH, within one day"
    }
  ])
)

export const swap = Command.make("swap").pipe(Command.withSubcommands([quote]))
