import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import type { EvmChainId } from "../../../foundation/chains/index.ts"
import { aHash, anAddress } from "../../../foundation/primitives/ids.fixture.ts"
import type { Hash32 } from "../../../foundation/primitives/index.ts"
import { TokenCatalog, TokenPrices } from "../../../foundation/tokens/index.ts"
import { aMemory, eventsIn, memoryStores } from "../../../operations/executions/memoryStores.fixture.ts"
import { ChainReader } from "../../../operations/user-operations/index.ts"
import { aProjectId } from "../../../tenancy/projects/Project.fixture.ts"
import { type LendingMarket, LendingMarkets, type Liquidation, type LiquidationSearch } from "../LendingMarket.ts"
import { Liquidations } from "./Liquidations.ts"
import { LoanStore, type RecordedLiquidation, type WatchedLoan } from "./LoanStore.ts"

const CHAIN: EvmChainId = 137
/** Number of Polygon's latest blocks that a reorg may still remove. */
const UNFINALIZED_BLOCKS = 64n

/** Creates a chain with its logs, which records the log queries. */
const aFixture = (...watched: ReadonlyArray<WatchedLoan>) => ({
  memory: aMemory(),
  head: 5_000n,
  /** The block hash that two nodes report. Null while the nodes disagree. */
  agreed: null as Hash32 | null,
  logs: [] as Array<Liquidation>,
  searches: [] as Array<LiquidationSearch>,
  cursor: null as bigint | null,
  recorded: [] as Array<RecordedLiquidation>,
  /** Runs after the recorded liquidations were listed, for example the work of another process. */
  afterList: Effect.void as Effect.Effect<unknown>,
  watched
})
type Fixture = ReturnType<typeof aFixture>

const layerLoanStore = (fixture: Fixture) => {
  const isSame = (a: RecordedLiquidation) => (b: RecordedLiquidation) =>
    a.transactionHash === b.transactionHash && a.logIndex === b.logIndex && a.projectId === b.projectId
  return Layer.mock(LoanStore, {
    listWatched: (_, after, limit) =>
      Effect.sync(() => fixture.watched.filter(({ walletAddress }) => walletAddress > (after ?? "")).slice(0, limit)),
    findCursor: () => Effect.sync(() => fixture.cursor),
    moveCursor: (_, block) =>
      Effect.sync(() => {
        fixture.cursor = block
      }),
    record: (liquidation) =>
      Effect.sync(() => {
        if (fixture.recorded.some(isSame(liquidation))) return false
        fixture.recorded.push(liquidation)
        return true
      }),
    listSince: (_, block) =>
      Effect.tap(
        Effect.sync(() => fixture.recorded.filter(({ blockNumber }) => blockNumber >= block)),
        () => fixture.afterList
      ),
    remove: (liquidation) =>
      Effect.sync(() => {
        const remainingRecords = fixture.recorded.filter(
          (other) => !isSame(liquidation)(other) || other.transactionId !== liquidation.transactionId
        )
        const hasRemoved = remainingRecords.length < fixture.recorded.length
        fixture.recorded = remainingRecords
        return hasRemoved
      })
  })
}

const layerLiquidations = (fixture: Fixture) => {
  const market: Pick<LendingMarket, "id" | "name" | "serves" | "listLiquidations"> = {
    id: "LENDING_PROVIDER_A",
    name: "Aave V3",
    serves: () => true,
    listLiquidations: (search) =>
      Effect.sync(() => {
        fixture.searches.push(search)
        return fixture.logs.filter(
          ({ account, blockNumber }) =>
            search.accounts.includes(account) && blockNumber >= search.fromBlock && blockNumber <= search.toBlock
        )
      })
  }
  return Liquidations.layer.pipe(
    Layer.provide([
      layerLoanStore(fixture),
      Layer.succeed(LendingMarkets, { providers: [market as LendingMarket], chainIds: () => [CHAIN] }),
      Layer.mock(ChainReader, {
        readHead: () => Effect.sync(() => ({ number: fixture.head, timestamp: 0 })),
        agreedBlockAt: () => Effect.sync(() => ({ headNumber: fixture.head, hash: fixture.agreed }))
      }),
      Layer.mock(TokenCatalog, { find: () => Effect.succeed(Option.none()) }),
      Layer.mock(TokenPrices, {})
    ]),
    Layer.provideMerge(memoryStores(fixture.memory))
  )
}

const searchDue = Liquidations.use(({ searchDue: followDue }) => followDue)

const aLoan = (fields: Partial<WatchedLoan> = {}): WatchedLoan => ({
  projectId: aProjectId(),
  walletAddress: anAddress(),
  ...fields
})

const aLiquidation = ({ walletAddress }: WatchedLoan, blockNumber: bigint): Liquidation => ({
  account: walletAddress,
  liquidator: anAddress(),
  collateralToken: anAddress(),
  collateralAmount: 7n,
  debtToken: anAddress(),
  debtAmount: 5n,
  cancelledDebts: [],
  marketId: null,
  contract: anAddress(),
  transactionHash: aHash(),
  logIndex: 1,
  blockNumber,
  blockHash: aHash(),
  blockTimestamp: 1_000
})

const scenario = (name: string, fixture: Fixture, test: Effect.Effect<unknown, unknown, Liquidations>) =>
  it.effect(name, () => Effect.provide(test, layerLiquidations(fixture)))

describe("Liquidations", () => {
  const loan = aLoan()
  const otherProjectLoan = aLoan({ walletAddress: loan.walletAddress })
  const sharedFixture = aFixture(loan, otherProjectLoan)
  scenario(
    "of a wallet that two projects registered are recorded once in both histories",
    sharedFixture,
    Effect.gen(function* () {
      const liquidation = aLiquidation(loan, 4_990n)
      sharedFixture.logs.push(liquidation)
      sharedFixture.agreed = liquidation.blockHash
      assert.strictEqual(yield* searchDue, 2)
      assert.strictEqual(yield* searchDue, 0)
      assert.sameMembers(
        [...sharedFixture.memory.transactions.values()].map(({ projectId }) => projectId),
        [loan.projectId, otherProjectLoan.projectId]
      )
      const expected = ["created COMPLETED INCLUDED", "completed COMPLETED INCLUDED"]
      assert.deepStrictEqual(eventsIn(sharedFixture.memory), [...expected, ...expected])
    })
  )

  const disputedFixture = aFixture(loan)
  scenario(
    "are neither accepted from a single node, nor skipped if two nodes disagree",
    disputedFixture,
    Effect.gen(function* () {
      const liquidation = aLiquidation(loan, 4_990n)
      disputedFixture.logs.push(liquidation)
      assert.strictEqual(yield* searchDue, 0)
      assert.isNull(disputedFixture.cursor)
      disputedFixture.agreed = liquidation.blockHash
      assert.strictEqual(yield* searchDue, 1)
      assert.strictEqual(disputedFixture.cursor, 5_000n)
    })
  )

  const lateFixture = aFixture(loan)
  scenario(
    "are searched in steps from the last searched block, and again in blocks that a reorg may remove",
    lateFixture,
    Effect.gen(function* () {
      lateFixture.cursor = 1_000n
      for (let step = 0; step < 6; step++) yield* searchDue
      let cursor = 1_000n
      for (const { fromBlock, toBlock } of lateFixture.searches) {
        assert.strictEqual(fromBlock, cursor - UNFINALIZED_BLOCKS)
        // A node with a limit of 1,000 blocks accepts each range.
        assert.strictEqual(toBlock, fromBlock + 999n < 5_000n ? fromBlock + 999n : 5_000n)
        cursor = toBlock
      }
      assert.strictEqual(cursor, 5_000n)
    })
  )

  const replacedFixture = aFixture(loan)
  scenario(
    "are removed if a reorg removes their block, and recorded again in another block",
    replacedFixture,
    Effect.gen(function* () {
      const liquidation = aLiquidation(loan, 4_990n)
      replacedFixture.logs = [liquidation]
      replacedFixture.agreed = liquidation.blockHash
      yield* searchDue
      const repeatedLiquidation = { ...liquidation, blockNumber: 4_991n, blockHash: aHash() }
      replacedFixture.logs = [repeatedLiquidation]
      replacedFixture.agreed = repeatedLiquidation.blockHash
      assert.strictEqual(yield* searchDue, 1)
      assert.deepStrictEqual(eventsIn(replacedFixture.memory), [
        "created COMPLETED INCLUDED",
        "completed COMPLETED INCLUDED",
        "failed FAILED REORGED",
        "created COMPLETED INCLUDED",
        "completed COMPLETED INCLUDED"
      ])
    })
  )

  const concurrentFixture = aFixture(loan)
  scenario(
    "are recorded again only once if two processes detect the reorg",
    concurrentFixture,
    Effect.gen(function* () {
      const liquidation = aLiquidation(loan, 4_990n)
      concurrentFixture.logs = [liquidation]
      concurrentFixture.agreed = liquidation.blockHash
      yield* searchDue
      const repeatedLiquidation = { ...liquidation, blockNumber: 4_991n, blockHash: aHash() }
      concurrentFixture.logs = [repeatedLiquidation]
      concurrentFixture.agreed = repeatedLiquidation.blockHash
      const { searchDue: searchOfOtherProcess } = yield* Liquidations
      concurrentFixture.afterList = Effect.suspend(() => {
        concurrentFixture.afterList = Effect.void
        return searchOfOtherProcess
      })
      yield* searchDue
      assert.deepStrictEqual(eventsIn(concurrentFixture.memory), [
        "created COMPLETED INCLUDED",
        "completed COMPLETED INCLUDED",
        "failed FAILED REORGED",
        "created COMPLETED INCLUDED",
        "completed COMPLETED INCLUDED"
      ])
    })
  )

  const unwatchedFixture = aFixture()
  scenario(
    "are not searched while no wallet is watched",
    unwatchedFixture,
    Effect.gen(function* () {
      assert.strictEqual(yield* searchDue, 0)
      assert.deepStrictEqual(unwatchedFixture.searches, [])
    })
  )
})
