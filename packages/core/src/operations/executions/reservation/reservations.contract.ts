import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import { anAddress, at } from "../../../foundation/primitives/ids.fixture.ts"
import { UnitOfWork } from "../../../foundation/primitives/index.ts"
import { aProjectId } from "../../../tenancy/projects/Project.fixture.ts"
import { QuoteStore } from "../../quotes/index.ts"
import { aQuote } from "../../quotes/Quote.fixture.ts"
import type { MaxUnpaidGas } from "../../unpaid-gas/index.ts"
import { anExecution } from "../Execution.fixture.ts"
import type { Execution } from "../Execution.ts"
import { type BalancesAt, ExecutionStore } from "../ExecutionStore.ts"
import type { Reservation } from "./Reservation.ts"

const ATTEMPTS = 40
const UNITS = 7n

const balancesAtBlock = (walletAddress: Execution["walletAddress"], blockNumber = 5n): BalancesAt => ({
  chainId: 137,
  walletAddress,
  blockNumber,
  acceptedSince: at(0)
})

const DAY_MS = 86_400_000
/** Each test uses its own hour, so executions of other tests were accepted before it. */
let testHours = 0

/** Tests for reservations that every `ExecutionStore` must pass. */
export const reservationsContract = <E>(
  name: string,
  stores: Layer.Layer<ExecutionStore | QuoteStore | UnitOfWork, E>
): void => {
  layer(stores)(`Reservations on ${name}`, (it) => {
    const token = anAddress()

    /** Stores an execution that reserves one base unit, in a separate project. */
    const insertReservingExecution = Effect.fnUntraced(function* (
      walletAddress: Execution["walletAddress"],
      reservation: Partial<Reservation> = {}
    ) {
      const quote = aQuote({ walletAddress })
      const reservedSpending = [{ token, value: 1n, gas: 0n }]
      const execution = anExecution(
        {
          reservation: {
            chainId: 137,
            spending: reservedSpending,
            uses: [],
            nonces: [7n],
            block: null,
            unpaid: null,
            ...reservation
          }
        },
        quote
      )
      const quotes = yield* QuoteStore
      yield* quotes.insert([quote])
      yield* quotes.accept(quote.projectId, quote.id, execution.acceptedAt)
      yield* ExecutionStore.use((store) => store.insert(execution))
      return execution
    })

    const reservationsOf = (balances: BalancesAt) => ExecutionStore.use((store) => store.listReserved(balances))

    it.effect("are returned for one wallet on one chain, with their amounts", () =>
      Effect.gen(function* () {
        const walletAddress = anAddress()
        const reservedSpending = [
          { token, value: 2n ** 256n - 1n, gas: 0n },
          { token: anAddress(), value: 0n, gas: 2n ** 53n + 1n }
        ]
        const uses = [{ resource: "position 7", isExclusive: true }]
        const fullReservation = {
          chainId: 137,
          spending: reservedSpending,
          uses,
          nonces: [2n ** 256n - 1n, 0n],
          block: null,
          unpaid: null
        } as const
        const { id, projectId } = yield* insertReservingExecution(walletAddress, fullReservation)
        yield* insertReservingExecution(walletAddress, { chainId: 1 })
        yield* insertReservingExecution(anAddress())
        const balances = balancesAtBlock(walletAddress)
        assert.deepStrictEqual(yield* reservationsOf(balances), [{ id, projectId, reservation: fullReservation }])
        assert.deepStrictEqual(yield* reservationsOf({ ...balances, chainId: 10 }), [])
      })
    )

    it.effect(
      "are those of operations in no block or in a block after the balance's block, also of ended executions",
      () =>
        Effect.gen(function* () {
          const store = yield* ExecutionStore
          const walletAddress = anAddress()
          const countAt = (blockNumber: bigint) =>
            Effect.map(reservationsOf(balancesAtBlock(walletAddress, blockNumber)), ({ length }) => length)
          const execution = yield* insertReservingExecution(walletAddress)
          const executionWith = (reservation: Partial<Reservation> | null): Execution => ({
            ...execution,
            reservation: reservation === null ? null : { ...execution.reservation!, ...reservation }
          })
          assert.strictEqual(yield* countAt(10n ** 9n), 1)
          yield* store.update(executionWith({ block: 100n }), 0, execution.acceptedAt)
          assert.deepStrictEqual([yield* countAt(99n), yield* countAt(100n), yield* countAt(101n)], [1, 0, 0])
          // A reorg has removed the block of the operations.
          yield* store.update(executionWith({ block: null }), 1, execution.acceptedAt)
          assert.strictEqual(yield* countAt(10n ** 9n), 1)
          yield* store.update(executionWith({ block: 102n }), 2, null)
          assert.deepStrictEqual([yield* countAt(101n), yield* countAt(102n)], [1, 0])

          const otherReservation = yield* insertReservingExecution(walletAddress)
          yield* store.update({ ...otherReservation, reservation: null }, 0, null)
          assert.strictEqual(yield* countAt(102n), 0)
        })
    )

    it.effect("expire if no block includes the operations, but not after a block included them", () =>
      Effect.gen(function* () {
        const walletAddress = anAddress()
        const balances = balancesAtBlock(walletAddress)
        yield* insertReservingExecution(walletAddress)
        const [atAcceptance, afterAcceptance] = [
          { ...balances, acceptedSince: at(0) },
          { ...balances, acceptedSince: at(1) }
        ]
        assert.deepStrictEqual(
          [(yield* reservationsOf(atAcceptance)).length, (yield* reservationsOf(afterAcceptance)).length],
          [1, 0]
        )
        yield* insertReservingExecution(walletAddress, { block: 6n })
        assert.deepStrictEqual(
          [(yield* reservationsOf(atAcceptance)).length, (yield* reservationsOf(afterAcceptance)).length],
          [2, 1]
        )
      })
    )

    it.effect(
      `are visible to concurrent units of work: ${UNITS} of ${ATTEMPTS} reserve the ${UNITS} available base units`,
      () =>
        Effect.gen(function* () {
          const unitOfWork = yield* UnitOfWork
          const walletAddress = anAddress()
          const balances = balancesAtBlock(walletAddress)
          const reserveIfAvailable = Effect.gen(function* () {
            const count = BigInt((yield* reservationsOf(balances)).length)
            yield* Effect.yieldNow
            if (count >= UNITS) return false
            yield* insertReservingExecution(walletAddress)
            return true
          })
          const responses = yield* Effect.all(
            Array.from({ length: ATTEMPTS }, () => unitOfWork.run(reserveIfAvailable)),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(responses.filter((isReserved) => isReserved).length, Number(UNITS))
          assert.strictEqual((yield* reservationsOf(balances)).length, Number(UNITS))
        })
    )

    /**
     * Returns a function that inserts executions, and one that reads the unpaid gas since `acceptedAt`. Each test has
     * another `acceptedAt`, so the tests do not count each other's executions.
     */
    const unpaidFixture = Effect.gen(function* () {
      const acceptedAt = at(DAY_MS + ++testHours * 3_600_000)
      const [owner, projectId] = [anAddress(), aProjectId()]
      const insert = Effect.fnUntraced(function* (
        unpaid: Partial<MaxUnpaidGas>,
        ofProject = projectId,
        executionAcceptedAt = acceptedAt
      ) {
        const quote = aQuote({ projectId: ofProject })
        const gas = { owner, usdE6: 3_000_000n, isFirstUse: true, ...unpaid }
        const reservation = { chainId: 137, spending: [], uses: [], nonces: [7n], block: null, unpaid: gas } as const
        const execution = anExecution({ reservation, acceptedAt: executionAcceptedAt }, quote)
        const quotes = yield* QuoteStore
        yield* quotes.insert([quote])
        yield* quotes.accept(ofProject, quote.id, executionAcceptedAt)
        yield* ExecutionStore.use((store) => store.insert(execution))
        return execution
      })
      const readUnpaid = (ofOwner = owner, project = projectId) =>
        ExecutionStore.use((store) =>
          store.readPendingGas({ projectId: project, owner: ofOwner, acceptedSince: acceptedAt })
        )
      return { acceptedAt, insert, owner, unpaid: readUnpaid }
    })

    it.effect("report gas that may stay unpaid for a project and for all projects, and an owner's first uses", () =>
      Effect.gen(function* () {
        const { acceptedAt, insert, owner, unpaid } = yield* unpaidFixture
        assert.deepStrictEqual(yield* unpaid(), { projectUsdE6: 0n, operatorUsdE6: 0n, hasFirstUse: false })
        yield* insert({ isFirstUse: false, usdE6: 2n ** 40n + 1n })
        const ownProjectGas = { projectUsdE6: 2n ** 40n + 1n, operatorUsdE6: 2n ** 40n + 1n, hasFirstUse: false }
        assert.deepStrictEqual(yield* unpaid(), ownProjectGas)
        const otherProjectId = aProjectId()
        yield* insert({}, otherProjectId)
        const bothProjectsGas = { operatorUsdE6: 2n ** 40n + 3_000_001n, hasFirstUse: true }
        assert.deepStrictEqual(yield* unpaid(), { ...ownProjectGas, ...bothProjectsGas })
        assert.deepStrictEqual(yield* unpaid(anAddress()), { ...ownProjectGas, ...bothProjectsGas, hasFirstUse: false })
        assert.deepStrictEqual(yield* unpaid(owner, otherProjectId), { projectUsdE6: 3_000_000n, ...bothProjectsGas })
        yield* insert({}, otherProjectId, DateTime.subtract(acceptedAt, { milliseconds: 1 }))
        assert.deepStrictEqual(yield* unpaid(owner, otherProjectId), { projectUsdE6: 3_000_000n, ...bothProjectsGas })
      })
    )

    it.effect(
      "do not report gas of operations that are in a block or have ended, and report it again after a reorg",
      () =>
        Effect.gen(function* () {
          const { insert, unpaid } = yield* unpaidFixture
          const store = yield* ExecutionStore
          const execution = yield* insert({})
          const isPending = Effect.map(unpaid(), ({ hasFirstUse, projectUsdE6 }) => hasFirstUse && projectUsdE6 > 0n)
          const reservation = { ...execution.reservation!, block: 9n }
          yield* store.update({ ...execution, reservation }, 0, execution.acceptedAt)
          assert.deepStrictEqual(yield* unpaid(), { projectUsdE6: 0n, operatorUsdE6: 0n, hasFirstUse: false })
          yield* store.update(execution, 1, execution.acceptedAt)
          assert.isTrue(yield* isPending)
          yield* store.update({ ...execution, reservation: null }, 2, null)
          assert.isFalse(yield* isPending)
        })
    )

    it.effect(
      `let ${UNITS} of ${ATTEMPTS} concurrent units of work use a budget for ${UNITS}, also across projects`,
      () =>
        Effect.gen(function* () {
          const unitOfWork = yield* UnitOfWork
          const { insert, unpaid } = yield* unpaidFixture
          const reserveIfAvailable = Effect.gen(function* () {
            const { operatorUsdE6 } = yield* unpaid()
            yield* Effect.yieldNow
            if (operatorUsdE6 >= UNITS * 3_000_000n) return false
            yield* insert({ owner: anAddress() }, aProjectId())
            return true
          })
          const responses = yield* Effect.all(
            Array.from({ length: ATTEMPTS }, () => unitOfWork.run(reserveIfAvailable)),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(responses.filter((isReserved) => isReserved).length, Number(UNITS))
        })
    )
  })
}
