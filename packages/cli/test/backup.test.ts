import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Verifications, VerifiedIndividuals } from "@countersign/core/identity"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { registerOneOfEachKind, swapOf, type TestWallet } from "../../http/test/support/accounts.ts"
import { askChain } from "../../http/test/support/askChain.ts"
import { fiatClient } from "../../http/test/support/fiatClient.ts"
import { assertRefusal } from "../../http/test/support/refusals.ts"
import { startTestService, type TestService } from "../../http/test/support/testService.ts"
import { decideSession, INDIVIDUALS, person, submitVerification } from "../../http/test/support/verifications.ts"
import { assertCode, type Json, jsonOf, removeHome, runHere, temporaryHome } from "./support/commandLine.ts"

/** Tests backups of a running service, and their restore, with the commands of an operator. */

const machine = mkdtempSync(join(tmpdir(), "countersign-backups-"))
const targetFolder = join(machine, "target")
let service: TestService
let wallets: ReadonlyArray<TestWallet>
let backupKeys: Readonly<Record<"BACKUP_IDENTITY" | "BACKUP_RECIPIENT", string>>

beforeAll(async () => {
  service = await startTestService({ backupTarget: { _tag: "Folder", folder: targetFolder } })
  wallets = await registerOneOfEachKind(service)
  const { identity, recipient } = jsonOf(await runHere(machine, ["backup", "key", "--json"]))
  backupKeys = { BACKUP_IDENTITY: identity, BACKUP_RECIPIENT: recipient }
})
afterAll(async () => {
  await service.stop()
  rmSync(machine, { recursive: true, force: true })
})

/** Returns the settings of the service, for commands on this machine or on another one. */
const environment = () => ({
  RPC_URL_1: service.chains.rpcUrl(1),
  SECRETS_KEY: readFileSync(join(machine, "secrets.key")).toString("base64"),
  BACKUP_TARGET: targetFolder,
  ...backupKeys
})

const runBackup = async (home: string, ...words: ReadonlyArray<string>): Promise<Json> =>
  jsonOf(await runHere(home, ["backup", ...words, "--json"], environment()))

const verifyPerson = async (documentId: string) => {
  const { session } = await submitVerification(service, INDIVIDUALS, { ...person, documentId })
  await decideSession(service, session.id, null)
  return { sessionId: session.id as string, individualId: session.individualId as string }
}

const showSession = async (sessionId: string) =>
  (await service.request("GET", `${INDIVIDUALS}/${sessionId}`)).body.session

const isVerified = (id: string) =>
  service.run(VerifiedIndividuals.use((individuals) => individuals.isVerified(service.project.id, id)))

describe("a backup of a service with SQLite", () => {
  const rpc = (method: string, ...params: ReadonlyArray<unknown>) =>
    askChain(service.chains.rpcUrl(1), method, ...params)
  const wallet = () => wallets.find(({ name }) => name === "SimpleAccount 0.8")!

  const quoteSwap = async () => {
    const { body, status } = await service.request("POST", "/api/v1/crypto/swap", swapOf(wallet()))
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body.quotes[0]
  }
  const execute = async ({ signData, userOperationHash }: Awaited<ReturnType<typeof quoteSwap>>) => {
    const signatures = await service.signatures(wallet().privateKey, signData)
    return service.request("POST", "/api/v1/crypto/execute-user-op", { userOperationHash, ...signatures })
  }
  const awaitSettled = (hash: string) => service.settled(wallet().address, hash)

  it("is restored on another machine, continues pending work, and repeats erasures", async () => {
    renameSync(join(service.home, "secrets.key"), join(machine, "secrets.key"))
    const [erasedPerson, keptPerson] = [await verifyPerson("FX10001"), await verifyPerson("FX10002")]
    const startWithdrawal = async (payer: TestWallet, individualId: string) => {
      const fiat = fiatClient(service, payer, individualId)
      const { id, ...order } = await fiat.withdrawal({ type: "PIX", pixKey: "529.982.247-25" })
      await fiat.execute(order)
      await fiat.orderIn(id, "PROCESSING")
      return {
        id,
        status: async () => (await fiat.order(id)).status,
        pay: () => fiat.bank("pay", { orderId: id }),
        completed: () => fiat.orderIn(id, "COMPLETED")
      }
    }
    const withdrawal = await startWithdrawal(wallets[1]!, keptPerson.individualId)
    const erasedWithdrawal = await startWithdrawal(wallets[2]!, erasedPerson.individualId)
    // Deploys the wallet first. Otherwise only one of the later operations could execute, because it would deploy the
    // wallet.
    const firstQuote = await quoteSwap()
    assert.strictEqual((await execute(firstQuote)).status, 200)
    await awaitSettled(firstQuote.userOperationHash)

    const [pendingQuote, unsignedQuote] = [await quoteSwap(), await quoteSwap()]
    await rpc("evm_setAutomine", false)
    assert.strictEqual((await execute(pendingQuote)).status, 200)
    const createdBackup = await runBackup(service.home, "create")
    // Each person has three documents.
    assert.deepInclude(createdBackup, { documents: 6, target: targetFolder })
    assert.deepInclude(await runBackup(machine, "verify"), {
      name: createdBackup.name,
      documents: 6,
      bytes: createdBackup.bytes
    })
    assert.deepStrictEqual((await runBackup(machine, "list")).backups, [createdBackup.name])

    // These changes follow the backup: an operation ends, another one is executed, a third one is quoted and executed,
    // and a person is erased.
    await rpc("evm_setAutomine", true)
    await rpc("evm_mine")
    const endedTransaction = await awaitSettled(pendingQuote.userOperationHash)
    const laterQuote = await quoteSwap()
    for (const quote of [unsignedQuote, laterQuote]) {
      assert.strictEqual((await execute(quote)).status, 200)
      await awaitSettled(quote.userOperationHash)
    }
    await erasedWithdrawal.pay()
    await erasedWithdrawal.completed()
    const erase = (changes: Record<string, string> = {}) =>
      runHere(
        service.home,
        ["identity", "erase", erasedPerson.individualId, "--project", service.project.id, "--yes", "--json"],
        { ...environment(), ...changes }
      )
    // An erasure must fail if it cannot be recorded: a restore would bring the data back.
    const eraseOutcome = await erase({ BACKUP_TARGET: "/proc/nowhere" })
    assert.notStrictEqual(eraseOutcome.code, 0)
    assert.strictEqual((await showSession(erasedPerson.sessionId)).firstName, person.firstName)
    assertCode(await erase(), 0)
    assert.lengthOf(readdirSync(join(targetFolder, "erasures")), 1)

    const otherHome = temporaryHome()
    await service.restart(async () => {
      const restoreResult = await runBackup(otherHome, "restore")
      assert.deepInclude(restoreResult, { name: createdBackup.name, documents: 6, erasuresRepeated: 1 })
      for (const name of ["countersign.db", "countersign.db-wal", "countersign.db-shm", "documents"])
        rmSync(join(service.home, name), { force: true, recursive: true })
      for (const name of ["countersign.db", "documents"]) renameSync(join(otherHome, name), join(service.home, name))
      renameSync(join(machine, "secrets.key"), join(service.home, "secrets.key"))
    })
    removeHome(otherHome)

    const restoredOperation = await awaitSettled(pendingQuote.userOperationHash)
    assert.strictEqual(endedTransaction.status, "COMPLETED")
    assert.deepStrictEqual(
      [restoredOperation.status, restoredOperation.transactionHashIn],
      [endedTransaction.status, endedTransaction.transactionHashIn]
    )
    // The operation was executed on chain after the backup, so the restored database does not contain its execution.
    assertRefusal(await execute(unsignedQuote), 409, "QUOTE_STALE", /invalid account nonce/u)
    const unknownResponse = await service.request(
      "GET",
      `/api/v1/crypto/user-operation/${laterQuote.userOperationHash}`
    )
    assertRefusal(unknownResponse, 404, "USER_OPERATION_NOT_FOUND")
    // On chain, the nonces of the operator account are higher than in the restored database.
    const nextQuote = await quoteSwap()
    assert.strictEqual((await execute(nextQuote)).status, 200)
    assert.strictEqual((await awaitSettled(nextQuote.userOperationHash)).status, "COMPLETED")

    assert.strictEqual(await withdrawal.status(), "PROCESSING")
    await withdrawal.pay()
    await withdrawal.completed()
    // The bank paid this order after the backup. The order completes without the person's data.
    await erasedWithdrawal.completed()

    assert.isNull((await showSession(erasedPerson.sessionId)).firstName ?? null)
    assert.deepStrictEqual(
      [await isVerified(erasedPerson.individualId), await isVerified(keptPerson.individualId)],
      [false, true]
    )
    assert.strictEqual((await showSession(keptPerson.sessionId)).firstName, person.firstName)
    const documents = readdirSync(join(service.home, "documents"))
    assert.lengthOf(documents, 3)
    assert.isTrue(documents.every((name) => name.startsWith(keptPerson.sessionId)))
    const sessions = await service.run(Verifications.use(({ list }) => list(service.project.id, null)))
    assert.lengthOf(sessions, 2)
  })
})

describe("countersign backup", () => {
  const NODE = { RPC_URL_1: "http://127.0.0.1:1" }

  it("reports each missing setting", async () => {
    const home = temporaryHome()
    for (const [words, settings, message] of [
      [["create"], {}, /^BACKUP_TARGET is not set, and backups need this target/u],
      [["create"], { BACKUP_TARGET: targetFolder }, /^BACKUP_RECIPIENT is not set, .*`countersign backup key`/u],
      [
        ["create"],
        { BACKUP_TARGET: targetFolder, BACKUP_RECIPIENT: "age1" },
        /^BACKUP_RECIPIENT is not a recipient of age/u
      ],
      [["list"], { BACKUP_TARGET: "ftp://host" }, /^BACKUP_TARGET is not a folder or an http or https URL/u],
      [["list"], { BACKUP_TARGET: "https://s3.example/bucket" }, /^BACKUP_S3_ACCESS_KEY_ID is not set, because/u],
      [["verify"], { BACKUP_TARGET: targetFolder }, /^BACKUP_IDENTITY is not set/u],
      [["restore"], { BACKUP_TARGET: targetFolder }, /^BACKUP_IDENTITY is not set/u]
    ] as const) {
      const refusal = await runHere(home, ["backup", ...words], { ...NODE, ...settings })
      assertCode(refusal, 2)
      assert.match(refusal.err, message)
    }
    removeHome(home)
  })

  it("names the folder that is not writable", async () => {
    const home = temporaryHome()
    assertCode(await runHere(home, ["project", "list"], NODE), 0)
    const settings = { ...NODE, ...backupKeys, BACKUP_TARGET: "/proc/nowhere" }
    const refusal = await runHere(home, ["backup", "create"], settings)
    assert.notStrictEqual(refusal.code, 0)
    assert.match(refusal.err, /\/proc\/nowhere/u)
    removeHome(home)
  })
})
