import type { ChainId } from "@countersign/core/chains"
import { Address, DecimalString } from "@countersign/core/primitives"
import { type SwapQuote, Swaps } from "@countersign/core/swap"
import { type Token, TokenCatalog } from "@countersign/core/tokens"
import { DateTime, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { NotFound } from "../environment/errors.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { addressFlag } from "../input/address.ts"
import { asFlags } from "../input/asFlags.ts"
import { chainFlag } from "../input/chain.ts"
import { readAs, within } from "../input/readAs.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card } from "../output/table.ts"

/** A token by its address or symbol; `native` is the chain's own coin. */
const chosenToken = Effect.fnUntraced(function* (chainId: ChainId, text: string) {
  const catalog = yield* TokenCatalog
  const wanted = text.toLowerCase()
  const { tokens } = yield* catalog.search({
    text: wanted === "native" ? "" : wanted,
    chainIds: [chainId],
    offset: 0,
    limit: 1_000
  })
  const exact = tokens.find(({ address, symbol }) => address === wanted || symbol.toLowerCase() === wanted)
  const found = wanted === "native" ? tokens[0] : exact
  return (
    found ??
    (yield* new NotFound({
      what: `There is no token "${text}" on chain ${chainId}.`,
      hint: `\`countersign token list --chain ${chainId}\` shows them.`
    }))
  )
})

const quoteCard = (quote: SwapQuote, tokenIn: Token, tokenOut: Token, gasToken: Token) =>
  card([
    ["user operation", quote.quoteId],
    ["you give", `${quote.amountIn} ${tokenIn.symbol}`],
    ["you get", `${quote.amountOut} ${tokenOut.symbol}, at least ${quote.minAmountOut}`],
    ["gas", `about ${quote.gas.gasFeeTokenAmount} ${gasToken.symbol}, at most ${quote.gas.maxGasFeeToken}`],
    ["provider", quote.provider],
    ["can execute", quote.revertReason === null ? "yes" : `no: ${quote.revertReason.decoded}`],
    ["valid until", DateTime.formatIso(quote.expiresAt)],
    ...quote.preview.calls.map((call, i) => [i === 0 ? "calls" : "", call.summary] as const),
    ...quote.signData.map(
      (asked, i) => [i === 0 ? "to sign" : "", `${asked.type} by ${asked.method}: ${asked.hash}`] as const
    ),
    ["next", `countersign sign ${quote.quoteId}`]
  ])

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
  slippagePercent: "--slippage"
}

const quote = Command.make(
  "quote",
  {
    wallet: addressFlag("wallet").pipe(Flag.withDescription("Address of the registered wallet")),
    amount: Flag.String("amount").pipe(
      Flag.withDescription("How much to give, in whole tokens, such as 1.5"),
      readAs(DecimalString)
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
      Flag.withDescription("Percent, 0.5 to 99"),
      within(0.5, 99),
      Flag.withDefault(0.5)
    ),
    recipient: addressFlag("recipient").pipe(
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
        const wallet = Address.make(input.wallet)
        const quotes = yield* (yield* Swaps).quote(project, {
          walletAddress: wallet,
          toAddress: Option.getOrElse(input.recipient, () => wallet),
          chainIdIn: chainId,
          chainIdOut: chainId,
          tokenIn: tokenIn.address,
          tokenOut: tokenOut.address,
          amountIn: input.amount,
          routeProfile: "QUICKEST_QUOTE",
          gasFeePaymentMethod: input.deduct ? "DEDUCT_FROM_AMOUNT" : "ADD_TO_AMOUNT",
          payGasFeeToken: gasToken.address,
          transactionFeePercent: 0,
          slippagePercent: input.slippage,
          extraFee: null,
          limit: null,
          metadata: {},
          individualId: null
        })
        yield* print(input.json, quotes, () =>
          quotes.quotes.map((found) => quoteCard(found, tokenIn, tokenOut, gasToken)).join("\n\n")
        )
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
