import { deploymentOf } from "@countersign/adapters/deployments"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { concat, type Hex, keccak256, numberToHex, pad } from "viem"
import { loadArtifacts } from "../../adapters/sandbox/contracts/index.ts"
import { registerOneOfEachKind, swapOf, type TestWallet } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** A listed token of which a hundredth is burnt on each transfer, at pools that know nothing of it. */

const LINK = deploymentOf(1).tokens.find(({ symbol }) => symbol === "LINK")!.address

let service: TestService
let wallet: TestWallet

const ask = (method: string, ...params: ReadonlyArray<unknown>) => askChain(service.chains.rpcUrl(1), method, ...params)

/** Balances of the token are in its slot 1. */
const setBalance = (holder: string) =>
  ask(
    "anvil_setStorageAt",
    LINK,
    keccak256(concat([pad(holder as Hex, { size: 32 }), numberToHex(1, { size: 32 })])),
    numberToHex(10n ** 27n, { size: 32 })
  )

const swap = (changes: Record<string, unknown>) =>
  service.request("POST", "/api/v1/crypto/swap", swapOf(wallet, changes))

beforeAll(async () => {
  service = await startTestService()
  wallet = (await registerOneOfEachKind(service)).find(({ name }) => name === "SimpleAccount 0.8")!
  const { body } = await swap({ tokenOut: LINK })
  const { DeflatingERC20 } = await service.run(loadArtifacts)
  const data = concat([DeflatingERC20.bytecode, pad("0x0")])
  const from = service.chains.keys.treasury.address
  const { contractAddress } = await ask("eth_sendTransactionSync", { from, data, gas: "0x2dc6c0" })
  await ask("anvil_setCode", LINK, await ask("eth_getCode", contractAddress, "latest"))
  await ask("anvil_setStorageAt", LINK, pad("0x0"), numberToHex(10n ** 28n, { size: 32 }))
  for (const { through } of body.quotes[0].route[0].hops) await setBalance(through)
  await setBalance(wallet.address)
})
afterAll(() => service.stop())

const reason = /less LINK arrives than is sent: the token takes a fee on its transfers, or changes balances by itself/u

describe("a token that keeps a part of what is sent", () => {
  for (const slippage of [0.5, 5]) {
    it(`is not bought, with a slippage of ${slippage} %`, async () => {
      const { body, status } = await swap({ tokenOut: LINK, slippage })
      assert.strictEqual(status, 500)
      assert.strictEqual(body.id, "SWAP_QUOTE")
      assert.match(body.message, reason)
    })

    it(`is not sold, with a slippage of ${slippage} %`, async () => {
      const { body, status } = await swap({ tokenIn: LINK, amountIn: "5", slippage })
      assert.strictEqual(status, 500, JSON.stringify(body.quotes?.[0]))
      assert.strictEqual(body.id, "SWAP_QUOTE")
      assert.match(body.message, reason)
    })
  }
})
