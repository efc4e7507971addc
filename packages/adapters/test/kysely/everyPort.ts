import { type HistoryFilter, HistoryStore } from "@countersign/core/accounting/history"
import { PastPriceStore } from "@countersign/core/accounting/market-data"
import { TaxRunStore, TaxScheduleStore } from "@countersign/core/accounting/tax"
import { BitcoinActivityStore } from "@countersign/core/bitcoin/activity"
import { aTransaction } from "@countersign/core/contracts/accounting/history/HistoryStore"
import { aTaxRun, aTaxSchedule } from "@countersign/core/contracts/accounting/tax/TaxScheduleStore"
import { aRegistration } from "@countersign/core/contracts/fiat/registrations/ProviderRegistrationStore"
import { aSession } from "@countersign/core/contracts/identity/sessions/VerificationSessionStore"
import { anExecution } from "@countersign/core/contracts/operations/executions/ExecutionStore"
import {
  anOperatorAccount,
  anOperatorTransaction
} from "@countersign/core/contracts/operations/operator/OperatorTransactionStore"
import { aQuote } from "@countersign/core/contracts/operations/quotes/QuoteStore"
import { aGasEntry } from "@countersign/core/contracts/operations/unpaid-gas/UnpaidGasStore"
import { aKey, aProject } from "@countersign/core/contracts/tenancy/projects/ProjectStore"
import { anEndpoint, anEvent } from "@countersign/core/contracts/tenancy/webhooks/WebhookEndpointStore"
import { aRecordedLiquidation } from "@countersign/core/contracts/trading/lending/liquidations/LoanStore"
import { anHour, aPool, aProgress } from "@countersign/core/contracts/trading/pools/PoolIndexStore"
import { aDetectedTransfer, aWatchProgress } from "@countersign/core/contracts/wallets/chain-activity/ActivityStore"
import { aBitcoinWallet, aWallet } from "@countersign/core/contracts/wallets/registry/WalletStore"
import { ProviderCustomers, ProviderRegistrationStore } from "@countersign/core/fiat"
import { Hash32 } from "@countersign/core/foundation/primitives"
import { WorkClaims } from "@countersign/core/foundation/work"
import { IndividualId, VerificationSessionStore, VerifiedIndividuals } from "@countersign/core/identity"
import { ExecutionStore } from "@countersign/core/operations/executions"
import { OperatorTransactionStore } from "@countersign/core/operations/operator"
import { QuoteStore } from "@countersign/core/operations/quotes"
import { UnpaidGasStore } from "@countersign/core/operations/unpaid-gas"
import { EventLog, EventOutbox } from "@countersign/core/tenancy/events"
import { IdempotencyStore } from "@countersign/core/tenancy/idempotency"
import { ComputeUnitStore, RateLimitStore } from "@countersign/core/tenancy/metering"
import { ProjectStore } from "@countersign/core/tenancy/projects"
import { RetentionStore } from "@countersign/core/tenancy/retention"
import {
  WebhookBacklogReader,
  WebhookDeliveryQueue,
  WebhookDeliveryStore,
  WebhookEndpointStore
} from "@countersign/core/tenancy/webhooks"
import { LoanStore } from "@countersign/core/trading/lending"
import { PoolIndexStore } from "@countersign/core/trading/pools"
import { BridgeFillStore } from "@countersign/core/trading/swap"
import { ActivityStore } from "@countersign/core/wallets/chain-activity"
import { WalletStore } from "@countersign/core/wallets/registry"
import { DateTime, Effect, Option } from "effect"

const now = DateTime.makeUnsafe(1_780_000_000_000)
const hash = Hash32.make(`0x${"a".repeat(64)}`)

const filters: ReadonlyArray<HistoryFilter> = [
  {},
  { types: ["SWAP", "BATCH"] },
  { statuses: ["PROCESSING"] },
  { userOperationHash: hash },
  { transactionHash: hash },
  { chains: [1, 137] },
  { chainIdIn: 1 },
  { chainIdOut: 1 },
  { createdAtLatest: now },
  { createdAtOldest: now },
  { metadata: { key: "order", value: "1" } },
  { subject: { id: "position:7", orMetadata: null } },
  { subject: { id: "position:7", orMetadata: { key: "positionId", value: "p" } } },
  { includeUnlisted: true }
]

const projects = Effect.gen(function* () {
  const store = yield* ProjectStore
  const project = aProject()
  const key = aKey({ projectId: project.id })
  yield* store.insert(project)
  yield* store.find(project.id)
  yield* store.list
  for (const changes of [{}, { treasury: null }, { computeUnits: 1 }, { treasury: null, computeUnits: 1 }]) {
    yield* store.update(project.id, changes)
  }
  yield* store.insertKey(key)
  yield* store.findKey(key.id)
  yield* store.listKeys(project.id)
  yield* store.touchKey(key.id, now)
  yield* store.revokeKey(key.id, now)
  yield* store.expireKey(key.id, now)
  const units = yield* ComputeUnitStore
  yield* units.readRemaining(project.id)
  yield* units.refund(project.id, 1)
  yield* units.deduct(project.id, 1)
})

const wallets = Effect.gen(function* () {
  const store = yield* WalletStore
  const wallet = aWallet({ deployedOn: [1] })
  const { address } = wallet.account
  yield* store.insert(wallet)
  yield* store.find(wallet.projectId, address)
  yield* store.list({ projectId: wallet.projectId, after: wallet, take: 1 })
  yield* store.replaceMetadata(wallet.projectId, address, {})
  yield* store.recordDeployment(address, 10)
  yield* store.listRegistrations(address)
  yield* store.recordTransaction(wallet.projectId, address, now)
  yield* store.insert(aBitcoinWallet())
})

const quotes = Effect.gen(function* () {
  const store = yield* QuoteStore
  const quote = aQuote()
  const { id, projectId } = quote
  yield* store.insert([quote, aQuote({ intents: [] })])
  yield* store.insert([aQuote({ intents: [] })])
  yield* store.find(projectId, id)
  yield* store.findByOperation(projectId, hash)
  yield* store.findByOperationInAnyProject(hash)
  yield* store.accept(projectId, id, now)
  const executions = yield* ExecutionStore
  const execution = anExecution({}, quote)
  yield* executions.insert(execution)
  yield* executions.find(projectId, execution.id)
  yield* executions.findByQuote(projectId, id)
  yield* executions.claim({ worker: "a", now, leaseUntil: now, limit: 10 })
  yield* executions.claim({ worker: "a", now, leaseUntil: now, limit: 10, acceptedAfter: now })
  yield* executions.wake([hash], now)
  yield* executions.reschedule(projectId, execution.id, "a", now)
  yield* executions.listReserved({
    chainId: 137,
    walletAddress: quote.walletAddress,
    blockNumber: 1n,
    acceptedSince: now
  })
  for (const project of [null, projectId]) {
    yield* executions.countPending(project, now)
    yield* executions.listLate(project, now, 10)
  }
  yield* executions.update(execution, 0, now)
  yield* executions.update(execution, 1, null)
})

const history = Effect.gen(function* () {
  const store = yield* HistoryStore
  const transaction = aTransaction({
    metadata: { order: "1" },
    legs: [{ chainId: 137, hash, block: null, state: "FINAL", stage: 0 }]
  })
  yield* store.insert(transaction)
  yield* store.find(transaction.projectId, transaction.id)
  yield* store.findAll(transaction.projectId, new Set([transaction.id]))
  yield* store.update(transaction)
  yield* store.listFailed(transaction.projectId, 10)
  for (const filter of filters) {
    yield* store.list({ ...transaction, filter, after: null, take: 101 })
    yield* store.list({ ...transaction, filter, after: transaction, take: 101 })
  }
})

const counts = Effect.gen(function* () {
  const limits = yield* RateLimitStore
  yield* limits.count("key", 60)
  const fills = yield* BridgeFillStore
  yield* fills.record({ from: 1, to: 10, transferId: "1", seconds: 2, saidSeconds: 2, filledAt: now })
  yield* fills.listLatest(1, 10)
  const requests = yield* IdempotencyStore
  const request = { projectId: aProject().id, key: "k", fingerprint: "f" }
  const times = { now, lockedUntil: now, deleteBefore: now }
  yield* requests.admit(request, times)
  yield* requests.admit(request, times)
  yield* requests.finish(request, { text: "", scope: null })
  yield* requests.abandon(request)
})

const webhooks = Effect.gen(function* () {
  const queue = yield* WebhookDeliveryQueue
  const endpointStore = yield* WebhookEndpointStore
  const deliveryStore = yield* WebhookDeliveryStore
  const reader = yield* WebhookBacklogReader
  const outbox = yield* EventOutbox
  const log = yield* EventLog
  const endpoint = anEndpoint()
  const { id, projectId } = endpoint
  const claim = { worker: "a", now, leaseUntil: now, limit: 10 }
  yield* endpointStore.insert(endpoint)
  yield* endpointStore.find(projectId, id)
  yield* endpointStore.list(projectId)
  yield* endpointStore.count(projectId)
  yield* endpointStore.change(projectId, id, (endpointBefore) => endpointBefore)
  const event = anEvent({ projectId })
  yield* outbox.append(event)
  const { id: eventId } = yield* outbox.append(event)
  for (const project of [projectId, null]) {
    yield* log.read({ projectId: project, after: { at: now, id: eventId }, limit: 10 })
  }
  yield* deliveryStore.send(id, anEvent({ projectId, type: "webhook.test" }))
  yield* queue.claim({ ...claim, except: [] })
  const [claimedDelivery] = yield* queue.claim({ ...claim, except: ["another", "and another"] })
  yield* queue.storeBody(projectId, eventId, "{}")
  if (claimedDelivery !== undefined) {
    const { delivery } = claimedDelivery
    yield* queue.record(projectId, delivery.id, "a", {
      ...delivery,
      status: "DELIVERED",
      nextAttemptAt: null,
      attempt: null
    })
    yield* queue.release(projectId, delivery.id, "a")
    yield* deliveryStore.find(projectId, id, delivery.id)
    yield* deliveryStore.redeliver(projectId, id, delivery.id, now)
    yield* deliveryStore.list({ projectId, endpointId: id, after: delivery, take: 11 })
  }
  yield* deliveryStore.list({ projectId, endpointId: id, after: null, take: 11 })
  yield* reader.read(now)
  yield* endpointStore.disable(projectId, id, now, "gone")
  yield* reader.read(now)
  yield* endpointStore.remove(projectId, id)
})

const retention = Effect.gen(function* () {
  const store = yield* RetentionStore
  for (const kind of [
    "quotes",
    "fiatQuotes",
    "deliveries",
    "events",
    "idempotencyResponses",
    "rateWindows",
    "unpaidGas"
  ] as const) {
    yield* store.count(kind, now)
    yield* store.prune(kind, now, 10)
  }
  const quotes = yield* QuoteStore
  const quote = aQuote()
  const { id, projectId } = quote
  const executions = yield* ExecutionStore
  const execution = anExecution({}, quote)
  yield* quotes.insert([quote])
  yield* executions.insert(execution)
  yield* executions.update(execution, 0, null)
  yield* store.count("executions", now)
  yield* store.prune("executions", now, 10)
  yield* quotes.find(projectId, id)
  yield* executions.find(projectId, execution.id)
  yield* executions.findByQuote(projectId, id)
  yield* executions.findArchived(hash)
})

const gasEntries = Effect.gen(function* () {
  const store = yield* UnpaidGasStore
  const gasEntry = aGasEntry({ userOperationHash: hash })
  const { cause, owner, projectId, walletAddress } = gasEntry
  yield* store.record(gasEntry)
  yield* store.record(gasEntry)
  yield* store.listByOwner(projectId, owner, now)
  yield* store.readSums(projectId, now)
  yield* store.readSums(null, now)
  for (const scope of ["wallet", "owner"] as const) {
    const address = scope === "wallet" ? walletAddress : owner
    yield* store.claimThrottleSlot({ projectId, scope, address, hash, now, lastBefore: now })
  }
  yield* store.listLatest(projectId, 10)
  yield* store.listLatest(null, 10)
  yield* store.readTotals(now)
  yield* store.readTotals(now, "REVERTED_BUNDLE")
  yield* store.recordCost({ chainId: 1, payer: gasEntry.owner, wei: 1n, operation: hash, at: now })
  yield* store.readCosts(now)
  yield* store.forgive({ _tag: "Wallet", address: walletAddress }, now)
  yield* store.forgive({ _tag: "Owner", address: owner }, now)
  yield* store.forgive({ _tag: "Project", id: projectId }, now)
  yield* store.remove(projectId, hash, cause)
})

const operator = Effect.gen(function* () {
  const store = yield* OperatorTransactionStore
  const operatorAccount = anOperatorAccount()
  const transaction = anOperatorTransaction(operatorAccount, 1, { operations: [hash] })
  const claim = { holder: "us", now, until: DateTime.add(now, { seconds: 1 }) }
  yield* store.claim(operatorAccount, "SEND", claim)
  yield* store.record(operatorAccount, claim, [transaction])
  yield* store.listWatchedAccounts
  yield* store.listTracked(operatorAccount)
  yield* store.readUsage(operatorAccount)
  yield* store.listBundles(operatorAccount.chainId, hash)
  yield* store.remove(transaction)
  yield* store.stopTracking([transaction])
  yield* store.removeBefore(operatorAccount, now)
  yield* store.release(operatorAccount, "SEND", "us")
})

const pools = Effect.gen(function* () {
  const store = yield* PoolIndexStore
  const pool = aPool()
  yield* store.recordRequest(pool, now, 10)
  yield* store.recordRequest(aPool(), now, 1)
  const claimResult = yield* store.claim(now, DateTime.add(now, { seconds: 1 }))
  if (Option.isSome(claimResult)) {
    const step = { progress: aProgress(), counted: [anHour(1)], recent: [anHour(2)], dueAt: now }
    yield* store.store(claimResult.value, step)
    yield* store.store(claimResult.value, { ...step, progress: null })
  }
  yield* store.find(pool)
  yield* store.listHours(pool, 0)
  yield* store.list
})

const loans = Effect.gen(function* () {
  const store = yield* LoanStore
  const loan = { projectId: aProject().id, walletAddress: aWallet().account.address }
  const dueLoan = { ...loan, chainId: 1, checkAt: now, wasFree: false } as const
  const liquidation = aRecordedLiquidation({ chainId: 1, projectId: loan.projectId })
  yield* store.watch(loan, 1, now)
  yield* store.listWatched(1, null, 10)
  yield* store.listWatched(1, loan.walletAddress, 10)
  yield* store.listDue(now, 10)
  yield* store.recordCheck(dueLoan, now, true)
  yield* store.moveCursor(1, 7n)
  yield* store.findCursor(1)
  yield* store.unwatch(dueLoan)
  yield* store.record(liquidation)
  yield* store.listSince(1, 0n)
  yield* store.remove(liquidation)
  yield* store.deleteBefore(1, 7n)
})

const pastPrices = Effect.gen(function* () {
  const store = yield* PastPriceStore
  const key = { token: { chainId: 1, address: aPool().address }, hour: 5 } as const
  yield* store.storePrices([{ ...key, price: { usd: 1n, at: now, source: "a source" } }])
  yield* store.findPrices([key])
  yield* store.storeRates(now, { at: now, source: "a source", perUsdE18: new Map([["eur", 1n]]) })
  yield* store.findRates([now])
})

const individuals = Effect.gen(function* () {
  const verifiedIndividuals = yield* VerifiedIndividuals
  const [projectId, id] = [aProject().id, IndividualId.make("ana")]
  yield* verifiedIndividuals.verify(projectId, { id, verifiedAt: now })
  yield* verifiedIndividuals.isVerified(projectId, id)
  yield* verifiedIndividuals.levelOf(projectId, id)
  yield* verifiedIndividuals.list(projectId)
  yield* verifiedIndividuals.revoke(projectId, id)
})

const customers = Effect.gen(function* () {
  const customers = yield* ProviderCustomers
  const [projectId, id] = [aProject().id, IndividualId.make("ana")]
  yield* customers.link(projectId, id, { provider: "bridge", customer: "cust_1" })
  yield* customers.find(projectId, id, "bridge")
  yield* customers.list(projectId, id)
  yield* customers.unlink(projectId, id, "bridge")
  yield* customers.erase(projectId, id)
  const registrations = yield* ProviderRegistrationStore
  const registration = aRegistration({ projectId })
  yield* registrations.store({ registration, sealed: null }, now)
  yield* registrations.listByIdentity(projectId, registration.identityId)
  yield* registrations.recordOutcome(registration, now, now)
  yield* registrations.claimDue(now, now, 10, null)
  yield* registrations.claimDue(now, now, 10, registration)
  yield* registrations.wake("bridge", "cust_1", now)
  yield* registrations.countPending
  yield* registrations.erase(projectId, registration.identityId)
})

const verifications = Effect.gen(function* () {
  const sessions = yield* VerificationSessionStore
  const session = aSession()
  yield* sessions.findOrAddIdentity(session.projectId, "a fingerprint", session.identityId)
  yield* sessions.assign(session.projectId, "a fingerprint", session.identityId)
  yield* sessions.lockIdentity(session.projectId, session.identityId)
  yield* sessions.insert({ session, sealed: "sealed" })
  yield* sessions.find(session.projectId, session.id)
  yield* sessions.approvePart(session.projectId, session.id, "own_1", "key_1", now)
  yield* sessions.listApprovals(session.projectId, session.id)
  yield* sessions.recordTransition(session, "PENDING")
  yield* sessions.list(session.projectId, null, 10)
  yield* sessions.list(session.projectId, "IN_REVIEW", null)
  yield* sessions.findCountry(session.projectId, session.identityId)
  yield* sessions.countPending(null)
  yield* sessions.countPending(session.projectId)
  yield* sessions.listOverdue(now, 10)
  yield* sessions.claimDue(now, now, 10)
  yield* sessions.wake(session.projectId, session.id, now)
  yield* sessions.endCheck(session.projectId, session.id, now, now)
})

const taxes = Effect.gen(function* () {
  const schedules = yield* TaxScheduleStore
  const runs = yield* TaxRunStore
  const schedule = aTaxSchedule()
  const run = aTaxRun(schedule, { nextAttemptAt: now })
  yield* schedules.insert(schedule)
  yield* schedules.list(schedule.projectId, schedule.walletAddress)
  yield* schedules.listDue(now, 10)
  yield* schedules.openRun(schedule, run, now)
  yield* runs.claim({ worker: "a", now, leaseUntil: DateTime.add(now, { seconds: 1 }), limit: 1 })
  yield* runs.readBacklog(now)
  yield* runs.list(schedule.projectId, schedule.id, 1)
  yield* runs.record(run, "a")
  yield* runs.release(run.projectId, run.id, "a")
  yield* schedules.remove(schedule.projectId, schedule.walletAddress)
})

const bitcoinActivity = Effect.gen(function* () {
  const store = yield* BitcoinActivityStore
  const { address } = aBitcoinWallet()
  const txid = Hash32.make(`0x${"ab".repeat(32)}`)
  yield* store.countAddresses
  yield* store.findRegistered([address])
  yield* store.listProjects(address)
  yield* store.listArriving(aProject().id)
  yield* store.recordDetected([{ txid, address, block: null }], now)
  yield* store.recordDetected([{ txid, address, block: { hash: txid, height: 900_000 } }], now)
  const [storedTransfer] = yield* store.listDue(now, 1)
  yield* store.listOutdated(900_000, 10)
  yield* store.listAbove(899_999)
  yield* store.postpone(storedTransfer!, now)
  yield* store.recordDecision(storedTransfer!, { block: null, confirmations: 0, spends: [], dueAt: now })
  yield* store.remove(storedTransfer!)
  yield* store.listDuePolls(now, 10)
  const poll = { address, activeAt: now, toHeight: 0, after: null, read: 0, version: 0 }
  yield* store.recordPoll(poll, now)
  yield* store.advancePolls([address], now, now)
  yield* store.scheduleRecheck(900_000, now)
})

const activity = Effect.gen(function* () {
  const store = yield* ActivityStore
  const detectedTransfer = aDetectedTransfer({ chainId: 196 })
  const { address, transactionHash } = detectedTransfer
  yield* store.watchChains([196], now)
  const claimResult = Option.getOrThrow(yield* store.claim([196], now, DateTime.add(now, { seconds: 1 })))
  yield* store.storeProgress(claimResult, aWatchProgress())
  yield* store.release(claimResult, now)
  yield* store.listChains
  yield* store.listAddresses(10)
  yield* store.findRegistered([address])
  yield* store.recordDetected([detectedTransfer], now)
  yield* store.nextDueAt(196)
  const [storedTransfer] = yield* store.listDue(196, now, 10)
  yield* store.postpone(storedTransfer!, now)
  yield* store.recordDecision(storedTransfer!, "RECORDED", detectedTransfer)
  yield* store.listSince(196, 0)
  yield* store.listUntil(196, 1_000, 10)
  yield* store.remove(storedTransfer!)
  yield* store.countUnlisted(address, 1)
  yield* store.listBackfills(196, 10)
  yield* store.moveBackfills(196, [{ address, next: null, to: null }], { next: 1, to: 2 })
  yield* store.moveBackfills(196, [{ address, next: 1, to: 2 }], null)
  yield* store.listRecorded(aProject().id, address, 196, transactionHash)
})

const claims = WorkClaims.use(({ releaseAll }) => releaseAll)

/** Calls every method of every store, with each filter of the history. */
export const callEveryStore = Effect.all(
  [
    projects,
    wallets,
    quotes,
    history,
    webhooks,
    counts,
    retention,
    operator,
    gasEntries,
    pools,
    bitcoinActivity,
    activity,
    loans,
    pastPrices,
    individuals,
    customers,
    verifications,
    taxes,
    claims
  ],
  {
    discard: true
  }
)
