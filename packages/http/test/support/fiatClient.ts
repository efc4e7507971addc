import { IndividualId, VerifiedIndividuals } from "@countersign/core/identity"
import { assert } from "@effect/vitest"
import { DateTime } from "effect"
import { encodeEventTopics, encodeFunctionData, erc20Abi, type Hex, toHex } from "viem"
import type { BridgeChains } from "../../../adapters/sandbox/bridge/index.ts"
import { waitUntil } from "../../../core/test/support/until.ts"
import { type TestWallet, USDC } from "./accounts.ts"
import type { TestResponse, TestService } from "./testService.ts"

const createdBodyOf = ({ body, status }: TestResponse) => {
  assert.strictEqual(status, 201, JSON.stringify(body))
  return body
}

/** Provides requests for deposits and withdrawals to a test service, and control of its sandbox's bank. */
export const fiatClient = (service: TestService, wallet: TestWallet, individualId: string) => {
  const controlBank = async (action: string, body: Record<string, unknown>) => {
    const response = await fetch(`${new URL(service.chains.rpcUrl(1)).origin}/bank/${action}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    // biome-ignore lint/suspicious/noExplicitAny: read as a client without generated types does.
    const responseBody = (await response.json()) as any
    assert.strictEqual(response.status, 200, JSON.stringify(responseBody))
    return responseBody
  }

  const requestQuote = (kind: "deposit" | "withdrawal", changes: Record<string, unknown> = {}) =>
    service.request("POST", `/api/v2/fiat/${kind}/quote`, {
      paymentMethod: { type: "PIX" },
      from: kind === "deposit" ? { currency: "BRL", amount: "541.00" } : { currency: "USDC", amount: "100" },
      to: { currency: kind === "deposit" ? "USDC" : "BRL" },
      chainId: 1,
      walletAddress: wallet.address,
      individualId,
      ...changes
    })

  const readOrder = async (id: string) => {
    const { body, status } = await service.request("GET", `/api/v2/fiat/orders/${id}`)
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body.order
  }

  const readTransaction = async ({ transactionId }: { readonly transactionId: string }) => {
    const { body, status } = await service.request("GET", `/api/v1/crypto/transactions/${transactionId}`)
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body.transaction
  }

  return {
    bank: controlBank,
    created: createdBodyOf,
    quote: requestQuote,
    order: readOrder,
    transaction: readTransaction,
    until: waitUntil,
    verify: () =>
      service.run(
        VerifiedIndividuals.use((individuals) =>
          individuals.verify(service.project.id, {
            id: IndividualId.make(individualId),
            verifiedAt: DateTime.makeUnsafe(1)
          })
        )
      ),
    deposit: async (changes: Record<string, unknown> = {}) => {
      const { quoteId } = createdBodyOf(await requestQuote("deposit", changes))
      return createdBodyOf(await service.request("POST", "/api/v2/fiat/deposit", { quoteId }))
    },
    withdrawal: async (paymentMethod: Record<string, unknown>, changes: Record<string, unknown> = {}) => {
      const { quoteId } = createdBodyOf(await requestQuote("withdrawal", changes))
      return createdBodyOf(await service.request("POST", "/api/v2/fiat/withdrawal", { quoteId, paymentMethod }))
    },
    execute: async ({ signData, withdrawalInstructions }: TestResponse["body"]) => {
      const signatures = await service.signaturesByHash(wallet.privateKey, signData)
      const quoteId = withdrawalInstructions.userOperationHash
      const { body, status } = await service.request("POST", "/api/v1/crypto/execute", { quoteId, signatures })
      assert.strictEqual(status, 200, JSON.stringify(body))
    },
    orderIn: (id: string, status: string) =>
      waitUntil(
        () => readOrder(id),
        (currentOrder) => currentOrder.status === status
      )
  }
}

/** Provides chain 1 of a sandbox to an emulator of Bridge, which is separate from the sandbox's own Bridge. */
export const makeBridgeChains = (service: () => TestService): BridgeChains => {
  const callRpc = async (method: string, ...params: ReadonlyArray<unknown>) => {
    const response = await fetch(service().chains.rpcUrl(1), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
    })
    const { error, result } = (await response.json()) as { readonly error?: object; readonly result: unknown }
    assert.isUndefined(error, JSON.stringify(error))
    return result
  }
  return {
    give: async (_chainId, from, to, units) => {
      const { fund } = service()
      await fund(from, "native", 10n ** 18n)
      await fund(from, USDC, units)
      await callRpc("anvil_impersonateAccount", from)
      const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, units] })
      const sentTransaction = { from, to: USDC, data, gas: toHex(300_000) }
      const receipt = (await callRpc("eth_sendTransactionSync", sentTransaction)) as Record<
        "status" | "transactionHash",
        string
      >
      assert.strictEqual(receipt.status, "0x1")
      return receipt.transactionHash
    },
    received: async (_chainId, to, units) => {
      const topics = encodeEventTopics({ abi: erc20Abi, eventName: "Transfer", args: { to } })
      const logs = (await callRpc("eth_getLogs", {
        address: USDC,
        topics,
        fromBlock: "0x0",
        toBlock: "latest"
      })) as ReadonlyArray<Record<"data" | "transactionHash", Hex>>
      return logs.find(({ data }) => BigInt(data) >= units)?.transactionHash ?? null
    }
  }
}
