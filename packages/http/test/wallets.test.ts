import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { registerOneOfEachKind, type TestWallet } from "./support/accounts.ts"
import { assertProblems } from "./support/refusals.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** The list of a project's wallets, at once and in pages. */

let service: TestService
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  service = await startTestService()
  wallets = await registerOneOfEachKind(service)
})
afterAll(() => service.stop())

interface Listed {
  readonly walletAddress: string
}

const list = (query = "") => service.request("GET", `/api/v1/wallets${query}`)

describe("GET /api/v1/wallets", () => {
  it("has every wallet, oldest registration first, each as its own endpoint shows it", async () => {
    const { body, status } = await list()
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(Object.keys(body), ["wallets", "nextLastId"])
    assert.sameMembers(
      body.wallets.map(({ walletAddress }: Listed) => walletAddress),
      wallets.map(({ address }) => address)
    )
    assert.isNull(body.nextLastId)
    const [first] = body.wallets
    const shown = (await service.request("GET", `/api/v1/wallets/${first.walletAddress}`)).body.wallet
    assert.deepStrictEqual(Object.keys(first), Object.keys(shown))
  })

  it("has the same in pages, which neither miss nor repeat one", async () => {
    const all = (await list()).body.wallets
    const paged = []
    for (let lastId: string | null = ""; lastId !== null; ) {
      const { body } = await list(`?take=1${lastId === "" ? "" : `&lastId=${lastId}`}`)
      assert.lengthOf(body.wallets, 1)
      paged.push(...body.wallets)
      lastId = body.nextLastId
    }
    assert.deepStrictEqual(paged, all)
    assert.deepStrictEqual((await list(`?lastId=${all[1].walletAddress}`)).body.wallets, all.slice(2))
  })

  it("is empty where a project has none", async () => {
    const { apiKey } = await service.newProject(null)
    const { body } = await service.request("GET", "/api/v1/wallets", undefined, { "x-api-key": apiKey })
    assert.deepStrictEqual(body, { wallets: [], nextLastId: null })
  })

  it.each([
    ["take=0", /between 1 and 1000/u],
    ["take=1001", /between 1 and 1000/u],
    ["take=x", /between 1 and 1000/u],
    ["lastId=7", /address/iu],
    [`lastId=0x${"7".repeat(40)}`, /No wallet of this project/u]
  ])("refuses %s", async (query, message) => {
    assertProblems(await list(`?${query}`), [`query.${query.split("=")[0]}`, message])
  })
})
