import { randomBytes } from "node:crypto"
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient } from "@countersign/http/client"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Webhook } from "standardwebhooks"
import { messageSigners } from "../../adapters/test/bitcoin/messageSigners.ts"
import { waitUntil } from "../../core/test/support/until.ts"
import { type BitcoinOwner, signAndFinalize } from "../../http/test/support/bitcoinOwner.ts"
import { person } from "../../http/test/support/verifications.ts"
import {
  assertCode,
  type Json,
  jsonOf,
  type Outcome,
  type RunningSandbox,
  removeHome,
  run,
  runDemo,
  runHere,
  startSandbox,
  temporaryHome
} from "./support/commandLine.ts"

/**
 * Tests every command on one sandbox. The steps of a swap, errors, and commands without a sandbox run in separate
 * processes. The others run in this process, which is faster. Tests that advance the clock or the chains run last, one
 * at a time.
 */

let sandbox: RunningSandbox
const MULTISIG = "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3"
const home = temporaryHome()

beforeAll(async () => {
  sandbox = await startSandbox(home)
})
afterAll(async () => {
  await sandbox.stop()
  removeHome(home)
})

const runJson = async (...words: ReadonlyArray<string>): Promise<Json> =>
  jsonOf(await runHere(home, [...words, "--json"]))

const runBinaryJson = async (...words: ReadonlyArray<string>): Promise<Json> =>
  jsonOf(await sandbox.run(...words, "--json"))

const runText = async (...words: ReadonlyArray<string>): Promise<string> => {
  const outcome = await runHere(home, words)
  assertCode(outcome, 0)
  assert.strictEqual(outcome.err, "")
  assert.notInclude(outcome.out, "\u001b[")
  assert.notMatch(outcome.out, /undefined|\[object|NaN/u)
  return outcome.out
}

/** Checks that an error is one sentence on stderr, without a stack trace, `Error:` or internal terms. */
const assertRefused = (outcome: Outcome, code: number, sentence: RegExp) => {
  assertCode(outcome, code)
  assert.match(outcome.err, sentence)
  assert.notMatch(outcome.err, / {4}at |Schema validation failed|Error:|\[object|undefined/u)
}

const assertRefusal = async (code: number, sentence: RegExp, ...words: ReadonlyArray<string>) =>
  assertRefused(await runHere(home, words), code, sentence)

const assertBinaryRefusal = async (code: number, sentence: RegExp, ...words: ReadonlyArray<string>) =>
  assertRefused(await sandbox.run(...words), code, sentence)

/** Repeats the command until every chain has responded. On a busy machine the command omits a slow chain. */
const runUntilAllChains = (...words: ReadonlyArray<string>) =>
  waitUntil(
    () => runText(...words),
    (output) => !output.includes("could not be read")
  )

describe("a swap", () => {
  it("is quoted, signed, executed and listed in the history, with output for people and for scripts", async () => {
    const [wallet] = sandbox.file.wallets
    const quoteCommand = ["swap", "quote", "--wallet", wallet.walletAddress, "--from", "USDC", "--to", "weth"]

    const [card, { quotes }] = await Promise.all([
      runText(...quoteCommand, "--amount", "1.5", "--gas-token", "native"),
      runBinaryJson(
        ...[...quoteCommand, "--amount", "100", "--deduct", "--slippage", "1"],
        ...["--profile", "BEST_OUTPUT", "--fee", "0.5", "--metadata", "order=42"]
      )
    ])
    assert.match(card, /you give +1\.5 USDC/u)
    assert.match(card, /you get +0\.0004\d+ WETH, at least 0\.0004/u)
    assert.match(card, /rate +1 USDC = 0\.000\d+ WETH, 1 WETH = \d{4}\.\d+ USDC/u)
    assert.match(card, /price impact +-?\d+(?:\.\d+)? %/u)
    assert.match(card, /route +\d+(?:\.\d+)? % by Uniswap V\d 0\.\d+ %/u)
    assert.match(card, /can execute +yes/u)
    // Gas is paid in native tokens, so no allowance remains. If it were paid in the token, the paymaster's allowance
    // would remain.
    assert.notInclude(card, "remaining allowance")
    assert.lengthOf(quotes[0].preview.allowances, 1)
    assert.match(card, /next +countersign sign 0x[0-9a-f]{64}/u)

    assert.strictEqual(quotes[0].candidates[0].name, "On-chain pools")
    assert.deepStrictEqual(quotes[0].metadata, { order: "42" })
    assert.include(
      quotes[0].fees.map(({ percentage }: Json) => percentage),
      "0.5"
    )
    const hash = quotes[0].userOperationHash

    const [signedCard, signedBody] = await Promise.all([
      runText("sign", hash),
      runBinaryJson("sign", hash),
      assertBinaryRefusal(4, /must be made by the wallet/u, "execute", hash, "--signature", `0x${"11".repeat(65)}`)
    ])
    // The JSON output is the body that POST /api/v1/crypto/execute accepts.
    assert.hasAllKeys(signedBody, ["quoteId", "signatures"])
    const [signature] = Object.values<string>(signedBody.signatures)
    const [, next = ""] = /next +countersign (execute .*)/u.exec(signedCard) ?? []
    assert.strictEqual(next, `execute ${hash} --signature ${signature}`)

    const execution = await runBinaryJson("execute", hash, "--signature", signature!, "--wait")
    assert.strictEqual(execution.transaction.status, "COMPLETED")
    assert.match(execution.transaction.transactionHash.hash, /^0x[0-9a-f]{64}$/u)
    assert.strictEqual((await fetch(execution.transaction.transactionHash.explorerURL)).status, 200)
    // A second execution returns the same operation.
    const [secondExecution, table, page, operationCard, operation, failures] = await Promise.all([
      runText(...next.split(" ")),
      runText("history", wallet.walletAddress),
      runBinaryJson("history", wallet.walletAddress, "--take", "1", "--status", "COMPLETED", "--type", "SWAP"),
      runText("user-operation", "show", hash),
      runBinaryJson("user-operation", "show", hash),
      runText("history", wallet.walletAddress, "--status", "FAILED")
    ])
    assert.include(secondExecution, execution.transactionId)
    assert.match(secondExecution, /status +COMPLETED/u)
    // The swapped amount: the amount minus the gas fee.
    assert.match(table, /Ethereum +SWAP +COMPLETED +9\d\.\d+ USDC +0\.0\d+ WETH +0x[0-9a-f]{64}/u)
    assert.strictEqual(page.transactions[0].id, execution.transactionId)
    assert.match(operationCard, new RegExp(`user operation +${hash}`, "u"))
    assert.match(operationCard, new RegExp(`transaction +${execution.transactionId}`, "u"))
    assert.strictEqual(operation.userOperation.hash, hash)
    // The output is the API's response.
    const [operationResponse, historyResponse] = await Promise.all([
      sandbox.http("GET", `/api/v1/crypto/user-operation/${hash}`),
      sandbox.http("GET", `/api/v1/wallets/${wallet.walletAddress}/history?take=1&status=COMPLETED&type=SWAP`)
    ])
    assert.deepStrictEqual([operation, page], [operationResponse.body, historyResponse.body])
    assert.match(failures, /no matching transaction/u)
  })

  it("swaps to another chain, as fast as the sandbox's relayer was set to fill it", async () => {
    const [wallet] = sandbox.file.wallets
    await runText("sandbox", "fund", wallet.walletAddress, "200", "USDC", "--chain", "base")
    const quoteCommand = ["swap", "quote", "--wallet", wallet.walletAddress, "--from", "USDC", "--to", "USDC"]
    const acrossCommand = [...quoteCommand, "--amount", "100", "--chain", "base", "--to-chain", "ethereum"]
    assert.match(await runText("sandbox", "relayer", "delay", "3600"), /fills after 3600 s/u)
    assert.match(await runText("sandbox", "status"), /relayer +fills after 3600 s/u)
    const card = await runText(...acrossCommand, "--profile", "FASTEST_BRIDGE")
    assert.match(card, /you get +9\d\.\d+ USDC on Ethereum, at least 9\d\.\d+/u)
    assert.match(card, /arrives +about 20\d\d-/u)
    assert.match(card, /by Across/u)
    assert.match(await runText("sandbox", "relayer", "fill"), /fills immediately/u)
    const { quotes } = await runJson(...acrossCommand)
    const hash = quotes[0].userOperationHash
    const { signatures } = await runJson("sign", hash)
    const execution = await runJson("execute", hash, "--signature", Object.values<string>(signatures)[0]!, "--wait")
    assert.strictEqual(execution.transaction.status, "COMPLETED")
    assert.strictEqual(execution.transaction.type, "CROSS_SWAP")
    assert.match(await runText("history", wallet.walletAddress), /CROSS_SWAP +COMPLETED/u)
    await Promise.all([
      assertRefusal(4, /between 0 and 86400/u, "sandbox", "relayer", "delay", "-1"),
      assertRefusal(
        5,
        /no provider swaps from Base to X Layer/u,
        ...quoteCommand,
        "--amount",
        "1",
        "--chain",
        "base",
        "--to-chain",
        "196"
      )
    ])
  })

  it("exports the history of a wallet into a file, as CSV or as JSON lines", async () => {
    const [wallet] = sandbox.file.wallets
    const folder = mkdtempSync(join(tmpdir(), "history-"))
    const [table, lines] = [join(folder, "all.csv"), join(folder, "some.jsonl")]
    const address = wallet.walletAddress
    const listedTransactions = (await runBinaryJson("history", address, "--take", "100")).transactions
    const exportResult = await runBinaryJson("history", address, "--export", table)
    assert.deepStrictEqual(exportResult, { file: table, transactions: listedTransactions.length })
    const [head, first] = readFileSync(table, "utf8").split("\r\n")
    assert.match(head!, /^Id,Created,Executed,Type,Status,From Chain,To Chain,Sent,Sent Currency,Sent USD,/u)
    assert.match(first!, new RegExp(`^${listedTransactions[0].id},`, "u"))
    assert.strictEqual(statSync(table).mode & 0o777, 0o600)
    await runText("history", address, "--type", listedTransactions[0].type, "--export", lines)
    const types = readFileSync(lines, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).type)
    assert.deepStrictEqual([...new Set(types)], [listedTransactions[0].type])
    assert.deepStrictEqual(readdirSync(folder).sort(), ["all.csv", "some.jsonl"])
    await assertRefusal(4, /can't be written/u, "history", address, "--export", join(folder, "none", "all.csv"))
  })

  it("is rejected with error messages that name flags of the command line", async () => {
    const [wallet] = sandbox.file.wallets
    const quoteCommand = ["swap", "quote", "--wallet", wallet.walletAddress, "--from", "USDC"]
    await Promise.all([
      assertRefusal(
        2,
        /--amount: "1e3"\. Expected a decimal number as a string/u,
        ...quoteCommand,
        "--to",
        "WETH",
        "--amount",
        "1e3"
      ),
      assertRefusal(
        2,
        /--slippage: "0\.1"\. Expected 0\.5 to 99/u,
        ...quoteCommand,
        "--to",
        "WETH",
        "--amount",
        "1",
        "--slippage",
        "0.1"
      ),
      assertRefusal(
        4,
        /^--amount: .*above zero.*\n--to: .*same token/u,
        ...quoteCommand,
        "--to",
        "USDC",
        "--amount",
        "0"
      ),
      sandbox.run(...quoteCommand, "--to", "USDC", "--amount", "0", "--json").then((outcome) => {
        assertCode(outcome, 4)
        assert.deepStrictEqual([outcome.out, JSON.parse(outcome.err).id], ["", "BAD_REQUEST"])
        assert.deepStrictEqual(
          JSON.parse(outcome.err).errors.map(({ path }: Json) => path),
          ["--amount", "--to"]
        )
      }),
      sandbox.run(...quoteCommand, "--to", "WETH", "--amount", "20000", "--json").then((outcome) => {
        assertCode(outcome, 4)
        assert.strictEqual(JSON.parse(outcome.out).quotes.length, 1)
        assert.match(JSON.parse(outcome.err).message, /The quote can't be executed: /u)
      }),
      assertRefusal(3, /no token "NOPE".*token list --chain 1/u, ...quoteCommand, "--to", "NOPE", "--amount", "1"),
      assertRefusal(3, /There is no quote/u, "sign", `0x${"11".repeat(32)}`),
      assertRefusal(2, /<hash>.*64 hexadecimal digits/u, "user-operation", "show", "0x12")
    ])
  })
})

describe("projects and keys", () => {
  it("creates a project and a key that works until it is revoked", async () => {
    const treasury = "0x00000000000000000000000000000000000000aa"
    const card = await runText("project", "create", "Shop", "--treasury", treasury)
    const [, id = ""] = /^id +([0-9a-f-]{36})$/mu.exec(card) ?? []
    const creation = await runJson("project", "create", "Second shop")
    assert.strictEqual(creation.treasury, null)

    const [table, list, keyCard] = await Promise.all([
      runText("project", "list"),
      runJson("project", "list"),
      runText("key", "create", "--project", "Second shop", "--expires-in", "90d")
    ])
    assert.match(table, new RegExp(`${id} +Shop +active +${treasury}`, "u"))
    assert.deepStrictEqual(
      list.map(({ name }: Json) => name),
      ["Sandbox", "Shop", "Second shop"]
    )
    assert.match(keyCard, /key +cs_live_\w+\n/u)
    assert.match(keyCard, /shown only once/u)

    const key = await runJson(
      "key",
      "create",
      "--project",
      id,
      "--name",
      "till",
      "--scope",
      "read,quote",
      "--environment",
      "test"
    )
    assert.deepStrictEqual(key.scopes, ["read", "quote"])
    const requestWithKey = () => sandbox.http("GET", "/api/v1/crypto/chains", undefined, key.key)
    assert.strictEqual((await requestWithKey()).status, 200)

    const [keys, keyList] = await Promise.all([
      runText("key", "list", "--project", id),
      runJson("key", "list", "--project", id)
    ])
    assert.match(keys, new RegExp(`${key.id} +till +read,quote`, "u"))
    const secret = key.key.split("_")[3]
    for (const shownText of [keys, JSON.stringify(keyList), table]) assert.notInclude(shownText, secret)
    assert.notProperty(keyList[0], "hash")

    const rotatedKey = await runJson("key", "rotate", key.id, "--overlap", "1 hour")
    assert.strictEqual((await requestWithKey()).status, 200)
    const requestWithRotatedKey = () => sandbox.http("GET", "/api/v1/crypto/chains", undefined, rotatedKey.key)
    assert.strictEqual((await requestWithRotatedKey()).status, 200)
    assert.match(await runText("project", "update", "--project", id, "--compute-units", "0"), /compute units +0/u)
    const bitcoinTreasuryCommand = (address: string) =>
      ["project", "update", "--project", id, "--bitcoin-treasury", address] as const
    const bitcoinAddress = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
    assert.match(
      await runText(...bitcoinTreasuryCommand(bitcoinAddress)),
      new RegExp(`treasury on Bitcoin +${bitcoinAddress}`, "u")
    )
    const mistypedOutcome = await runHere(home, bitcoinTreasuryCommand(bitcoinAddress.replace("v8", "v9")))
    assertRefused(mistypedOutcome, 2, /Bitcoin mainnet address with a valid checksum/u)
    assert.strictEqual((await requestWithRotatedKey()).status, 403)
    assert.strictEqual((await runJson("project", "update", "--project", id, "--unlimited")).computeUnits, null)

    assert.match(await runText("key", "revoke", key.id), /is revoked.*401/u)
    assert.strictEqual((await requestWithKey()).status, 401)
    await Promise.all([
      assertBinaryRefusal(3, /has no key/u, "key", "revoke", key.id, "--json"),
      assertRefusal(
        2,
        /--scope: "read,everything"\. Expected scopes among .*, not everything/u,
        "key",
        "create",
        "--scope",
        "read,everything"
      ),
      assertRefusal(2, /--expires-in.*90d/u, "key", "create", "--expires-in", "soon"),
      assertRefusal(3, /There is no project "Nowhere"/u, "key", "list", "--project", "Nowhere"),
      assertRefusal(2, /--treasury.*EVM address/u, "project", "create", "x", "--treasury", "0x12")
    ])
    assert.match(await runText("wallet", "list", "--project", id), /no wallet.*wallet register/u)
  })
})

describe("wallets and tokens", () => {
  it("rejects duplicate names of projects, renames a project, and deletes one with its keys", async () => {
    const createdProject = await runJson("project", "create", "Twin")
    const { key } = await runJson("key", "create", "--project", "Twin")
    const requestWithKey = () => sandbox.http("GET", "/api/v1/crypto/chains", undefined, key)
    assert.strictEqual((await requestWithKey()).status, 200)
    await assertRefusal(4, /A project named "Twin" already exists/u, "project", "create", "Twin")
    await assertRefusal(4, /A project named "Sandbox" already exists/u, "project", "rename", "Twin", "Sandbox")
    await assertRefusal(2, /<name>/u, "project", "create", " ")
    assert.match(await runText("project", "rename", "Twin", "Only"), /The project "Twin" is now named "Only"/u)
    await assertRefusal(3, /There is no project "Twin"/u, "project", "rename", "Twin", "Other")
    await assertRefusal(4, /revokes 1 keys of "Only".*--yes/u, "project", "delete", "Only")
    assert.strictEqual((await requestWithKey()).status, 200)
    assert.deepStrictEqual(await runJson("project", "delete", createdProject.id, "--yes"), {
      id: createdProject.id,
      name: "Only",
      deleted: true
    })
    assert.strictEqual((await requestWithKey()).status, 401)
    assert.notInclude(await runText("project", "list"), "Only")
    await assertRefusal(3, /There is no project/u, "project", "delete", createdProject.id, "--yes")
    assert.strictEqual((await runJson("project", "create", "Only")).name, "Only")
    await runJson("project", "delete", "Only", "--yes")
  })

  it("registers, lists and shows wallets", async () => {
    const [owner] = sandbox.file.owners
    const { wallet: registeredWallet } = await runJson(
      "wallet",
      "register",
      owner.address,
      "--factory",
      "safe",
      "--salt",
      "7"
    )
    const deployedContracts = registeredWallet.deployed.filter((one: Json) => one.deployed)
    assert.deepStrictEqual([registeredWallet.salt, deployedContracts], [7, []])
    const card = await runText("wallet", "register", owner.address, "--salt", "8")
    assert.match(card, /kind +SIMPLE_0_8/u)
    assert.match(card, /deployed on +no chain yet/u)
    const [list, table, shownWallet, shownCard] = await Promise.all([
      runJson("wallet", "list"),
      runText("wallet", "list"),
      runJson("wallet", "show", registeredWallet.walletAddress),
      runText("wallet", "show", registeredWallet.walletAddress)
    ])
    assert.isAtLeast(list.wallets.length, 6)
    assert.include(table, registeredWallet.walletAddress)
    assert.deepStrictEqual(shownWallet, { wallet: registeredWallet })
    assert.deepStrictEqual(
      shownWallet,
      (await sandbox.http("GET", `/api/v1/wallets/${registeredWallet.walletAddress}`)).body
    )
    assert.match(shownCard, /kind +SAFE_4337/u)
    assert.match(shownCard, new RegExp(`wallet +${registeredWallet.walletAddress}`, "u"))
    await Promise.all([
      assertRefusal(4, /already registered with this project/u, "wallet", "register", owner.address, "--salt", "8"),
      assertRefusal(
        4,
        /"simple account" matches SimpleAccount 0\.\d and SimpleAccount 0\.\d.*\. Use a longer part/u,
        "wallet",
        "register",
        owner.address,
        "--factory",
        "simple account"
      ),
      assertRefusal(
        3,
        /no account factory "Nope".*The factories are/u,
        "wallet",
        "register",
        owner.address,
        "--factory",
        "Nope"
      ),
      assertRefusal(3, /not registered/u, "wallet", "show", `0x${"11".repeat(20)}`),
      assertRefusal(3, /not registered/u, "history", `0x${"11".repeat(20)}`),
      assertRefusal(
        2,
        /checksum/u,
        "wallet",
        "show",
        registeredWallet.walletAddress.replace(/[a-f]/u, (digit: string) => digit.toUpperCase())
      )
    ])
  })

  it("registers a Bitcoin address with its owner's signature, and attaches others", async () => {
    const { address, sign } = messageSigners(new Uint8Array(randomBytes(32)))[2]!
    const { message } = await runJson("wallet", "register-bitcoin", address)
    assert.include(await runText("wallet", "register-bitcoin", address), message)
    await assertRefusal(4, /not valid for this address/u, "wallet", "register-bitcoin", address, "--signature", "AAAA")
    const [signature] = sign(message) as [string]
    const { wallet } = await runJson("wallet", "register-bitcoin", address, "--signature", signature)
    assert.deepStrictEqual([wallet.walletAddress, wallet.ownership], [address, "PROVEN"])
    assert.match(await runText("wallet", "attach", MULTISIG), /BITCOIN[\s\S]*an operator attached it/u)
    await assertRefusal(4, /already/u, "wallet", "attach", MULTISIG)
    await assertRefusal(4, /checksum/u, "wallet", "attach", `${MULTISIG.slice(0, -1)}4`)
  })

  it("stores the public key and the derivation of a Bitcoin address", async () => {
    const { address, publicKey, sign } = messageSigners(new Uint8Array(randomBytes(32)))[3]!
    const attachCommand = ["wallet", "attach", address, "--public-key", publicKey.slice(2)]
    await assertRefusal(4, /script/u, "wallet", "attach", MULTISIG, "--public-key", publicKey)
    await assertRefusal(2, /33 bytes/u, "wallet", "attach", address, "--public-key", "02")
    await assertRefusal(2, /BIP-32 path/u, ...attachCommand, "--derivation", "73c5da0a/x")
    const { wallet } = await runJson(...attachCommand, "--derivation", "[73C5DA0A/86h/0h/0h/0/0]")
    const derivation = { masterFingerprint: "73c5da0a", path: "m/86'/0'/0'/0/0" }
    assert.deepInclude(wallet, { ownership: "ATTACHED", publicKey, derivation })
    const { message } = await runJson("wallet", "register-bitcoin", address)
    const [signature] = sign(message) as [string]
    const registeredWallet = await runJson("wallet", "register-bitcoin", address, "--signature", signature)
    assert.deepInclude(registeredWallet.wallet, { ownership: "PROVEN", publicKey, derivation })
  })

  it("verifies an individual, shows it, and revokes the verification", async () => {
    await assertRefusal(2, /128 characters/u, "identity", "verify", "two words")
    const { verifiedAt } = await runJson("identity", "verify", "ind_7")
    await assertRefusal(4, /already verified/u, "identity", "verify", "ind_7")
    const { individuals, sessions } = await runJson("identity", "list")
    assert.deepInclude(individuals, { individualId: "ind_7", verifiedAt, level: "BASIC" })
    assert.include(await runJson("identity", "verify", "ind_7", "--level", "DOCUMENTS"), { level: "DOCUMENTS" })
    assert.deepStrictEqual(sessions, [])
    assert.match(await runText("identity", "revoke", "ind_7"), /no longer/u)
    await assertRefusal(3, /not verified/u, "identity", "revoke", "ind_7")
  })

  it("sets limits of an individual, and removes them", async () => {
    const limitsCommand = (...words: ReadonlyArray<string>) =>
      ["identity", "limits", ...words, "--direction", "DEPOSIT", "--method", "PIX"] as const
    const amounts: ReadonlyArray<string> = [
      "--per-transaction",
      "10",
      "--daily",
      "20",
      "--monthly",
      "30",
      "--quarterly",
      "40"
    ]
    const readDailyLimit = async () => {
      const { apiKey, baseUrl } = sandbox.file
      const response = await fetch(`${baseUrl}/api/v1/kyc/identities/ind_8/financial-limits`, {
        headers: { "x-api-key": apiKey }
      })
      // biome-ignore lint/suspicious/noExplicitAny: read as a client without generated types does.
      const body = (await response.json()) as any
      return body.limits.find(({ type }: { readonly type: string }) => type === "PIX_DEPOSIT").limits.daily.limit
    }
    await assertRefusal(3, /ind_8/u, ...limitsCommand("set", "ind_8"), ...amounts)
    await runJson("identity", "verify", "ind_8")
    assert.strictEqual(await readDailyLimit(), 50_000)
    await assertRefusal(2, /zero or more/u, ...limitsCommand("set", "ind_8"), ...amounts.with(3, "-1"))
    assert.deepInclude(await runJson(...limitsCommand("set", "ind_8"), ...amounts), {
      individualId: "ind_8",
      daily: "20"
    })
    assert.strictEqual(await readDailyLimit(), 20)
    assert.match(await runText(...limitsCommand("reset", "ind_8")), /FIAT_LIMITS/u)
    assert.strictEqual(await readDailyLimit(), 50_000)
  })

  it("links an individual with its customer at a provider, and removes the link", async () => {
    const linkCommand = (individual: string, provider: string, customer: string) =>
      ["identity", "link", individual, "--provider", provider, "--customer", customer] as const
    await assertRefusal(4, /no verified identity ind_9/u, ...linkCommand("ind_9", "blindpay", "re_1"))
    await runJson("identity", "verify", "ind_9")
    await runJson("identity", "verify", "ind_10")
    await assertRefusal(4, /Expected one of blindpay/u, ...linkCommand("ind_9", "a-bank", "re_1"))
    await assertRefusal(2, /128 characters/u, ...linkCommand("ind_9", "blindpay", "re 1"))
    const linkedCustomer = { individualId: "ind_9", provider: "blindpay", customer: "re_1" }
    assert.deepStrictEqual(await runJson(...linkCommand("ind_9", "blindpay", "re_1")), linkedCustomer)
    await assertRefusal(4, /Unlink that individual first/u, ...linkCommand("ind_10", "blindpay", "re_1"))
    assert.match(await runText("identity", "unlink", "ind_9", "--provider", "blindpay"), /the id of the individual/u)
    await assertRefusal(3, /not linked/u, "identity", "unlink", "ind_9", "--provider", "blindpay")
  })

  it("accepts the account of a withdrawal as JSON, and reports its errors", async () => {
    const orderCommand = (account: string) =>
      ["fiat", "order", "00000000-0000-4000-8000-000000000000", "--account", account] as const
    await assertRefusal(2, /CLABE/u, ...orderCommand('{"type":"SPEI","clabe":"032180000118359718"}'))
    await assertRefusal(3, /There is no quote/u, ...orderCommand('{"type":"SPEI","clabe":"032180000118359719"}'))
  })

  it("reviews a verification: lists it, writes its documents, approves or rejects it", async () => {
    const { apiKey, baseUrl, gatewayUrl } = sandbox.file
    const { kyc } = createClient({ url: baseUrl, apiKey })
    const startReview = async (documentId: string) => {
      const startResponse = await kyc.startIndividual({ ...person, documentId })
      const file = new Blob([`%PDF-1.7 ${documentId}`], { type: "application/pdf" })
      for (const upload of [
        startResponse.frontDocumentUpload,
        startResponse.backDocumentUpload,
        startResponse.proofOfAddressDocumentUpload
      ]) {
        await kyc.upload(upload, file)
      }
      await kyc.processIndividual(startResponse.session.id)
      return startResponse.session.id
    }
    const id = await startReview("CLI1")
    assert.match(await runText("identity", "list"), new RegExp(`${id} +individual +IN_REVIEW`, "u"))
    const folder = join(home, "reviewed")
    const shownSession = await runJson("identity", "show", id, "--documents", folder)
    assert.include(shownSession.personal, { firstName: "Ana", documentId: "CLI1" })
    assert.deepStrictEqual(
      shownSession.documents.map(({ path }: { readonly path: string }) => readFileSync(path, "utf8")),
      ["%PDF-1.7 CLI1", "%PDF-1.7 CLI1", "%PDF-1.7 CLI1"]
    )
    assert.match(await runText("identity", "approve", id, "--reviewer", "Eva"), /COMPLETED/u)
    await assertRefusal(4, /COMPLETED/u, "identity", "reject", id, "--reason", "Too late")
    await assertRefusal(3, /no verification session/u, "identity", "show", "kyc_unknown")

    const otherSessionId = await startReview("CLI2")
    assert.include(await runJson("identity", "reject", otherSessionId, "--reason", "The picture is dark"), {
      status: "FAILED",
      reason: "The picture is dark"
    })
    const secondSessionId = await startReview("cli-2")
    const { otherSessions } = await runJson("identity", "show", secondSessionId)
    assert.deepStrictEqual(
      otherSessions.map(({ sessionId, status }: Json) => [sessionId, status]),
      [[otherSessionId, "FAILED"]]
    )
    const decide = async (sessionId: string, decision: string) => {
      const response = await fetch(`${gatewayUrl}/identity/decide`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ sessionId, decision })
      })
      return { status: response.status, body: (await response.json()) as Json }
    }
    const thirdSessionId = await startReview("CLI3")
    assert.include((await decide(thirdSessionId, "approve")).body, { sessionId: thirdSessionId, status: "COMPLETED" })
    assert.strictEqual((await decide("kyc_unknown", "approve")).status, 400)

    const { identityId } = shownSession
    await runJson("identity", "link", identityId, "--provider", "blindpay", "--customer", "re_of_ana")
    const customers = (await runJson("identity", "show", id)).customers as ReadonlyArray<Json>
    assert.deepStrictEqual(
      customers.map(({ provider }) => provider),
      ["blindpay", "bridge"]
    )
    assert.strictEqual(customers[0]!.customer, "re_of_ana")
    const exportFolder = join(home, "held")
    const exportResult = await runJson("identity", "export", identityId, "--to", exportFolder)
    assert.include(exportResult, { sessions: 1, fiatOrders: 0, data: join(exportFolder, "data.json") })
    assert.lengthOf(exportResult.documents, 3)
    const data = JSON.parse(readFileSync(exportResult.data, "utf8"))
    assert.include(data.sessions[0].personal, { firstName: "Ana", documentId: "CLI1" })
    assert.deepStrictEqual(data.customers, customers)
    const { accesses } = await runJson("identity", "accesses", identityId)
    assert.sameMembers(
      accesses.map(({ action, reader, times }: Json) => `${action} by ${reader}: ${times}`),
      [
        "SUBMITTED by blindpay: 1",
        "SUBMITTED by bridge: 1",
        "SHOWN by operator: 2",
        "DOCUMENTS_OPENED by operator: 3",
        "EXPORTED by operator: 1"
      ]
    )
    await assertRefusal(4, /Add --yes/u, "identity", "erase", identityId)
    await assertRefusal(3, /has no data/u, "identity", "erase", "ind_unknown", "--yes")
    assert.include(await runJson("identity", "erase", identityId, "--yes"), { sessions: 1, documents: 3, kept: null })
    assert.deepInclude(await runJson("identity", "show", id), { personal: null, customers: [] })
    assert.match(await runText("identity", "accesses"), /ERASED +operator/u)
  })

  it("shows the balances that pay gas with the days that they last, and pending work", async () => {
    const { balances } = await runJson("operator", "balances")
    const ethereum = balances.filter(({ chainName }: Json) => chainName === "Ethereum")
    assert.sameMembers(
      ethereum.map(({ entryPointVersion, kind }: Json) => `${kind} ${entryPointVersion}`),
      ["OPERATOR 0.7", "OPERATOR 0.8", "PAYMASTER 0.7", "PAYMASTER 0.8"]
    )
    assert.match(await runText("operator", "balances"), /paymaster +Ethereum +0\.7 +0x[0-9a-f]{40} +[\d.]+ ETH/u)
    assert.containsAllKeys(await runJson("operator", "work"), ["stages", "reviews", "late"])
    assert.match(await runText("operator", "work"), /STAGE +WAITS FOR|No work is pending/u)
  })

  it("grants the scope operator, which admin does not imply", async () => {
    const { baseUrl } = sandbox.file
    const statusWith = async (scope: string) => {
      const { key } = await runJson("key", "create", "--name", scope, "--scope", scope)
      return (await fetch(`${baseUrl}/api/v1/admin/projects`, { headers: { "x-api-key": key } })).status
    }
    assert.deepStrictEqual([await statusWith("admin"), await statusWith("operator")], [403, 200])
    // The sandbox's own API key has access to all endpoints of the console.
    assert.strictEqual((await sandbox.http("GET", "/api/v1/admin/projects")).status, 200)
  })

  it("shows the balances of a wallet, as on chain", async () => {
    const [, , wallet] = sandbox.file.wallets
    const table = await runUntilAllChains("wallet", "balances", wallet.walletAddress)
    const [{ tokens }, gnosisBalances] = await Promise.all([
      runJson("wallet", "balances", wallet.walletAddress, "--chain", "ethereum"),
      runText("wallet", "balances", wallet.walletAddress, "--chain", "gnosis")
    ])
    assert.match(table, /Ethereum +USDC +1\d{4}(\.\d+)? +1\d{4}/u)
    assert.match(table, /Base +USDC/u)
    const usdc = tokens.find(({ symbol }: Json) => symbol === "USDC")
    assert.strictEqual(usdc.chain.name, "Ethereum")
    const balanceResponse = await fetch(sandbox.file.chains.find(({ id }: Json) => id === 1).rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "eth_call",
        params: [{ to: usdc.address, data: `0x70a08231${wallet.walletAddress.slice(2).padStart(64, "0")}` }, "latest"]
      })
    })
    assert.strictEqual(usdc.balance, String(BigInt(((await balanceResponse.json()) as Json).result)))
    assert.strictEqual(Number(usdc.balanceFormatted), Number(usdc.balance) / 1e6)
    assert.match(gnosisBalances, /has none of the listed tokens on this chain/u)
    assert.match(await runText("wallet", "balances", `0x${"11".repeat(20)}`), /has none of the listed tokens/u)
  })

  it("shows the balances and the profit of a wallet", async () => {
    const [, , wallet] = sandbox.file.wallets
    const table = await runUntilAllChains("portfolio", wallet.walletAddress, "--range", "all")
    const body = await runJson("portfolio", wallet.walletAddress, "--range", "7d")
    assert.match(table, /CHAIN +TOKEN +BALANCE +USD +PRICE +PROFIT/u)
    assert.match(table, /Ethereum +USDC +1\d{4}(\.\d+)? +1\d{4}/u)
    assert.match(table, /profit \(all\) +-?\d/u)
    assert.strictEqual(body.pnl.timerange, "7d")
    await assertRefusal(2, /range/u, "portfolio", wallet.walletAddress, "--range", "2d")
  })

  it("schedules tax exports, lists and deletes schedules, and writes an export into a file", async () => {
    const [, , { walletAddress }] = sandbox.file.wallets
    const month = new Date().toISOString().slice(0, 7)
    const address = "owner@example.com"
    const scheduleCommand = ["tax", "schedule", walletAddress, "--email", address, "--individual", "7"]
    assert.match(await runText(...scheduleCommand, "--locale", "pt-BR"), /start of each month \(America\/Sao_Paulo\)/u)
    await assertRefusal(4, /already has a schedule with the preset MONTHLY_START/u, ...scheduleCommand)
    assert.match(await runText("tax", "list", walletAddress), new RegExp(`NEXT[^]*${address} +America/Sao_Paulo`, "u"))
    const [listedSchedule] = (await runJson("tax", "list", walletAddress)).schedules
    assert.deepStrictEqual(listedSchedule.emailCustomization, { locale: "pt-BR" })
    assert.match(await runText("tax", "delete", walletAddress), /is deleted/u)
    await assertRefusal(3, /has no schedule/u, "tax", "delete", walletAddress)
    await assertRefusal(4, /time zone/u, ...scheduleCommand, "--timezone", "+03:00")
    await assertRefusal(4, /--email: Expected an email address/u, ...scheduleCommand.with(4, "nobody"))
    await assertRefusal(4, /--month: Expected a month/u, "tax", "export", walletAddress, "--month", "2026")

    const file = join(home, "october.csv")
    const words = ["tax", "export", walletAddress, "--month", month, "--timezone", "UTC"]
    const exportText = await runText(...words, "--format", "koinly", "--out", file)
    assert.match(exportText, /movements +\d+\n/u)
    assert.include(exportText, `Written: ${file}`)
    assert.match(readFileSync(file, "utf8"), /^Date,Sent Amount,/u)
    const { written } = await runJson(...words, "--out", file)
    assert.strictEqual(written.length, 4)
    assert.isTrue(written.every((path: string) => existsSync(path)))
    assert.isTrue((await runBinaryJson(...words, "--email", address)).mailed)
    const [mail] = readdirSync(join(home, "mail"))
    assert.match(readFileSync(join(home, "mail", mail!), "utf8"), /^To: owner@example\.com\r$/mu)
    await assertRefusal(4, /can't be written\. Set --out/u, ...words, "--out", join(home, "no", "such", "folder.csv"))
  })

  it("shows the pools of a pair", async () => {
    const [poolsText, document] = await Promise.all([
      runText("pools", "usdc/WETH"),
      runJson("pools", "USDC/native"),
      assertRefusal(2, /Expected two tokens such as USDC\/WETH/u, "pools", "USDC"),
      assertRefusal(3, /There is no token "NOPE" on chain 1/u, "pools", "USDC/NOPE"),
      assertRefusal(4, /Bitcoin has no pools/u, "pools", "BTC/USDC", "--chain", "bitcoin")
    ])
    assert.match(
      poolsText,
      /^chain +Ethereum\nblock +\d+\n\nEXCHANGE +FEE % +WETH FOR 1 USDC +USDC FOR 1 WETH +DEPTH USD/u
    )
    assert.match(
      poolsText,
      /Uniswap V2 +0\.3 +0\.000333\d+ +\d{4}[.\d]* +\d{6,8} +- +0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc/u
    )
    assert.match(
      poolsText,
      /Uniswap V3 +0\.05 +0\.000333\d+ +\d{4}[.\d]* +\d{6,8} +\d+ +0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640/u
    )
    assert.match(poolsText, /Uniswap V4 +0\.05 .* 0x[0-9a-f]{64}/u)
    assert.isNotNull(document.block.hash)
    assert.deepStrictEqual(document.leftOut, [])
    const v4Pools = document.pools.filter(({ poolId }: Json) => poolId !== null)
    assert.deepStrictEqual(
      [...new Set(v4Pools.map(({ contract }: Json) => contract))],
      ["0x000000000004444c5dc75cb358380d2e3de08a90"]
    )
    for (const { amounts, depthUsd, price, inversePrice } of document.pools) {
      assert.closeTo(Number(price) * Number(inversePrice), 1, 1e-9)
      const [usdc, ether] = amounts.map(Number)
      assert.closeTo(usdc + ether / Number(price), Number(depthUsd), 0.02 * Number(depthUsd))
    }
  })

  it("lists pools, shows the statistics of a pool, and shows the price in the range of a position", async () => {
    const id = "1-0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640"
    const [liquidityPoolsText, document] = await Promise.all([
      runText("liquidity", "pools", "--token0", "usdc", "--token1", "WETH"),
      runJson("liquidity", "pool", id),
      assertRefusal(4, /^id: Expected a pool id/u, "liquidity", "pool", "0x12"),
      assertRefusal(
        3,
        /There is no Uniswap V3 pool at 0xa0b8/u,
        "liquidity",
        "pool",
        "1-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
      ),
      assertRefusal(4, /^--chain: Bitcoin has no Uniswap V3/u, "liquidity", "pools", "--chain", "bitcoin"),
      assertRefusal(3, /There is no Uniswap V3 position 99999 on Ethereum/u, "liquidity", "position", "99999")
    ])
    assert.match(
      liquidityPoolsText,
      /^TOKENS +FEE +VALUE +VOLUME 30 D +FEES 30 D +POOL\nUSDC\/WETH +0\.05 % +\$1[12],\d{3},\d{3}/u
    )
    assert.include(liquidityPoolsText, id)
    assert.strictEqual(document.pool.id, id)
    const { pools } = await waitUntil(
      async () => JSON.parse(await runText("liquidity", "index", "--json")) as Json,
      ({ pools: [pool] }) => pool?.complete === true && pool.headSeenAt !== null
    )
    assert.strictEqual(pools.length, 1)
    assert.strictEqual(`${pools[0].chainId}-${pools[0].address}`, id)
    const poolText = await runText("liquidity", "pool", id, "--days", "7")
    assert.match(
      poolText,
      /\ndays +7\nvolume +\$[\d,.]+\nfees +\$[\d,.]+\ntransactions +\d+\ncounted +complete since 20/u
    )
    assert.match(await runText("liquidity", "index"), /Ethereum +0x88e6\S+ +0\.05 % +20\S+Z +\d+ +20\S+Z +yes/u)
    const positionText = await runText("liquidity", "position", "1")
    assert.match(positionText, /^position +1 on Ethereum\nowner +0x/u)
    assert.match(positionText, /\n0\.904\S+ {2}·{8}\[━+●━+\]·{8} {2}1\.083\S+\nin range: it earns fees\n/u)
  })

  it("lists tokens", async () => {
    const [table, tokens] = await Promise.all([
      runText("token", "list", "--chain", "base"),
      runJson("token", "list", "--search", "usdc")
    ])
    assert.match(table, /Base +8453 +USDC +0x833589fcd6edb6e08f4c7c32d4f71b54bda02913 +6 +USD Coin/u)
    assert.notInclude(table, "Ethereum")
    assert.isAtLeast(tokens.tokens.length, 9)
    assert.deepStrictEqual(tokens.tokens, (await sandbox.http("GET", "/api/v1/crypto/tokens?search=usdc")).body.tokens)
    await Promise.all([
      assertRefusal(
        2,
        /--chain: "b".*matches Base \(8453\), BNB Smart Chain \(56\), Bitcoin \(0\)/u,
        "token",
        "list",
        "--chain",
        "b"
      ),
      assertRefusal(2, /--chain: "solana"\. Expected one of .*Ethereum \(1\)/u, "token", "list", "--chain", "solana"),
      runText("token", "list", "--search", "nothing-like-it").then((hint) => assert.match(hint, /No token matches/u))
    ])
  })
})

describe("Bitcoin payments", () => {
  const receiver = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"

  it("are quoted, signed and broadcast, bumped, and cancelled", async () => {
    const { wallets } = sandbox.file.bitcoin!
    const { privateKey, walletAddress } = wallets.find(({ kind }: Json) => kind === "P2WPKH")!
    const owner: BitcoinOwner = {
      address: walletAddress,
      kind: "P2WPKH",
      key: new Uint8Array(Buffer.from(privateKey.slice(2), "hex"))
    }
    const transfer = ["transfer", "--chain", "bitcoin", "--wallet", walletAddress, "--token", "native"]
    const transferAtFeeRate = (rate: string) => [...transfer, "--amount", "0.01", "--to", receiver, "--fee-rate", rate]
    const transferCommand = transferAtFeeRate("2")
    const broadcastCommand = ({ quoteId, signData }: Json) => [
      ...["bitcoin", "broadcast", quoteId as string],
      signAndFinalize(owner, signData[0].psbt)
    ]
    const card = await runText(...transferCommand, "--further", `${wallets[0]!.walletAddress}=0.002`)
    assert.match(card, new RegExp(`you send +0\\.01 BTC to ${receiver}\\n +0\\.002 BTC to `, "u"))
    assert.match(card, /miner fee +0\.0000\d+ BTC: at least 2 sat\/vB/u)
    await Promise.all([
      assertRefusal(2, /Expected an address and an amount in BTC/u, ...transferCommand, "--further", `${receiver}:0.1`),
      assertRefusal(
        2,
        /Expected an address and an amount in BTC/u,
        ...transferCommand,
        "--further",
        `0x${"11".repeat(20)}=0.1`
      ),
      assertRefusal(2, /checksum of this Bitcoin address/u, "history", `${receiver.slice(0, -1)}3`),
      assertRefusal(4, /--fee-rate: .*from 1, the lowest .* to 1000/u, ...transferAtFeeRate("5000")),
      assertRefusal(3, /There is no|no quote/iu, "bitcoin", "broadcast", `0x${"12".repeat(32)}`, "00"),
      assertRefusal(3, /There is no transaction/u, "bitcoin", "bump", "00000000-0000-4000-8000-000000000000")
    ])
    const quote = await runJson(...transferCommand)
    assert.match(await runText("sandbox", "bitcoin", "blocks", "off"), /Blocks are mined only by/u)
    const { transactionHash } = await runJson(...broadcastCommand(quote))
    assert.include(await runText(...broadcastCommand(quote)), transactionHash.slice(2))
    const waitForId = async (isIt: (transaction: Json) => boolean): Promise<string> => {
      const { transactions } = await waitUntil(
        () => runJson("history", walletAddress),
        (page) => page.transactions.some(isIt)
      )
      return transactions.find(isIt).id
    }
    const firstId = await waitForId((one) => one.transactionHash?.hash === transactionHash)
    await assertRefusal(4, /Set a higher/u, "bitcoin", "bump", firstId, "--fee-rate", "1")
    const bumpQuote = await runJson("bitcoin", "bump", firstId, "--fee-rate", "20")
    assert.deepStrictEqual(bumpQuote.replaces, { kind: "BUMP", transactionId: firstId })
    await runJson(...broadcastCommand(bumpQuote))
    const secondId = await waitForId((one) => one.bitcoin?.replaces?.transactionId === firstId)
    assert.match(await runText("bitcoin", "cancel", secondId, "--fee-rate", "40"), /miner fee/u)
    const cancelQuote = await runJson("bitcoin", "cancel", secondId, "--fee-rate", "50")
    assert.deepStrictEqual(
      cancelQuote.bitcoin.outputs.map(({ role }: Json) => role),
      ["CHANGE"]
    )
    await runJson(...broadcastCommand(cancelQuote))
    await runJson("sandbox", "bitcoin", "mine", "6")
    await waitForId((one) => one.id === secondId && one.status === "CANCELLED")
    await waitForId((one) => one.bitcoin?.replaces?.kind === "CANCEL" && one.status === "COMPLETED")
    assert.lengthOf(wallets, 4)
    for (const { walletAddress: address } of wallets) {
      const words = [...transfer, "--amount", "0.001", "--to", receiver].map((word) =>
        word === walletAddress ? address : word
      )
      const { quoteId } = await runJson(...words)
      const { signatures } = await runJson("sign", quoteId)
      const execution = await runJson("execute", quoteId, "--signature", Object.values<string>(signatures)[0]!)
      assert.strictEqual(execution.status, "PROCESSING")
    }
    assert.strictEqual((await runJson("sandbox", "bitcoin", "blocks", "on")).hasBlocks, true)
    for (const bridge of ["thorchain", "lifi"]) {
      assert.match(await runText("sandbox", bridge, "delay", "60"), /pays out 60 s after a deposit's block\./u)
      assert.deepStrictEqual((await runJson("sandbox", bridge, "pay"))[bridge], { mode: "PAY", delaySeconds: 0 })
    }
  })
})

describe("webhooks", () => {
  it("listens, shows received events, and forwards them to a receiver that can verify them", async () => {
    await runJson("project", "create", "Listener")
    const postedBodies: Array<{ readonly headers: IncomingHttpHeaders; readonly body: string }> = []
    const receiver = createServer(async (request, response) => {
      let body = ""
      for await (const chunk of request) body += String(chunk)
      postedBodies.push({ headers: request.headers, body })
      response.writeHead(202).end()
    })
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
    const options = ["--project", "Listener"]
    const listenPromise = sandbox.run(
      "webhook",
      "listen",
      "--forward-to",
      url,
      "--payloads",
      "--count",
      "1",
      ...options
    )
    const { webhooks } = await waitUntil(
      () => runJson("webhook", "list", ...options),
      (list) => list.webhooks.length > 0
    )
    const { id } = webhooks[0]
    await runText("webhook", "test", id, ...options)
    const outcome = await listenPromise
    receiver.close()
    assertCode(outcome, 0)
    assert.match(outcome.out, /^\S+ {2}webhook\.test .*\n\{\n {2}"type": "webhook\.test"/u)
    assert.match(outcome.err, /\/hooks responded: 202 in \d+ ms/u)
    const [, secret = ""] = /secret (whsec_\S+)/u.exec(outcome.err) ?? []
    const [{ body, headers }] = postedBodies as [(typeof postedBodies)[number]]
    const verifiedEvent = new Webhook(secret).verify(body, headers as Record<string, string>) as Json
    assert.strictEqual(verifiedEvent.type, "webhook.test")
    assert.deepStrictEqual((await runJson("webhook", "list", ...options)).webhooks, [])
    await assertRefusal(2, /--forward-to/u, "webhook", "listen", "--forward-to", "localhost:3000")
  })
})

describe("a paymaster", () => {
  const OWNER_KEY = `0x${"a1".repeat(32)}`
  const OWNER = "0x5d5c99edf529335160ff180fa141dd4967fc00d2"
  const keyOf = (digits: string) => `0x${digits.repeat(32)}`
  const credentials = {
    PAYMASTER_SIGNER_PRIVATE_KEY: keyOf("a2"),
    OPERATOR_PRIVATE_KEYS_0_7: keyOf("a3"),
    OPERATOR_PRIVATE_KEYS_0_8: keyOf("a4")
  }
  const environment = () => ({
    RPC_URL_1: `${sandbox.file.gatewayUrl}/chains/1`,
    PAYMASTER_TREASURY: OWNER,
    ...credentials
  })
  const runPaymaster = (words: string, extra: Readonly<Record<string, string>> = {}) =>
    runHere(home, ["paymaster", ...words.split(" ")], { ...environment(), ...extra })
  const ownerSettings = { PAYMASTER_OWNER_PRIVATE_KEY: OWNER_KEY }
  const jsonWithOwner = async (words: string): Promise<Json> =>
    jsonOf(await runPaymaster(`${words} --json`, ownerSettings))

  it("is deployed, funded and checked, and each step is executed once", async () => {
    assertRefused(await runPaymaster("deploy --chain 1"), 2, /^PAYMASTER_OWNER_PRIVATE_KEY is not set/u)
    const unfundedResult = await runPaymaster("deploy --chain 1", ownerSettings)
    assertRefused(
      unfundedResult,
      4,
      /^The owner 0x5d5c99edf529335160ff180fa141dd4967fc00d2 has no native tokens on Ethereum/u
    )
    assertCode(await sandbox.run("sandbox", "fund", OWNER, "10", "native"), 0)
    const unreadyStatus = await runPaymaster("status --chain 1", ownerSettings)
    assertRefused(unreadyStatus, 4, /^2 of 2 paymasters are not ready\.$/mu)

    // A service that uses an external bundler has no operator keys.
    const { OPERATOR_PRIVATE_KEYS_0_7: _7, OPERATOR_PRIVATE_KEYS_0_8: _8, ...others } = environment()
    const bundlerOutcome = await runHere(home, ["paymaster", "status", "--chain", "1"], {
      ...others,
      ...ownerSettings,
      BUNDLER_URL_1: "http://127.0.0.1:9"
    })
    assertRefused(bundlerOutcome, 4, /^2 of 2 paymasters are not ready\.$/mu)

    const deployments = await jsonWithOwner("deploy --chain 1 --token USDC")
    assert.deepStrictEqual(
      deployments.map(({ steps, version }: Json) => [
        version,
        steps.length,
        steps.every((step: Json) => step.transactionHash)
      ]),
      [
        ["0.7", 4, true],
        ["0.8", 4, true]
      ]
    )
    const secondResult = await runPaymaster("deploy --chain 1 --token USDC", ownerSettings)
    assert.match(
      secondResult.out,
      /^The paymasters are already completely set up\.\n\nSettings of the service:\nPAYMASTER_ADDRESS_0_7=0x/u
    )

    // Adds a second operator key, as an operator could do later. Only the step for this key is executed.
    const secondSettings = { ...ownerSettings, OPERATOR_PRIVATE_KEYS_0_7: `${keyOf("a3")},${keyOf("a5")}` }
    const [deployment] = jsonOf(await runPaymaster("deploy --chain 1 --token USDC --json", secondSettings))
    assert.deepStrictEqual(
      deployment.steps.map(({ what }: Json) => what.split(" 0x")[0]),
      ["list the operators"]
    )

    for (const version of ["0.7", "0.8"]) {
      const { after, before } = await jsonWithOwner(`deposit 0.5 --chain 1 --entrypoint ${version}`)
      assert.deepStrictEqual([before, after], ["0", "500000000000000000"])
    }
    const addresses = {
      PAYMASTER_ADDRESS_0_7: deployments[0].address,
      PAYMASTER_ADDRESS_0_8: deployments[1].address
    }
    const paymasterStatus = await runPaymaster("status --chain 1 --token USDC", addresses)
    assertCode(paymasterStatus, 0)
    assert.strictEqual(paymasterStatus.out.match(/ ready$/gmu)?.length, 2)
    const [first] = jsonOf(await runPaymaster("status --token USDC --json", { ...addresses, ...ownerSettings }))
    assert.include(first, { codeMatches: true, ownerIsAdmin: true, signerIsListed: true, ready: true })
    assert.isAbove(Number(first.operationsPaid), 0)
  })

  it("of the sandbox is checked without settings", async () => {
    const outcome = await runHere(home, ["paymaster", "status", "--chain", "1", "--json"])
    const report = jsonOf(outcome)
    assert.deepStrictEqual(
      report.map(({ codeMatches, ready, version }: Json) => [version, codeMatches, ready]),
      [
        ["0.7", true, true],
        ["0.8", true, true]
      ]
    )
  })

  it("is rejected if its address belongs to another contract", async () => {
    const otherAddressOutcome = await runPaymaster("deploy --chain 1", {
      ...ownerSettings,
      PAYMASTER_ADDRESS_0_7: `0x${"9".repeat(40)}`
    })
    assertRefused(otherAddressOutcome, 4, /this owner's key would deploy the paymaster to 0x/u)
    const otherSettings = { ...ownerSettings, PAYMASTER_ADDRESS_0_7: "0x0000000071727de22e5e9d8baf0edac6f37da032" }
    assertRefused(await runPaymaster("deploy --chain 1", otherSettings), 4, /is not this paymaster/u)
    assertRefused(await runPaymaster("deposit 0 --chain 1 --entrypoint 0.7", ownerSettings), 2, /./u)
    const secrets = Object.values({ ...credentials, OWNER_KEY }).map((key) => key.slice(2))
    for (const secret of secrets) assert.notInclude(otherAddressOutcome.out + otherAddressOutcome.err, secret)
  })
})

describe("maintenance", () => {
  it("shows the state of the database and of all other parts", async () => {
    const [table, migrations, migrateText, migrateResult] = await Promise.all([
      runText("db", "status"),
      runJson("db", "status"),
      runText("db", "migrate"),
      runJson("db", "migrate")
    ])
    // The Bitcoin node starts at its first request. On a busy machine this takes longer than the time limit of doctor.
    await runText("doctor")
    const [findings, report] = [await runJson("doctor"), await runText("doctor")]
    assert.match(table, /0001_\w+ +\d{4}-/u)
    for (const { appliedAt } of migrations) assert.isNotNull(appliedAt)
    assert.match(migrateText, /up to date/u)
    assert.deepStrictEqual(migrateResult, { applied: [], results: [] })
    // Operations of earlier tests may still be pending or unconfirmed.
    for (const { state, subject } of findings) {
      const isWaiting = state === "waiting" && /^operations in blocks$|^transaction /u.test(subject)
      assert.isTrue(isWaiting || state === "ok", JSON.stringify(findings))
    }
    assert.match(report, /Ethereum node 127\.0\.0\.1:\d+ +ok/u)
  })
})

describe("the demo", () => {
  it("executes a swap on the running sandbox", async () => {
    const outcome = await runDemo(home)
    assertCode(outcome, 0)
    assert.match(outcome.out, /COMPLETED: the quote stated (\S+) WETH, and the wallet received \1 WETH/u)
    assert.include(outcome.out, sandbox.file.baseUrl)
    assert.notInclude(outcome.out, sandbox.file.apiKey)
    assert.notInclude(outcome.out, sandbox.file.owners[1].privateKey)
  })
})

describe("without a sandbox", () => {
  const emptyHome = temporaryHome()
  afterAll(() => removeHome(emptyHome))

  it("shows help, completions and its version", async () => {
    const [help, version, completions, commandHelp] = await Promise.all([
      run(emptyHome, ["--help"]),
      run(emptyHome, ["--version"]),
      run(emptyHome, ["--completions", "bash"]),
      run(emptyHome, ["swap", "quote", "--help"])
    ])
    for (const outcome of [help, version, completions, commandHelp]) assertCode(outcome, 0)
    for (const command of [
      "serve",
      "sandbox",
      "db",
      "project",
      "key",
      "wallet",
      "token",
      "swap",
      "sign",
      "execute",
      "history",
      "user-operation",
      "doctor"
    ]) {
      assert.match(help.out, new RegExp(`^ {2}${command} +\\S`, "mu"))
    }
    assert.match(version.out, /\d+\.\d+\.\d+/u)
    for (const word of ["--gas-token", "migrate", "--expires-in", "revoke"]) assert.include(completions.out, word)
    assert.include(commandHelp.out, "EXAMPLES")
  })

  it("rejects unknown commands and flags, with usage", async () => {
    const [unknownCommand, unknownSubcommand, unknownFlag, missingArgument] = await Promise.all([
      run(emptyHome, ["nonsense"]),
      run(emptyHome, ["key", "steal"]),
      run(emptyHome, ["project", "list", "--colour"]),
      run(emptyHome, ["project", "create"])
    ])
    for (const { err, out } of [unknownCommand, unknownSubcommand, unknownFlag, missingArgument]) {
      assert.strictEqual(out, "")
      assert.match(err, /^[^\n]+\n`countersign[a-z ]* --help` shows the usage\.\n$/u)
    }
    assertRefused(unknownCommand, 2, /Unknown subcommand "nonsense"/u)
    assertRefused(unknownSubcommand, 2, /Unknown subcommand "steal"/u)
    assertRefused(unknownFlag, 2, /--colour/u)
    assertRefused(missingArgument, 2, /Missing required argument: name/u)
    assert.match(missingArgument.err, /`countersign project create --help`/u)
  })

  it("prints errors as JSON if results are JSON", async () => {
    const [usageOutcome, connectionOutcome] = await Promise.all([
      run(emptyHome, ["project", "create", "--json"]),
      run(emptyHome, ["project", "list", "--json"])
    ])
    assertCode(usageOutcome, 2)
    assertCode(connectionOutcome, 5)
    assert.strictEqual(usageOutcome.out + connectionOutcome.out, "")
    assert.strictEqual(JSON.parse(usageOutcome.err).id, "USAGE")
    const { id, message } = JSON.parse(connectionOutcome.err)
    assert.strictEqual(id, "NOTHING_TO_CONNECT_TO")
    assert.match(message, /No sandbox is running/u)
  })

  it("reports that there is no service to connect to, and what to do", async () => {
    const [list, status] = await Promise.all([
      run(emptyHome, ["project", "list"]),
      run(emptyHome, ["sandbox", "status"])
    ])
    for (const outcome of [list, status])
      assertRefused(outcome, 5, /No sandbox is running in .*countersign sandbox start/u)
  })

  it("works on a separate service, from an empty database", async () => {
    const settings = { RPC_URL_1: "http://127.0.0.1:1" }
    const migrationsBefore = jsonOf(await run(emptyHome, ["db", "status", "--json"], settings))
    assert.isNull(migrationsBefore[0].appliedAt)
    const appliedMigrations = jsonOf(await run(emptyHome, ["db", "migrate", "--json"], settings))
    assert.strictEqual(appliedMigrations.applied.length, migrationsBefore.length)
    const [list, keys, doctor] = await Promise.all([
      run(emptyHome, ["project", "list"], settings),
      run(emptyHome, ["key", "list"], settings),
      run(emptyHome, ["doctor"], settings)
    ])
    assertCode(list, 0)
    assert.match(list.out, /no project.*project create/u)
    assertRefused(keys, 3, /There is no project.*project create/u)
    assertRefused(doctor, 4, /2 of \d+ checks fail/u)
    assert.match(doctor.out, /setting OPERATOR_PRIVATE_KEYS_0_7 +failing/u)
    assert.match(doctor.out, /Ethereum node 127\.0\.0\.1:1 +failing/u)
  })

  it("rejects invalid settings, without repeating their values", async () => {
    const secret = "0xsecretsecretsecret"
    const [keyOutcome, portOutcome, highPortOutcome, highFlagOutcome] = await Promise.all([
      run(emptyHome, ["serve"], { OPERATOR_PRIVATE_KEYS_0_7: secret, RPC_URL_1: "http://127.0.0.1:1" }),
      run(emptyHome, ["serve"], { PORT: "many" }),
      run(emptyHome, ["serve"], { PORT: "65536" }),
      run(emptyHome, ["serve", "--port", "65536"])
    ])
    assertRefused(keyOutcome, 2, /OPERATOR_PRIVATE_KEYS_0_7 is not a list of private keys/u)
    assert.notInclude(keyOutcome.err + keyOutcome.out, secret)
    assertRefused(portOutcome, 2, /PORT|port/u)
    assertRefused(highPortOutcome, 2, /PORT .*65535/u)
    assertRefused(highFlagOutcome, 2, /Expected 0 to 65535/u)
  })
})

describe("the sandbox", () => {
  it("shows its addresses in its status, and its key in the welcome message only", async () => {
    const [status, table] = await Promise.all([runJson("sandbox", "status"), runText("sandbox", "status")])
    assert.deepStrictEqual([status.home, status.baseUrl, status.pid], [home, sandbox.file.baseUrl, sandbox.file.pid])
    assert.match(table, /Ethereum +1 +running +\d+ +\d+/u)
    assert.notInclude(table + JSON.stringify(status), sandbox.file.apiKey)
    const welcome = sandbox.welcome()
    const lines = welcome.trimEnd().split("\n")
    assert.isAtMost(lines.length, 23, "it fits on a terminal of 24 lines, with the cursor on the last")
    assert.isAtMost(Math.max(...lines.map(({ length }) => length)), 100)
    for (const shownText of [
      sandbox.file.apiKey,
      sandbox.file.baseUrl,
      "curl -s",
      ...sandbox.file.wallets.map(({ walletAddress }: Json) => walletAddress)
    ]) {
      assert.include(welcome, shownText)
    }
  })

  it("funds an address", async () => {
    const receiver = "0x00000000000000000000000000000000000000bb"
    assert.match(await runText("sandbox", "fund", receiver, "1.5", "USDC"), /has received 1\.5 USDC on Ethereum/u)
    const fundResult = await runJson("sandbox", "fund", receiver, "2", "native", "--chain", "base")
    assert.deepStrictEqual(fundResult, {
      chainId: 8453,
      address: receiver,
      token: "native",
      amount: "2000000000000000000"
    })
    await Promise.all([
      assertRefusal(3, /no token "NOPE" on Ethereum/u, "sandbox", "fund", receiver, "1", "NOPE"),
      assertRefusal(2, /<amount>.*decimal number/u, "sandbox", "fund", receiver, "1e3", "USDC"),
      assertRefusal(4, /at most 6 decimals/u, "sandbox", "fund", receiver, "0.0000001", "USDC")
    ])
  })

  it("advances its clock, the service's and the chains'", async () => {
    const [wallet] = sandbox.file.wallets
    const { quotes } = await runJson(
      "swap",
      "quote",
      "--wallet",
      wallet.walletAddress,
      "--amount",
      "1",
      "--from",
      "USDC",
      "--to",
      "WETH"
    )
    const clockBefore = await runJson("sandbox", "clock")
    const clockAfter = await runJson("sandbox", "clock", "--advance", "2m")
    assert.strictEqual(clockAfter.clockOffsetSeconds, clockBefore.clockOffsetSeconds + 120)
    assert.match(await runText("sandbox", "clock"), new RegExp(`${clockAfter.clockOffsetSeconds} s ahead`, "u"))
    const [signature] = Object.values<string>((await runJson("sign", quotes[0].quoteId)).signatures)
    await Promise.all([
      assertRefusal(4, /expired/u, "execute", quotes[0].quoteId, "--signature", signature!),
      assertRefusal(2, /--advance: "later"\. Expected a number and a unit/u, "sandbox", "clock", "--advance", "later"),
      assertRefusal(4, /cannot advance by 0 seconds/u, "sandbox", "clock", "--advance", "0 seconds")
    ])
  })

  it("resets its chains with --yes", async () => {
    await assertRefusal(4, /Add --yes/u, "sandbox", "reset")
    const resetResult = await runJson("sandbox", "reset", "--yes")
    assert.strictEqual(resetResult.clockOffsetSeconds, 0)
    assert.match(await runText("sandbox", "reset", "-y"), /reset +done/u)
    assert.isAtLeast((await runJson("wallet", "list")).wallets.length, 4)
  })
})
