import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { UpstreamUnavailable } from "../../../foundation/errors/index.ts"
import { anAddress, at } from "../../../foundation/primitives/ids.fixture.ts"
import type { Address } from "../../../foundation/primitives/index.ts"
import { aProjectId } from "../../../tenancy/projects/Project.fixture.ts"
import { type LendingMarket, LendingMarkets, type LendingPosition } from "../LendingMarket.ts"
import { type DueLoan, LoanStore } from "./LoanStore.ts"
import { firstCheckAt, LoanUpkeep } from "./LoanUpkeep.ts"

const CHAIN = 137

const aLoan = (fields: Partial<DueLoan> = {}): DueLoan => ({
  projectId: aProjectId(),
  walletAddress: anAddress(),
  chainId: CHAIN,
  checkAt: at(0),
  wasFree: false,
  ...fields
})

const aPosition = (type: LendingPosition["type"]): LendingPosition => ({
  type,
  marketId: null,
  token: anAddress(),
  amount: 1n,
  isCollateral: type === "supply",
  healthFactorE18: null
})

/** Creates one watched wallet, and the positions that the market reports for it. */
const aFixture = (positions: ReadonlyArray<LendingPosition> | "unknown") => ({
  loan: aLoan() as DueLoan | null,
  positions,
  requestCount: 0,
  forgotten: [] as Array<readonly [number, bigint]>,
  cursor: null as bigint | null,
  chainIds: [CHAIN] as Array<typeof CHAIN>
})
type Fixture = ReturnType<typeof aFixture>

const layerLoanUpkeep = (fixture: Fixture) => {
  const market: Pick<LendingMarket, "id" | "serves" | "listPositions"> = {
    id: "LENDING_PROVIDER_A",
    serves: () => true,
    listPositions: (_: number, __: Address) =>
      Effect.suspend(() => {
        fixture.requestCount++
        return fixture.positions === "unknown"
          ? Effect.fail(new UpstreamUnavailable({ upstream: "Polygon RPC node", reason: "it does not respond" }))
          : Effect.succeed(fixture.positions)
      })
  }
  return LoanUpkeep.layer.pipe(
    Layer.provide([
      Layer.mock(LoanStore, {
        findCursor: () => Effect.sync(() => fixture.cursor),
        deleteBefore: (chainId, block) => Effect.sync(() => void fixture.forgotten.push([chainId, block])),
        listDue: (now) =>
          Effect.sync(() =>
            fixture.loan !== null && DateTime.isLessThanOrEqualTo(fixture.loan.checkAt, now) ? [fixture.loan] : []
          ),
        recordCheck: (loan, checkAt, wasFree) =>
          Effect.sync(() => {
            fixture.loan = { ...loan, checkAt, wasFree }
          }),
        unwatch: () =>
          Effect.sync(() => {
            fixture.loan = null
          })
      }),
      Layer.succeed(LendingMarkets, { providers: [market as LendingMarket], chainIds: () => fixture.chainIds })
    ])
  )
}

const tidy = LoanUpkeep.use((upkeep) => upkeep.tidy)
const HOUR = 3_600_000

const scenario = (name: string, fixture: Fixture, test: Effect.Effect<unknown, unknown, LoanUpkeep>) =>
  it.effect(name, () => {
    const atZero = TestClock.setTime(DateTime.toEpochMillis(at(0)))
    return Effect.provide(Effect.andThen(atZero, test), layerLoanUpkeep(fixture))
  })

describe("LoanUpkeep", () => {
  it("schedules the first check after every quote of that time has expired", () => {
    assert.deepStrictEqual(firstCheckAt(at(0)), at(48 * HOUR))
  })

  const repaidFixture = aFixture([aPosition("supply")])
  scenario(
    "stops watching a loan that is repaid at two checks, one hour apart",
    repaidFixture,
    Effect.gen(function* () {
      assert.strictEqual(yield* tidy, 0)
      assert.deepInclude(repaidFixture.loan, { wasFree: true, checkAt: at(HOUR) })
      assert.strictEqual(yield* tidy, 0)
      assert.strictEqual(repaidFixture.requestCount, 1)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* tidy, 1)
      assert.isNull(repaidFixture.loan)
    })
  )

  const owedFixture = aFixture([])
  scenario(
    "keeps a loan with a new debt after a first check, and a loan that is not repaid",
    owedFixture,
    Effect.gen(function* () {
      yield* tidy
      owedFixture.positions = [aPosition("borrow")]
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* tidy, 0)
      assert.deepInclude(owedFixture.loan, { wasFree: false, checkAt: at(25 * HOUR) })
    })
  )

  const unknownFixture = aFixture("unknown")
  unknownFixture.loan = aLoan({ wasFree: true })
  scenario(
    "keeps a loan that can't be checked unchanged, and checks it again after an hour",
    unknownFixture,
    Effect.gen(function* () {
      assert.strictEqual(yield* tidy, 0)
      assert.deepInclude(unknownFixture.loan, { wasFree: true, checkAt: at(HOUR) })
    })
  )

  const unservedFixture = aFixture([])
  unservedFixture.chainIds = []
  scenario(
    "keeps the loans of a chain that is no longer served, without requests",
    unservedFixture,
    Effect.gen(function* () {
      assert.strictEqual(yield* tidy, 0)
      assert.deepInclude(unservedFixture.loan, { wasFree: false, checkAt: at(24 * HOUR) })
      assert.strictEqual(unservedFixture.requestCount, 0)
    })
  )

  const oldFixture = aFixture([])
  scenario(
    "deletes records far behind the last checked block",
    oldFixture,
    Effect.gen(function* () {
      yield* tidy
      assert.deepStrictEqual(oldFixture.forgotten, [])
      oldFixture.cursor = 60_000n
      yield* tidy
      assert.deepStrictEqual(oldFixture.forgotten, [[CHAIN, 10_000n]])
    })
  )
})
