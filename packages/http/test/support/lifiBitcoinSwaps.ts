import { deploymentOf } from "@countersign/adapters/chains/deployments"
import { BitcoinWatch } from "@countersign/core/bitcoin/activity"
import { type Verification, verifyQuote } from "@countersign/http/verify"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import {
  createPublicClient,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  http,
  parseUnits,
  stringToHex
} from "viem"
import { chainflipFacetAbi } from "../../../adapters/src/exchanges/aggregators/index.ts"
import { waitUntil } from "../../../core/test/support/until.ts"
import { forge } from "../verify/forger.ts"
import { registerOneOfEachKind, swapOf, type TestWallet, USDC } from "./accounts.ts"
import { balanceOf } from "./balances.ts"
import type { BitcoinOwner } from "./bitcoinOwner.ts"
import {
  BASE,
  control,
  createAddress,
  findTransaction,
  isEnded,
  type Json,
  lifi,
  mineBlocks,
  NATIVE_TOKEN,
  owners,
  readBalance,
  readPaidSatoshis,
  requestEsplora,
  requestOf,
  SWAP,
  service,
  setBridge,
  signAndBroadcast,
  USDC_ON_BASE,
  waitForChecks,
  waitForTransaction,
  waitUntilPaidMore
} from "./bitcoinSwaps.ts"
import { signOperations } from "./sign.ts"

/** Tests swaps from and to Bitcoin with the sandbox's LI.FI. */

const PAY = { mode: "PAY", delaySeconds: 0 }

/** Requests quotes, and returns LI.FI's quote. */
const requestLifiQuote = async (request: object): Promise<Json> => {
  lifi.hasRoutes = true
  const { body, status } = await service.request("POST", SWAP, request)
  lifi.hasRoutes = false
  assert.strictEqual(status, 200, JSON.stringify(body))
  const quote = body.quotes.find(({ swapProvider }: Json) => swapProvider === "LIFI")
  assert.isDefined(quote, JSON.stringify(body.quotes[0].candidates))
  assert.isUndefined(quote.revertReason)
  return quote
}

/** Waits until the service has sent LI.FI this many more status requests. */
const waitForStatuses = (checkCount: number) =>
  waitForChecks(checkCount, () => lifi.asked.filter(({ pathname }) => pathname === "/status").length)

/** Sets the status that LI.FI returns for every transfer. */
const reportStatus = (chainId: number, txHash: string, substatus = "COMPLETED") => {
  lifi.cheatAnswer = (path, response) =>
    path === "/status" ? { status: 200, body: { status: "DONE", substatus, receiving: { chainId, txHash } } } : response
}

/** Pays USDC to an account on Base. Returns the transaction hash. */
const payOnBase = async (receiver: string): Promise<string> => {
  await service.fundOn(BASE, receiver, USDC_ON_BASE, 1_999_000_000n)
  const client = createPublicClient({ transport: http(service.chains.rpcUrl(BASE)) })
  const { transactions } = await client.getBlock({ blockTag: "latest" })
  return transactions.at(-1)!
}

/** Returns the confirmed balance of an address in satoshis. */
const bitcoinBalanceOf = async (address: string): Promise<number> => {
  const { chain_stats: stats } = await requestEsplora(`/address/${address}`)
  return stats.funded_txo_sum - stats.spent_txo_sum
}

/** Advances the clock six times by 11 seconds. Each time, runs the Bitcoin watcher until no address is due. */
const runWatcher = async () => {
  for (let round = 0; round < 6; round++) {
    await service.advanceClock(11)
    while (await service.run(BitcoinWatch.use(({ watchDue }) => watchDue)));
  }
}

/** Returns the types under which a wallet's history contains a transaction. */
const typesOf = async (address: string, hash: string): Promise<ReadonlyArray<string>> => {
  const { body } = await service.request("GET", `/api/v1/wallets/${address}/history?take=100`)
  return body.transactions
    .filter(({ legs }: Json) => legs.some(({ transactionHash }: Json) => transactionHash?.hash === hash))
    .map(({ type }: Json) => type)
}

const describeSwapsFromBitcoin = () =>
  describe("a swap from Bitcoin by LI.FI", () => {
    const requestQuote = (from: BitcoinOwner, changes: object = {}) =>
      requestLifiQuote(requestOf(from, { routeProfile: "BEST_OUTPUT", ...changes }))

    it.each([0, 1, 2, 3])(
      "is signed as LI.FI made it, and paid out on the other chain: address kind %i",
      async (ownerIndex) => {
        const from = owners[ownerIndex]!
        await setBridge(PAY)
        const quote = await requestQuote(from)
        assert.match(quote.warnings.join(), /only LI.FI reports/iu)
        assert.deepStrictEqual(
          quote.bitcoin.outputs.map(({ role }: Json) => role),
          ["VAULT", "MEMO", "CHANGE"]
        )
        const hash = await signAndBroadcast(from, quote)
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

    it("is refunded if nothing is paid out, and reports the refunded amount", async () => {
      const from = owners[1]!
      await setBridge({ mode: "REFUND" })
      await runWatcher()
      const hash = await signAndBroadcast(from, await requestQuote(from))
      const paidSatoshis = await readPaidSatoshis(from.address)
      await mineBlocks(1)
      await waitForTransaction(from, hash, ({ status }) => status === "ON_BRIDGE")
      await waitUntilPaidMore(from.address, paidSatoshis)
      await runWatcher()
      await mineBlocks(7)
      // Lets the chain watcher detect the transfer first.
      await runWatcher()
      const finalTransaction = await waitForTransaction(from, hash, isEnded)
      assert.strictEqual(finalTransaction.status, "REFUNDED")
      const [refundMovement] = finalTransaction.movements.filter(({ direction }: Json) => direction === "IN")
      assert.strictEqual(refundMovement.amount, "0.009995")
      const { hash: refundHash } = finalTransaction.legs[1].transactionHash
      await runWatcher()
      assert.deepStrictEqual(await typesOf(from.address, refundHash), ["CROSS_SWAP"])
    })

    it("waits for a late payout, and credits nothing without an on-chain payment", async () => {
      const from = owners[2]!
      await setBridge({ mode: "LIE" })
      const quote = await requestQuote(from)
      const hash = await signAndBroadcast(from, quote)
      await mineBlocks(1)
      await waitForTransaction(from, hash, ({ status }) => status === "ON_BRIDGE")
      await waitForStatuses(4)
      assert.strictEqual((await findTransaction(from, hash)).status, "ON_BRIDGE")
      assert.strictEqual(await readBalance(BASE, USDC_ON_BASE, quote.toAddress), 0n)

      await setBridge({ mode: "PAY", delaySeconds: 3_600 })
      const laterQuote = await requestQuote(from)
      const secondHash = await signAndBroadcast(from, laterQuote)
      await mineBlocks(1)
      await waitForTransaction(from, secondHash, ({ status }) => status === "ON_BRIDGE")
      reportStatus(BASE, await payOnBase(createAddress()))
      await waitForStatuses(4)
      assert.strictEqual((await findTransaction(from, secondHash)).status, "ON_BRIDGE")
      lifi.cheatAnswer = null
      await service.advanceClock(3_700)
      assert.strictEqual((await waitForTransaction(from, secondHash, isEnded)).status, "COMPLETED")
    })

    it.each([
      [
        "UTXOs that the wallet lacks",
        (one: Json) => ({ ...one, inputs: [{ ...one.inputs[0], txid: "77".repeat(32) }] }),
        /does not have/u
      ],
      [
        "UTXOs of another amount than stated",
        (one: Json) => ({
          ...one,
          outputs: one.outputs.with(2, { ...one.outputs[2], value: one.outputs[2].value + 50_000n })
        }),
        /miner fee is -/u
      ],
      [
        "a fee of a tenth of a bitcoin",
        (one: Json) => ({
          ...one,
          outputs: one.outputs.with(2, { ...one.outputs[2], value: one.outputs[2].value - 10_000_000n })
        }),
        /miner fee is 100/u
      ]
    ])("is refused for %s", async (_name, override, reason) => {
      lifi.hasRoutes = true
      lifi.cheat = override
      const { body } = await service.request("POST", SWAP, requestOf(owners[1]!, { routeProfile: "BEST_OUTPUT" }))
      lifi.cheat = null
      lifi.hasRoutes = false
      assert.isUndefined(body.quotes?.find(({ swapProvider }: Json) => swapProvider === "LIFI"))
      assert.match(JSON.stringify(body), reason)
    })
  })

const describeSwapsToBitcoin = () =>
  describe("a swap to Bitcoin by LI.FI", () => {
    let wallets: ReadonlyArray<TestWallet>
    beforeAll(async () => {
      wallets = await registerOneOfEachKind(service)
    })

    const requestQuote = (wallet: TestWallet, toAddress: string, changes: object = {}) =>
      requestLifiQuote(
        swapOf(wallet, { chainIdOut: 0, tokenOut: NATIVE_TOKEN, amountIn: "500", toAddress, ...changes })
      )

    const executeQuote = async (wallet: TestWallet, quote: Json) => {
      const { body, status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
        userOperationHash: quote.userOperationHash,
        ...(await signOperations(wallet.privateKey, quote.signData))
      })
      assert.strictEqual(status, 200, JSON.stringify(body))
    }

    const waitForTransaction = async (
      { address }: TestWallet,
      quote: Json,
      isExpected: (transaction: Json) => boolean
    ) => {
      const path = `/api/v1/wallets/${address}/history?userOperationHash=${quote.userOperationHash}`
      return waitUntil(
        async () => {
          await service.advanceClock(11)
          return (await service.request("GET", path)).body.transactions[0]
        },
        (transaction) => transaction !== undefined && isExpected(transaction),
        { pollMs: 200 }
      )
    }

    const verifierInputOf = (wallet: TestWallet, quote: Json, toAddress: string) => ({
      request: swapOf(wallet, { chainIdOut: 0, tokenOut: NATIVE_TOKEN, amountIn: "500", toAddress }) as never,
      quote,
      account: {
        walletAddress: wallet.address,
        externallyOwnedAccount: wallet.owner,
        factory: wallet.factory,
        salt: 0,
        eip7702: wallet.eip7702
      },
      trust: {
        now: quote.expiresAt - 30,
        paymasters: Object.values(service.chains.paymasters),
        collectors: [service.chains.keys.treasury.address],
        decimals: { [USDC]: 6 }
      }
    })

    const codesOf = (verification: Verification): ReadonlyArray<string> =>
      verification.ok ? [] : verification.problems.map(({ code }) => code)

    /** Example address in BIP-173, which no wallet of the tests has. */
    const otherReceiverAddress = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"

    it.each([0, 1, 2, 3])("is paid out on Bitcoin, with its confirmations: account %i", async (walletIndex) => {
      const wallet = wallets[walletIndex]!
      await setBridge(PAY)
      const [balanceBefore, paidBefore] = [
        await bitcoinBalanceOf(otherReceiverAddress),
        await readPaidSatoshis(otherReceiverAddress)
      ]
      const quote = await requestQuote(wallet, otherReceiverAddress)
      assert.match(quote.warnings.join(), /only LI.FI reports/iu)
      const verification = verifyQuote(verifierInputOf(wallet, quote, otherReceiverAddress))
      assert.deepStrictEqual(verification.ok ? [] : verification.problems, [])
      assert.match(
        verification.ok ? verification.unknown.join() : "",
        /Chainflip's fees for the deposit and the Bitcoin payment/u
      )
      await executeQuote(wallet, quote)
      await waitForTransaction(wallet, quote, ({ status }) => status === "ON_BRIDGE")
      await waitUntilPaidMore(otherReceiverAddress, paidBefore)
      await mineBlocks(7)
      const finalTransaction = await waitForTransaction(wallet, quote, isEnded)
      assert.strictEqual(finalTransaction.status, "COMPLETED", JSON.stringify(finalTransaction))
      assert.strictEqual(finalTransaction.type, "CROSS_SWAP")
      const receivedAmount = (await bitcoinBalanceOf(otherReceiverAddress)) - balanceBefore
      assert.strictEqual(Number(parseUnits(finalTransaction.receivedAmount.amount, 8)), receivedAmount)
      assert.isAtLeast(receivedAmount, Number(parseUnits(quote.minAmountOut, 8)))
      assert.deepStrictEqual(
        finalTransaction.legs.map(({ chain }: Json) => chain.id),
        [1, 0]
      )
    })

    it("is recorded once if its receiver is registered, whether the service or the watcher detects it first", async () => {
      const [wallet, receiver] = [wallets[0]!, owners[3]!.address]
      await setBridge(PAY)
      await runWatcher()
      const quote = await requestQuote(wallet, receiver)
      const paidSatoshis = await readPaidSatoshis(receiver)
      await executeQuote(wallet, quote)
      await waitForTransaction(wallet, quote, ({ status }) => status === "ON_BRIDGE")
      await waitUntilPaidMore(receiver, paidSatoshis)
      await mineBlocks(1)
      await runWatcher()
      await mineBlocks(6)
      await runWatcher()
      const finalTransaction = await waitForTransaction(wallet, quote, isEnded)
      assert.strictEqual(finalTransaction.status, "COMPLETED")
      await runWatcher()
      // The payout of a project's swap is recorded only as a leg of the swap, as on other chains.
      assert.isEmpty(await typesOf(receiver, finalTransaction.legs[1].transactionHash.hash))
      assert.lengthOf(
        finalTransaction.movements.filter(({ account, direction }: Json) => direction === "IN" && account === receiver),
        1
      )
    })

    it("is recorded once, also if its amount is far from the quote and the watcher detects it first", async () => {
      const [wallet, receiver] = [wallets[3]!, owners[3]!.address]
      await setBridge({ mode: "LIE" })
      await runWatcher()
      const quote = await requestQuote(wallet, receiver)
      await executeQuote(wallet, quote)
      await waitForTransaction(wallet, quote, ({ status }) => status === "ON_BRIDGE")
      const satoshis = Math.floor(Number(parseUnits(quote.amountOut, 8)) * 0.7)
      const { bitcoin } = await control("/bitcoin-control", { address: receiver, satoshis })
      await mineBlocks(7)
      await runWatcher()
      const hash = `0x${bitcoin.txid}`
      const listEntries = async () => {
        const { body } = await service.request("GET", `/api/v1/wallets/${receiver}/history?take=100`)
        return body.transactions
          .filter(({ legs }: Json) => legs.some(({ transactionHash }: Json) => transactionHash?.hash === hash))
          .map(({ movements, status, substatus, type }: Json) => [type, status, substatus, movements.length])
      }
      assert.deepStrictEqual(await listEntries(), [["CRYPTO_DEPOSIT", "COMPLETED", "INCLUDED", 1]])
      reportStatus(20_000_000_000_001, bitcoin.txid)
      const finalTransaction = await waitForTransaction(wallet, quote, isEnded)
      lifi.cheatAnswer = null
      assert.strictEqual(finalTransaction.substatus, "PARTIALLY_FILLED")
      await runWatcher()
      assert.deepStrictEqual(await listEntries(), [["CRYPTO_DEPOSIT", "CANCELLED", "RECORDED_ELSEWHERE", 0]])
    })

    it("is refused before it is signed, for each change of its call", async () => {
      const wallet = wallets[1]!
      await setBridge(PAY)
      const honestInput = verifierInputOf(
        wallet,
        await requestQuote(wallet, otherReceiverAddress),
        otherReceiverAddress
      )
      const forgeCallData = (data: Hex, [bridgeFields, chainflipFields]: readonly [object, object]): Hex => {
        const { args, functionName } = decodeFunctionData({ abi: chainflipFacetAbi, data })
        return encodeFunctionData({
          abi: chainflipFacetAbi,
          functionName,
          args: [
            { ...args[0], ...bridgeFields },
            { ...args[1], ...chainflipFields }
          ]
        })
      }
      const { diamond } = deploymentOf(1).lifi
      const call = honestInput.quote.preview.calls.find(({ to }: Json) => to.toLowerCase() === diamond)
      const { args } = decodeFunctionData({ abi: chainflipFacetAbi, data: call.data })
      const parameters = args[1].cfParameters
      const otherReceiver = "0x11f111f111f111f111f111f111f111f111f111f2"
      const forgeries: ReadonlyArray<readonly [string, object, object]> = [
        ["gives_too_little", {}, { nonEVMReceiver: stringToHex(owners[0]!.address) }],
        ["pays_somebody_else", {}, { nonEVMReceiver: stringToHex(owners[0]!.address) }],
        ["gives_too_little", {}, { dstToken: 4 }],
        [
          "gives_too_little",
          {},
          { cfParameters: `${parameters.slice(0, 52)}${"00".repeat(32)}${parameters.slice(116)}` }
        ],
        ["pays_somebody_else", {}, { cfParameters: parameters.replace(wallet.address.slice(2), "7f".repeat(20)) }],
        ["pays_somebody_else", {}, { cfParameters: "0x" }],
        ["unknown_spender", { minAmount: 500_000_001n }, {}],
        ["pays_too_little", { minAmount: 499_999_999n }, {}],
        ["unreadable", { destinationChainId: 1n }, {}],
        ["unreadable", { receiver: otherReceiver }, {}],
        ["unreadable", { hasSourceSwaps: true }, {}],
        ["unreadable", { hasDestinationCall: true }, {}]
      ]
      for (const [code, ...forgery] of forgeries) {
        const quote = forge(honestInput, {
          calls: (calls) =>
            calls.map((each) =>
              each.to === diamond ? { ...each, data: forgeCallData(each.data as Hex, forgery) } : each
            )
        })
        assert.include(
          codesOf(verifyQuote({ ...honestInput, quote })),
          code,
          JSON.stringify(forgery, (_, v) => String(v))
        )
      }
      for (const [code, changes] of [
        ["wrong_echo", { toAddress: owners[0]!.address }],
        ["gives_too_little", { slippage: 0.1 }]
      ] as const) {
        const request = { ...(honestInput.request as object), ...changes } as never
        assert.include(codesOf(verifyQuote({ ...honestInput, request })), code)
      }
    })

    it("is refunded if nothing is paid out, in tokens and in native tokens", async () => {
      const wallet = wallets[1]!
      await setBridge({ mode: "REFUND" })
      const balanceBefore = await balanceOf(service, USDC, wallet.address)
      const quote = await requestQuote(wallet, otherReceiverAddress)
      await executeQuote(wallet, quote)
      const finalTransaction = await waitForTransaction(wallet, quote, isEnded)
      assert.strictEqual(finalTransaction.status, "REFUNDED")
      const [refundMovement] = finalTransaction.movements.filter(({ direction }: Json) => direction === "IN")
      assert.strictEqual(refundMovement.amount, "500")
      const spentAmount = balanceBefore - (await balanceOf(service, USDC, wallet.address))
      assert.isBelow(Number(spentAmount), 100_000_000)

      await service.fund(wallet.address, "native", 2n * 10n ** 18n)
      const nativeQuote = await requestQuote(wallet, otherReceiverAddress, { tokenIn: NATIVE_TOKEN, amountIn: "0.5" })
      await executeQuote(wallet, nativeQuote)
      const endedTransaction = await waitForTransaction(wallet, nativeQuote, isEnded)
      assert.strictEqual(endedTransaction.status, "REFUNDED")
      assert.isTrue(
        endedTransaction.movements.some(({ amount, direction }: Json) => direction === "IN" && amount === "0.5")
      )
    })

    it("credits nothing without an on-chain payment, nor a payment to another receiver", async () => {
      const wallet = wallets[2]!
      await setBridge({ mode: "LIE" })
      const quote = await requestQuote(wallet, otherReceiverAddress)
      await executeQuote(wallet, quote)
      await waitForTransaction(wallet, quote, ({ status }) => status === "ON_BRIDGE")
      const { bitcoin } = await control("/bitcoin-control", { address: owners[0]!.address, satoshis: 600_000 })
      await mineBlocks(7)
      await waitForStatuses(4)
      reportStatus(20_000_000_000_001, bitcoin.txid)
      await waitForStatuses(4)
      lifi.cheatAnswer = null
      assert.strictEqual((await waitForTransaction(wallet, quote, () => true)).status, "ON_BRIDGE")
    })
  })

export const describeLiFiBitcoinSwaps = () => {
  describeSwapsFromBitcoin()
  describeSwapsToBitcoin()
}
