import { chainOf, type EvmChainId, isEvmChainId, requireServed, ServedChains } from "@countersign/core/chains"
import { decimalFromBaseUnits } from "@countersign/core/primitives"
import {
  decimalFromPrice,
  type Token,
  TokenCatalog,
  TokenPrices,
  tokenKey,
  usdValueOrNull,
  valuesOf
} from "@countersign/core/tokens"
import { ChainReader } from "@countersign/core/user-operations"
import { Wallets } from "@countersign/core/wallets"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { settings, withServices } from "../environment/connect.ts"
import { Refused } from "../environment/errors.ts"
import { linkBase } from "../environment/linkBase.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { walletArgument } from "../input/address.ts"
import { namedChainFlag } from "../input/chain.ts"
import { jsonFlag, print } from "../output/print.ts"
import { tableOrHint } from "../output/table.ts"

// It comes with the services, which a command that is only explained does without.
const wireModule = Effect.promise(() => import("@countersign/adapters/wire"))
type Wire = Effect.Success<typeof wireModule>

const TOKENS_MAX = 1_000

/** The wallet's balances of listed tokens by the chain, without those of zero. */
const balancesOn = Effect.fnUntraced(function* (address: Token["address"], chainId: EvmChainId) {
  const catalog = yield* TokenCatalog
  const { tokens } = yield* catalog.search({ text: "", chainIds: [chainId], offset: 0, limit: TOKENS_MAX })
  const request = { address, tokens: tokens.map((token) => token.address), allowances: [] }
  const state = yield* (yield* ChainReader).accountState(chainId, request)
  const owned = tokens.flatMap((token) => {
    const units = state.balances.get(tokenKey(token)) ?? 0n
    return units === 0n ? [] : [{ token, units }]
  })
  const prices = valuesOf(yield* (yield* TokenPrices).known(owned.map(({ token }) => token)))
  return owned.map(({ token, units }) => ({ token, units, price: prices.get(tokenKey(token)) }))
})

type Balance = Effect.Success<ReturnType<typeof balancesOn>>[number]

/** In the words of the API's portfolio. */
const balanceJson = ({ chainBody, tokenBody }: Wire, base: string, { price, token, units }: Balance) => {
  const { chainId, logoURL, ...fields } = tokenBody(base, token)
  return {
    ...fields,
    logo: logoURL,
    chain: chainBody(base, chainId),
    balance: String(units),
    balanceFormatted: decimalFromBaseUnits(units, token.decimals),
    balanceUsd: usdValueOrNull(units, token, price),
    priceUsd: price === undefined ? null : decimalFromPrice(price)
  }
}

export const balances = Command.make(
  "balances",
  {
    wallet: walletArgument("wallet").pipe(Argument.withDescription("Address of the wallet")),
    chain: namedChainFlag.pipe(
      Flag.withDescription(
        "Only this chain: its id, or the beginning of its name; all that the service uses when not given"
      ),
      Flag.optional
    ),
    project: projectFlag,
    json: jsonFlag
  },
  ({ chain, json, project, wallet }) =>
    withServices(
      Effect.gen(function* () {
        const { id } = yield* chosenProject(project)
        const view = yield* (yield* Wallets).show(id, wallet)
        if (view.type === "BITCOIN")
          return yield* new Refused({ reason: "Balances of Bitcoin wallets are not read yet." })
        const { address } = view.account
        const { activeChains, servedChains = ServedChains.defaultValue() } = yield* settings
        if (Option.isSome(chain)) yield* requireServed(servedChains)({ "--chain": chain.value })
        const chainIds = Option.isSome(chain) ? [chain.value] : activeChains()
        const found = yield* Effect.forEach(chainIds.filter(isEvmChainId), (chainId) => balancesOn(address, chainId), {
          concurrency: "unbounded"
        })
        const owned = found.flat()
        const base = yield* linkBase
        const wire = yield* wireModule
        yield* print(json, { tokens: owned.map((balance) => balanceJson(wire, base, balance)) }, () =>
          tableOrHint(
            ["CHAIN", "TOKEN", "BALANCE", "USD", "ADDRESS"],
            owned.map(({ price, token, units }) => [
              chainOf(token.chainId).name,
              token.symbol,
              decimalFromBaseUnits(units, token.decimals),
              usdValueOrNull(units, token, price),
              token.address
            ]),
            `The wallet has none of the listed tokens on ${chainIds.map((chainId) => chainOf(chainId).name).join(", ")}.`
          )
        )
      })
    )
).pipe(
  Command.withDescription("Show what the chains say that a wallet has"),
  Command.withExamples([{ command: "countersign wallet balances 0x… --chain base", description: "On Base alone" }])
)
