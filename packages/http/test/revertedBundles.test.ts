import { Hash32 } from "@countersign/core/foundation/primitives"
import { ExecutionWorker } from "@countersign/core/operations/executions"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { FaultProxy, type ResponseOverride, RpcRefusal } from "../../adapters/test/faults/FaultProxy.ts"
import { waitUntil, waitUntilTrue } from "../../core/test/support/until.ts"
import { NATIVE, registerOneOfEachKind, type TestWallet, USDC } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/**
 * Tests reverted transactions of the operator on real contracts: their cost, and the evidence that counts as unpaid
 * gas.
 */

let target = ""
let proxy: FaultProxy
let service: TestService
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  proxy = await FaultProxy.start(() => target)
  service = await startTestService({
    rpcUrls: (sandboxUrl) => {
      target = sandboxUrl
      return [proxy.url]
    }
  })
  wallets = await registerOneOfEachKind(service)
  for (const { address } of wallets) await service.fund(address, "native", 10n ** 18n)
})
afterAll(async () => {
  await service.stop()
  await proxy.stop()
})

const walletOf = (kind: string) => wallets.find(({ name }) => name === kind)!

const callRpc = (method: string, ...params: ReadonlyArray<unknown>) =>
  askChain(service.chains.rpcUrl(1), method, ...params)

const requestQuote = (wallet: TestWallet, payGasFeeToken = NATIVE) =>
  service.request("POST", "/api/v1/crypto/transfer", {
    walletAddress: wallet.address,
    chainId: 1,
    token: USDC,
    amount: "1",
    toAddress: wallet.owner,
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    payGasFeeToken
  })

/** Submits a transfer. Returns the operation's hash without waiting for its inclusion. */
const executeTransfer = async (wallet: TestWallet, payGasFeeToken = NATIVE): Promise<string> => {
  const quoteResponse = await requestQuote(wallet, payGasFeeToken)
  assert.strictEqual(quoteResponse.status, 200, JSON.stringify(quoteResponse.body))
  const { signData, userOperationHash } = quoteResponse.body.transfer
  const signatures = await service.signatures(wallet.privateKey, signData)
  const { body, status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash,
    ...signatures
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return userOperationHash
}

const readPendingBundles = async (): Promise<ReadonlyArray<{ readonly hash: string; readonly input: string }>> => {
  const { pending } = await callRpc("txpool_content")
  return Object.values<Record<string, { readonly hash: string; readonly input: string }>>(pending).flatMap((byNonce) =>
    Object.values(byNonce)
  )
}

const waitUntilPooled = (...pooledWallets: ReadonlyArray<TestWallet>) =>
  waitUntilTrue(async () => {
    const inputs = (await readPendingBundles()).map(({ input }) => input).join()
    return pooledWallets.every(({ address }) => inputs.includes(address.slice(2)))
  })

const runWithoutBlocks = async (run: () => Promise<void>) => {
  await callRpc("evm_setAutomine", false)
  try {
    await run()
  } finally {
    await callRpc("evm_setAutomine", true)
    await callRpc("anvil_mine", "0x1")
  }
}

const removeNativeBalance = ({ address }: TestWallet) => callRpc("anvil_setBalance", address, "0x0")
const addNativeBalance = ({ address }: TestWallet) => service.fund(address, "native", 10n ** 18n)

const gasEntriesOf = async ({ address }: TestWallet) =>
  (await service.gasEntries()).find(({ currentUsdE6, walletAddress }) => walletAddress === address && currentUsdE6 > 0n)

const runWhileLying = async (responseOverride: ResponseOverride, run: () => Promise<void>) => {
  proxy.fault = { _tag: "Lies", lie: responseOverride }
  try {
    await run()
  } finally {
    proxy.fault = { _tag: "None" }
  }
}

/** The selector of `handleOps` of EntryPoint 0.7 and 0.8. */
const HANDLE_OPS = "0x765e827f"

/**
 * Delays traces of bundles until `releasePromise` resolves, so that later operations wait for the next bundle and share it.
 */
const holdBundles =
  (responseOverride: ResponseOverride, releasePromise: Promise<void>): ResponseOverride =>
  (request, forward) => {
    const [call] = request.params as ReadonlyArray<{ readonly data?: string }>
    return request.method === "debug_traceCall" && call?.data?.startsWith(HANDLE_OPS) === true
      ? releasePromise
          .then(forward)
          .then(({ error, result }) => (error === undefined ? result : new RpcRefusal(error.code, error.message)))
      : responseOverride(request, forward)
  }

const rejectTraces: ResponseOverride = ({ method }) =>
  method === "debug_traceTransaction"
    ? Promise.resolve(new RpcRefusal(-32000, "historical state is pruned"))
    : undefined

describe("a bundle", () => {
  it("contains only one account if that account pays in native tokens or is an EIP-7702 account, so that no other account fails with it", async () => {
    const [nativeTokenPayer, delegatedWallet, safeWallet] = [
      walletOf("SimpleAccount 0.8"),
      walletOf("Simple7702Account"),
      walletOf("Safe 1.4.1")
    ]
    const hashes: Array<string> = []
    let sentBundles: Awaited<ReturnType<typeof readPendingBundles>> = []
    await runWithoutBlocks(async () => {
      hashes.push(
        ...(await Promise.all([
          executeTransfer(nativeTokenPayer),
          executeTransfer(delegatedWallet, USDC),
          executeTransfer(safeWallet, USDC)
        ]))
      )
      await waitUntilPooled(nativeTokenPayer, delegatedWallet, safeWallet)
      sentBundles = await readPendingBundles()
      await removeNativeBalance(nativeTokenPayer)
    })
    await service.settled(delegatedWallet.address, hashes[1]!)
    await service.settled(safeWallet.address, hashes[2]!)
    await waitUntilTrue(async () => (await gasEntriesOf(nativeTokenPayer)) !== undefined)
    assert.isUndefined(await gasEntriesOf(delegatedWallet))
    assert.isUndefined(await gasEntriesOf(safeWallet))
    const receipts = await Promise.all(sentBundles.map(({ hash }) => callRpc("eth_getTransactionReceipt", hash)))
    const revertedGas = receipts.filter(({ status }) => status === "0x0").map(({ gasUsed }) => Number(gasUsed))
    assert.lengthOf(revertedGas, 1)
    await addNativeBalance(nativeTokenPayer)
    await service.settled(nativeTokenPayer.address, hashes[0]!)
    await service.forgive(nativeTokenPayer.address)
  })
})

describe("a reverted transaction", () => {
  it("counts as unpaid gas if the node does not trace: the wallet waits", async () => {
    const wallet = walletOf("SimpleAccount 0.7")
    await runWhileLying(rejectTraces, async () => {
      let hash = ""
      await runWithoutBlocks(async () => {
        hash = await executeTransfer(wallet)
        await waitUntilPooled(wallet)
        await removeNativeBalance(wallet)
      })
      await waitUntilTrue(async () => (await gasEntriesOf(wallet)) !== undefined)
      assert.strictEqual((await requestQuote(wallet)).status, 429)
      await addNativeBalance(wallet)
      await service.settled(wallet.address, hash)
    })
    await service.forgive(wallet.address)
  })

  it("counts once, with its whole cost, if it has several operations of one wallet and the node does not trace", async () => {
    // Uses an account that is deployed, and that has no deposit at the EntryPoint from an earlier operation.
    const wallet = walletOf("Safe 1.4.1")
    const bundleRelease = Promise.withResolvers<void>()
    await runWhileLying(holdBundles(rejectTraces, bundleRelease.promise), async () => {
      const hashes: Array<string> = []
      let sentBundles: Awaited<ReturnType<typeof readPendingBundles>> = []
      await runWithoutBlocks(async () => {
        hashes.push(...(await Promise.all([1, 2, 3, 4].map(() => executeTransfer(wallet)))))
        bundleRelease.resolve()
        const countOperations = (inputs: string) => inputs.split(wallet.address.slice(2)).length - 1
        await waitUntilTrue(async () => {
          sentBundles = await readPendingBundles()
          return countOperations(sentBundles.map(({ input }) => input).join()) === hashes.length
        })
        await removeNativeBalance(wallet)
      })
      const receipts = await Promise.all(sentBundles.map(({ hash }) => callRpc("eth_getTransactionReceipt", hash)))
      assert.isTrue(receipts.length < hashes.length && receipts.every(({ status }) => status === "0x0"))
      const cost = receipts.reduce(
        (sum, { effectiveGasPrice, gasUsed }) => sum + BigInt(gasUsed) * BigInt(effectiveGasPrice),
        0n
      )
      await waitUntil(
        () => gasEntriesOf(wallet),
        (gasEntries) => gasEntries?.wei === cost
      )
      await addNativeBalance(wallet)
      for (const hash of hashes) await service.settled(wallet.address, hash)
    })
    await service.forgive(wallet.address)
  })

  it("does not count by its status alone: no wallet is rejected because of a false receipt", async () => {
    const wallet = walletOf("SimpleAccount 0.8")
    const gasEntriesBefore = await gasEntriesOf(wallet)
    const failReceipts: ResponseOverride = ({ method }, forward) =>
      method === "eth_getTransactionReceipt"
        ? forward().then(({ result }) => result && { ...result, status: "0x0" })
        : undefined
    let hash = ""
    await runWhileLying(failReceipts, async () => {
      hash = await executeTransfer(wallet)
      const requestCount = proxy.requestedMethods.length
      await waitUntilTrue(async () => {
        // Triggers a check immediately, because the pause between two checks grows with the operation's age.
        await service.run(ExecutionWorker.use(({ wake }) => wake([Hash32.make(hash)])))
        return (
          proxy.requestedMethods.slice(requestCount).filter((one) => one === "eth_getTransactionReceipt").length > 12
        )
      })
      assert.deepStrictEqual(await gasEntriesOf(wallet), gasEntriesBefore)
      assert.strictEqual((await requestQuote(wallet)).status, 200)
    })
    assert.strictEqual((await service.settled(wallet.address, hash)).status, "COMPLETED")
    assert.deepStrictEqual(await gasEntriesOf(wallet), gasEntriesBefore)
  })
})
