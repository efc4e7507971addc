import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createPublicClient, http } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { Countersign, type Signable, signQuote, type TransferQuote, type TransferRequest } from "../../src/index.ts"
import { type Host, NATIVE, startHost } from "./sandboxHost.ts"

/**
 * Tests the library together with viem, as a host uses it. viem's accounts sign, and hashes and addresses need no type
 * casts between the two.
 */

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.stop())

describe.each(["SimpleAccount 0.7", "SimpleAccount 0.8", "Safe 1.4.1", "Simple7702Account"])(
  "A viem account",
  (kind) => {
    it(`signs for a ${kind}`, async () => {
      await using countersign = await Countersign.open(host.options())
      const owner = privateKeyToAccount(generatePrivateKey())
      const factories = await countersign.wallets.factories()
      const { eip7702, factory } = factories.find(({ name }) => name === kind)!
      const wallet = await countersign.wallets.register({ externallyOwnedAccount: owner.address, factory, eip7702 })
      await host.fund(wallet.walletAddress)
      const request: TransferRequest = {
        walletAddress: wallet.walletAddress,
        chainId: 1,
        token: NATIVE,
        amount: "0.1",
        toAddress: owner.address,
        payGasFeeToken: NATIVE,
        gasFeePaymentMethod: "ADD_TO_AMOUNT"
      }
      const transfer: Signable<TransferQuote> = await countersign.transfer.quote(request)
      const publicClient = createPublicClient({ transport: http(host.rpcUrl) })

      if (transfer.authorization === undefined) {
        const execution = await countersign.execute(await transfer.sign(owner))
        const transaction = await countersign.wait(execution, { timeoutMs: 120_000 })
        assert.strictEqual(transaction.status, "COMPLETED")
        const receipt = await publicClient.getTransactionReceipt({ hash: transaction.transactionHash!.hash })
        assert.strictEqual(receipt.status, "success")
        return
      }
      // The result of viem's `signAuthorization` is accepted unchanged, including its bigint value.
      const { address, chainId, nonce } = transfer.authorization
      const authorization = await owner.signAuthorization({ address, chainId, nonce })
      const { signatures } = await signQuote(transfer, owner)
      const operation = transfer.signData.find(({ type }) => type === "USER_OPERATION")!
      await countersign.userOperations.execute({
        userOperationHash: transfer.userOperationHash!,
        signature: signatures[operation.hash]!,
        authorization
      })
      const finalTransaction = await countersign.userOperations.wait(transfer.userOperationHash!, {
        timeoutMs: 120_000
      })
      assert.strictEqual(finalTransaction.status, "COMPLETED")
    })
  }
)
