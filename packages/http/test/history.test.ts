import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { registerOneOfEachKind, swapOf, type TestWallet, WETH } from "./support/accounts.ts"
import { assertProblems } from "./support/refusals.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Tests all filters and the pages of a wallet's history. */

interface Transaction {
  readonly id: string
  readonly createdAt: string
  readonly status: string
  readonly userOperationHash: string
  readonly transactionHash: { readonly hash: string; readonly explorerURL: string; readonly explorer: string }
  readonly metadata: Record<string, string>
}

interface Leg {
  readonly chain: { readonly id: number }
  readonly transactionHash: { readonly hash: string }
}

interface MovementBody {
  readonly direction: string
  readonly role: string
  readonly account: string
  readonly chain: { readonly id: number }
  readonly token: { readonly symbol: string } | null
  readonly amount: string
  readonly valueUsd: string
  readonly valueSource: string
}

let service: TestService
let wallet: TestWallet
let otherWallet: TestWallet
/** In the order of the API: newest first. */
let allTransactions: ReadonlyArray<Transaction>

const requestPage = (query = "", ofWallet = wallet) =>
  service.request("GET", `/api/v1/wallets/${ofWallet.address}/history?${query}`)

const executeAndWait = async (amountIn: string, metadata: Record<string, string>, ofWallet = wallet) => {
  const { body } = await service.request(
    "POST",
    "/api/v1/crypto/swap",
    swapOf(ofWallet, { amountIn, metadata, slippage: 5 })
  )
  const [quote] = body.quotes
  const signatures = await service.signatures(ofWallet.privateKey, quote.signData)
  const { userOperationHash } = quote
  const response = await service.request("POST", "/api/v1/crypto/execute-user-op", { userOperationHash, ...signatures })
  assert.strictEqual(response.status, 200, JSON.stringify(response.body))
  return service.settled(ofWallet.address, userOperationHash)
}

beforeAll(async () => {
  service = await startTestService()
  const wallets = await registerOneOfEachKind(service)
  wallet = wallets.find(({ name }) => name === "SimpleAccount 0.8")!
  otherWallet = wallets.find(({ name }) => name === "SimpleAccount 0.7")!
  await executeAndWait("1", { order: "1", shop: "north" })
  await executeAndWait("2", { order: "2", shop: "south" })
  await Promise.all(["3", "4", "5"].map((order) => executeAndWait(order, { order, shop: "south" })))
  await executeAndWait("7", { order: "7" }, otherWallet)
  allTransactions = (await requestPage()).body.transactions
})
afterAll(() => service.stop())

const idsOf = (transactions: ReadonlyArray<Transaction>) => transactions.map(({ id }) => id)

describe("a transaction of a history", () => {
  it("contains its legs, and its movements with values and price sources", async () => {
    const { legs, movements, transactionHash } = (await requestPage("take=1&type=SWAP")).body.transactions[0]
    assert.deepStrictEqual(
      legs.map(({ chain, transactionHash: { hash } }: Leg) => [chain.id, hash]),
      [[1, transactionHash.hash]]
    )
    assert.include(["INCLUDED", "FINAL"], legs[0].state)
    const summaries = movements.map(
      ({ direction, role, token }: MovementBody) => `${direction} ${role} ${token?.symbol}`
    )
    assert.includeMembers(summaries, ["OUT PRINCIPAL USDC", "IN PRINCIPAL WETH"])
    for (const { account, amount, chain, valueSource, valueUsd } of movements as ReadonlyArray<MovementBody>) {
      assert.strictEqual(chain.id, 1)
      assert.isAbove(Number(amount), 0)
      assert.isAbove(Number(valueUsd), 0)
      assert.isString(valueSource)
      assert.match(account, /^0x[0-9a-f]{40}$/u)
    }
  })
})

describe("history", () => {
  it("lists every transaction of the wallet, newest first, and of no other wallet", () => {
    assert.deepStrictEqual(allTransactions.map(({ metadata }) => metadata.order).sort(), ["1", "2", "3", "4", "5"])
    for (const { status } of allTransactions) assert.strictEqual(status, "COMPLETED")
    const times = allTransactions.map(({ createdAt }) => createdAt)
    assert.deepStrictEqual(times, [...times].sort().reverse())
  })

  it("returns every transaction once, for each page size", async () => {
    for (const take of [1, 2, 3, 5, 100]) {
      const visitedIds: Array<string> = []
      let lastId: string | null = null
      for (let pages = 0; pages === 0 || lastId !== null; pages++) {
        assert.isBelow(pages, 10)
        const response = await requestPage(`take=${take}${lastId === null ? "" : `&lastId=${lastId}`}`)
        assert.strictEqual(response.status, 200)
        assert.isAtMost(response.body.transactions.length, take)
        visitedIds.push(...idsOf(response.body.transactions))
        lastId = response.body.nextLastId
      }
      assert.deepStrictEqual(visitedIds, idsOf(allTransactions), `take=${take}`)
    }
  })

  const middleTransaction = () => allTransactions[2]!
  const returnAll = () => allTransactions
  const returnNone = () => []
  const filters: ReadonlyArray<readonly [string, () => string, () => ReadonlyArray<Transaction>]> = [
    ["type", () => "type=SWAP", returnAll],
    ["another type", () => "type=CRYPTO_DEPOSIT", returnNone],
    ["several types", () => "type=CRYPTO_DEPOSIT,SWAP", returnAll],
    ["a repeated type", () => "type=CRYPTO_DEPOSIT&type=SWAP", returnAll],
    ["status", () => "status=COMPLETED", returnAll],
    ["several statuses", () => "status=FAILED,PROCESSING", returnNone],
    ["user operation", () => `userOperationHash=${middleTransaction().userOperationHash}`, () => [middleTransaction()]],
    ["unknown user operation", () => `userOperationHash=0x${"11".repeat(32)}`, returnNone],
    [
      "transaction hash, in any case",
      () => `transactionHash=0x${middleTransaction().transactionHash.hash.slice(2).toUpperCase()}`,
      () =>
        allTransactions.filter(
          ({ transactionHash }) => transactionHash.hash === middleTransaction().transactionHash.hash
        )
    ],
    ["chains", () => "chains=8453,1", returnAll],
    ["another chain", () => "chains=8453", returnNone],
    ["chainInId", () => "chainInId=1", returnAll],
    ["another chainInId", () => "chainInId=10", returnNone],
    ["chainOutId", () => "chainOutId=1", returnAll],
    ["another chainOutId", () => "chainOutId=0", returnNone],
    [
      "latest date",
      () => `createdAtLatest=${middleTransaction().createdAt}`,
      () => allTransactions.filter(({ createdAt }) => createdAt <= middleTransaction().createdAt)
    ],
    [
      "oldest date",
      () => `createdAtOldest=${middleTransaction().createdAt}`,
      () => allTransactions.filter(({ createdAt }) => createdAt >= middleTransaction().createdAt)
    ],
    [
      "both dates",
      () => `createdAtOldest=${middleTransaction().createdAt}&createdAtLatest=${middleTransaction().createdAt}`,
      () => allTransactions.filter(({ createdAt }) => createdAt === middleTransaction().createdAt)
    ],
    [
      "metadata",
      () => "metadataKey=shop&metadataValue=south",
      () => allTransactions.filter(({ metadata }) => metadata.shop === "south")
    ],
    ["a value of another key", () => "metadataKey=order&metadataValue=south", returnNone],
    ["position", () => "nftNumber=12", returnNone],
    ["position or metadata", () => "nftNumber=12&metadataKey=positionId&metadataValue=12", returnNone],
    [
      "all filters together",
      () => `type=SWAP&status=COMPLETED&chains=1&metadataKey=order&metadataValue=${middleTransaction().metadata.order}`,
      () => [middleTransaction()]
    ]
  ]
  it.each(filters)("is filtered by %s", async (_, query, expectedTransactions) => {
    const { body, status } = await requestPage(query())
    assert.strictEqual(status, 200, JSON.stringify(body))
    assert.deepStrictEqual(idsOf(body.transactions), idsOf(expectedTransactions()))
    assert.isNull(body.nextLastId)
  })

  it("returns filtered transactions in pages", async () => {
    const southTransactions = allTransactions.filter(({ metadata }) => metadata.shop === "south")
    const filter = "metadataKey=shop&metadataValue=south&take=3"
    const firstPage = await requestPage(filter)
    const secondPage = await requestPage(`${filter}&lastId=${firstPage.body.nextLastId}`)
    assert.deepStrictEqual(
      idsOf([...firstPage.body.transactions, ...secondPage.body.transactions]),
      idsOf(southTransactions)
    )
  })

  it("returns the Deprecation header for chainInId and chainOutId, and for no other parameter", async () => {
    for (const query of ["chainInId=1", "chainOutId=1"]) {
      assert.match((await requestPage(query)).headers.get("deprecation") ?? "", /^@\d{10}$/u)
    }
    assert.isNull((await requestPage("chains=1")).headers.get("deprecation"))
  })

  const malformedQueries: ReadonlyArray<readonly [string, string, RegExp]> = [
    ["take=0", "query.take", /between 1 and 100/u],
    ["take=101", "query.take", /between 1 and 100/u],
    ["take=x", "query.take", /whole number/u],
    ["take=1.5", "query.take", /whole number/u],
    ["take=", "query.take", /whole number/u],
    ["type=SWAP,NOPE", "query.type.1", /one of "SWAP", /u],
    ["status=done", "query.status.0", /one of "PENDING_SIGNATURE", /u],
    ["chains=5", "query.chains.0", /42161/u],
    ["chains=1,x", "query.chains.1", /42161/u],
    ["chainInId=5", "query.chainInId", /42161/u],
    ["chainInId=", "query.chainInId", /42161/u],
    ["chainOutId=0x1", "query.chainOutId", /42161/u],
    ["chains=1e0", "query.chains.0", /42161/u],
    ["userOperationHash=0x12", "query.userOperationHash", /64 hexadecimal digits/u],
    ["transactionHash=12", "query.transactionHash", /64 hexadecimal digits/u],
    ["createdAtLatest=yesterday", "query.createdAtLatest", /date-time, such as/u],
    [
      "createdAtOldest=2026-02-02T00:00:00Z&createdAtLatest=2026-02-01T00:00:00Z",
      "query.createdAtOldest",
      /after createdAtLatest/u
    ],
    ["createdAtOldest=", "query.createdAtOldest", /date-time, such as/u],
    ["createdAtOldest=2026-02-30T00:00:00Z", "query.createdAtOldest", /date-time, such as/u],
    ["createdAtOldest=2026-02-29", "query.createdAtOldest", /date-time, such as/u],
    ["createdAtOldest=2026-04-31T12:00:00%2B03:00", "query.createdAtOldest", /date-time, such as/u],
    ["createdAtLatest=Feb 30 2026", "query.createdAtLatest", /date-time, such as/u],
    ["metadataKey=order", "query.metadataValue", /together/u],
    ["metadataValue=1", "query.metadataKey", /together/u],
    ["lastId=unknown", "query.lastId", /nextLastId/u],
    ["offset=1", "query.offset", /no such field/u]
  ]
  it.each(malformedQueries)("rejects %s", async (query, path, pattern) => {
    assertProblems(await requestPage(query), [path, pattern])
  })

  it("treats a cursor of another wallet's history like an unknown one", async () => {
    const [otherTransaction] = (await requestPage("", otherWallet)).body.transactions
    assertProblems(await requestPage(`lastId=${otherTransaction.id}`), [
      "query.lastId",
      /No transaction of this wallet/u
    ])
  })

  it("links to a page of the sandbox, which shows the movements of the transaction", async () => {
    const { explorer, explorerURL, hash } = allTransactions[0]!.transactionHash
    assert.strictEqual(explorer, "Countersign sandbox")
    const response = await fetch(explorerURL)
    assert.strictEqual(response.status, 200)
    assert.match(response.headers.get("content-security-policy") ?? "", /default-src 'none'/u)
    const text = await response.text()
    const { userOperationHash } = allTransactions[0]!
    for (const expectedText of [hash, "Ethereum (1)", " USDC<", " WETH<", userOperationHash, "&quot;blockHash&quot;"]) {
      assert.include(text, expectedText)
    }
    assert.notMatch(text, /<script|(?:src|href)=/u)
    const explorerUrlOf = (lastSegment: string) => explorerURL.replace(hash, lastSegment)
    assert.strictEqual((await fetch(explorerUrlOf(`0x${"00".repeat(32)}`))).status, 404)
    assert.strictEqual((await fetch(explorerUrlOf("0x12"))).status, 400)
    assert.strictEqual((await fetch(explorerURL.replace("/chains/1/", "/chains/10/"))).status, 503)
    const { status } = await fetch(explorerURL, { headers: { origin: "https://evil.example" } })
    assert.strictEqual(status, 403)
  })

  it("lists a pending operation", async () => {
    const { body } = await service.request("POST", "/api/v1/crypto/swap", swapOf(wallet, { tokenOut: WETH }))
    const [quote] = body.quotes
    const previousPage = await requestPage(`userOperationHash=${quote.userOperationHash}`)
    assert.deepStrictEqual(previousPage.body.transactions, [])
    const signatures = await service.signatures(wallet.privateKey, quote.signData)
    const { userOperationHash } = quote
    await service.request("POST", "/api/v1/crypto/execute-user-op", { userOperationHash, ...signatures })
    const [transaction] = (await requestPage(`userOperationHash=${userOperationHash}`)).body.transactions
    assert.include(["PROCESSING", "COMPLETED"], transaction.status)
    assert.strictEqual((await service.settled(wallet.address, userOperationHash)).status, "COMPLETED")
  })
})
