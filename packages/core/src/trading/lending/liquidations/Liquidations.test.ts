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
/** Number of Polygon's latest blocks that may still be reorganized. */
const UNFINALIZED_BLOCKS = 64n

/** Creates a chain with its logs, which records the log queries. */
const aScene = (...watched: ReadonlyArray<WatchedLoan>) => ({
  memory: aMemory(),
  head: 5_000n,
  /** The block hash that two nodes report. Null while the nodes disagree. */
  agreed: null as Hash32 | null,
  logs: [] as Array<Liquidation>,
  searches: [] as Array<LiquidationSearch>,
  cursor: null as bigint | null,
  recorded: [] as Array<RecordedLiquidation>,
  watched
})
type Scene = ReturnType<typeof aScene>

const loanStore = (scene: Scene) => {
  const isSame = (a: RecordedLiquidation) => (b: RecordedLiquidation) =>
    a.transactionHash === b.transactionHash && a.logIndex === b.logIndex && a.projectId === b.projectId
  return Layer.mock(LoanStore, {
    watched: (_, after, limit) =>
      Effect.sync(() => scene.watched.filter(({ walletAddress }) => walletAddress > (after ?? "")).slice(0, limit)),
    cursor: () => Effect.sync(() => scene.cursor),
    moveCursor: (_, block) =>
      Effect.sync(() => {
        scene.cursor = block
      }),
    record: (liquidation) =>
      Effect.sync(() => {
        if (scene.recorded.some(isSame(liquidation))) return false
        scene.recorded.push(liquidation)
        return true
      }),
    recordedSince: (_, block) => Effect.sync(() => scene.recorded.filter(({ blockNumber }) => blockNumber >= block)),
    forget: (liquidation) =>
      Effect.sync(() => {
        scene.recorded = scene.recorded.filter((other) => !isSame(liquidation)(other))
      })
  })
}

const services = (scene: Scene) => {
  const market: Pick<LendingMarket, "id" | "name" | "serves" | "liquidations"> = {
    id: "LENDING_PROVIDER_A",
    name: "Aave V3",
    serves: () => true,
    liquidations: (search) =>
      Effect.sync(() => {
        scene.searches.push(search)
        return scene.logs.filter(
          ({ account, blockNumber }) =>
            search.accounts.includes(account) && blockNumber >= search.fromBlock && blockNumber <= search.toBlock
        )
      })
  }
  return Liquidations.layer.pipe(
    Layer.provide([
      loanStore(scene),
      Layer.succeed(LendingMarkets, { providers: [market as LendingMarket], chainIds: () => [CHAIN] }),
      Layer.mock(ChainReader, {
        head: () => Effect.sync(() => ({ number: scene.head, timestamp: 0 })),
        agreedBlockAt: () => Effect.sync(() => ({ headNumber: scene.head, hash: scene.agreed }))
      }),
      Layer.mock(TokenCatalog, { find: () => Effect.succeed(Option.none()) }),
      Layer.mock(TokenPrices, {})
    ]),
    Layer.provideMerge(memoryStores(scene.memory))
  )
}

const follow = Liquidations.use(({ followDue }) => followDue)

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
  marketId: null,
  contract: anAddress(),
  transactionHash: aHash(),
  logIndex: 1,
  blockNumber,
  blockHash: aHash(),
  blockTimestamp: 1_000
})

const scenario = (name: string, scene: Scene, test: Effect.Effect<unknown, unknown, Liquidations>) =>
  it.effect(name, () => Effect.provide(test, services(scene)))

describe("Liquidations", () => {
  const loan = aLoan()
  const otherProjectLoan = aLoan({ walletAddress: loan.walletAddress })
  const sharedScene = aScene(loan, otherProjectLoan)
  scenario(
    "of a wallet that two projects registered are recorded once in both histories",
    sharedScene,
    Effect.gen(function* () {
      const liquidation = aLiquidation(loan, 4_990n)
      sharedScene.logs.push(liquidation)
      sharedScene.agreed = liquidation.blockHash
      assert.strictEqual(yield* follow, 2)
      assert.strictEqual(yield* follow, 0)
      assert.sameMembers(
        [...sharedScene.memory.transactions.values()].map(({ projectId }) => projectId),
        [loan.projectId, otherProjectLoan.projectId]
      )
      const expected = ["created COMPLETED INCLUDED", "completed COMPLETED INCLUDED"]
      assert.deepStrictEqual(eventsIn(sharedScene.memory), [...expected, ...expected])
    })
  )

  const disputedScene = aScene(loan)
  scenario(
    "are neither accepted from a single node, nor skipped if two nodes disagree",
    disputedScene,
    Effect.gen(function* () {
      const liquidation = aLiquidation(loan, 4_990n)
      disputedScene.logs.push(liquidation)
      assert.strictEqual(yield* follow, 0)
      assert.isNull(disputedScene.cursor)
      disputedScene.agreed = liquidation.blockHash
      assert.strictEqual(yield* follow, 1)
      assert.strictEqual(disputedScene.cursor, 5_000n)
    })
  )

  const lateScene = aScene(loan)
  scenario(
    "are searched in steps from the last searched block, and again in blocks that a reorg may remove",
    lateScene,
    Effect.gen(function* () {
      lateScene.cursor = 1_000n
      for (let step = 0; step < 6; step++) yield* follow
      assert.deepStrictEqual(
        lateScene.searches.map(({ fromBlock, toBlock }) => [fromBlock, toBlock]),
        [1_000n, 2_000n, 3_000n, 4_000n, 5_000n, 5_000n].map((from) => [
          from - UNFINALIZED_BLOCKS,
          from + 1_000n > 5_000n ? 5_000n : from + 1_000n
        ])
      )
    })
  )

  const replacedScene = aScene(loan)
  scenario(
    "are removed if a reorg removes their block, and recorded again in another block",
    replacedScene,
    Effect.gen(function* () {
      const liquidation = aLiquidation(loan, 4_990n)
      replacedScene.logs = [liquidation]
      replacedScene.agreed = liquidation.blockHash
      yield* follow
      const repeatedLiquidation = { ...liquidation, blockNumber: 4_991n, blockHash: aHash() }
      replacedScene.logs = [repeatedLiquidation]
      replacedScene.agreed = repeatedLiquidation.blockHash
      assert.strictEqual(yield* follow, 1)
      assert.deepStrictEqual(eventsIn(replacedScene.memory), [
        "created COMPLETED INCLUDED",
        "completed COMPLETED INCLUDED",
        "failed FAILED REORGED",
        "created COMPLETED INCLUDED",
        "completed COMPLETED INCLUDED"
      ])
    })
  )

  const unwatched = aScene()
  scenario(
    "are not searched while no wallet is watched",
    unwatched,
    Effect.gen(function* () {
      assert.strictEqual(yield* follow, 0)
      assert.deepStrictEqual(unwatched.searches, [])
    })
  )
})
