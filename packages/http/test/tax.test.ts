import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { HistoryStore } from "@countersign/core/accounting/history"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import PostalMime from "postal-mime"
import { registerOneOfEachKind, swapOf, type TestWallet, USDC, WETH } from "./support/accounts.ts"
import { assertProblems, assertRefusal } from "./support/refusals.ts"
import { compareExport, linesOf } from "./support/taxTieOut.ts"
import { startTestService, type TestService } from "./support/testService.ts"
import { startWebhookReceiver } from "./support/webhookReceiver.ts"

/** Tests tax exports of real operations, over HTTP and by email. */

const ZONE = "America/Sao_Paulo"
const EMAIL = "private.person@example.com"
const FUNDED_AMOUNT = "1000000"

let service: TestService
let wallet: TestWallet
let idleWallet: TestWallet
/** Month in UTC. It equals the month in the time zone of the export, except in the first hours of a month. */
let month: string

const pathsOf = (address: string) => ({
  schedules: `/api/v1/wallets/${address}/tax-export/schedules`,
  now: `/api/v1/wallets/${address}/tax-export`
})

const scheduleOf = (changes: Record<string, unknown> = {}) => ({
  email: EMAIL,
  individual: { type: "individual", individualId: "ind_7" },
  recurrencePreset: "MONTHLY_START",
  ...changes
})

const executeOperation = async (path: string, body: object) => {
  const response = await service.request("POST", path, body)
  assert.strictEqual(response.status, 200, JSON.stringify(response.body))
  const quote = response.body.transfer ?? response.body.quotes[0]
  const { userOperationHash } = quote
  const signatures = await service.signatures(wallet.privateKey, quote.signData)
  await service.request("POST", "/api/v1/crypto/execute-user-op", { userOperationHash, ...signatures })
  const transaction = await service.settled(wallet.address, userOperationHash)
  assert.strictEqual(transaction.status, "COMPLETED")
}

beforeAll(async () => {
  service = await startTestService({ webhooks: { allowPrivateTargets: true, timeoutMs: 30_000 } })
  const wallets = await registerOneOfEachKind(service)
  wallet = wallets.find(({ name }) => name === "Safe 1.4.1")!
  idleWallet = wallets.find(({ name }) => name === "SimpleAccount 0.7")!
  month = new Date().toISOString().slice(0, 7)
  await executeOperation(
    "/api/v1/crypto/swap",
    swapOf(wallet, { amountIn: "1000", slippage: 5, transactionFeePercent: 1 })
  )
  await executeOperation(
    "/api/v1/crypto/swap",
    swapOf(wallet, { tokenIn: WETH, tokenOut: USDC, amountIn: "0.1", slippage: 5 })
  )
  await executeOperation("/api/v1/crypto/transfer", {
    walletAddress: wallet.address,
    chainId: 1,
    token: USDC,
    amount: "12.5",
    toAddress: idleWallet.address,
    payGasFeeToken: USDC,
    gasFeePaymentMethod: "ADD_TO_AMOUNT"
  })
})
afterAll(() => service.stop())

describe("a tax export of a month", () => {
  it("agrees with the history, the chain and the portfolio, for each movement and each token", async () => {
    const comparisons = await compareExport(service, wallet.address, { month, unrecorded: { [USDC]: FUNDED_AMOUNT } })
    assert.strictEqual(comparisons.assets, 2)
    assert.isAtLeast(comparisons.movements, 9)
  })

  it("contains values, costs and gains, and a second export contains the same bytes", async () => {
    const requestExport = () => service.request("POST", pathsOf(wallet.address).now, { month, timezone: "UTC" })
    const [firstResponse, secondResponse] = [await requestExport(), await requestExport()]
    assert.deepStrictEqual(secondResponse.body, firstResponse.body)
    assert.deepStrictEqual(
      firstResponse.body.files.map(({ format }: { readonly format: string }) => format),
      ["full", "full", "full", "koinly"]
    )
    assert.deepStrictEqual([firstResponse.body.complete, firstResponse.body.mailed], [false, false])
    const weth = firstResponse.body.balances.find(({ symbol }: { readonly symbol: string }) => symbol === "WETH")
    const soldLine = linesOf(firstResponse.body.files[0].content).find(
      (line) => line.Asset === "WETH" && line["Sent Amount"] !== ""
    )
    assert.strictEqual(soldLine?.["Sent Amount"], "0.1")
    assert.strictEqual(weth.gainUsd, soldLine?.["Gain USD"])
    assert.match(soldLine?.["Cost USD"] ?? "", /^\d+(\.\d+)?$/u)
    const koinlyLines = linesOf(firstResponse.body.files[3].content)
    assert.strictEqual(
      koinlyLines.filter((line) => line.Description === "SWAP" && line["Received Amount"] !== "").length,
      2
    )
    const kinds = linesOf(firstResponse.body.files[0].content).map((line) => `${line.Type} ${line["Tax Kind"]}`)
    assert.sameMembers(
      [...new Set(kinds)],
      ["SWAP DISPOSAL", "SWAP ACQUISITION", "SWAP FEE", "TRANSFER EXTERNAL_TRANSFER", "TRANSFER FEE"]
    )
    const koinlyResponse = await service.request("POST", `${pathsOf(wallet.address).now}?format=koinly`, {
      month,
      timezone: "UTC"
    })
    assert.deepStrictEqual(koinlyResponse.body.files, [firstResponse.body.files[3]])
  })

  it("follows the layout of IN RFB 1888 only for months to which that rule applies", async () => {
    const requestExport = (exportMonth: string) =>
      service.request("POST", `${pathsOf(wallet.address).now}?format=in1888`, { month: exportMonth, timezone: ZONE })
    const juneResponse = await requestExport("2026-06")
    assert.strictEqual(juneResponse.status, 200, JSON.stringify(juneResponse.body))
    assert.deepStrictEqual(
      juneResponse.body.files.map(({ name }: { readonly name: string }) => name),
      ["2026-06-in1888.txt"]
    )
    assertProblems(await requestExport("2026-07"), ["body.month", /DeCripto.*Omit in1888/u])
  })

  it("is rejected for an invalid or future month, an unknown time zone, and an invalid address", async () => {
    const { now } = pathsOf(wallet.address)
    for (const wrongMonth of ["", "2026-13", "2026-1", "10/2026", "2026-10-01", 10]) {
      const { body, status } = await service.request("POST", now, { month: wrongMonth })
      assert.deepStrictEqual([status, body.errors[0].path], [400, "body.month"], String(wrongMonth))
    }
    assertProblems(await service.request("POST", now, { month: "2099-01" }), ["body.month", /not begun/u])
    for (const timezone of ["", "+03:00", "Mars/Olympus"]) {
      assertRefusal(
        await service.request("POST", now, { month, timezone }),
        400,
        "INVALID_TAX_EXPORT_SCHEDULE_TIMEZONE",
        /IANA/u
      )
    }
    const wrongEmailResponse = await service.request("POST", now, { month, email: "geheim@" })
    assert.strictEqual(wrongEmailResponse.status, 400)
    assert.notInclude(JSON.stringify(wrongEmailResponse.body), "geheim")
    assert.strictEqual((await service.request("POST", `${now}?format=pdf`, { month })).status, 400)
    const unknownFieldResponse = await service.request("POST", now, {
      month,
      emailCustomization: { bcc: "a@example.com" }
    })
    assertProblems(unknownFieldResponse, ["body.emailCustomization.bcc", /no such field/u])
  })
})

describe("a tax export schedule", () => {
  it("is created once, listed to its own project only, and deleted", async () => {
    const { schedules } = pathsOf(idleWallet.address)
    const idempotencyHeaders = { "idempotency-key": `tax-${idleWallet.address}` }
    const creation = await service.request(
      "POST",
      schedules,
      scheduleOf({ timezone: "Asia/Kolkata" }),
      idempotencyHeaders
    )
    const repeatResponse = await service.request(
      "POST",
      schedules,
      scheduleOf({ timezone: "Asia/Kolkata" }),
      idempotencyHeaders
    )
    assert.deepStrictEqual([repeatResponse.status, repeatResponse.body], [201, ""])
    assert.deepStrictEqual([creation.status, creation.body], [201, ""])
    assertRefusal(
      await service.request("POST", schedules, scheduleOf()),
      409,
      "TAX_EXPORT_SCHEDULE_ALREADY_EXISTS",
      /MONTHLY_START/u
    )
    const listResponse = await service.request("GET", schedules)
    const [schedule] = listResponse.body.schedules
    assert.deepStrictEqual(
      [schedule.email, schedule.timezone, schedule.individual.individualId, schedule.lastExport],
      [EMAIL, "Asia/Kolkata", "ind_7", null]
    )
    assert.match(schedule.nextExportAt, /T18:30:00\.000Z$/u)

    const { apiKey } = await service.newProject(null)
    for (const [method, body] of [["GET"], ["DELETE"], ["POST", scheduleOf()]] as const) {
      const otherResponse = await service.request(method, schedules, body, { "x-api-key": apiKey })
      const id = "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT"
      assert.deepStrictEqual([otherResponse.status, otherResponse.body.id], [404, id], method)
      assert.notInclude(JSON.stringify(otherResponse.body), EMAIL)
    }
    assert.strictEqual((await service.request("DELETE", schedules)).status, 204)
    assertRefusal(await service.request("DELETE", schedules), 404, "TAX_EXPORT_SCHEDULE_NOT_FOUND", /no schedule/u)
    assert.deepStrictEqual((await service.request("GET", schedules)).body, { schedules: [] })
  })

  it("is rejected with an error for each invalid field", async () => {
    const { schedules } = pathsOf(idleWallet.address)
    const requestSchedule = (changes: Record<string, unknown>) =>
      service.request("POST", schedules, scheduleOf(changes))
    for (const timezone of ["", "+03:00", "-03:00", "Mars/Olympus"]) {
      assertRefusal(await requestSchedule({ timezone }), 400, "INVALID_TAX_EXPORT_SCHEDULE_TIMEZONE", /time zone/u)
    }
    for (const [changes, path] of [
      [{ email: "" }, "body.email"],
      [{ email: "a@example.com, b@example.com" }, "body.email"],
      [{ email: "a@example.com\r\nBcc: b@example.com" }, "body.email"],
      [{ recurrencePreset: "WEEKLY" }, "body.recurrencePreset"],
      [{ individual: { type: "business", individualId: "1" } }, "body.individual.type"],
      [{ individual: { type: "individual" } }, "body.individual.individualId"],
      [{ emailCustomization: { subject: "a\r\nBcc: b@example.com" } }, "body.emailCustomization.subject"],
      [{ emailCustomization: { cc: "b@example.com" } }, "body.emailCustomization.cc"],
      [{ emailCustomization: { logoUrl: "javascript:alert(1)" } }, "body.emailCustomization.logoUrl"]
    ] as const) {
      const { body, status } = await requestSchedule(changes)
      assert.deepStrictEqual(
        [status, body.errors?.map((error: { readonly path: string }) => error.path)],
        [400, [path]],
        JSON.stringify(changes)
      )
    }
  })
})

describe("the start of a month", () => {
  it("sends one mail with the export of the previous month, and an event without the mail address to the project", async () => {
    const receiver = await startWebhookReceiver()
    await service.request("POST", "/api/v1/webhooks", {
      url: receiver.url("/tax"),
      eventTypes: ["tax_export.*"]
    })
    const creation = await service.request(
      "POST",
      pathsOf(wallet.address).schedules,
      scheduleOf({ emailCustomization: { locale: "pt-BR", senderName: "Banco Exemplo" } })
    )
    assert.strictEqual(creation.status, 201)
    const [{ nextExportAt }] = (await service.request("GET", pathsOf(wallet.address).schedules)).body.schedules
    const endedMonth = new Date(new Date(nextExportAt).getTime() - 86_400_000).toISOString().slice(0, 7)
    const folder = join(service.home, "mail")
    assert.isFalse(existsSync(folder))

    const twoHoursSeconds = 7_200
    await service.advanceClock(Math.ceil((Date.parse(nextExportAt) - Date.now()) / 1_000) + twoHoursSeconds)
    await receiver.waitFor("/tax", 1)
    const files = readdirSync(folder)
    const event = receiver.received[0]!.event
    assert.deepStrictEqual(
      [event.type, event.data.month, event.data.status, event.data.sequence],
      ["tax_export.delivered", endedMonth, "DELIVERED", 1]
    )
    assert.deepStrictEqual(files, [`${event.data.id}.eml`])
    assert.notInclude(receiver.received[0]!.text, EMAIL)

    const mail = await PostalMime.parse(readFileSync(join(folder, files[0]!)), { attachmentEncoding: "utf8" })
    assert.deepStrictEqual([mail.to?.[0]?.address, mail.from?.name], [EMAIL, "Banco Exemplo"])
    assert.include(mail.text ?? "", "Movimentações")
    const exportResponse = await service.request("POST", `${pathsOf(wallet.address).now}?format=full,koinly`, {
      month: endedMonth,
      timezone: ZONE
    })
    assert.isTrue(exportResponse.body.complete)
    assert.isAtLeast(exportResponse.body.movements, 9)
    assert.deepStrictEqual(
      mail.attachments.map(({ content, filename }) => [filename, content]),
      exportResponse.body.files.map(({ content, name }: { readonly content: string; readonly name: string }) => [
        name,
        content
      ])
    )
    const [{ lastExport }] = (await service.request("GET", pathsOf(wallet.address).schedules)).body.schedules
    assert.deepStrictEqual([lastExport.status, lastExport.month], ["DELIVERED", endedMonth])
    assert.notInclude(service.logLines.join("\n"), EMAIL)
    receiver.stop()
  })

  it("opens with the closing balances of the previous month", async () => {
    const [monthResponse, nextMonthResponse] = await Promise.all(
      [month, new Date(Date.parse(`${month}-28T00:00:00Z`) + 6 * 86_400_000).toISOString().slice(0, 7)].map((each) =>
        service.request("POST", pathsOf(wallet.address).now, { month: each, timezone: "UTC" })
      )
    )
    const amountsOf = (body: { readonly balances: ReadonlyArray<Record<string, string>> }, field: string) =>
      body.balances.map((balance) => [balance.symbol, balance[field]])
    assert.deepStrictEqual(amountsOf(nextMonthResponse!.body, "opening"), amountsOf(monthResponse!.body, "closing"))
    const storedMovements = await service.run(
      HistoryStore.use((store) =>
        store.listMovements({
          projectId: service.project.id,
          account: wallet.address as never,
          after: null,
          take: 1_000
        })
      )
    )
    assert.strictEqual(monthResponse!.body.movements + nextMonthResponse!.body.movements, storedMovements.length)
  })
})
