import { Address } from "@countersign/core/foundation/primitives"
import { ComputeUnitStore } from "@countersign/core/tenancy/metering"
import { type ProjectId, Projects } from "@countersign/core/tenancy/projects"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { waitUntil } from "../../../core/test/support/until.ts"
import { newProject } from "../fleet/operator.ts"
import { swapOf } from "../support/accounts.ts"
import { PROCESS_COUNT, requestFrom, type Servers, startServers } from "./startServers.ts"

/** Tests one budget that four processes spend concurrently. */

const BUDGET = 1_000
const CLIENT_COUNT = 64
const TREASURY = Address.make(`0x${"0b".repeat(20)}`)
/** Number of units that a process leases at a time while the budget is large. A kill loses at most this many. */
const LEASE_UNITS = 50

let servers: Servers

beforeAll(async () => {
  servers = await startServers()
})
afterAll(() => servers.close())

interface Client {
  readonly nth: number
  readonly apiKey: string
}

const readAs = async ({ apiKey, nth }: Client) =>
  requestFrom(await servers.fleet.url(nth), { apiKey, path: "/api/v1/wallets/factories" })

/** Costs five units, although the response is an error because the wallet is unknown. */
const requestQuote = async ({ apiKey, nth }: Client) =>
  requestFrom(await servers.fleet.url(nth), {
    apiKey,
    method: "POST",
    path: "/api/v1/crypto/swap",
    body: swapOf({ address: `0x${"0a".repeat(20)}` })
  })

interface SpentUnits {
  readonly units: number
  /** Number of requests whose charge is unknown, because their server was killed. */
  readonly unanswered: number
}

/** Sends requests until one is rejected. */
const spendAll = async (
  client: Client,
  request: typeof readAs,
  onPaid: () => void = () => undefined
): Promise<SpentUnits> => {
  let units = 0
  let unansweredCount = 0
  for (;;) {
    const response = await request(client).catch(() => null)
    if (response === null) {
      unansweredCount += 1
    } else if (response.status === 403) {
      assert.strictEqual(response.body.id, "UNAVAILABLE_COMPUTE_UNITS")
      assert.isNull(response.headers.get("x-compute-units"))
      return { units, unanswered: unansweredCount }
    } else {
      assert.oneOf(response.status, [200, 404], response.text)
      units += Number(response.headers.get("x-compute-units"))
      onPaid()
    }
  }
}

/**
 * Sends the requests of each client to one process, so that each process serves requests until its lease and the budget
 * are used up.
 */
const spendByAll = async (
  apiKey: string,
  requestOf: (nth: number) => typeof readAs,
  onPaid?: () => void
): Promise<SpentUnits> => {
  const clients = Array.from({ length: CLIENT_COUNT }, (_, nth) => spendAll({ apiKey, nth }, requestOf(nth), onPaid))
  const spentUnits = await Promise.all(clients)
  return {
    units: spentUnits.reduce((sum, { units }) => sum + units, 0),
    unanswered: spentUnits.reduce((sum, { unanswered }) => sum + unanswered, 0)
  }
}

const requestReads = () => readAs

/** Returns the request of a client: half of the clients of each process send quotes, and half send reads. */
const requestOfClient = (nth: number) => (Math.floor(nth / PROCESS_COUNT) % 2 === 0 ? readAs : requestQuote)

const createProject = async (computeUnits: number) => {
  const project = await servers.operate(newProject(null))
  await servers.operate(Projects.use((projects) => projects.update(project.id, { computeUnits })))
  return project
}

const budgetOf = (id: ProjectId): Promise<number | null> =>
  servers.operate(ComputeUnitStore.use((store) => store.readRemaining(id)))

/** Waits until the processes have returned their leases, so that the budget is at least `expected`. */
const waitForBudget = async (id: ProjectId, expected: number): Promise<number> =>
  (await waitUntil(
    () => budgetOf(id),
    (budget) => budget! >= expected,
    { pollMs: 50 }
  ))!

describe(`a budget that ${CLIENT_COUNT} clients spend through ${PROCESS_COUNT} processes`, () => {
  it("is spent to the last unit by reads, and never exceeded, also after a top-up", async () => {
    const { apiKey, id } = await createProject(BUDGET)
    assert.deepStrictEqual(await spendByAll(apiKey, requestReads), { units: BUDGET, unanswered: 0 })
    assert.strictEqual(await budgetOf(id), 0)

    await servers.operate(ComputeUnitStore.use((store) => store.refund(id, 10)))
    assert.deepStrictEqual(await spendByAll(apiKey, requestReads), { units: 10, unanswered: 0 })
    assert.strictEqual(await budgetOf(id), 0)
  })

  it("is not overspent by requests of different cost, and the remainder is less than the cheapest rejected request", async () => {
    const { apiKey, id } = await createProject(BUDGET)
    const { units } = await spendByAll(apiKey, requestOfClient)
    assert.isAtMost(units, BUDGET)
    const remainingUnits = BUDGET - units
    assert.isBelow(remainingUnits, 1)
    assert.strictEqual(await waitForBudget(id, remainingUnits), remainingUnits)
  })

  it("is not overspent, and loses nothing, while the operator changes the project's treasury", async () => {
    const { apiKey, id } = await createProject(BUDGET)
    let isSpent = false
    const updateRepeatedly = async (): Promise<void> => {
      while (!isSpent) {
        await servers.operate(Projects.use((projects) => projects.update(id, { treasury: TREASURY })))
      }
    }
    const updates = Promise.all(Array.from({ length: 4 }, updateRepeatedly))
    const spentUnits = await spendByAll(apiKey, requestReads)
    isSpent = true
    await updates
    assert.deepStrictEqual(spentUnits, { units: BUDGET, unanswered: 0 })
    assert.strictEqual(await budgetOf(id), 0)
  })

  it("is not overspent when a process is killed, and loses at most the lease of that process", async () => {
    const { apiKey, id } = await createProject(BUDGET)
    let paidCount = 0
    let restart: Promise<void> | undefined
    const { unanswered, units } = await spendByAll(apiKey, requestReads, () => {
      paidCount += 1
      if (paidCount === BUDGET / 5) restart = servers.fleet.kill(0)
    })
    await restart
    assert.isDefined(restart)
    const minimumUnits = BUDGET - LEASE_UNITS - unanswered
    const budget = await waitForBudget(id, minimumUnits - units)
    assert.isAtMost(units + budget, BUDGET)
    assert.isAtLeast(units + budget, minimumUnits)
    // No process holds a lease now, so the complete remainder can be spent.
    const remainingSpent = await spendByAll(apiKey, requestReads)
    assert.deepStrictEqual(remainingSpent, { units: budget, unanswered: 0 })
  })

  it("gets leased units back when processes are stopped", async () => {
    const { apiKey, id } = await createProject(BUDGET)
    const clients = Array.from({ length: CLIENT_COUNT }, (_, nth) => readAs({ apiKey, nth }))
    for (const { status } of await Promise.all(clients)) assert.strictEqual(status, 200)
    assert.deepStrictEqual(
      await servers.fleet.stop(),
      Array.from({ length: PROCESS_COUNT }, () => 0)
    )
    assert.strictEqual(await budgetOf(id), BUDGET - CLIENT_COUNT)
  })
})
