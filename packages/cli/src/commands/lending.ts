import { type LendingAction, LendingSide, lendingActions } from "@countersign/core/trading/lending"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { callEndpoint, callEndpointAsOperator } from "../environment/ask.ts"
import { withServices } from "../environment/connect.ts"
import { projectFlag } from "../environment/project.ts"
import { walletArgument, walletFlag } from "../input/address.ts"
import { asFlags } from "../input/asFlags.ts"
import { chainFlag, namedChainFlag } from "../input/chain.ts"
import { gasFields, gasFlags } from "../input/gas.ts"
import { resolveTokenAddress, type SymbolOf } from "../input/token.ts"
import { healthBar, healthText } from "../output/healthBar.ts"
import { formatPercent } from "../output/percent.ts"
import { printPrepared } from "../output/preparedCard.ts"
import { jsonFlag } from "../output/print.ts"
import { printResponse } from "../output/printResponse.ts"
import { tableOrHint } from "../output/table.ts"

const providers = { aave: "LENDING_PROVIDER_A", morpho: "LENDING_PROVIDER_B" } as const
const providerNames = ["aave", "morpho"] as const

const providerFlag = Flag.Literals("provider", providerNames).pipe(Flag.withDescription("Aave V3 or Morpho Blue"))

interface LegText {
  readonly amount: string
  readonly token: string
}

/** Parses an amount such as `1.5 WETH`. */
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

const formatPercents = ({ after, before }: { readonly before: string | null; readonly after: string | null }) => ({
  before: formatPercent(before),
  after: formatPercent(after)
})

const changeRow = (
  name: string,
  { after, before }: { readonly before: string | null; readonly after: string | null },
  terms = ""
) => {
  const text = `${before ?? "none"} before, ${after ?? "none"} after${terms}`
  return [name, before === null && after === null ? null : text] as const
}

/** Formats the unit of the liquidation price, such as "in US dollars for 1 WETH". */
const priceTerms = (
  { inTokenAddress, tokenAddress }: { readonly inTokenAddress: string | null; readonly tokenAddress: string | null },
  symbolOf: SymbolOf
): string => {
  if (tokenAddress === null) return ""
  return `, in ${inTokenAddress === null ? "US dollars" : symbolOf(inTokenAddress)} for 1 ${symbolOf(tokenAddress)}`
}

const drawHealth = (factor: string | null) => `${healthBar(factor)} ${healthText(factor)}`

const quote = Command.make(
  "quote",
  {
    wallet: walletFlag("wallet").pipe(Flag.withDescription("Address of the registered wallet")),
    provider: providerFlag.pipe(Flag.withDefault("aave" as const)),
    supply: legFlag("supply", "1.5 WETH"),
    borrow: legFlag("borrow", "1000 USDC"),
    repay: legFlag("repay", "MAX USDC"),
    withdraw: legFlag("withdraw", "MAX WETH"),
    market: Flag.String("market").pipe(Flag.withDescription("Market id of Morpho Blue"), Flag.optional),
    side: Flag.Literals("side", LendingSide.literals).pipe(
      Flag.withDescription("Side of a Morpho Blue market to supply to or withdraw from"),
      Flag.optional
    ),
    ...gasFlags("the native token of the first leg's chain"),
    acceptLowHealth: Flag.Boolean("accept-low-health").pipe(
      Flag.withDescription("Quote the operation even if the health factor falls below the service's limit"),
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
        const market = Option.isNone(input.market) ? {} : { marketId: input.market.value }
        const side = Option.isNone(input.side) ? {} : { side: input.side.value }
        const requestedLegs = lendingActions.flatMap((action) =>
          Option.toArray(input[action]).map((leg) => ({ ...leg, action }))
        )
        const legs = yield* Effect.forEach(requestedLegs, ({ action, amount, token }) =>
          Effect.map(resolveTokenAddress(chain, token), (tokenAddress) => {
            const fields = { chainId: chain, tokenAddress, amount, ...market }
            return [action, action === "supply" || action === "withdraw" ? { ...fields, ...side } : fields] as const
          })
        )
        const firstToken = legs[0]?.[1].tokenAddress ?? (yield* resolveTokenAddress(chain, "native"))
        const gas = yield* gasFields(input, firstToken)
        const quote = yield* callEndpoint(({ lending }) => lending.quote, input.project, {
          payload: {
            walletAddress: input.wallet,
            provider: providers[input.provider],
            ...Object.fromEntries(legs),
            gas: { paymentMethod: gas.gasFeePaymentMethod, tokenAddress: gas.payGasFeeToken },
            acceptLowHealthFactor: input.acceptLowHealth
          }
        })
        yield* printPrepared(input, quote, [quote], (body, symbolOf) => {
          const { healthFactor, liquidationPrice, marketId, rates } = body
          const tokens = {
            supply: body.supply?.tokenIn,
            borrow: body.borrow?.token,
            repay: body.repay?.token,
            withdraw: body.withdraw?.tokenOut
          }
          const [fee] = body.fees
          return [
            ...requestedLegs.map(({ action, amount }) => {
              const leg = tokens[action]
              const maxSuffix = amount === "MAX" ? " (everything)" : ""
              return [action, `${leg?.amount.value} ${symbolOf(leg?.tokenAddress ?? "")}${maxSuffix}`] as const
            }),
            ["provider", marketId === null ? body.provider.name : `${body.provider.name}, market ${marketId}`],
            ["health before", drawHealth(healthFactor.before)],
            [
              "health after",
              body.revertReason === undefined ? `${drawHealth(healthFactor.after)}, liquidated below 1` : null
            ],
            changeRow("liquidation price", liquidationPrice, priceTerms(liquidationPrice, symbolOf)),
            changeRow("borrowing costs %", formatPercents(rates.borrowAprPercent)),
            changeRow("supplying earns %", formatPercents(rates.supplyAprPercent)),
            ["gas", `at most ${fee?.amount.value} ${symbolOf(fee?.tokenAddress ?? "")}`]
          ]
        })
      }).pipe(asFlags(flags))
    )
).pipe(
  Command.withDescription("Quote supplying, borrowing, repaying or withdrawing"),
  Command.withExamples([
    {
      command: 'countersign lending quote --wallet 0x… --supply "10 WETH" --borrow "10000 USDC"',
      description: "Supply 10 WETH and borrow 10,000 USDC in one operation"
    },
    {
      command: 'countersign lending quote --wallet 0x… --repay "MAX USDC" --withdraw "MAX WETH"',
      description: "Repay a complete loan"
    }
  ])
)

interface UnreadPositions {
  readonly unread: ReadonlyArray<{
    readonly chain: { readonly name: string }
    readonly provider: { readonly name: string }
    readonly reason: string
  }>
}

const tableAndUnread = ({ unread }: UnreadPositions, ...listing: Parameters<typeof tableOrHint>): string =>
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
  ({ chain, provider, ...printOptions }) =>
    printResponse(
      printOptions,
      callEndpointAsOperator(({ lending }) => lending.markets, {
        query: {
          chainId: Option.getOrUndefined(chain),
          provider: Option.isNone(provider) ? undefined : providers[provider.value]
        }
      }).pipe(asFlags({ chainId: "--chain", provider: "--provider" })),
      (body) =>
        tableAndUnread(
          body,
          ["CHAIN", "PROVIDER", "LENT", "COLLATERAL", "LTV %", "BORROW %", "SUPPLY %", "AVAILABLE", "MARKET"],
          body.markets.map((market) => [
            market.chain.name,
            market.provider.name,
            market.loanToken.symbol,
            market.collateralToken?.symbol ?? null,
            market.ltvPercent,
            formatPercent(market.borrowAprPercent),
            formatPercent(market.supplyAprPercent),
            market.available,
            market.marketId
          ]),
          "There are no lending markets of listed tokens on these chains."
        )
    )
).pipe(Command.withDescription("Show the lending markets"))

const positions = Command.make(
  "positions",
  {
    wallet: walletArgument("wallet").pipe(Argument.withDescription("Address of the wallet")),
    project: projectFlag,
    json: jsonFlag
  },
  ({ project, wallet, ...printOptions }) =>
    printResponse(
      printOptions,
      callEndpoint(({ lending }) => lending.positions, project, { params: { walletAddress: wallet } }),
      (body) =>
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
            drawHealth(position.healthFactor)
          ]),
          "The wallet has no supplies and no debts on the served chains."
        )
    )
).pipe(Command.withDescription("Show the lending positions of a wallet"))

export const lending = Command.make("lending").pipe(Command.withSubcommands([quote, markets, positions]))
