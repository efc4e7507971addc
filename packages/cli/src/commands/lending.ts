import { lendingMarketsBody, lendingPositionsBody, lendingQuoteBody } from "@countersign/adapters/wire"
import type { EvmChainId } from "@countersign/core/chains"
import {
  Lending,
  type LendingAction,
  type LendingQuote,
  LendingRequest,
  LendingSide,
  lendingActions
} from "@countersign/core/lending"
import type { Address } from "@countersign/core/primitives"
import { TokenCatalog, TokenPrices, valuesOf } from "@countersign/core/tokens"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { linkBase } from "../environment/linkBase.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { walletArgument, walletFlag } from "../input/address.ts"
import { asFlags } from "../input/asFlags.ts"
import { chainFlag, namedChainFlag } from "../input/chain.ts"
import { requestOf } from "../input/requestOf.ts"
import { chosenToken } from "../input/token.ts"
import { healthBar, healthText } from "../output/healthBar.ts"
import { preparedRows, requireExecutable } from "../output/prepared.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card, tableOrHint } from "../output/table.ts"

const providers = { aave: "LENDING_PROVIDER_A", morpho: "LENDING_PROVIDER_B" } as const
const providerNames = ["aave", "morpho"] as const

const providerFlag = Flag.Literals("provider", providerNames).pipe(Flag.withDescription("Aave V3 or Morpho Blue"))

interface LegText {
  readonly amount: string
  readonly token: string
}

/** `1.5 WETH`. */
const legOrNone = (text: string): Option.Option<LegText> => {
  const [amount, token, ...others] = text.trim().split(/\s+/u)
  return amount && token && others.length === 0 ? Option.some({ amount, token }) : Option.none()
}

const legFlag = (action: LendingAction, example: string) =>
  Flag.String(action).pipe(
    Flag.withDescription(`Amount and token to ${action}, such as "${example}"`),
    Flag.filterMap(legOrNone, () => `Expected an amount and a token, such as "${example}"`),
    Flag.optional
  )

const flags = {
  "": "--supply, --borrow, --repay, --withdraw",
  walletAddress: "--wallet",
  provider: "--provider",
  acceptLowHealthFactor: "--accept-low-health",
  "gas.paymentMethod": "--deduct",
  "gas.tokenAddress": "--gas-token",
  ...Object.fromEntries(
    lendingActions.flatMap((action) => [
      ...["amount", "tokenAddress", "chainId"].map((field) => [`${action}.${field}`, `--${action}`] as const),
      [`${action}.marketId`, "--market"] as const,
      [`${action}.side`, "--side"] as const
    ])
  )
}

const lendingRequestOf = requestOf(LendingRequest)

const change = (
  name: string,
  { after, before }: { readonly before: string | null; readonly after: string | null },
  terms = ""
) => {
  const text = `${before ?? "none"} before, ${after ?? "none"} after${terms}`
  return [name, before === null && after === null ? null : text] as const
}

type QuoteBody = ReturnType<typeof lendingQuoteBody>

/** What the liquidation price is of, and what it is in. */
const priceTerms = Effect.fnUntraced(function* (chainId: EvmChainId, { liquidationPrice }: QuoteBody) {
  const { inTokenAddress, tokenAddress } = liquidationPrice
  if (tokenAddress === null) return ""
  const catalog = yield* TokenCatalog
  const symbolOf = (address: Address) =>
    Effect.map(catalog.find(chainId, address), (found) => Option.getOrUndefined(found)?.symbol ?? address)
  const unit = inTokenAddress === null ? "US dollars" : yield* symbolOf(inTokenAddress)
  return `, in ${unit} for 1 ${yield* symbolOf(tokenAddress)}`
})

const quoteCard = (lendingQuote: LendingQuote, body: QuoteBody, terms: string) => {
  const { legs, payGasFeeToken } = lendingQuote.content
  const { healthFactor, liquidationPrice, marketId, rates } = body
  return card([
    ["user operation", body.userOperationHash],
    ...lendingActions.flatMap((action) => {
      const leg = legs[action]
      if (leg === undefined) return []
      const token = { supply: body.supply?.tokenIn, borrow: body.borrow?.token, repay: body.repay?.token }
      const entry = action === "withdraw" ? body.withdraw?.tokenOut : token[action]
      return [[action, `${entry?.amount.value} ${leg.token.symbol}${leg.isMax ? " (everything)" : ""}`] as const]
    }),
    ["provider", marketId === null ? body.provider.name : `${body.provider.name}, market ${marketId}`],
    ["health before", `${healthBar(healthFactor.before)} ${healthText(healthFactor.before)}`],
    [
      "health after",
      lendingQuote.content.outcome.after === null
        ? null
        : `${healthBar(healthFactor.after)} ${healthText(healthFactor.after)}, liquidated below 1`
    ],
    change("liquidation price", liquidationPrice, terms),
    change("borrowing costs %", rates.borrowAprPercent),
    change("supplying earns %", rates.supplyAprPercent),
    ["gas", `at most ${body.fees[0]?.amount.value} ${payGasFeeToken.symbol}`],
    ...preparedRows(lendingQuote.quote, body)
  ])
}

const quote = Command.make(
  "quote",
  {
    wallet: walletFlag("wallet").pipe(Flag.withDescription("Address of the registered wallet")),
    provider: providerFlag.pipe(Flag.withDefault("aave" as const)),
    supply: legFlag("supply", "1.5 WETH"),
    borrow: legFlag("borrow", "1000 USDC"),
    repay: legFlag("repay", "MAX USDC"),
    withdraw: legFlag("withdraw", "MAX WETH"),
    market: Flag.String("market").pipe(Flag.withDescription("Id of the market of Morpho Blue"), Flag.optional),
    side: Flag.Literals("side", LendingSide.literals).pipe(
      Flag.withDescription("Side of a market of Morpho Blue to supply to or withdraw from"),
      Flag.optional
    ),
    gasToken: Flag.String("gas-token").pipe(
      Flag.withDescription("Token that pays the gas: symbol, address or native; that of the first leg when not named"),
      Flag.optional
    ),
    deduct: Flag.Boolean("deduct").pipe(
      Flag.withDescription("Take the gas fee out of the amount instead of adding it"),
      Flag.withDefault(false)
    ),
    acceptLowHealth: Flag.Boolean("accept-low-health").pipe(
      Flag.withDescription("Also where the health factor afterwards is below the service's limit"),
      Flag.withDefault(false)
    ),
    chain: chainFlag,
    project: projectFlag,
    json: jsonFlag
  },
  (input) =>
    withServices(
      Effect.gen(function* () {
        const { chain } = input
        const project = yield* chosenProject(input.project)
        const market = Option.isNone(input.market) ? {} : { marketId: input.market.value }
        const side = Option.isNone(input.side) ? {} : { side: input.side.value }
        const legs: Array<readonly [LendingAction, { readonly tokenAddress: string }]> = []
        for (const action of lendingActions) {
          const leg = input[action]
          if (Option.isNone(leg)) continue
          const { address } = yield* chosenToken(chain, leg.value.token)
          const fields = { chainId: chain, tokenAddress: address, amount: leg.value.amount, ...market }
          legs.push([action, action === "supply" || action === "withdraw" ? { ...fields, ...side } : fields])
        }
        const gasToken = Option.isSome(input.gasToken)
          ? (yield* chosenToken(chain, input.gasToken.value)).address
          : legs[0]?.[1].tokenAddress
        const request = yield* lendingRequestOf({
          walletAddress: input.wallet,
          provider: providers[input.provider],
          ...Object.fromEntries(legs),
          gas: {
            paymentMethod: input.deduct ? "DEDUCT_FROM_AMOUNT" : "ADD_TO_AMOUNT",
            tokenAddress: gasToken ?? (yield* chosenToken(chain, "native")).address
          },
          acceptLowHealthFactor: input.acceptLowHealth
        })
        const lendingQuote = yield* (yield* Lending).quote(project, request)
        const body = lendingQuoteBody(yield* linkBase, lendingQuote)
        const terms = yield* priceTerms(lendingQuote.content.chainId, body)
        yield* print(input.json, body, () => quoteCard(lendingQuote, body, terms))
        yield* requireExecutable([lendingQuote.quote])
      }).pipe(asFlags(flags))
    )
).pipe(
  Command.withDescription("Prepare a supply, a loan, a repayment or a withdrawal"),
  Command.withExamples([
    {
      command: 'countersign lending quote --wallet 0x… --supply "10 WETH" --borrow "10000 USDC"',
      description: "10,000 USDC against 10 WETH in one operation"
    },
    {
      command: 'countersign lending quote --wallet 0x… --repay "MAX USDC" --withdraw "MAX WETH"',
      description: "Close the loan, with nothing left"
    }
  ])
)

interface Unread {
  readonly unread: ReadonlyArray<{
    readonly chain: { readonly name: string }
    readonly provider: { readonly name: string }
    readonly reason: string
  }>
}

const tableAndUnread = ({ unread }: Unread, ...listing: Parameters<typeof tableOrHint>): string =>
  [
    tableOrHint(...listing),
    ...unread.map(({ chain, provider, reason }) => `Not read: ${provider.name} on ${chain.name}: ${reason}`)
  ].join("\n")

const markets = Command.make(
  "markets",
  {
    provider: providerFlag.pipe(Flag.optional),
    chain: namedChainFlag.pipe(Flag.optional),
    json: jsonFlag
  },
  ({ chain, json, provider }) =>
    withServices(
      Effect.gen(function* () {
        const found = yield* (yield* Lending).markets({
          chainId: Option.getOrNull(chain),
          provider: Option.isNone(provider) ? null : providers[provider.value]
        })
        const body = lendingMarketsBody(yield* linkBase, found)
        yield* print(json, body, () =>
          tableAndUnread(
            body,
            ["CHAIN", "PROVIDER", "LENT", "COLLATERAL", "LTV %", "BORROW %", "SUPPLY %", "AVAILABLE", "MARKET"],
            body.markets.map((market) => [
              market.chain.name,
              market.provider.name,
              market.loanToken.symbol,
              market.collateralToken?.symbol ?? null,
              market.ltvPercent,
              Number(market.borrowAprPercent).toFixed(2),
              Number(market.supplyAprPercent).toFixed(2),
              market.available,
              market.marketId
            ]),
            "There is no market of listed tokens on these chains."
          )
        )
      }).pipe(asFlags({ chainId: "--chain", provider: "--provider" }))
    )
).pipe(Command.withDescription("Show the markets in which tokens are lent"))

const positions = Command.make(
  "positions",
  {
    wallet: walletArgument("wallet").pipe(Argument.withDescription("Address of the wallet")),
    project: projectFlag,
    json: jsonFlag
  },
  ({ json, project, wallet }) =>
    withServices(
      Effect.gen(function* () {
        const found = yield* (yield* Lending).positions(yield* chosenProject(project), wallet)
        const prices = valuesOf(yield* (yield* TokenPrices).known(found.found.flatMap(({ tokens }) => tokens)))
        const body = lendingPositionsBody(yield* linkBase, found, prices)
        yield* print(json, body, () =>
          tableAndUnread(
            body,
            ["CHAIN", "PROVIDER", "TYPE", "AMOUNT", "USD", "COLLATERAL", "HEALTH"],
            body.positions.map((position) => [
              position.chain.name,
              position.provider.name,
              position.positionType,
              `${position.token.amount} ${position.token.symbol}`,
              position.valueUsd,
              position.isCollateral ? "yes" : "no",
              `${healthBar(position.healthFactor)} ${healthText(position.healthFactor)}`
            ]),
            "The wallet has supplied nothing and owes nothing on the chains that run."
          )
        )
      })
    )
).pipe(Command.withDescription("Show what a wallet has supplied and owes"))

export const lending = Command.make("lending").pipe(Command.withSubcommands([quote, markets, positions]))
