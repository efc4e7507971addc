import { IndividualId, VerifiedIndividuals } from "@countersign/core/identity"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { registerOneOfEachKind, swapOf, type TestWallet, USDC, USDY } from "./support/accounts.ts"
import { balanceOf } from "./support/balances.ts"
import { assertRefusal } from "./support/refusals.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Tests swaps of a token whose contract requires an allow-list, on a real chain. */

const INDIVIDUAL = "ind_7"

let service: TestService
let wallets: ReadonlyArray<TestWallet>

const changeVerification = (change: "revoke" | "verify") =>
  service.run(
    VerifiedIndividuals.use((individuals) =>
      change === "verify"
        ? individuals.verify(service.project.id, {
            id: IndividualId.make(INDIVIDUAL),
            verifiedAt: DateTime.makeUnsafe(1)
          })
        : individuals.revoke(service.project.id, IndividualId.make(INDIVIDUAL))
    )
  )

const requestQuote = (wallet: TestWallet, changes: Record<string, unknown> = {}) =>
  service.request(
    "POST",
    "/api/v1/crypto/swap",
    swapOf(wallet, { tokenOut: USDY, individualId: INDIVIDUAL, ...changes })
  )

const quoteOf = async (wallet: TestWallet, changes: Record<string, unknown> = {}) => {
  const { body, status } = await requestQuote(wallet, changes)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.quotes[0]
}

// biome-ignore lint/suspicious/noExplicitAny: a quote as a client without generated types reads it.
const execute = async (wallet: TestWallet, quote: any) => {
  const quoteSignatures = await service.signaturesByHash(wallet.privateKey, quote.signData)
  const acceptResponse = await service.request("POST", "/api/v1/crypto/execute", {
    quoteId: quote.quoteId,
    signatures: quoteSignatures
  })
  assert.strictEqual(acceptResponse.status, 200, JSON.stringify(acceptResponse.body))
  return service.settled(wallet.address, quote.userOperationHash)
}

beforeAll(async () => {
  service = await startTestService()
  wallets = await registerOneOfEachKind(service)
})
afterAll(() => service.stop())

describe("a swap of a real-world asset", () => {
  it("requires a verified individual, and is rejected once the verification is revoked", async () => {
    const [wallet] = wallets as [TestWallet]
    assertRefusal(await requestQuote(wallet), 400, "INDIVIDUAL_VERIFICATION_REQUIRED", /USDY.*individualId/u)
    await changeVerification("verify")
    assertRefusal(
      await requestQuote(wallet, { individualId: "ind_8" }),
      400,
      "INDIVIDUAL_VERIFICATION_REQUIRED",
      /USDY/u
    )
    assert.strictEqual((await requestQuote(wallet)).status, 200)
    await changeVerification("revoke")
    assertRefusal(await requestQuote(wallet), 400, "INDIVIDUAL_VERIFICATION_REQUIRED", /USDY/u)
    await changeVerification("verify")
  })

  it("adds each type of account to the token's allow-list first, and only once", async () => {
    for (const wallet of wallets) {
      const quote = await quoteOf(wallet)
      const { rwaApproveUserOperation, userOperationHash, userOperations } = quote
      assert.lengthOf(userOperations, 2, wallet.name)
      assert.notStrictEqual(rwaApproveUserOperation.userOperationHash, userOperationHash)
      assert.strictEqual(rwaApproveUserOperation.userOperationHash, userOperations[0].userOperationHash)
      assert.strictEqual("authorization" in rwaApproveUserOperation, wallet.eip7702)
      assert.match(JSON.stringify(quote.preview), /Join the allow-list of USDY/u)
      const transaction = await execute(wallet, quote)
      assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction))
      const heldAmount = await balanceOf(service, USDY, wallet.address)
      assert.isTrue(heldAmount > 0n)

      const returnQuote = await quoteOf(wallet, { tokenIn: USDY, tokenOut: USDC, amountIn: "10" })
      assert.notProperty(returnQuote, "rwaApproveUserOperation")
      assert.lengthOf(returnQuote.userOperations, 1)
      assert.strictEqual((await execute(wallet, returnQuote)).status, "COMPLETED")
    }
  })

  it("is rejected for a receiver that is not on the list, with the reason", async () => {
    const [wallet] = wallets as [TestWallet]
    const response = await requestQuote(wallet, { toAddress: "0x00000000000000000000000000000000000000aa" })
    assertRefusal(response, 400, "BAD_REQUEST", /may not hold USDY: The receiver is not on the token's allow-list/u)
  })

  it("shows that the token's contract rejects an account that is not listed", async () => {
    const [wallet] = wallets as [TestWallet]
    const { body } = await service.request("POST", "/api/v1/crypto/transfer", {
      walletAddress: wallet.address,
      chainId: 1,
      token: USDY,
      amount: "1",
      toAddress: "0x00000000000000000000000000000000000000aa",
      payGasFeeToken: USDC,
      gasFeePaymentMethod: "ADD_TO_AMOUNT"
    })
    assert.match(JSON.stringify(body.transfer.revertReason), /NotAllowed|0x[0-9a-f]+/u)
  })
})
