import { WalletStore } from "@countersign/core/wallets/registry"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { aWallet } from "../../core/src/wallets/registry/Wallet.fixture.ts"
import { registerOneOfEachKind, type TestWallet } from "./support/accounts.ts"
import { assertProblems } from "./support/refusals.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Tests the list of a project's wallets, complete and in pages. */

let service: TestService
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  service = await startTestService()
  wallets = await registerOneOfEachKind(service)
})
afterAll(() => service.stop())

interface ListedWallet {
  readonly walletAddress: string
}

const listWallets = (query = "") => service.request("GET", `/api/v1/wallets${query}`)

describe("GET /api/v1/wallets", () => {
  it("lists every wallet, oldest registration first, with the body that the wallet's own endpoint returns", async () => {
    const { body, status } = await listWallets()
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(Object.keys(body), ["wallets", "nextLastId"])
    assert.sameMembers(
      body.wallets.map(({ walletAddress }: ListedWallet) => walletAddress),
      wallets.map(({ address }) => address)
    )
    assert.isNull(body.nextLastId)
    const [firstWallet] = body.wallets
    const shownWallet = (await service.request("GET", `/api/v1/wallets/${firstWallet.walletAddress}`)).body.wallet
    assert.deepStrictEqual(Object.keys(firstWallet), Object.keys(shownWallet))
  })

  it("returns the same wallets in pages, and neither misses nor repeats one", async () => {
    const allWallets = (await listWallets()).body.wallets
    const pagedWallets = []
    for (let lastId: string | null = ""; lastId !== null; ) {
      const { body } = await listWallets(`?take=1${lastId === "" ? "" : `&lastId=${lastId}`}`)
      assert.lengthOf(body.wallets, 1)
      pagedWallets.push(...body.wallets)
      lastId = body.nextLastId
    }
    assert.deepStrictEqual(pagedWallets, allWallets)
    assert.deepStrictEqual(
      (await listWallets(`?lastId=${allWallets[1].walletAddress}`)).body.wallets,
      allWallets.slice(2)
    )
  })

  it("sends up to 500 wallets as one body, and streams longer lists", async () => {
    const { apiKey, project } = await service.newProject(null)
    const keyHeaders = { "x-api-key": apiKey }
    const insertWallets = (count: number) =>
      service.run(
        Effect.flatMap(WalletStore, (store) =>
          Effect.forEach(Array.from({ length: count }), () => store.insert(aWallet({ projectId: project.id })))
        )
      )
    const listAll = () => service.request("GET", "/api/v1/wallets", undefined, keyHeaders)
    await insertWallets(499)
    const wholeList = await listAll()
    assert.strictEqual(Number(wholeList.headers.get("content-length")), JSON.stringify(wholeList.body).length)
    await insertWallets(2)
    const streamedResponse = await listAll()
    assert.isNull(streamedResponse.headers.get("content-length"))
    assert.deepStrictEqual(Object.keys(streamedResponse.body), ["wallets", "nextLastId"])
    const addresses = new Set(streamedResponse.body.wallets.map(({ walletAddress }: ListedWallet) => walletAddress))
    assert.lengthOf(streamedResponse.body.wallets, 501)
    assert.strictEqual(addresses.size, 501)
  })

  it("shows changes of a wallet since the previous list", async () => {
    const readWallet = async () => (await listWallets()).body.wallets[0]
    const { metadata, walletAddress } = await readWallet()
    const change = { metadata: { changed: "since" } }
    await service.request("PATCH", `/api/v1/wallets/${walletAddress}/metadata`, change)
    assert.deepStrictEqual((await readWallet()).metadata, change.metadata)
    await service.request("PATCH", `/api/v1/wallets/${walletAddress}/metadata`, { metadata })
    assert.deepStrictEqual((await readWallet()).metadata, metadata)
  })

  it("returns an empty list for a project without wallets", async () => {
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
  ])("rejects %s", async (query, message) => {
    assertProblems(await listWallets(`?${query}`), [`query.${query.split("=")[0]}`, message])
  })
})
