import { HistoryStore } from "@countersign/core/accounting/history"
import { aSession } from "@countersign/core/contracts/identity/sessions/VerificationSessionStore"
import { aQuote } from "@countersign/core/contracts/operations/quotes/QuoteStore"
import { aKey, aProject, aProjectId } from "@countersign/core/contracts/tenancy/projects/ProjectStore"
import { anEndpoint, anEvent } from "@countersign/core/contracts/tenancy/webhooks/WebhookEndpointStore"
import { aWallet } from "@countersign/core/contracts/wallets/registry/WalletStore"
import { PersonalVault, personIdentityKeys, VerificationSessionStore } from "@countersign/core/identity"
import { ExecutionStore, FINALITY, INCLUSION } from "@countersign/core/operations/executions"
import { QuoteStore } from "@countersign/core/operations/quotes"
import { EventOutbox } from "@countersign/core/tenancy/events"
import { ProjectStore } from "@countersign/core/tenancy/projects"
import { Month, RetentionStore } from "@countersign/core/tenancy/retention"
import { WebhookDeliveryQueue, WebhookDeliveryStore, WebhookEndpointStore } from "@countersign/core/tenancy/webhooks"
import { WalletStore } from "@countersign/core/wallets/registry"
import { assert, describe, it } from "@effect/vitest"
import { type Context, DateTime, Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { sql } from "kysely"
import { aTransaction } from "../../../../../core/src/accounting/history/Transaction.fixture.ts"
import { anOwner } from "../../../../../core/src/identity/verification/verification.fixture.ts"
import { anExecution } from "../../../../../core/src/operations/executions/Execution.fixture.ts"
import { layerTemporarySqlite, migratedDatabase } from "../../../../test/support/databases.ts"
import { detachMonth } from "../archiveMonths.ts"
import { Db } from "../Db.ts"
import { type Database, layerPostgres, SealedVault } from "../index.ts"
import { cancelMove, type MoveRequest, type MoveStep, moveProject } from "./index.ts"

type Stores = Context.Context<Database>

const person = anOwner({ documentId: "FX-123456" })
const PERSONAL = JSON.stringify({ _tag: "individual", ...person })
const DOCUMENT = personIdentityKeys(person)[0]!

const MAX_TIME = DateTime.makeUnsafe(8e15)

/** Large, because the test clock advances while a connection is opened. */
const CONNECT_TIMEOUT_MS = 86_400_000

const layerTemporaryPostgres = Layer.unwrap(
  Effect.map(migratedDatabase, (url) => layerPostgres({ url, connectTimeoutMs: CONNECT_TIMEOUT_MS }))
)

const buildDatabase = (layer: typeof layerTemporaryPostgres) => Layer.build(Layer.fresh(layer))

const stagedAs = (name: string, quote: ReturnType<typeof aQuote>) => {
  const execution = anExecution({ acceptedAt: DateTime.makeUnsafe(0) }, quote)
  return { ...execution, at: 0, stages: execution.stages.with(0, { ...execution.stages[0]!, name }) }
}

/**
 * Stores a project with wallets, executions in several stages, an archived execution, events, deliveries, history and
 * personal data; and another project.
 */
const fillProject = Effect.gen(function* () {
  const project = aProject({ name: "Moved", computeUnits: 7 })
  const otherProject = aProject({ name: "Other" })
  const projectId = project.id
  const key = aKey({ projectId })
  const quotes = ["across-fill", "fiat-payout", INCLUSION].map((stage) => ({ stage, quote: aQuote({ projectId }) }))
  const session = aSession({ projectId, status: "VERIFYING" })
  const unit = (id: typeof projectId) =>
    Effect.gen(function* () {
      yield* WalletStore.use((store) => store.insert(aWallet({ projectId: id, deployedOn: [1] })))
      yield* HistoryStore.use((store) => store.insert(aTransaction({ projectId: id, metadata: { order: "1" } })))
      yield* WebhookEndpointStore.use((store) => store.insert(anEndpoint({ projectId: id })))
      yield* EventOutbox.use((outbox) => outbox.append(anEvent({ projectId: id })))
    })
  for (const insertedProject of [project, otherProject]) {
    yield* ProjectStore.use((store) => store.insert(insertedProject))
    yield* unit(insertedProject.id)
  }
  yield* ProjectStore.use((store) => store.insertKey(key))
  const store = yield* ExecutionStore
  yield* QuoteStore.use((all) => all.insert([...quotes.map(({ quote }) => quote), aQuote({ projectId })]))
  const executions = yield* Effect.forEach(quotes, ({ quote, stage }) =>
    Effect.gen(function* () {
      const execution = stagedAs(stage, quote)
      yield* QuoteStore.use((all) => all.accept(projectId, quote.id, execution.acceptedAt))
      yield* store.insert(execution)
      return execution
    })
  )
  const archivedQuote = aQuote({ projectId })
  const archivedExecution = stagedAs(FINALITY, archivedQuote)
  yield* QuoteStore.use((all) => all.insert([archivedQuote]))
  yield* store.insert(archivedExecution)
  yield* store.update(archivedExecution, 0, null)
  assert.strictEqual(yield* RetentionStore.use((retention) => retention.prune("executions", MAX_TIME, 10)), 1)
  const vault = yield* PersonalVault
  yield* VerificationSessionStore.use((sessions) =>
    Effect.gen(function* () {
      yield* sessions.insert({ session, sealed: yield* vault.seal(session.identityId, PERSONAL) })
      yield* sessions.findOrAddIdentity(projectId, yield* vault.fingerprint(DOCUMENT), session.identityId)
      yield* sessions.approvePart(projectId, session.id, session.id, "ana", DateTime.makeUnsafe(1))
    })
  )
  return { project, other: otherProject, projectId, key, executions, archived: archivedExecution, session }
}).pipe(Effect.provide(SealedVault.layer))

const claimWork = Effect.gen(function* () {
  const now = yield* DateTime.now
  const claim = { worker: "w", now, leaseUntil: DateTime.add(now, { seconds: 1 }), limit: 100 }
  const executions = yield* ExecutionStore.use((store) => store.claim(claim))
  const deliveries = yield* WebhookDeliveryQueue.use((queue) => queue.claim({ ...claim, except: [] }))
  return {
    stages: executions.map(({ execution }) => [execution.projectId, execution.stages[0]!.name]),
    deliveries: deliveries.map(({ delivery }) => delivery.projectId)
  }
})

const isServed = (keyId: string) =>
  ProjectStore.use((store) =>
    Effect.map(
      store.findKey(keyId),
      Option.exists(({ isMoving }) => !isMoving)
    )
  )

const movesIn = (stores: Stores) =>
  Effect.provide(
    ProjectStore.use(({ listMoves: moves }) => moves),
    stores
  )

/** Ends an execution, as a worker of the source service would. */
const settle = (execution: ReturnType<typeof stagedAs>) =>
  ExecutionStore.use((store) => store.update(execution, 0, null))

const TIMEOUT_MS = 60_000
const REQUEST_MS = 5_000

const requestOf = (source: Stores, target: Stores, projectId: MoveRequest["projectId"], stopAfter?: MoveStep["_tag"]) =>
  Effect.gen(function* () {
    const [from, to] = yield* Effect.all([Effect.provide(Db, source), Effect.provide(Db, target)])
    const request: MoveRequest = {
      source: from,
      target: to,
      projectId,
      targetName: "host/target",
      timeoutMs: TIMEOUT_MS,
      requestTimeoutMs: REQUEST_MS,
      report: ({ _tag }) => (_tag === stopAfter ? Effect.die(new Error("killed")) : Effect.void)
    }
    return request
  })

/** Runs the move on the test clock, which advances while the move waits. */
const run = (request: MoveRequest) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(Effect.exit(moveProject(request)))
    while (fiber.pollUnsafe() === undefined) {
      yield* TestClock.adjust("1 second")
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    }
    return yield* Effect.flatten(Fiber.join(fiber))
  })

for (const [name, layerSource] of [
  ["SQLite", layerTemporarySqlite],
  ["Postgres", layerTemporaryPostgres]
] as const) {
  describe(`moveProject from ${name} to Postgres`, () => {
    const makeFixture = Effect.gen(function* () {
      const [source, target] = yield* Effect.all([buildDatabase(layerSource), buildDatabase(layerTemporaryPostgres)])
      const storedProject = yield* Effect.provide(fillProject, source)
      return { source, target, ...storedProject }
    })

    for (const step of [undefined, "Paused", "Waiting", "Copied", "Closed"] as const) {
      it.effect(
        step === undefined ? "moves all rows, and leaves other projects" : `continues after a kill at ${step}`,
        () =>
          Effect.gen(function* () {
            const { archived, executions, key, other, projectId, session, source, target } = yield* makeFixture
            const isActive = Effect.all([
              Effect.provide(isServed(key.id), source),
              Effect.provide(isServed(key.id), target)
            ])
            const moveOut = { projectId, projectName: "Moved", target: "host/target" }
            yield* Effect.provide(settle(executions[2]!), source)
            if (step !== undefined) {
              const killedRun = yield* Effect.exit(run(yield* requestOf(source, target, projectId, step)))
              assert.strictEqual(killedRun._tag, "Failure")
              assert.deepStrictEqual(yield* isActive, [false, false])
              assert.deepStrictEqual((yield* Effect.provide(claimWork, target)).stages, [])
              assert.deepStrictEqual(yield* movesIn(source), [
                { ...moveOut, state: step === "Closed" ? "MOVED" : "MOVING" }
              ])
              assert.deepStrictEqual(
                yield* movesIn(target),
                step === "Copied" || step === "Closed" ? [{ ...moveOut, state: "ARRIVING", target: null }] : []
              )
            }
            const { tables } = yield* run(yield* requestOf(source, target, projectId))
            assert.strictEqual(tables === null, step === "Closed")
            assert.deepStrictEqual(yield* isActive, [false, true])
            assert.deepStrictEqual(yield* movesIn(source), [{ ...moveOut, state: "MOVED" }])
            assert.deepStrictEqual(yield* movesIn(target), [])

            yield* TestClock.adjust("2 seconds")
            const [before, after] = [yield* Effect.provide(claimWork, source), yield* Effect.provide(claimWork, target)]
            assert.deepStrictEqual(before, { stages: [], deliveries: [other.id] })
            assert.sameDeepMembers(after.stages, [
              [projectId, "across-fill"],
              [projectId, "fiat-payout"]
            ])
            assert.deepStrictEqual(after.deliveries, [projectId])
            yield* Effect.gen(function* () {
              assert.deepStrictEqual(
                (yield* ProjectStore.use((store) => store.list)).map(({ id }) => id),
                [projectId]
              )
              const wallets = yield* WalletStore.use((store) => store.list({ projectId, after: null, take: 9 }))
              assert.lengthOf(wallets, 1)
              assert.deepInclude(wallets[0], { deployedOn: [1] })
              const sessions = yield* VerificationSessionStore
              const movedSession = yield* sessions.find(projectId, session.id)
              const text = yield* PersonalVault.use((vault) => vault.open(session.identityId, movedSession!.sealed))
              assert.strictEqual(text, PERSONAL)
              const fingerprint = yield* PersonalVault.use((vault) => vault.fingerprint(DOCUMENT))
              assert.strictEqual(
                yield* sessions.findOrAddIdentity(projectId, fingerprint, "another"),
                session.identityId
              )
              assert.strictEqual((yield* sessions.listApprovals(projectId, session.id)).size, 1)
              const execution = yield* ExecutionStore.use((store) => store.findByQuote(projectId, archived.quoteId))
              assert.deepStrictEqual(Option.getOrNull(execution)?.id, archived.id)
            }).pipe(Effect.provide(SealedVault.layer), Effect.provide(target))
            const secondRun = yield* run(yield* requestOf(source, target, projectId))
            assert.isNull(secondRun.tables)
          }),
        { timeout: 60_000 }
      )
    }

    it.effect("waits until a bundle is final, and workers claim only its stages during this time", () =>
      Effect.gen(function* () {
        const { executions, key, projectId, source, target } = yield* makeFixture
        const reportedTags: Array<unknown> = []
        const request = yield* requestOf(source, target, projectId)
        const stage = (execution: ReturnType<typeof stagedAs>) => execution.stages[0]!.name
        const final = stagedAs(FINALITY, aQuote({ projectId }))
        let version = 0
        yield* run({
          ...request,
          // The test clock advances while the database works.
          timeoutMs: CONNECT_TIMEOUT_MS,
          report: (step) =>
            Effect.gen(function* () {
              if (step._tag !== "Waiting") return
              if (version > 1) return
              const { stages } = yield* claimWork
              reportedTags.push([step.operations, stages.map(([, name]) => name)])
              const movedExecution = { ...executions[2]!, stages: final.stages }
              yield* ExecutionStore.use((store) =>
                store.update(movedExecution, version, version === 0 ? DateTime.makeUnsafe(0) : null)
              )
              version += 1
            }).pipe(Effect.provide(source))
        })
        assert.deepStrictEqual(reportedTags, [
          [1, [stage(executions[2]!)]],
          [1, [FINALITY]]
        ])
        assert.isTrue(yield* Effect.provide(isServed(key.id), target))
      })
    )

    it.effect("resumes the project if its operations are not final in time, and can be cancelled", () =>
      Effect.gen(function* () {
        const { key, projectId, source, target } = yield* makeFixture
        const moveRefusal = yield* Effect.flip(run(yield* requestOf(source, target, projectId)))
        assert.include(moveRefusal.message, "1 operations were not final")
        assert.isTrue(yield* Effect.provide(isServed(key.id), source))
        const db = yield* Effect.provide(Db, source)
        assert.isFalse(yield* cancelMove(db, projectId))
        yield* Effect.exit(run(yield* requestOf(source, target, projectId, "Paused")))
        assert.isFalse(yield* Effect.provide(isServed(key.id), source))
        assert.isTrue(yield* cancelMove(db, projectId))
        assert.isTrue(yield* Effect.provide(isServed(key.id), source))
      })
    )

    it.effect("rejects a target with an active project with this id, another schema or other keys", () =>
      Effect.gen(function* () {
        const { executions, key, project, projectId, source, target } = yield* makeFixture
        yield* Effect.provide(settle(executions[2]!), source)
        const reason = Effect.gen(function* () {
          return (yield* Effect.flip(run(yield* requestOf(source, target, projectId)))).message
        })
        const to = yield* Effect.provide(Db, target)
        yield* to.run(sql`insert into subject_keys values ('else', 'sealed:0000beef:')`)
        assert.include(yield* reason, "no secrets under the key")
        yield* to.run(sql`delete from subject_keys`)
        yield* to.run(sql`insert into schema_migrations values ('9999_later', 1)`)
        assert.include(yield* reason, "The target database was not migrated by this version")
        yield* to.run(sql`delete from schema_migrations where name = '9999_later'`)
        const otherProject = { ...project, id: aProjectId() }
        yield* Effect.provide(
          ProjectStore.use((store) => store.insert(otherProject)),
          target
        )
        assert.include(yield* reason, "another project with the name")
        assert.isTrue(yield* Effect.provide(isServed(key.id), source))
        yield* to.run(sql`delete from projects where id = ${otherProject.id}`)
        yield* Effect.provide(
          ProjectStore.use((store) => store.insert(project)),
          target
        )
        assert.include(yield* reason, "active project with this id")
        assert.isTrue(yield* Effect.provide(isServed(key.id), source))
      })
    )

    it.effect("does not replace the rows in the target database after another run has resumed the project there", () =>
      Effect.gen(function* () {
        const { executions, key, projectId, source, target } = yield* makeFixture
        yield* Effect.provide(settle(executions[2]!), source)
        const request = yield* requestOf(source, target, projectId)
        const laterTransaction = aTransaction({ projectId })
        const otherRun = Effect.andThen(
          Effect.orDie(moveProject(request)),
          Effect.provide(
            HistoryStore.use((store) => store.insert(laterTransaction)),
            target
          )
        )
        const report = ({ _tag }: MoveStep) => (_tag === "Paused" ? otherRun : Effect.void)
        const moveRefusal = yield* Effect.flip(run({ ...request, report }))
        assert.include(moveRefusal.message, "Another run has already moved the project")
        assert.isTrue(yield* Effect.provide(isServed(key.id), target))
        const foundTransaction = yield* Effect.provide(
          HistoryStore.use((store) => store.find(projectId, laterTransaction.id)),
          target
        )
        assert.isTrue(Option.isSome(foundTransaction))
      })
    )

    it.effect("copies again if rows change while they are copied", () =>
      Effect.gen(function* () {
        const { executions, projectId, source, target } = yield* makeFixture
        yield* Effect.provide(settle(executions[2]!), source)
        let copies = 0
        const request = yield* requestOf(source, target, projectId)
        const lateTransaction = aTransaction({ projectId })
        yield* run({
          ...request,
          report: ({ _tag }) => {
            if (_tag !== "Copied" || copies++ > 0) return Effect.void
            return Effect.provide(
              HistoryStore.use((store) => store.insert(lateTransaction)),
              source
            )
          }
        })
        assert.strictEqual(copies, 2)
        const foundTransaction = yield* Effect.provide(
          HistoryStore.use((store) => store.find(projectId, lateTransaction.id)),
          target
        )
        assert.isTrue(Option.isSome(foundTransaction))
        const deliveries = yield* Effect.provide(
          Effect.gen(function* () {
            const [endpoint] = yield* WebhookEndpointStore.use((store) => store.list(projectId))
            return yield* WebhookDeliveryStore.use((store) =>
              store.list({ projectId, endpointId: endpoint!.id, after: null, take: 9 })
            )
          }),
          target
        )
        assert.lengthOf(deliveries, 1)
      })
    )
  })
}

describe("moveProject back to the database that the project has left", () => {
  it.effect(
    "replaces the rows of a month that was detached there, and the keys of people who were erased in the meantime",
    () =>
      Effect.gen(function* () {
        const [first, second] = yield* Effect.all([
          buildDatabase(layerTemporaryPostgres),
          buildDatabase(layerTemporaryPostgres)
        ])
        const { archived, executions, key, projectId, session } = yield* Effect.provide(fillProject, first)
        yield* Effect.provide(settle(executions[2]!), first)
        yield* run(yield* requestOf(first, second, projectId))
        yield* TestClock.adjust("40 days")
        yield* Effect.gen(function* () {
          yield* RetentionStore.use((retention) => retention.prune("executions", MAX_TIME, 10))
          yield* detachMonth(yield* Db, Month.make("1970-01"))
        }).pipe(Effect.provide(first))
        const inVault = <A, E>(
          stores: Stores,
          use: (vault: PersonalVault["Service"]) => Effect.Effect<A, E>
        ): Effect.Effect<A, E> => PersonalVault.use(use).pipe(Effect.provide(SealedVault.layer), Effect.provide(stores))
        assert.isTrue(yield* inVault(second, (vault) => vault.erase(session.identityId)))

        yield* run(yield* requestOf(second, first, projectId))
        assert.isTrue(yield* Effect.provide(isServed(key.id), first))
        const execution = yield* Effect.provide(
          ExecutionStore.use((store) => store.findByQuote(projectId, archived.quoteId)),
          first
        )
        assert.deepStrictEqual(Option.getOrNull(execution)?.id, archived.id)
        const movedSession = yield* Effect.provide(
          VerificationSessionStore.use((store) => store.find(projectId, session.id)),
          first
        )
        assert.isNull(yield* inVault(first, (vault) => vault.open(session.identityId, movedSession!.sealed)))
      }),
    { timeout: 60_000 }
  )
})
