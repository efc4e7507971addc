import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SandboxChains } from "@countersign/adapters/sandbox"
import { Address } from "@countersign/core/foundation/primitives"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Layer, Logger, ManagedRuntime } from "effect"
import { waitUntil } from "../../../core/test/support/until.ts"
import { newProject } from "../fleet/operator.ts"
import { USDC } from "../support/accounts.ts"
import { signOperations } from "../support/sign.ts"
import { PROCESS_COUNT, requestFrom, type Servers, startServers } from "./startServers.ts"

/** Tests the balance of one wallet that four processes spend concurrently. */

const OPERATION_COUNT = 20

const home = mkdtempSync(join(tmpdir(), "countersign-processes-chain-"))
const sandboxRuntime = ManagedRuntime.make(
  SandboxChains.layer({ home, eager: [1] }).pipe(Layer.provideMerge(Logger.layer([])))
)
let chains: SandboxChains["Service"]
let servers: Servers

beforeAll(async () => {
  chains = await sandboxRuntime.runPromise(SandboxChains)
  servers = await startServers({ gatewayUrl: chains.gatewayUrl, paymasters: chains.paymasters })
})
afterAll(async () => {
  await servers.close()
  await sandboxRuntime.dispose()
  rmSync(home, { recursive: true, force: true })
})

/**
 * Creates a project in which the shared wallet is registered. The caller chooses the server process for each request.
 */
const createCustomer = async () => {
  const { apiKey } = await servers.operate(newProject(null))
  const { address: owner, privateKey } = chains.keys.owners[0]!
  const request = async (nth: number, path: string, body?: object) =>
    requestFrom(await servers.fleet.url(nth), { apiKey, path, ...(body === undefined ? {} : { method: "POST", body }) })
  const { body } = await request(0, "/api/v1/wallets/factories")
  const { factory } = body.factories[0]
  const registration = await request(0, "/api/v1/wallets/register", { externallyOwnedAccount: owner, factory })
  const walletAddress: string = registration.body.wallet.walletAddress

  const requestQuote = async (amount: string) => {
    const transfer = { walletAddress, chainId: 1, token: USDC, amount, toAddress: owner }
    const gasFields = { gasFeePaymentMethod: "ADD_TO_AMOUNT", payGasFeeToken: USDC }
    const quoteResponse = await request(0, "/api/v1/crypto/transfer", { ...transfer, ...gasFields })
    assert.strictEqual(quoteResponse.status, 200, quoteResponse.text)
    return quoteResponse.body.transfer
  }
  const execute = async (nth: number, { signData, userOperationHash }: Awaited<ReturnType<typeof requestQuote>>) =>
    request(nth, "/api/v1/crypto/execute-user-op", {
      userOperationHash,
      ...(await signOperations(privateKey, signData))
    })
  const awaitEnd = async (hash: string): Promise<string> => {
    const path = `/api/v1/wallets/${walletAddress}/history?userOperationHash=${hash}`
    return waitUntil(
      async () => (await request(0, path)).body.transactions[0].status,
      (status) => status !== "PROCESSING",
      { pollMs: 50 }
    )
  }
  return { walletAddress, quote: requestQuote, execute, ended: awaitEnd }
}

const fund = (address: string, units: bigint) =>
  sandboxRuntime.runPromise(chains.fund(1, Address.make(address), Address.make(USDC), units))

describe(`a wallet that two projects registered, through ${PROCESS_COUNT} processes`, () => {
  it(`executes one of ${OPERATION_COUNT} operations that each spend its whole balance, and sends no other`, async () => {
    const projects = [await createCustomer(), await createCustomer()]
    const [{ ended, execute, quote, walletAddress }] = projects as [(typeof projects)[0]]
    await fund(walletAddress, 1_000_000_000n)
    const firstQuote = await quote("1")
    await execute(0, firstQuote)
    assert.strictEqual(await ended(firstQuote.userOperationHash), "COMPLETED")

    const allQuotes = []
    for (let i = 0; i < OPERATION_COUNT; i++) {
      const project = projects[i % 2]!
      allQuotes.push({ project, transfer: await project.quote("900") })
    }
    const responses = await Promise.all(
      allQuotes.map(async ({ project, transfer }, nth) => ({
        project,
        hash: transfer.userOperationHash as string,
        answer: await project.execute(nth, transfer)
      }))
    )
    const acceptedTransfers = responses.filter(({ answer }) => answer.status === 200)
    const refusals = responses.filter(({ answer }) => answer.status !== 200)
    const endStatuses = await Promise.all(acceptedTransfers.map(({ hash, project }) => project.ended(hash)))
    assert.deepStrictEqual(endStatuses, ["COMPLETED"])
    for (const { answer } of refusals) assert.strictEqual(answer.body.id, "QUOTE_STALE", answer.text)
  })
})
