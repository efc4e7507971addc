import { HistoryStore, type Transaction, Transactions } from "@countersign/core/accounting/history"
import { PastPrices } from "@countersign/core/accounting/market-data"
import { aMovement, aTransaction } from "@countersign/core/contracts/accounting/history/HistoryStore"
import { anExecution } from "@countersign/core/contracts/operations/executions/ExecutionStore"
import { aQuote } from "@countersign/core/contracts/operations/quotes/QuoteStore"
import { aWallet } from "@countersign/core/contracts/wallets/registry/WalletStore"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Address, Hash32, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { reportedPrice, type Token, TokenCatalog, TokenPrices, tokenKey } from "@countersign/core/foundation/tokens"
import { WorkClaims } from "@countersign/core/foundation/work"
import { ExecutionStore, Finality } from "@countersign/core/operations/executions"
import { QuoteStore } from "@countersign/core/operations/quotes"
import { EventLog } from "@countersign/core/tenancy/events"
import { ProjectId } from "@countersign/core/tenancy/projects"
import {
  ActivityRecords,
  ActivitySettings,
  ActivityStore,
  ActivityWatch,
  type IncludedOperation,
  layerHeldChains
} from "@countersign/core/wallets/chain-activity"
import { AccountAddresses, type SmartWallet, WalletStore, Wallets } from "@countersign/core/wallets/registry"
import { assert, describe, it } from "@effect/vitest"
import { Context, DateTime, Effect, Exit, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { StagedChain, type StagedTransaction } from "../../../test/chain-activity/StagedChain.ts"
import { recordedDb } from "../../../test/kysely/recordedDb.ts"
import { NodeEntropy } from "../../service/node/index.ts"
import { layerSqlite, layerStores } from "../../storage/kysely/index.ts"

/**
 * Tests the chain watcher on a simulated chain with a real database: killed at any query, concurrent with operations,
 * and with reorgs.
 */

const CHAIN = 137
const FINALITY = 5
const NOW = 1_780_000_000

/** Starts above the ids of the core's fixtures. */
let idCounter = 0xf0_00_00_00
const nextId = (digits: number): string => {
  idCounter += 1
  return idCounter.toString(16).padStart(digits, "0")
}
const anAddress = () => Address.make(`0x${nextId(40)}`)
const aHash = () => Hash32.make(`0x${nextId(64)}`)
const aProject = () => ProjectId.make(`00000000-0000-4000-8000-${nextId(12)}`)

const [usdc, scam] = [anAddress(), anAddress()]
const tokenAt = (address: Address): Token => ({
  chainId: CHAIN,
  address,
  name: "T",
  symbol: "T",
  decimals: 6,
  realWorldAsset: false
})
const tokensByAddress = new Map([usdc, NATIVE_TOKEN].map((address) => [address, tokenAt(address)]))

const aStagedTransaction = (fields: Partial<StagedTransaction> = {}): StagedTransaction => ({
  hash: aHash(),
  from: anAddress(),
  transfers: [],
  coin: [],
  operations: [],
  success: true,
  ...fields
})

const pays = (to: Address, amount: bigint, token: Address = usdc, from: Address = anAddress()) =>
  aStagedTransaction({ transfers: [{ token, from, to, amount }] })

/** The number of queries until the store fails, as if its process had been killed. */
interface Kill {
  atQuery: number
}

const makeFixture = Effect.fnUntraced(function* (
  policy: Partial<(typeof ActivitySettings)["Service"]> = {},
  pastPrices: Partial<PastPrices["Service"]> = { prices: (requests) => Effect.succeed(requests.map(() => null)) },
  isHeld = false
) {
  yield* TestClock.setTime(NOW * 1_000)
  const chain = new StagedChain(CHAIN, NOW - 400)
  const kill: Kill = { atQuery: Number.POSITIVE_INFINITY }
  const queries: Array<string> = []
  const mortalDb = recordedDb(({ sql }) => {
    queries.push(sql)
    kill.atQuery -= 1
    if (kill.atQuery === 0) throw new Error("killed")
  })
  const database = yield* Layer.build(Layer.fresh(layerSqlite(":memory:")))
  const ports = Layer.mergeAll(
    chain.layer(),
    NodeEntropy.layer,
    Layer.mock(AccountAddresses, { factories: [] }),
    Layer.mock(TokenCatalog, {
      find: (_, address) => Effect.succeed(Option.fromNullishOr(tokensByAddress.get(address)))
    }),
    Layer.mock(TokenPrices, {
      findPrices: (tokens) =>
        Effect.succeed(new Map(tokens.map((token) => [tokenKey(token), reportedPrice(10n ** 18n)])))
    }),
    Layer.mock(PastPrices, pastPrices),
    Layer.succeed(Finality, () => ({ blocks: FINALITY, pollEveryMs: 1_000 })),
    Layer.succeed(ActivitySettings, { isOn: true, withNativeToken: true, backfillBlocks: 1_000, ...policy })
  )
  const services = ActivityWatch.layer({ chainIds: () => [CHAIN] }).pipe(
    Layer.provide(ActivityRecords.layer),
    Layer.provide(isHeld ? layerHeldChains : Layer.empty),
    Layer.provide(Layer.merge(Transactions.layer, Wallets.layer)),
    Layer.provide(ports),
    Layer.provide(layerStores.pipe(Layer.provide(mortalDb), Layer.fresh)),
    Layer.provide(Layer.succeedContext(database))
  )
  const processScope = yield* Scope.make()
  const { watchDue } = Context.get(yield* Layer.buildWithScope(services, processScope), ActivityWatch)
  const stores = Layer.succeedContext(database)
  const store = yield* Effect.provide(ActivityStore, stores)
  const history = yield* Effect.provide(HistoryStore, stores)
  const wallets = yield* Effect.provide(WalletStore, stores)
  const quotes = yield* Effect.provide(QuoteStore, stores)
  const executions = yield* Effect.provide(ExecutionStore, stores)
  const { releaseAll } = yield* Effect.provide(WorkClaims, stores)

  const register = Effect.fnUntraced(function* (wallet: SmartWallet = aWallet({ projectId: aProject() })) {
    yield* wallets.insert(wallet)
    return wallet
  })

  const isRead = Effect.gen(function* () {
    const [watched] = yield* store.listChains
    const backfills = yield* store.listBackfills(CHAIN, 1)
    return watched?.progress?.last.hash === chain.head.hash && backfills.length === 0
  })

  /** Runs steps until the chain is read and all due transfers are checked. */
  const readAll = Effect.gen(function* () {
    for (let step = 0; step < 300; step++) {
      yield* TestClock.adjust("1 second")
      yield* watchDue
      if ((yield* isRead) && (yield* store.listDue(CHAIN, yield* DateTime.now, 1)).length === 0) return
    }
    assert.fail("the chain is not read")
  })

  const transactionsOf = ({ account: { address }, projectId }: SmartWallet, includeUnlisted = false) =>
    history.list({ projectId, walletAddress: address, filter: { includeUnlisted }, after: null, take: 100 })

  const movedAmounts = ({ account: { address: account }, projectId }: SmartWallet) =>
    history.listMovements({ projectId, account, after: null, take: 1_000 })

  return {
    chain,
    executions,
    history,
    kill,
    moved: movedAmounts,
    of: transactionsOf,
    /** Stops the process that watches. It first releases its chains. */
    stop: Scope.close(processScope, Exit.void),
    queries,
    quotes,
    read: readAll,
    register,
    releaseAll,
    store,
    wallets,
    watchDue,
    events: yield* Effect.provide(EventLog, stores),
    isRead
  }
})

const summaryOf = ({ movements, status, substatus, type }: Transaction) => [
  type,
  status,
  substatus,
  ...movements.map(({ amount, direction, role }) => `${direction} ${role} ${amount}`)
]

const operationOf = (sender: Address, fields: Partial<IncludedOperation> = {}): IncludedOperation => ({
  hash: aHash(),
  sender,
  paysInNativeToken: false,
  actualGasCost: 500n,
  ...fields
})

describe("the chain watcher", () => {
  it.effect("sends no request to a chain without registered wallets", () =>
    Effect.gen(function* () {
      const { chain, watchDue } = yield* makeFixture()
      for (let step = 0; step < 5; step++) {
        yield* TestClock.adjust("10 seconds")
        yield* watchDue
      }
      assert.strictEqual(chain.requests, 0)
    })
  )

  const noPrices: Partial<PastPrices["Service"]> = {
    prices: (requests) => Effect.succeed(requests.map(() => null))
  }

  it.effect("reads and writes almost nothing for blocks without registered wallets, and misses no transfer", () =>
    Effect.gen(function* () {
      const { chain, isRead, moved, queries, read, register, stop, store, watchDue } = yield* makeFixture(
        {},
        noPrices,
        true
      )
      const activityQueries = () => queries.filter((sql) => !sql.includes("upcoming_"))
      const wallet = yield* register()
      chain.mineEmpty(3)
      yield* read
      yield* TestClock.adjust("1 minute")
      yield* watchDue
      queries.length = 0
      for (let step = 0; step < 60; step++) {
        chain.mineEmpty(1)
        yield* TestClock.adjust("1 second")
        assert.isTrue(yield* watchDue)
      }
      assert.isBelow(activityQueries().length, 20, activityQueries().join("\n"))

      // The next block contains a transfer to the wallet, and one to a wallet that was registered in the meantime.
      chain.mine(pays(wallet.account.address, 7n))
      const secondWallet = yield* register()
      chain.mine(pays(secondWallet.account.address, 8n))
      yield* read
      const amountsOf = (each: SmartWallet) =>
        Effect.map(moved(each), (all) => all.map(({ movement }) => movement.amount))
      assert.deepStrictEqual(yield* amountsOf(wallet), [7n])
      assert.deepStrictEqual(yield* amountsOf(secondWallet), [8n])

      // A process that stops stores its position, so that another process can continue immediately.
      chain.mineEmpty(4)
      yield* TestClock.adjust("1 second")
      yield* watchDue
      yield* stop
      assert.isTrue(yield* isRead)
      const now = yield* DateTime.now
      assert.isTrue(Option.isSome(yield* store.claim([CHAIN], now, DateTime.add(now, { seconds: 1 }))))
    })
  )

  it.effect("continues in another process after the lease of a dead process has expired", () =>
    Effect.gen(function* () {
      const { chain, read, register, store, watchDue } = yield* makeFixture({}, noPrices, true)
      yield* register()
      chain.mineEmpty(3)
      yield* read
      yield* TestClock.adjust("1 second")
      yield* watchDue
      const claim = Effect.flatMap(DateTime.now, (now) => store.claim([CHAIN], now, DateTime.add(now, { seconds: 60 })))
      assert.isTrue(Option.isNone(yield* claim))
      yield* TestClock.adjust("31 seconds")
      const leases = yield* claim
      assert.isTrue(Option.isSome(leases))
      // The first process was only paused. It has lost its lease and must not store anything.
      const previousChains = yield* store.listChains
      chain.mineEmpty(5)
      yield* watchDue
      assert.deepStrictEqual(yield* store.listChains, previousChains)
    })
  )

  it.effect.each([false, true])(
    "records every transfer once if a process is killed at any query (chains held: %s)",
    (isHeld) =>
      Effect.gen(function* () {
        const { chain, isRead, kill, moved, of, register, releaseAll, store, watchDue } = yield* makeFixture(
          {},
          noPrices,
          isHeld
        )
        const otherProject = aProject()
        const earlyWallet = yield* register()
        const expected: Array<bigint> = []
        const pay = (wallet: SmartWallet, amount: bigint) => {
          expected.push(amount)
          const { address } = wallet.account
          const nativeToken = [{ from: anAddress(), to: address, amount }]
          const isNativeToken = amount % 3n === 0n
          return isNativeToken ? aStagedTransaction({ coin: nativeToken }) : pays(address, amount)
        }
        chain.mineEmpty(3)
        let kills = 0
        for (let block = 1n; block <= 12n; block++) {
          chain.mine(
            pay(earlyWallet, 10n * block + 1n),
            pays(earlyWallet.account.address, block, scam),
            pay(earlyWallet, 3n * block)
          )
          if (block === 5n) yield* register({ ...earlyWallet, projectId: otherProject })
          if (block === 8n) for (const { transactions } of chain.drop(2)) chain.mine(...transactions)
          while (!(yield* isRead) || (yield* store.nextDueAt(CHAIN)) !== null) {
            for (let query = 1; ; query++) {
              yield* TestClock.adjust("5 seconds")
              kill.atQuery = query
              const exit = yield* Effect.exit(watchDue)
              kill.atQuery = Number.POSITIVE_INFINITY
              yield* releaseAll
              if (Exit.isSuccess(exit)) break
              kills += 1
            }
          }
        }
        assert.isAbove(kills, isHeld ? 100 : 300)
        const sortAmounts = (amounts: ReadonlyArray<bigint>) => amounts.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
        const amounts = (yield* moved(earlyWallet)).filter(
          ({ movement: { asset } }) => "token" in asset && asset.token !== scam
        )
        assert.deepStrictEqual(sortAmounts(amounts.map(({ movement }) => movement.amount)), sortAmounts(expected))
        const otherTransactions = yield* of({ ...earlyWallet, projectId: otherProject })
        // The wallet is registered at the fifth block. Transfers in the four blocks before are also detected.
        assert.strictEqual(otherTransactions.length, 12 * 2)
        assert.strictEqual(new Set(otherTransactions.map(({ legs }) => legs[0]!.hash)).size, otherTransactions.length)
      })
  )

  it.effect(
    "continues after a pause where it stopped, in larger steps, and in smaller ones if the node rejects them",
    () =>
      Effect.gen(function* () {
        const { chain, of, read, register } = yield* makeFixture()
        const wallet = yield* register()
        yield* read
        for (let block = 0; block < 60; block++) chain.mine(pays(wallet.account.address, 1n))
        chain.maxRange = 3
        yield* read
        assert.lengthOf(yield* of(wallet), 60)
      })
  )

  it.effect("skips the unlisted tokens of a block with more logs than nodes return, and continues", () =>
    Effect.gen(function* () {
      const { chain, of, read, register } = yield* makeFixture({ backfillBlocks: 50 })
      const wallet = yield* register()
      const { address } = wallet.account
      chain.listedTokens = [usdc]
      yield* read
      chain.maxLogs = 10
      const spam = Array.from({ length: 100 }, () => pays(address, 1n, scam))
      const amountsOf = (each: SmartWallet) =>
        Effect.map(of(each, true), (all) => all.map(({ movements }) => movements[0]!.amount).toSorted())
      chain.mine(pays(address, 1n), ...spam)
      chain.mine(pays(address, 2n), pays(address, 3n, scam))
      yield* read
      assert.deepStrictEqual(yield* amountsOf(wallet), [1n, 2n, 3n])

      // The past of a new wallet is read in the same way.
      const lateWallet = yield* register()
      yield* read
      assert.deepStrictEqual(yield* amountsOf(lateWallet), [])
      chain.mine(pays(lateWallet.account.address, 4n))
      yield* read
      assert.deepStrictEqual(yield* amountsOf(lateWallet), [4n])
    })
  )

  it.effect("does not record a transfer whose transaction has too many logs, and does not check it again", () =>
    Effect.gen(function* () {
      const { chain, of, read, register, store } = yield* makeFixture()
      const wallet = yield* register()
      const { address } = wallet.account
      yield* read
      const large = pays(address, 1n)
      chain.largeTransactions.add(large.hash)
      chain.mine(large, pays(address, 2n))
      yield* read
      assert.deepStrictEqual(
        (yield* of(wallet)).map(({ movements }) => movements[0]!.amount),
        [2n]
      )
      assert.isNull(yield* store.nextDueAt(CHAIN))
    })
  )

  it.effect("reads the past of a wallet as far as requested, and only once", () =>
    Effect.gen(function* () {
      const { chain, of, read, register } = yield* makeFixture({ backfillBlocks: 50 })
      yield* register()
      const lateWallet = aWallet({ projectId: aProject() })
      const { address } = lateWallet.account
      const [tooEarly, early] = [pays(address, 1n), pays(address, 2n)]
      chain.mine(tooEarly)
      chain.mineEmpty(60)
      chain.mine(early)
      yield* read
      assert.deepStrictEqual(yield* of(lateWallet), [])
      yield* register(lateWallet)
      chain.mine(pays(address, 3n))
      yield* read
      const amounts = (yield* of(lateWallet)).map(({ movements }) => movements[0]!.amount)
      assert.deepStrictEqual(amounts.toSorted(), [2n, 3n])
    })
  )

  it.effect("reads past native transfers too, if nodes have past state and native transfers are watched", () =>
    Effect.gen(function* () {
      for (const [hasPastState, withNativeToken, expected] of [
        [true, true, [2n, 3n]],
        [false, true, [3n]],
        [true, false, [3n]]
      ] as const) {
        const { chain, of, read, register } = yield* makeFixture({ withNativeToken })
        chain.hasPastState = hasPastState
        yield* register()
        const lateWallet = aWallet({ projectId: aProject() })
        const { address } = lateWallet.account
        chain.mine(aStagedTransaction({ coin: [{ from: anAddress(), to: address, amount: 2n }] }), pays(address, 3n))
        chain.mineEmpty(10)
        yield* read
        yield* register(lateWallet)
        yield* read
        const amounts = (yield* of(lateWallet)).map(({ movements }) => movements[0]!.amount)
        assert.deepStrictEqual(amounts.toSorted(), [...expected])
      }
    })
  )

  it.effect("waits for an operation of the service that is in a block but not yet in the history", () =>
    Effect.gen(function* () {
      const { chain, executions, history, of, quotes, read, register, store } = yield* makeFixture()
      const [from, to] = [yield* register(), yield* register()]
      const [sender, receiver] = [from.account.address, to.account.address]
      const quote = aQuote({
        projectId: from.projectId,
        walletAddress: sender,
        expiresAt: DateTime.makeUnsafe((NOW + 60) * 1_000)
      })
      yield* quotes.insert([quote])
      const [intent] = quote.intents
      const hash = intent?.type === "USER_OPERATION" ? intent.hash : aHash()
      yield* read
      const transaction = aStagedTransaction({
        transfers: [{ token: usdc, from: sender, to: receiver, amount: 7n }],
        operations: [operationOf(sender, { hash, paysInNativeToken: true })]
      })
      const block = chain.mine(transaction)
      yield* read
      // Another party submitted the operation on-chain. The quote can still be accepted.
      assert.deepStrictEqual([yield* of(from), yield* of(to)], [[], []])
      const execution = anExecution({}, quote)
      const leg = { chainId: CHAIN, hash: null, block: null, state: "PENDING", stage: 0 } as const
      const acceptedTransaction = aTransaction({
        id: execution.id,
        projectId: from.projectId,
        walletAddress: sender,
        type: "TRANSFER",
        legs: [leg]
      })
      yield* history.insert(acceptedTransaction)
      yield* executions.insert(execution)
      yield* read
      assert.deepStrictEqual([(yield* of(from)).length, (yield* of(to)).length], [1, 0])
      assert.isNotNull(yield* store.nextDueAt(CHAIN))
      const asset = { chainId: CHAIN, token: usdc } as const
      yield* history.update({
        ...acceptedTransaction,
        status: "COMPLETED",
        legs: [
          {
            ...leg,
            hash: transaction.hash,
            block: { number: BigInt(block.number), hash: block.hash },
            state: "INCLUDED"
          }
        ],
        movements: [aMovement({ account: sender, asset, amount: 7n, counterparty: receiver })]
      })
      yield* TestClock.adjust("1 minute")
      yield* read
      assert.deepStrictEqual(
        (yield* of(from)).map(({ type }) => type),
        ["TRANSFER"]
      )
      assert.deepStrictEqual((yield* of(to)).map(summaryOf), [
        ["CRYPTO_DEPOSIT", "COMPLETED", "INCLUDED", "IN PRINCIPAL 7"]
      ])
      assert.isNull(yield* store.nextDueAt(CHAIN))
    })
  )

  it.effect("records an operation that another party submitted as external once its quote has expired", () =>
    Effect.gen(function* () {
      const { chain, of, quotes, read, register, wallets } = yield* makeFixture()
      const senderWallet = yield* register()
      const { address } = senderWallet.account
      const expiresAt = DateTime.makeUnsafe((NOW + 60) * 1_000)
      const quote = aQuote({ projectId: senderWallet.projectId, walletAddress: address, expiresAt })
      yield* quotes.insert([quote])
      const [intent] = quote.intents
      const hash = intent?.type === "USER_OPERATION" ? intent.hash : aHash()
      const operations = [operationOf(address, { hash, paysInNativeToken: true })]
      yield* read
      chain.mine(
        aStagedTransaction({ transfers: [{ token: usdc, from: address, to: anAddress(), amount: 7n }], operations })
      )
      yield* read
      assert.deepStrictEqual(yield* of(senderWallet), [])
      yield* TestClock.adjust("5 minutes")
      yield* read
      assert.deepStrictEqual((yield* of(senderWallet)).map(summaryOf), [
        ["CRYPTO_WITHDRAW", "COMPLETED", "INCLUDED", "OUT PRINCIPAL 7", "OUT GAS 500"]
      ])
      const [registered] = yield* wallets.listRegistrations(address)
      assert.deepStrictEqual(registered!.deployedOn, [CHAIN])
      assert.isNotNull(registered!.lastTransactionAt)
    })
  )

  it.effect("records no transfer on which the nodes do not agree", () =>
    Effect.gen(function* () {
      const { chain, of, read, register } = yield* makeFixture()
      const wallet = yield* register()
      yield* read
      chain.isAgreed = false
      chain.mine(pays(wallet.account.address, 5n))
      yield* read
      assert.deepStrictEqual(yield* of(wallet), [])
      chain.isAgreed = true
      yield* TestClock.adjust("1 minute")
      yield* read
      assert.lengthOf(yield* of(wallet), 1)
    })
  )

  it.effect("reverts transfers of orphaned blocks, and records them again in other blocks or as lost", () =>
    Effect.gen(function* () {
      const { chain, events, of, read, register } = yield* makeFixture()
      const wallet = yield* register()
      const { address } = wallet.account
      yield* read
      const [kept, moved, lost] = [pays(address, 1n), pays(address, 2n), pays(address, 3n)]
      chain.mine(kept)
      chain.mine(moved, lost)
      yield* read
      const previousTransactions = yield* of(wallet)
      assert.lengthOf(previousTransactions, 3)
      chain.drop(1)
      chain.mineEmpty(2)
      yield* read
      assert.deepStrictEqual((yield* of(wallet)).map(({ status }) => status).toSorted(), [
        "COMPLETED",
        "PROCESSING",
        "PROCESSING"
      ])
      chain.mine(moved)
      yield* read
      chain.mineEmpty(FINALITY + 1)
      yield* read
      const stateAfter = yield* of(wallet)
      assert.deepStrictEqual(new Set(stateAfter.map(({ id }) => id)), new Set(previousTransactions.map(({ id }) => id)))
      const statusOf = ({ hash }: StagedTransaction) => stateAfter.find(({ legs }) => legs[0]!.hash === hash)!
      assert.deepStrictEqual(
        [kept, moved, lost].map((each) => summaryOf(statusOf(each))),
        [
          ["CRYPTO_DEPOSIT", "COMPLETED", "INCLUDED", "IN PRINCIPAL 1"],
          ["CRYPTO_DEPOSIT", "COMPLETED", "INCLUDED", "IN PRINCIPAL 2"],
          ["CRYPTO_DEPOSIT", "FAILED", "REORGED"]
        ]
      )
      assert.deepStrictEqual(
        [kept, moved].map((each) => statusOf(each).legs[0]!.state),
        ["FINAL", "FINAL"]
      )
      const reportedItems = yield* events.read({
        projectId: wallet.projectId,
        after: { at: DateTime.makeUnsafe(0), id: "" },
        limit: 100
      })
      const singleTransaction = ({ hash }: StagedTransaction) => {
        const { id } = statusOf({ ...kept, hash })
        return reportedItems.flatMap(({ resource, type }) =>
          resource.id === id ? [type.replace("transaction.", "")] : []
        )
      }
      assert.deepStrictEqual(singleTransaction(kept), ["created", "completed"])
      assert.deepStrictEqual(singleTransaction(moved), ["created", "completed", "reorged", "completed"])
      assert.deepStrictEqual(singleTransaction(lost), ["created", "completed", "reorged", "failed"])
    })
  )

  /**
   * The states of a cross-chain swap: on the bridge, submitted again after a reorg of the source chain, filled, and
   * final.
   */
  const crossChainTransfer = ({ account: { address }, projectId }: SmartWallet, amount: bigint) => {
    const asset = { chainId: CHAIN, token: usdc } as const
    const arrival = aMovement({ account: address, asset, amount, direction: "IN", counterparty: aBridge, leg: 1 })
    const [start, end] = [
      { chainId: 1, hash: aHash(), block: { number: 7n, hash: aHash() }, state: "INCLUDED", stage: 0 },
      { chainId: CHAIN, hash: null, block: null, state: "PENDING", stage: 1 }
    ] as const
    const blank = aTransaction({
      id: `00000000-0000-4000-8000-${nextId(12)}`,
      projectId,
      walletAddress: address,
      type: "CROSS_SWAP",
      chainIdIn: 1,
      chainIdOut: CHAIN,
      expected: [arrival],
      movements: []
    })
    const onBridge: Transaction = { ...blank, status: "ON_BRIDGE", legs: [start, end] }
    const sentBack: Transaction = { ...blank, status: "PROCESSING", legs: [{ ...end, chainId: 1, stage: 0 }, end] }
    const arrivedTransaction = (
      hash: Hash32,
      block: { readonly number: number; readonly hash: Hash32 }
    ): Transaction => {
      const leg = {
        ...end,
        hash,
        block: { number: BigInt(block.number), hash: block.hash },
        state: "INCLUDED"
      } as const
      return { ...blank, status: "COMPLETED", legs: [start, leg], movements: [arrival] }
    }
    const final = (transaction: Transaction): Transaction => ({
      ...transaction,
      legs: transaction.legs.map((leg) => ({ ...leg, state: "FINAL" }))
    })
    return { onBridge, sentBack, arrived: arrivedTransaction, final }
  }
  const aBridge = anAddress()

  it.effect("records a deposit if a bridge paid for a transfer that a reorg removed, and then paid again", () =>
    Effect.gen(function* () {
      const { chain, history, of, read, register } = yield* makeFixture()
      const wallet = yield* register()
      const { arrived, final, onBridge, sentBack } = crossChainTransfer(wallet, 50n)
      yield* read
      yield* history.insert(onBridge)
      const [first, second] = [1, 2].map(() => pays(wallet.account.address, 50n, usdc, aBridge)) as [
        StagedTransaction,
        StagedTransaction
      ]
      const block = chain.mine(first)
      yield* history.update(arrived(first.hash, block))
      yield* read
      // This chain's block is final, but the swap's source chain may still be reorganized.
      chain.mineEmpty(FINALITY + 1)
      yield* read
      yield* history.update(sentBack)
      yield* read
      yield* history.update(onBridge)
      yield* read
      assert.deepStrictEqual(
        (yield* of(wallet)).map(({ type }) => type),
        ["CROSS_SWAP"]
      )
      yield* history.update(final(arrived(second.hash, chain.mine(second))))
      yield* TestClock.adjust("1 minute")
      yield* read
      chain.mineEmpty(FINALITY + 1)
      yield* read
      const deposits = (yield* of(wallet)).filter(({ type }) => type === "CRYPTO_DEPOSIT")
      assert.deepStrictEqual(deposits.map(summaryOf), [["CRYPTO_DEPOSIT", "COMPLETED", "INCLUDED", "IN PRINCIPAL 50"]])
      assert.deepStrictEqual(
        deposits.map(({ legs }) => legs[0]!.hash),
        [first.hash]
      )
    })
  )

  it.effect("reduces a deposit by the amount that another history entry of the same transaction records later", () =>
    Effect.gen(function* () {
      const { chain, history, of, read, register, store } = yield* makeFixture()
      const wallet = yield* register()
      const { address } = wallet.account
      yield* read
      const payout = aStagedTransaction({
        transfers: [
          { token: usdc, from: aBridge, to: address, amount: 60n },
          { token: usdc, from: anAddress(), to: address, amount: 40n }
        ]
      })
      const block = chain.mine(payout)
      yield* read
      const readDeposits = Effect.map(of(wallet), (all) =>
        all.filter(({ type }) => type === "CRYPTO_DEPOSIT").map(summaryOf)
      )
      assert.deepStrictEqual(yield* readDeposits, [
        ["CRYPTO_DEPOSIT", "COMPLETED", "INCLUDED", "IN PRINCIPAL 60", "IN PRINCIPAL 40"]
      ])
      yield* history.insert(crossChainTransfer(wallet, 60n).arrived(payout.hash, block))
      const detectedTransfer = {
        chainId: CHAIN,
        transactionHash: payout.hash,
        address,
        blockNumber: block.number,
        blockHash: block.hash,
        coin: []
      } as const
      yield* store.recordDetected([detectedTransfer], yield* DateTime.now)
      yield* read
      assert.deepStrictEqual(yield* readDeposits, [["CRYPTO_DEPOSIT", "COMPLETED", "INCLUDED", "IN PRINCIPAL 40"]])
    })
  )

  it.effect(
    "does not record a deposit if the tokens of a cross-chain transfer arrive again after a reorg of their own chain",
    () =>
      Effect.gen(function* () {
        const { chain, history, of, read, register, store } = yield* makeFixture()
        const wallet = yield* register()
        const { arrived, final, onBridge, sentBack } = crossChainTransfer(wallet, 50n)
        yield* read
        yield* history.insert(onBridge)
        const fill = pays(wallet.account.address, 50n, usdc, aBridge)
        const block = chain.mine(fill)
        yield* history.update(arrived(fill.hash, block))
        yield* read
        yield* history.update(sentBack)
        chain.mineEmpty(FINALITY + 1)
        yield* read
        yield* history.update(final(arrived(fill.hash, block)))
        yield* TestClock.adjust("1 minute")
        chain.mineEmpty(1)
        yield* read
        assert.deepStrictEqual(
          (yield* of(wallet)).map(({ type }) => type),
          ["CROSS_SWAP"]
        )
        assert.lengthOf(yield* store.listSince(CHAIN, 0), 0)
      })
  )

  it.effect(
    "values a transfer that is detected late at its past price, and stores it without a value if there is none",
    () =>
      Effect.gen(function* () {
        let isDown = true
        const prices: PastPrices["Service"]["prices"] = (requests) =>
          isDown
            ? Effect.fail(new UpstreamUnavailable({ upstream: "prices", reason: "they are down" }))
            : Effect.succeed(requests.map(({ at }) => ({ at, source: "test", usd: 2n * 10n ** 18n })))
        const { chain, of, read, register } = yield* makeFixture({}, { prices })
        const wallet = yield* register()
        yield* read
        chain.mine(pays(wallet.account.address, 1_000_000n))
        yield* TestClock.adjust("20 minutes")
        yield* read
        assert.deepStrictEqual(yield* of(wallet), [])
        isDown = false
        yield* TestClock.adjust("2 minutes")
        yield* read
        assert.strictEqual((yield* of(wallet))[0]!.movements[0]!.usd, "2")
        isDown = true
        chain.mine(pays(wallet.account.address, 1_000_000n))
        yield* read
        yield* TestClock.adjust("70 minutes")
        yield* read
        assert.isNull((yield* of(wallet))[0]!.movements[0]!.usd)
        assert.lengthOf(yield* of(wallet), 2)
      })
  )

  it.effect(
    "limits the stored transactions of unlisted tokens of a wallet, and requests no more of them from the node",
    () =>
      Effect.gen(function* () {
        const { chain, of, read, register, store } = yield* makeFixture()
        const wallet = yield* register()
        const { address } = wallet.account
        yield* read
        for (let block = 0; block < 30; block++) {
          chain.mine(...Array.from({ length: 100 }, () => pays(address, 1n, scam)))
        }
        const responseBefore = chain.requests
        yield* read
        assert.isBelow(chain.requests - responseBefore, 150)
        assert.deepStrictEqual(yield* of(wallet), [])
        assert.lengthOf(yield* of(wallet, true), 100)
        assert.strictEqual(yield* store.countUnlisted(address, 0), 3_000)
      })
  )
})
