import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { Ajv2020 } from "ajv/dist/2020.js"
import { waitUntil } from "../../core/test/support/until.ts"
import {
  bundleBinary,
  type Json,
  type RunningSandbox,
  removeHome,
  startSandbox,
  temporaryHome
} from "./support/commandLine.ts"

/** Tests `countersign mcp` with an independent implementation of the protocol, as an assistant would use it. */

const home = temporaryHome()
let sandbox: RunningSandbox
let binary: Awaited<ReturnType<typeof bundleBinary>>

beforeAll(async () => {
  binary = await bundleBinary()
  sandbox = await startSandbox(home)
})
afterAll(async () => {
  await sandbox?.stop()
  removeHome(home)
})

const environment = (extra: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env.PATH ?? "",
  HOME: home,
  COUNTERSIGN_HOME: home,
  ...binary.variables,
  ...extra
})

const connect = async (...words: ReadonlyArray<string>) => {
  const client = new Client({ name: "test", version: "1" })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [binary.file, "mcp", ...words],
      env: environment(),
      cwd: home
    })
  )
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const result: Json = await client.callTool({ name, arguments: input })
    return {
      isError: result.isError === true,
      text: result.content[0].text as string,
      body: result.structuredContent as Json
    }
  }
  return { client, call, close: () => client.close() }
}

const namesOf = async ({ client }: Awaited<ReturnType<typeof connect>>) =>
  (await client.listTools()).tools.map(({ name }) => name)

const executingTools = [
  "execute",
  "limitOrders_place",
  "limitOrders_cancel",
  "bitcoin_broadcast",
  "userOperations_execute"
]

describe("countersign mcp", () => {
  it("offers tools that read and quote, and tools that execute only on request", async () => {
    const assistant = await connect()
    const names = await namesOf(assistant)
    assert.includeMembers(names, ["swap_quotes", "transfer_quote", "bitcoin_bump", "history_list", "portfolio_get"])
    for (const name of [...executingTools, "events", "wallets_register", "tax_export", "webhooks_create"])
      assert.notInclude(names, name)
    assert.deepStrictEqual(
      names.filter((name) => /^(?:kyc|fiat)_/u.test(name)),
      []
    )
    await assistant.close()

    const executingClient = await connect("--allow-execute")
    assert.sameMembers(await namesOf(executingClient), [...names, ...executingTools])
    await executingClient.close()
  })

  it("describes the arguments of each tool by a separate JSON Schema", async () => {
    const assistant = await connect("--allow-execute")
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    const { tools } = await assistant.client.listTools()
    for (const { description = "", inputSchema, name } of tools) {
      assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/u)
      assert.isNotEmpty(description)
      assert.isFalse(ajv.compile(inputSchema)({ surprise: 1 }), name)
    }
    const { inputSchema } = tools.find(({ name }) => name === "history_list")!
    const isValid = ajv.compile(inputSchema)
    assert.isTrue(isValid({ walletAddress: "0x778025d8831d100c76cf3eefd7a2ca2818c80504", take: 5 }))
    assert.isFalse(isValid({ take: 5 }))
    await assistant.close()
  })

  it("returns the API's response or error", async () => {
    const { call, close } = await connect()
    const chainsResult = await call("catalog_chains")
    assert.isFalse(chainsResult.isError)
    assert.deepStrictEqual(JSON.parse(chainsResult.text), chainsResult.body)
    assert.include(
      chainsResult.body.chains.map(({ id }: { readonly id: number }) => id),
      1
    )
    const [{ walletAddress }] = sandbox.file.wallets
    const page = await call("history_list", { walletAddress, take: 2, chains: [1] })
    assert.isAtMost(page.body.transactions.length, 2)
    const refusal = await call("history_get", { transactionId: "nothing" })
    assert.isTrue(refusal.isError)
    assert.strictEqual(JSON.parse(refusal.text).id, "TRANSACTION_NOT_FOUND")
    await close()
  })

  it("quotes, and executes with the owner's signature", async () => {
    const { call, close } = await connect("--allow-execute")
    const [{ walletAddress }] = sandbox.file.wallets
    const { USDC } = sandbox.file.tokens["1"]
    const quoteResponse = await call("transfer_quote", {
      body: {
        walletAddress,
        toAddress: "0x00000000000000000000000000000000000000a1",
        chainId: 1,
        token: USDC,
        amount: "1",
        payGasFeeToken: USDC,
        gasFeePaymentMethod: "ADD_TO_AMOUNT"
      }
    })
    assert.isFalse(quoteResponse.isError, quoteResponse.text)
    const { quoteId } = quoteResponse.body.transfer
    const unsignedResponse = await call("execute", { body: { quoteId, signatures: {} } })
    assert.isTrue(unsignedResponse.isError)
    const { body: signedBody } = await sandbox.http("POST", "/api/v1/sandbox/sign", { quoteId })
    const execution = await call("execute", { body: signedBody })
    assert.isFalse(execution.isError, execution.text)
    const { transactionId } = execution.body
    const historyResult = await waitUntil(
      () => call("history_get", { transactionId }),
      ({ body }) => body.transaction.status !== "PROCESSING"
    )
    assert.strictEqual(historyResult.body.transaction.status, "COMPLETED")
    await close()
  })

  it("reports a service that does not respond as the result of a call", async () => {
    const unreachableClient = await connect("--url", "http://127.0.0.1:1")
    const unreachableResult = await unreachableClient.call("catalog_chains")
    assert.isTrue(unreachableResult.isError)
    assert.match(unreachableResult.text, /did not respond/u)
    await unreachableClient.close()
  })

  it("writes only the protocol to stdout, and ends with its input", async () => {
    const child = spawn(process.execPath, [binary.file, "mcp"], {
      cwd: home,
      env: environment({ COUNTERSIGN_API_KEY: "cs_wrong" })
    })
    const exitPromise = new Promise<number | null>((resolve) => child.once("exit", resolve))
    const stdout = text(child.stdout)
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
    const clientInfo = { name: "test", version: "1" }
    send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } })
    send({ method: "notifications/initialized" })
    send({ id: 2, method: "tools/call", params: { name: "catalog_chains", arguments: {} } })
    let seenText = ""
    child.stdout.on("data", (chunk) => {
      seenText += String(chunk)
    })
    await waitUntil(
      () => seenText,
      (lines) => lines.trim().split("\n").length > 1
    )
    child.stdin.end()
    assert.strictEqual(await exitPromise, 0)
    const messages = (await stdout)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    assert.deepStrictEqual(
      messages.map(({ id, jsonrpc }) => [jsonrpc, id]),
      [
        ["2.0", 1],
        ["2.0", 2]
      ]
    )
    assert.include(messages[1].result.content[0].text, "INVALID_API_KEY")
  })

  it("does not start without a service, and names the missing settings", async () => {
    const emptyHome = temporaryHome()
    const child = spawn(process.execPath, [binary.file, "mcp"], {
      cwd: emptyHome,
      env: { ...environment(), HOME: emptyHome, COUNTERSIGN_HOME: emptyHome }
    })
    const [err, out, code] = await Promise.all([
      text(child.stderr),
      text(child.stdout),
      new Promise<number | null>((resolve) => child.once("exit", resolve))
    ])
    assert.notStrictEqual(code, 0)
    assert.strictEqual(out, "")
    assert.match(err, /COUNTERSIGN_API_KEY/u)
    removeHome(emptyHome)
  })
})
