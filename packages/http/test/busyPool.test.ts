import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import { NATIVE, swapOf, USDC } from "./support/accounts.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Many wallets trade one pool at the same time. WETH takes no fee on its transfers: no quote may say so. */

const WALLETS = 16
const SWAPS_EACH = 3
const WHOLE_ETHER = 10n ** 18n

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const newWallet = async (factory: string) => {
  const privateKey = generatePrivateKey()
  const { body, status } = await service.request("POST", "/api/v1/wallets/register", {
    externallyOwnedAccount: privateKeyToAddress(privateKey),
    factory
  })
  assert.strictEqual(status, 201, JSON.stringify(body))
  const address: string = body.wallet.walletAddress
  await service.fund(address, USDC, 1_000_000_000n)
  await service.fund(address, "native", WHOLE_ETHER)
  return { address, privateKey }
}

describe(`${WALLETS} wallets that trade one pool`, () => {
  it("get quotes, or an error that says that the pool moved", async () => {
    const { body } = await service.request("GET", "/api/v1/wallets/factories")
    const { factory } = body.factories.find(({ eip7702 }: { readonly eip7702: boolean }) => !eip7702)
    const wallets = await Promise.all(Array.from({ length: WALLETS }, () => newWallet(factory)))
    const trade = async ({ address, privateKey }: (typeof wallets)[number]) => {
      for (let swaps = 0; swaps < SWAPS_EACH; ) {
        const quoted = await service.request(
          "POST",
          "/api/v1/crypto/swap",
          swapOf({ address }, { slippage: 5, payGasFeeToken: NATIVE })
        )
        if (quoted.status !== 200) {
          assert.match(quoted.body.message, /Request the quote again/u)
          continue
        }
        const [{ signData, userOperationHash }] = quoted.body.quotes
        const executed = await service.request("POST", "/api/v1/crypto/execute-user-op", {
          userOperationHash,
          ...(await service.signatures(privateKey, signData))
        })
        assert.strictEqual(executed.status, 200, JSON.stringify(executed.body))
        const done = await service.settled(address, userOperationHash)
        assert.strictEqual(done.status, "COMPLETED", JSON.stringify(done.failure))
        swaps += 1
      }
    }
    // How often a quote is refused depends on the speed of the machine. Each wallet ends its swaps.
    await Promise.all(wallets.map(trade))
  })
})
