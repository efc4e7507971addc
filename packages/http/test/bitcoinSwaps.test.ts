import { HistoryStore } from "@countersign/core/accounting/history"
import { Address, BitcoinAddress } from "@countersign/core/foundation/primitives"
import { Projects } from "@countersign/core/tenancy/projects"
import { ActivityStore, ActivityWatch } from "@countersign/core/wallets/chain-activity"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Transaction } from "bitcoinjs-lib"
import { Effect } from "effect"
import { createPublicClient, http, parseUnits } from "viem"
import { waitUntil, waitUntilTrue } from "../../core/test/support/until.ts"
import type { SwapRequest } from "../src/client/index.ts"
import { verifyBitcoinSwap } from "../src/verify/bitcoin/index.ts"
import { signAndFinalize, signPsbt } from "./support/bitcoinOwner.ts"
import {
  BASE,
  control,
  createAddress,
  findTransaction,
  isEnded,
  type Json,
  mineBlocks,
  NATIVE_TOKEN,
  owners,
  problemsOf,
  readBalance,
  readPaidSatoshis,
  requestOf,
  requestQuote,
  SWAP,
  service,
  setThorchain,
  signAndBroadcast,
  startBitcoinSwaps,
  stopBitcoinSwaps,
  USDC_ON_BASE,
  waitForTransaction,
  waitUntilPaidMore
} from "./support/bitcoinSwaps.ts"
import { describeLiFiBitcoinSwaps } from "./support/lifiBitcoinSwaps.ts"
import { assertProblems, assertRefusal } from "./support/refusals.ts"

/**
 * Tests swaps from and to Bitcoin over HTTP, with the sandbox's THORChain and LI.FI, on chains that verify signatures.
 */

beforeAll(startBitcoinSwaps, 180_000)
afterAll(stopBitcoinSwaps)

describe("a swap from Bitcoin", () => {
  it.each([0, 1, 2])(
    "is quoted, signed, broadcast and paid out on the other chain: address type %i",
    async (ownerIndex) => {
      const from = owners[ownerIndex]!
      await setThorchain({ mode: "PAY", delaySeconds: 0 })
      const quote = await requestQuote(from)
      assert.strictEqual(quote.swapProvider, "THORCHAIN")
      assert.strictEqual(quote.userOperationHash, null)
      const [element] = quote.signData
      assert.deepInclude(element, { type: "BITCOIN_TRANSACTION", method: "sign_psbt", hash: quote.quoteId })
      assert.strictEqual(Buffer.from(element.psbtBase64, "base64").toString("hex"), element.psbt.slice(2))
      const [vault, memo, change] = quote.bitcoin.outputs
      assert.deepInclude(vault, { role: "VAULT", amount: "0.01" })
      assert.deepInclude(memo, { role: "MEMO", amount: "0", address: null })
      assert.deepInclude(change, { role: "CHANGE", address: from.address, amount: quote.bitcoin.change })
      const limit = parseUnits(quote.minAmountOut, 8)
      assert.strictEqual(memo.memo.split(":").at(-1), String(limit))
      assert.include(memo.memo, quote.toAddress)
      assert.isAtMost(memo.memo.length, 80)
      const types = quote.fees.map(({ type }: Json) => type)
      assert.deepStrictEqual(types, ["NETWORK", "PROVIDER", "PROVIDER"])
      assert.strictEqual(quote.fees[0].amount, quote.bitcoin.fee)

      const hash = await signAndBroadcast(from, quote)
      assert.strictEqual(hash, `0x${Transaction.fromHex(signAndFinalize(from, element.psbt)).getId()}`)
      await waitForTransaction(from, hash, ({ substatus }) => substatus === "BROADCAST")
      await mineBlocks(1)
      const finalTransaction = await waitForTransaction(from, hash, isEnded)
      assert.strictEqual(finalTransaction.status, "COMPLETED")
      assert.strictEqual(finalTransaction.type, "CROSS_SWAP")
      const receivedAmount = await readBalance(BASE, USDC_ON_BASE, quote.toAddress)
      assert.strictEqual(parseUnits(finalTransaction.receivedAmount.amount, 6), receivedAmount)
      assert.isAtLeast(Number(receivedAmount), Number(parseUnits(quote.minAmountOut, 6)))
      assert.deepStrictEqual(
        finalTransaction.legs.map(({ chain }: Json) => chain.id),
        [0, BASE]
      )
    }
  )

  it("pays native tokens to an address without code", async () => {
    const from = owners[2]!
    const quote = await requestQuote(from, { chainIdOut: 1, tokenOut: NATIVE_TOKEN })
    const hash = await signAndBroadcast(from, quote)
    await mineBlocks(1)
    const finalTransaction = await waitForTransaction(from, hash, isEnded)
    assert.strictEqual(finalTransaction.status, "COMPLETED")
    assert.strictEqual(
      await readBalance(1, NATIVE_TOKEN, quote.toAddress),
      parseUnits(finalTransaction.receivedAmount.amount, 18)
    )
  })

  it("is accepted by the general execute endpoint, in parts, with its fee deducted from the amount and a fee of the project", async () => {
    const from = owners[2]!
    const treasury = owners[3]!.address
    const setTreasury = (bitcoinTreasury: BitcoinAddress | null) =>
      service.run(Projects.use((projects) => projects.update(service.project.id, { bitcoinTreasury })))
    await setTreasury(BitcoinAddress.make(treasury))
    const quote = await requestQuote(from, {
      amountIn: "0.3",
      routeProfile: "BEST_OUTPUT",
      gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT",
      transactionFeePercent: 1
    })
    await setTreasury(null)
    const [vault, memo, fee] = quote.bitcoin.outputs
    assert.match(memo.memo, /\/1\/0$/u)
    assert.deepInclude(fee, { role: "SERVICE_FEE", address: treasury, amount: "0.003" })
    const spentAmounts = [vault.amount, fee.amount, quote.bitcoin.fee].map((text) => parseUnits(text, 8))
    assert.isAtMost(Number(spentAmounts.reduce((sum, each) => sum + each, 0n)), 30_000_000)
    const psbt = Buffer.from(signPsbt(from, quote.signData[0].psbt).toPSBT()).toString("hex")
    const { body, status } = await service.request("POST", "/api/v1/crypto/execute", {
      quoteId: quote.quoteId,
      signatures: { [quote.quoteId]: psbt }
    })
    assert.strictEqual(status, 200, JSON.stringify(body))
    await waitForTransaction(from, quote.quoteId, ({ substatus }) => substatus === "BROADCAST")
    await mineBlocks(1)
    assert.strictEqual((await waitForTransaction(from, quote.quoteId, isEnded)).status, "COMPLETED")
  })
})

describe("a swap of more than the wallet has", () => {
  it.each(["QUICKEST_QUOTE", "BEST_OUTPUT"])(
    "is quoted with the reason and without anything to sign: %s",
    async (routeProfile) => {
      await setThorchain({ mode: "PAY", delaySeconds: 0 })
      const request = requestOf(owners[2]!, { amountIn: "20", routeProfile })
      const { body, status } = await service.request("POST", SWAP, request)
      assert.strictEqual(status, 200, JSON.stringify(body))
      const [quote, ...others] = body.quotes
      assert.deepStrictEqual(others, [])
      assert.match(quote.revertReason.decoded, /can spend .* BTC now, and lacks .* BTC .* There is nothing to sign\./u)
      assert.deepStrictEqual([quote.signData, quote.userOperationHash, quote.bitcoin], [[], null, undefined])
      const candidate = quote.candidates.find(({ provider }: Json) => provider === quote.swapProvider)
      assert.strictEqual(candidate.refusal, quote.revertReason.decoded)
      assert.match(problemsOf(request, quote).join(), /^unreadable/u)
      const execution = await service.request("POST", "/api/v1/crypto/execute", {
        quoteId: quote.quoteId,
        signatures: {}
      })
      assertRefusal(execution, 404, "QUOTE_NOT_FOUND")
    }
  )
})

describe("an unconfirmed deposit", () => {
  beforeAll(() => control("/bitcoin-control", { hasBlocks: false }))
  afterAll(() => control("/bitcoin-control", { hasBlocks: true }))

  it("can be cancelled, but its fee cannot be bumped", async () => {
    const from = owners[2]!
    await setThorchain({ mode: "PAY", delaySeconds: 0 })
    const hash = await signAndBroadcast(from, await requestQuote(from))
    const { id } = await waitForTransaction(from, hash, ({ substatus }) => substatus === "BROADCAST")
    const replace = (action: string) =>
      service.request("POST", `/api/v1/crypto/bitcoin/${id}/${action}`, { feeRate: 400 })
    assertProblems(await replace("bump"), ["path.transactionId", /can't be bumped/u])
    const { body, status } = await replace("cancel")
    assert.strictEqual(status, 200, JSON.stringify(body))
    assert.deepStrictEqual(body.transfer.replaces, { kind: "CANCEL", transactionId: id })
    const cancellationHash = await signAndBroadcast(from, body.transfer)
    await waitForTransaction(from, cancellationHash, ({ substatus }) => substatus === "BROADCAST")
    await mineBlocks(6)
    const endedTransaction = await waitUntil(
      async () => {
        await service.advanceClock(30)
        const response = await service.request("GET", `/api/v1/crypto/transactions/${id}`)
        return response.body.transaction
      },
      (transaction) => isEnded(transaction)
    )
    assert.deepStrictEqual(
      [endedTransaction.type, endedTransaction.status, endedTransaction.movements],
      ["CROSS_SWAP", "CANCELLED", []]
    )
  })
})

describe("a swap to another registered wallet", () => {
  /** Runs the chain watcher until it has recorded all blocks of Base. */
  const runWatcherToHead = () =>
    waitUntilTrue(async () => {
      await service.run(ActivityWatch.use(({ watchDue }) => watchDue))
      const head = await createPublicClient({ transport: http(service.chains.rpcUrl(BASE)) }).getBlockNumber()
      return service.run(
        Effect.gen(function* () {
          const store = yield* ActivityStore
          const chain = (yield* store.listChains).find(({ chainId }) => chainId === BASE)
          return chain?.progress?.last.number === Number(head) && (yield* store.nextDueAt(BASE)) === null
        })
      )
    })

  it("is recorded once, also if the watcher detects the transfer first", async () => {
    const from = owners[2]!
    await setThorchain({ mode: "PAY", delaySeconds: 0 })
    const registration = await service.request("POST", "/api/v1/wallets/register", {
      externallyOwnedAccount: createAddress(),
      factory: (await service.request("GET", "/api/v1/wallets/factories")).body.factories[0].factory
    })
    const receiver = Address.make(registration.body.wallet.walletAddress)
    const readTypes = async () => {
      const page = { projectId: service.project.id, account: receiver, after: null, take: 100 }
      const storedMovements = await service.run(HistoryStore.use((store) => store.listMovements(page)))
      return storedMovements.map(({ type }) => type)
    }
    const hash = await signAndBroadcast(from, await requestQuote(from, { toAddress: receiver }))
    await waitForTransaction(from, hash, ({ substatus }) => substatus === "BROADCAST")
    await mineBlocks(1)
    await waitUntilTrue(async () => (await readBalance(BASE, USDC_ON_BASE, receiver)) > 0n)
    await runWatcherToHead()
    assert.deepStrictEqual(await readTypes(), ["CRYPTO_DEPOSIT"])
    assert.strictEqual((await waitForTransaction(from, hash, isEnded)).status, "COMPLETED")
    await runWatcherToHead()
    assert.deepStrictEqual(await readTypes(), ["CROSS_SWAP"])
  })
})

describe("the verifier of a swap from Bitcoin", () => {
  it("passes an honest quote, and lists what it cannot verify", async () => {
    await setThorchain({ mode: "PAY", delaySeconds: 0 })
    const request = requestOf(owners[2]!)
    const { body } = await service.request("POST", SWAP, request)
    const [quote] = body.quotes
    const trust = { now: quote.expiresAt - 30 }
    const verification = verifyBitcoinSwap({ request: request as SwapRequest, quote, trust })
    assert.isTrue(verification.ok && verification.unknown.join().includes(quote.bitcoin.outputs[0].address))
    const vaults = [quote.bitcoin.outputs[0].address]
    assert.deepStrictEqual(problemsOf(request, quote, { vaults }), [])
    for (const [changes, code] of [
      [{ toAddress: createAddress() }, "wrong_receiver"],
      [{ tokenOut: NATIVE_TOKEN }, "wrong_token"],
      [{ chainIdOut: 1 }, "wrong_token"],
      [{ amountIn: "0.009" }, "wrong_amount"],
      [{ walletAddress: owners[1]!.address }, "wrong_wallet"],
      [{ transactionFeePercent: 5, extraFee: { percentage: 1, toAddress: owners[1]!.address } }, "wrong_fee"]
    ] as const) {
      assert.include(problemsOf({ ...request, ...changes }, quote).join(), code)
    }
    for (const [changes, code] of [
      [{ vaults: [owners[0]!.address] }, "wrong_receiver"],
      [{ minAmountOut: String(Number(quote.amountOut) * 1.01) }, "wrong_minimum"],
      [{ maxFee: "0.00000001" }, "wrong_fee"],
      [{ now: quote.expiresAt + 1 }, "wrong_deadline"]
    ] as const) {
      assert.include(problemsOf(request, quote, changes).join(), code)
    }
    for (const [forgedQuote, code] of [
      [{ ...quote, minAmountOut: quote.amountOut }, "wrong_minimum"],
      [{ ...quote, quoteId: `0x${"11".repeat(32)}` }, "wrong_signing"],
      [{ ...quote, swapProvider: "LIFI" }, "unreadable"],
      [{ ...quote, bitcoin: { ...quote.bitcoin, fee: "0" } }, "wrong_preview"],
      [{ ...quote, toAddress: createAddress() }, "wrong_echo"]
    ] as const) {
      assert.include(problemsOf(request, forgedQuote).join(), code)
    }
  })
})

describe("a deposit that THORChain does not pay out", () => {
  it("is refunded, and reports the refunded amount", async () => {
    const from = owners[2]!
    await setThorchain({ mode: "REFUND" })
    const hash = await signAndBroadcast(from, await requestQuote(from))
    const paidSatoshis = await readPaidSatoshis(from.address)
    await mineBlocks(1)
    await waitForTransaction(from, hash, ({ status }) => status === "ON_BRIDGE")
    await mineBlocks(1)
    await waitUntilPaidMore(from.address, paidSatoshis)
    await mineBlocks(7)
    const finalTransaction = await waitForTransaction(from, hash, isEnded)
    assert.strictEqual(finalTransaction.status, "REFUNDED")
    const [refundMovement] = finalTransaction.movements.filter(({ direction }: Json) => direction === "IN")
    assert.strictEqual(refundMovement.amount, "0.009995")
    assert.strictEqual(refundMovement.account ?? from.address, from.address)
  })

  it("credits nothing without an on-chain payment", async () => {
    const from = owners[2]!
    await setThorchain({ mode: "LIE" })
    const quote = await requestQuote(from)
    const hash = await signAndBroadcast(from, quote)
    await mineBlocks(1)
    await waitForTransaction(from, hash, ({ status }) => status === "ON_BRIDGE")
    // The test cannot count the service's polls of THORChain. A slow machine polls less often, but the test still
    // passes.
    for (let round = 0; round < 5; round++) {
      await service.advanceClock(11)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    const transaction = await findTransaction(from, hash)
    assert.strictEqual(transaction.status, "ON_BRIDGE")
    assert.isFalse(transaction.movements.some(({ direction }: Json) => direction === "IN"))
    assert.strictEqual(await readBalance(BASE, USDC_ON_BASE, quote.toAddress), 0n)
  })
})

describe("an invalid swap from Bitcoin", () => {
  it.each([
    [
      "a receiver on Bitcoin",
      () => ({ toAddress: owners[1]!.address }),
      "body.toAddress",
      /Expected an address on Base/u
    ],
    ["nine decimals", () => ({ amountIn: "0.000000001" }), "body.amountIn", /8 decimals/u],
    [
      "an extra fee on another chain",
      () => ({ extraFee: { percentage: 1, toAddress: createAddress() } }),
      "body.extraFee.toAddress",
      /paid on this chain/u
    ]
  ])("rejects %s", async (_name, changes, path, reason) => {
    const response = await service.request("POST", SWAP, requestOf(owners[2]!, changes()))
    assertProblems(response, [path, reason])
  })

  it.each([
    ["a taproot wallet", 3, {}, /taproot address/u],
    ["an amount below the cost of a refund", 2, { amountIn: "0.00015" }, /at least 0.0002 BTC/u],
    ["dust", 2, { amountIn: "0.0001" }, /dust threshold/u],
    ["a token without a pool", 2, { tokenOut: "0x50c5725949a6f0c72e6c4a641f24049a917db0cb" }, /no pool for DAI/u]
  ])("names the reason: %s", async (_name, ownerIndex, changes, reason) => {
    const response = await service.request("POST", SWAP, requestOf(owners[ownerIndex]!, changes))
    assertRefusal(response, 500, "SWAP_QUOTE")
    assert.match(response.body.message, reason)
  })

  it("is rejected if it pays native tokens to a contract, and while trading is halted", async () => {
    const contractResponse = await service.request(
      "POST",
      SWAP,
      requestOf(owners[2]!, { tokenOut: NATIVE_TOKEN, toAddress: USDC_ON_BASE })
    )
    assertRefusal(contractResponse, 500, "SWAP_QUOTE", /is a contract/u)
    await setThorchain({ mode: "HALT" })
    const haltedResponse = await service.request("POST", SWAP, requestOf(owners[2]!))
    assertRefusal(haltedResponse, 500, "SWAP_QUOTE", /halted|paused/u)
  })
})

describeLiFiBitcoinSwaps()
