import { DateTime, Effect, Layer, Option } from "effect"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { Address, Hash32, NATIVE_TOKEN } from "../../foundation/primitives/index.ts"
import { type Token, TokenCatalog, tokenKey } from "../../foundation/tokens/index.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { WalletStore } from "../../wallets/registry/index.ts"
import { anAccount, aWallet } from "../../wallets/registry/Wallet.fixture.ts"
import { HistoryStore, type Movement, type RecordedMovement, type Transaction } from "../history/index.ts"
import { aMovement, aTransaction, recordedMovementsOf } from "../history/Transaction.fixture.ts"
import { PastPrices } from "../market-data/index.ts"

const token = (symbol: string, decimals: number, address: Address, chainId: 1 | 8453 = 1): Token => ({
  chainId,
  address,
  name: symbol,
  symbol,
  decimals,
  realWorldAsset: false
})

export const USDC = token("USDC", 6, Address.make(`0x${"c".repeat(40)}`))
export const ETH = token("ETH", 18, NATIVE_TOKEN)
export const WETH = token("WETH", 18, Address.make(`0x${"a".repeat(40)}`))
export const DAI = token("DAI", 18, Address.make(`0x${"f".repeat(40)}`))
export const USDC_ON_BASE = token("USDC", 6, Address.make(`0x${"b".repeat(40)}`), 8453)
/** A token whose symbol attempts a CSV formula injection. */
export const EVIL = token('=HYPERLINK("https://evil.example")', 18, Address.make(`0x${"d".repeat(40)}`))

export const layerTokens = Layer.mock(TokenCatalog, {
  find: (chainId, address) =>
    Effect.succeed(
      Option.fromUndefinedOr(
        [USDC, ETH, WETH, DAI, USDC_ON_BASE, EVIL].find((each) => each.chainId === chainId && each.address === address)
      )
    )
})

/** ETH costs $2,000, and a US dollar costs five reais. Nothing else has a price. */
export const layerPrices = Layer.succeed(
  PastPrices,
  PastPrices.of({
    prices: (requests) =>
      Effect.succeed(
        requests.map(({ at, token: of }) =>
          tokenKey(of) === tokenKey(ETH) ? { at, source: "test", usd: 2_000n * 10n ** 18n } : null
        )
      ),
    rate: (currency, at) =>
      Effect.succeed(currency === "brl" ? { at, source: "test-rates", perUsdE18: 5n * 10n ** 18n } : null)
  })
)

const pricesUnavailable = Effect.fail(new UpstreamUnavailable({ upstream: "Prices", reason: "no response" }))

/** All price sources are unavailable. */
export const layerNoPrices = Layer.succeed(
  PastPrices,
  PastPrices.of({ prices: () => pricesUnavailable, rate: () => pricesUnavailable })
)

/** Creates a wallet with a history. */
export const aTaxFixture = () => {
  const projectId = aProjectId()
  const account = anAddress()
  const transactions: Array<Transaction> = []

  const owner = anAddress()
  const wallets = new Map([[account, owner]])

  /** Adds another wallet of the project. */
  const addWallet = (ownerAddress: Address = owner): Address => {
    const address = anAddress()
    wallets.set(address, ownerAddress)
    return address
  }

  /** Adds a transaction with additional fields. */
  const addWith = (
    fields: Partial<Transaction>,
    at: string,
    type: Transaction["type"],
    ...movements: ReadonlyArray<Partial<Movement>>
  ): Transaction => {
    const executedAt = DateTime.makeUnsafe(at)
    const hash = Hash32.make(`0x${String(transactions.length + 1).padStart(64, "0")}`)
    const transaction = aTransaction({
      projectId,
      walletAddress: account,
      type,
      status: "COMPLETED",
      executedAt,
      movements: movements.map((movement) => aMovement({ account, ...movement })),
      legs: ([1, 8453] as const).map((chainId, stage) => ({ chainId, hash, block: null, state: "FINAL", stage })),
      ...fields
    })
    transactions.push(transaction)
    return transaction
  }

  /** Adds a transaction of the wallet at a time such as `2026-10-05T12:00:00Z`. */
  const add = (at: string, type: Transaction["type"], ...movements: ReadonlyArray<Partial<Movement>>): Transaction =>
    addWith({}, at, type, ...movements)

  const recordedMovements = (requestedAccount: string): ReadonlyArray<RecordedMovement> =>
    transactions
      .flatMap(recordedMovementsOf)
      .filter(({ movement }) => movement.account === requestedAccount)
      .sort((a, b) => DateTime.toEpochMillis(a.at) - DateTime.toEpochMillis(b.at))

  const layerHistory = Layer.mock(HistoryStore, {
    findAll: (_, ids) => Effect.succeed(transactions.filter(({ id }) => ids.has(id))),
    listMovements: ({ account: of, after, take }) =>
      Effect.sync(() => {
        const allMovements = recordedMovements(of)
        const from =
          after === null
            ? 0
            : allMovements.findIndex(
                ({ position, transactionId }) => transactionId === after.transactionId && position === after.position
              ) + 1
        return allMovements.slice(from, from + take)
      })
  })
  const layerWallets = Layer.mock(WalletStore, {
    find: (_, address) =>
      Effect.succeed(
        Option.map(Option.fromUndefinedOr([...wallets].find(([each]) => each === address)), ([each, of]) =>
          aWallet({ projectId, account: anAccount({ address: each, owner: of }) })
        )
      )
  })
  const layer = Layer.mergeAll(layerHistory, layerTokens, layerPrices, layerWallets)
  return { projectId, account, add, addWith, addWallet, layer }
}

const units = (amount: string, { decimals }: Token): bigint => {
  const [whole = "0", fraction = ""] = amount.split(".")
  return BigInt(whole + fraction.padEnd(decimals, "0"))
}

/** Creates a movement of an amount in token units, with its recorded value if it has one. */
export const tokenMovement = (
  direction: Movement["direction"],
  amount: string,
  of: Token,
  usd: string | null = null,
  role: Movement["role"] = "PRINCIPAL"
): Partial<Movement> => ({
  direction,
  role,
  asset: { chainId: of.chainId, token: of.address },
  amount: units(amount, of),
  usd
})
