import { type Execution, ExecutionStore } from "@countersign/core/operations/executions"
import { ActivityWatch } from "@countersign/core/wallets/chain-activity"
import { verifyQuote } from "@countersign/http/verify"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import {
  createPublicClient,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  http,
  parseAbi,
  parseEther,
  parseUnits
} from "viem"
import { waitUntil, waitUntilTrue } from "../../core/test/support/until.ts"
import { NATIVE, registerOneOfEachKind, swapOf, type TestWallet, USDC } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { startTestService, type TestService } from "./support/testService.ts"
import { forge } from "./verify/forger.ts"

/** Tests swaps to another chain over HTTP, with the real SpokePool contracts and the sandbox's relayer. */

const BASE = 8453
const USDC_ON_BASE = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
const WETH_ON_BASE = "0x4200000000000000000000000000000000000006"
const LINK = "0x514910771af9ca656af840dff83e8264ecf986ca"
/** Base's SpokePool, used as a receiver that is a contract. */
const CONTRACT_ON_BASE = "0x09aea4b2242abc8bb4bb78d537a67a245a7bec64"

let service: TestService
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  service = await startTestService()
  wallets = await registerOneOfEachKind(service)
})
afterAll(() => service.stop())

const walletOf = (name: string) => wallets.find((wallet) => wallet.name === name)!

const setRelayer = async (mode: object) => {
  const response = await fetch(`${service.chains.gatewayUrl}/relayer`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(mode)
  })
  assert.strictEqual(response.status, 200, await response.text())
}

const balanceOn = (chainId: 1 | 8453, token: string, holder: string): Promise<bigint> => {
  const client = createPublicClient({ transport: http(service.chains.rpcUrl(chainId)) })
  const address = holder as `0x${string}`
  return token === NATIVE
    ? client.getBalance({ address })
    : client.readContract({
        address: token as `0x${string}`,
        abi: erc20Abi,
        functionName: "balanceOf",
        args: [address]
      })
}

const quoteOf = async (wallet: TestWallet, changes: Record<string, unknown> = {}) => {
  const request = swapOf(wallet, { chainIdOut: BASE, tokenOut: USDC_ON_BASE, ...changes })
  const { body, status } = await service.request("POST", "/api/v1/crypto/swap", request)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.quotes[0]
}

const execute = async (wallet: TestWallet, quote: Awaited<ReturnType<typeof quoteOf>>) => {
  const { body, status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash: quote.userOperationHash,
    ...(await service.signatures(wallet.privateKey, quote.signData))
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body
}

const transactionOf = async (wallet: TestWallet, quote: Awaited<ReturnType<typeof quoteOf>>) => {
  const { body } = await service.request(
    "GET",
    `/api/v1/wallets/${wallet.address}/history?userOperationHash=${quote.userOperationHash}`
  )
  return body.transactions[0]
}

const awaitTransactionIn = (wallet: TestWallet, quote: Awaited<ReturnType<typeof quoteOf>>, status: string) =>
  waitUntil(
    () => transactionOf(wallet, quote),
    (transaction) => transaction?.status === status
  )

describe.each(["SimpleAccount 0.7", "SimpleAccount 0.8", "Safe 1.4.1", "Simple7702Account"])(
  "a transfer of a %s",
  (kind) => {
    it("delivers at least the quoted amount to the receiver, in a transaction of the other chain", async () => {
      const wallet = walletOf(kind)
      await setRelayer({ mode: "FILL", delaySeconds: 0 })
      const quote = await quoteOf(wallet)
      assert.isUndefined(quote.revertReason)
      assert.strictEqual(quote.swapProvider, "ACROSS")
      // An EIP-7702 account needs no deployment, because its owner has the same key on each chain.
      assert.strictEqual(quote.warnings.join().includes("not deployed on Base"), !wallet.eip7702)
      const balanceBefore = await balanceOn(BASE, USDC_ON_BASE, wallet.address)
      await execute(wallet, quote)
      const transaction = await awaitTransactionIn(wallet, quote, "COMPLETED")
      const receivedAmount = (await balanceOn(BASE, USDC_ON_BASE, wallet.address)) - balanceBefore
      assert.strictEqual(receivedAmount, parseUnits(quote.minAmountOut, 6))
      assert.strictEqual(transaction.type, "CROSS_SWAP")
      assert.strictEqual(transaction.receivedAmount.amount, quote.minAmountOut)
      assert.strictEqual(transaction.chainOut.id, BASE)
    })
  }
)

const legChainIds = (transaction: { readonly legs: ReadonlyArray<{ readonly chain: { readonly id: number } }> }) =>
  transaction.legs.map(({ chain }) => chain.id)

/** Returns the deposits of a wallet on Base that the chain watcher has detected. */
const detectDeposits = async (wallet: TestWallet) => {
  await service.run(ActivityWatch.use(({ watchDue }) => watchDue))
  const { body } = await service.request(
    "GET",
    `/api/v1/wallets/${wallet.address}/history?type=CRYPTO_DEPOSIT&take=100`
  )
  return body.transactions.filter(
    ({ chainOut }: { readonly chainOut: { readonly id: number } }) => chainOut.id === BASE
  )
}

/** Returns the service's time plus some seconds. */
const readServiceTime = (laterSeconds = 0) =>
  DateTime.makeUnsafe(Date.now() + 1_000 * (service.chains.clockOffsetSeconds() + laterSeconds))

/** Claims all due executions, which must include this one, while `run` runs, so that no worker checks them. */
const whileClaimed = async (id: string, run: () => Promise<void>) => {
  const worker = "a test"
  const claimedExecutions: Array<Execution> = []
  const claim = () =>
    service.run(
      ExecutionStore.use((store) =>
        store.claim({ worker, now: readServiceTime(), leaseUntil: readServiceTime(86_400), limit: 100 })
      )
    )
  await waitUntilTrue(async () => {
    // Advances the clock beyond the interval of 15 seconds, so that the execution is due.
    await service.advanceClock(20)
    claimedExecutions.push(...(await claim()).map(({ execution }) => execution))
    return claimedExecutions.some((execution) => execution.id === id)
  })
  try {
    await run()
  } finally {
    for (const { id, projectId } of claimedExecutions) {
      await service.run(ExecutionStore.use((store) => store.reschedule(projectId, id, worker, readServiceTime())))
    }
  }
}

describe("a chain watcher", () => {
  it("does not record the fill of a deposit as an external transfer, also if it sees the fill first", async () => {
    const wallet = walletOf("SimpleAccount 0.8")
    await setRelayer({ mode: "OFF" })
    await service.run(service.chains.ensure(BASE))
    await detectDeposits(wallet)
    const quote = await quoteOf(wallet, { amountIn: "31" })
    await execute(wallet, quote)
    await awaitTransactionIn(wallet, quote, "ON_BRIDGE")
    // Another payment in the same minute is still detected.
    await service.fundOn(BASE, wallet.address, USDC_ON_BASE, 7_000_000n)
    await service.advanceClock(600)
    const { id } = await transactionOf(wallet, quote)
    await whileClaimed(id, async () => {
      const balanceBefore = await balanceOn(BASE, USDC_ON_BASE, wallet.address)
      await setRelayer({ mode: "FILL", delaySeconds: 0 })
      await waitUntilTrue(async () => (await balanceOn(BASE, USDC_ON_BASE, wallet.address)) !== balanceBefore)
      await waitUntil(
        () => detectDeposits(wallet),
        ({ length }) => length > 0
      )
      for (let attempt = 0; attempt < 5; attempt++) assert.lengthOf(await detectDeposits(wallet), 1)
      assert.strictEqual((await transactionOf(wallet, quote)).status, "ON_BRIDGE")
    })
    await service.advanceClock(60)
    await awaitTransactionIn(wallet, quote, "COMPLETED")
    await service.advanceClock(120)
    const amounts = (await detectDeposits(wallet)).map(
      ({ receivedAmount }: { readonly receivedAmount: { readonly amount: string } }) => receivedAmount.amount
    )
    assert.deepStrictEqual(amounts, ["7"])
  })
})

describe("a deposit", () => {
  it("that no relayer fills in time is refunded on its own chain, also if one transfer refunds two deposits of a wallet", async () => {
    const wallet = walletOf("SimpleAccount 0.7")
    await setRelayer({ mode: "OFF" })
    const firstQuote = await quoteOf(wallet)
    await execute(wallet, firstQuote)
    assert.isNull((await awaitTransactionIn(wallet, firstQuote, "ON_BRIDGE")).executedAt)
    const secondQuote = await quoteOf(wallet, { amountIn: "40" })
    await execute(wallet, secondQuote)
    await awaitTransactionIn(wallet, secondQuote, "ON_BRIDGE")
    const balanceBefore = await balanceOn(1, USDC, wallet.address)
    await service.advanceClock(7_300)
    const refunds = [
      await awaitTransactionIn(wallet, firstQuote, "REFUNDED"),
      await awaitTransactionIn(wallet, secondQuote, "REFUNDED")
    ]
    assert.strictEqual((await balanceOn(1, USDC, wallet.address)) - balanceBefore, 140_000_000n)
    assert.deepStrictEqual(
      refunds.map(({ receivedAmount }) => receivedAmount.amount),
      ["100", "40"]
    )
    assert.deepStrictEqual(refunds.map(legChainIds), [
      [1, 1],
      [1, 1]
    ])
    // Two equal deposits get separate refunds.
    const thirdQuote = await quoteOf(wallet)
    await execute(wallet, thirdQuote)
    await awaitTransactionIn(wallet, thirdQuote, "ON_BRIDGE")
    await service.advanceClock(7_300)
    const refund = await awaitTransactionIn(wallet, thirdQuote, "REFUNDED")
    assert.notStrictEqual(refund.legs[1].transactionHash.hash, refunds[0].legs[1].transactionHash.hash)
    // A refund that a reorg removes is paid again.
    const balanceAfterPayment = await balanceOn(1, USDC, wallet.address)
    await askChain(service.chains.rpcUrl(1), "anvil_reorg", 1, [])
    await waitUntilTrue(async () => {
      const { legs, status } = await transactionOf(wallet, thirdQuote)
      return status === "REFUNDED" && legs[1]?.transactionHash?.hash !== refund.legs[1].transactionHash.hash
    })
    assert.strictEqual(await balanceOn(1, USDC, wallet.address), balanceAfterPayment)
  })

  it("that is filled while the service is down is detected after the restart", async () => {
    const wallet = walletOf("SimpleAccount 0.8")
    await setRelayer({ mode: "OFF" })
    const quote = await quoteOf(wallet)
    await execute(wallet, quote)
    await awaitTransactionIn(wallet, quote, "ON_BRIDGE")
    await service.restart()
    await setRelayer({ mode: "FILL", delaySeconds: 0 })
    const transaction = await awaitTransactionIn(wallet, quote, "COMPLETED")
    assert.deepStrictEqual(legChainIds(transaction), [1, BASE])
  })

  it("is made again, and filled once, if a reorg removes its block", async () => {
    const wallet = walletOf("SimpleAccount 0.8")
    await setRelayer({ mode: "OFF" })
    const quote = await quoteOf(wallet, { amountIn: "12" })
    const balanceBefore = await balanceOn(BASE, USDC_ON_BASE, wallet.address)
    await execute(wallet, quote)
    const firstTransaction = await awaitTransactionIn(wallet, quote, "ON_BRIDGE")
    await askChain(service.chains.rpcUrl(1), "anvil_reorg", 1, [])
    await waitUntilTrue(async () => {
      const { status, updatedAt } = await transactionOf(wallet, quote)
      return status === "ON_BRIDGE" && updatedAt !== firstTransaction.updatedAt
    })
    await setRelayer({ mode: "FILL", delaySeconds: 0 })
    await awaitTransactionIn(wallet, quote, "COMPLETED")
    const receivedAmount = (await balanceOn(BASE, USDC_ON_BASE, wallet.address)) - balanceBefore
    assert.strictEqual(receivedAmount, parseUnits(quote.minAmountOut, 6))
  })

  it("that was filled before a reorg is filled again, and the history also contains the first fill", async () => {
    const wallet = walletOf("Safe 1.4.1")
    await setRelayer({ mode: "FILL", delaySeconds: 0 })
    const quote = await quoteOf(wallet, { amountIn: "14" })
    const balanceBefore = await balanceOn(BASE, USDC_ON_BASE, wallet.address)
    await execute(wallet, quote)
    const { legs } = await awaitTransactionIn(wallet, quote, "COMPLETED")
    // A later block gives the deposit another deadline, which makes it a different deposit.
    await service.advanceClock(30)
    const node = service.chains.rpcUrl(1)
    const receipt = (await askChain(node, "eth_getTransactionReceipt", legs[0].transactionHash.hash)) as {
      readonly blockNumber: string
    }
    const head = Number(await askChain(node, "eth_blockNumber"))
    await askChain(node, "anvil_reorg", head - Number(receipt.blockNumber) + 1, [])
    const isFilledAgain = async () => {
      const { legs: currentLegs, status } = await transactionOf(wallet, quote)
      return status === "COMPLETED" && currentLegs[1]?.transactionHash?.hash !== legs[1].transactionHash.hash
    }
    await waitUntilTrue(isFilledAgain)
    const amount = parseUnits(quote.minAmountOut, 6)
    assert.strictEqual((await balanceOn(BASE, USDC_ON_BASE, wallet.address)) - balanceBefore, 2n * amount)
    await waitUntilTrue(async () => {
      await service.advanceClock(5)
      return (await detectDeposits(wallet)).some(
        ({ transactionHash }: { readonly transactionHash: { readonly hash: string } | null }) =>
          transactionHash?.hash === legs[1].transactionHash.hash
      )
    })
  })

  it("waits again if a reorg removes its fill", async () => {
    const wallet = walletOf("Safe 1.4.1")
    await setRelayer({ mode: "FILL", delaySeconds: 0 })
    const quote = await quoteOf(wallet, { amountIn: "13" })
    const balanceBefore = await balanceOn(BASE, USDC_ON_BASE, wallet.address)
    await execute(wallet, quote)
    await awaitTransactionIn(wallet, quote, "COMPLETED")
    await setRelayer({ mode: "OFF" })
    await askChain(service.chains.rpcUrl(BASE), "anvil_reorg", 1, [])
    const waitingTransaction = await awaitTransactionIn(wallet, quote, "ON_BRIDGE")
    assert.strictEqual(waitingTransaction.substatus, "REORGED")
    assert.isNull(waitingTransaction.executedAt)
    await setRelayer({ mode: "FILL", delaySeconds: 0 })
    await awaitTransactionIn(wallet, quote, "COMPLETED")
    const receivedAmount = (await balanceOn(BASE, USDC_ON_BASE, wallet.address)) - balanceBefore
    assert.strictEqual(receivedAmount, parseUnits(quote.minAmountOut, 6))
  })

  it("is filled after the configured delay of the relayer", async () => {
    const wallet = walletOf("Safe 1.4.1")
    await setRelayer({ mode: "FILL", delaySeconds: 90 })
    const quote = await quoteOf(wallet)
    await execute(wallet, quote)
    await awaitTransactionIn(wallet, quote, "ON_BRIDGE")
    await service.advanceClock(60)
    assert.strictEqual((await transactionOf(wallet, quote)).status, "ON_BRIDGE")
    await service.advanceClock(40)
    await awaitTransactionIn(wallet, quote, "COMPLETED")
  })
})

describe("ether", () => {
  it("arrives as native tokens if the receiver has no code, and as WETH if it is a contract", async () => {
    const wallet = walletOf("SimpleAccount 0.8")
    const receiver = "0x00000000000000000000000000000000deadbeef"
    await setRelayer({ mode: "FILL", delaySeconds: 0 })
    await service.fund(wallet.address, "native", 10n ** 18n)
    const requestFields = { tokenIn: NATIVE, amountIn: "0.1", toAddress: receiver }
    const nativeQuote = await quoteOf(wallet, { ...requestFields, tokenOut: NATIVE })
    await execute(wallet, nativeQuote)
    const transaction = await awaitTransactionIn(wallet, nativeQuote, "COMPLETED")
    assert.strictEqual(await balanceOn(BASE, NATIVE, receiver), parseEther(nativeQuote.minAmountOut))
    assert.strictEqual(transaction.receivedAmount.token.address, NATIVE)

    const toContract = { tokenIn: NATIVE, amountIn: "0.1", toAddress: CONTRACT_ON_BASE, tokenOut: WETH_ON_BASE }
    const wrappedQuote = await quoteOf(wallet, toContract)
    const balanceBefore = await balanceOn(BASE, WETH_ON_BASE, CONTRACT_ON_BASE)
    await execute(wallet, wrappedQuote)
    assert.strictEqual(
      (await awaitTransactionIn(wallet, wrappedQuote, "COMPLETED")).receivedAmount.token.address,
      WETH_ON_BASE
    )
    assert.strictEqual(
      (await balanceOn(BASE, WETH_ON_BASE, CONTRACT_ON_BASE)) - balanceBefore,
      parseEther(wrappedQuote.minAmountOut)
    )
  })

  it.each([
    { form: "the native token to a contract", code: "0x00", tokenOut: NATIVE },
    { form: "the wrapped token to a receiver without code", code: "0x", tokenOut: WETH_ON_BASE }
  ])("delivers $form as requested", async ({ code, tokenOut }) => {
    const wallet = walletOf("SimpleAccount 0.8")
    const receiver = `0x00000000000000000000000000000000cafe${code === "0x" ? "0001" : "0002"}`
    await askChain(service.chains.rpcUrl(BASE), "anvil_setCode", receiver, code)
    await setRelayer({ mode: "FILL", delaySeconds: 0 })
    await service.fund(wallet.address, "native", 10n ** 18n)
    const requestFields = { tokenIn: NATIVE, amountIn: "0.1", toAddress: receiver, tokenOut }
    const quote = await quoteOf(wallet, requestFields)
    await execute(wallet, quote)
    const transaction = await awaitTransactionIn(wallet, quote, "COMPLETED")
    assert.strictEqual(await balanceOn(BASE, tokenOut, receiver), parseEther(quote.minAmountOut))
    assert.strictEqual(transaction.receivedAmount.token.address, tokenOut)
    assert.strictEqual(transaction.receivedAmount.amount, quote.minAmountOut)
  })
})

describe("a token that Across does not support", () => {
  it("is swapped before the deposit, in the same operation", async () => {
    const wallet = walletOf("Safe 1.4.1")
    await setRelayer({ mode: "FILL", delaySeconds: 0 })
    await service.fund(wallet.address, LINK, 100n * 10n ** 18n)
    const quote = await quoteOf(wallet, { tokenIn: LINK, amountIn: "10" })
    assert.isUndefined(quote.revertReason)
    const balanceBefore = await balanceOn(BASE, USDC_ON_BASE, wallet.address)
    await execute(wallet, quote)
    const { receivedAmount, sentAmount } = await awaitTransactionIn(wallet, quote, "COMPLETED")
    const receivedUnits = (await balanceOn(BASE, USDC_ON_BASE, wallet.address)) - balanceBefore
    assert.strictEqual(receivedUnits, parseUnits(quote.minAmountOut, 6))
    // The token that is bridged after the swap is neither the sent nor the received token.
    assert.strictEqual(receivedAmount.token.address, USDC_ON_BASE)
    assert.strictEqual(receivedAmount.amount, quote.minAmountOut)
    assert.strictEqual(sentAmount.token.address, LINK)
  })
})

describe("the verifier of a deposit", () => {
  const abi = parseAbi([
    "function depositV3Now(address depositor, address recipient, address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, address exclusiveRelayer, uint32 fillDeadlineOffset, uint32 exclusivityParameter, bytes message)"
  ])
  type Deposit = Parameters<typeof encodeFunctionData<typeof abi, "depositV3Now">>[0]["args"]
  const ATTACKER = "0x00000000000000000000000000000000000000aa"
  const ETHER = { tokenIn: NATIVE, amountIn: "0.01" }

  const verifierInputOf = async (wallet: TestWallet, changes: Record<string, unknown>) => {
    const request = swapOf(wallet, { chainIdOut: BASE, tokenOut: USDC_ON_BASE, ...changes }) as never
    const quote = await quoteOf(wallet, changes)
    const { body } = await service.request("GET", `/api/v1/wallets/${wallet.address}`)
    const { factory, salt } = body.wallet
    return {
      request,
      quote,
      account: {
        walletAddress: wallet.address,
        externallyOwnedAccount: wallet.owner,
        factory,
        salt,
        eip7702: wallet.eip7702
      },
      trust: {
        now: Math.floor(Date.now() / 1000) + service.chains.clockOffsetSeconds(),
        paymasters: Object.values(service.chains.paymasters),
        collectors: [service.chains.keys.treasury.address],
        decimals: { [USDC]: 6, [USDC_ON_BASE]: 6, [LINK]: 18 }
      }
    }
  }

  it.each([
    ["dollars", "SimpleAccount 0.7", {}],
    ["dollars with fees, to a stranger", "Safe 1.4.1", { toAddress: ATTACKER, transactionFeePercent: 1 }],
    ["another token", "Simple7702Account", { tokenIn: LINK, amountIn: "1" }],
    ["ether", "SimpleAccount 0.8", { tokenIn: NATIVE, tokenOut: NATIVE, amountIn: "0.01", toAddress: ATTACKER }],
    ["ether to a contract", "Safe 1.4.1", { ...ETHER, tokenOut: NATIVE, toAddress: CONTRACT_ON_BASE }],
    ["ether that arrives wrapped", "SimpleAccount 0.7", { ...ETHER, tokenOut: WETH_ON_BASE, toAddress: ATTACKER }]
  ])("passes %s", async (_, kind, changes) => {
    const wallet = walletOf(kind)
    await service.fund(wallet.address, "native", 10n ** 17n)
    await service.fund(wallet.address, LINK, 10n ** 18n)
    const verification = verifyQuote(await verifierInputOf(wallet, changes))
    assert.isTrue(verification.ok, JSON.stringify(verification.ok ? null : verification.problems))
  })

  it.each<readonly [string, string, (deposit: NonNullable<Deposit>) => ReadonlyArray<unknown>]>([
    ["is refunded to another account", "pays_somebody_else", (d) => d.with(0, ATTACKER)],
    ["arrives at another address", "pays_somebody_else", (d) => d.with(1, ATTACKER)],
    ["delivers another token", "gives_too_little", (d) => d.with(3, WETH_ON_BASE)],
    ["takes more", "unknown_spender", (d) => d.with(4, d[4] + 1n)],
    ["delivers less", "gives_too_little", (d) => d.with(5, d[5] - 1n)],
    ["demands more than relayers pay", "gives_too_little", (d) => d.with(5, d[4] + 1n)],
    ["goes to a third chain", "gives_too_little", (d) => d.with(6, 10n)],
    ["is reserved for one relayer", "unknown_call", (d) => d.with(7, ATTACKER).with(9, 600)],
    ["has no time to be filled", "wrong_deadline", (d) => d.with(8, 1)],
    ["carries a message", "unreadable", (d) => d.with(10, "0x12")]
  ])("rejects a deposit that %s", async (_, code, change) => {
    const honestInput = await verifierInputOf(walletOf("SimpleAccount 0.8"), {})
    const quote = forge(honestInput, {
      calls: (calls) =>
        calls.map((call, i) => {
          if (i < calls.length - 1) return call
          const { args } = decodeFunctionData({ abi, data: call.data as `0x${string}` })
          const changedDeposit = change(args) as unknown as NonNullable<Deposit>
          return { ...call, data: encodeFunctionData({ abi, functionName: "depositV3Now", args: changedDeposit }) }
        })
    })
    const verification = verifyQuote({ ...honestInput, quote })
    assert.include(verification.ok ? [] : verification.problems.map((problem) => problem.code), code)
  })

  it("passes the id of an integrator at the end of a deposit, and no other bytes", async () => {
    const honestInput = await verifierInputOf(walletOf("SimpleAccount 0.8"), {})
    const isAcceptedWithEnd = (suffix: string) =>
      verifyQuote({
        ...honestInput,
        quote: forge(honestInput, {
          calls: (calls) =>
            calls.map((call, i) => (i < calls.length - 1 ? call : { ...call, data: call.data + suffix }))
        })
      }).ok
    assert.deepStrictEqual(["1dc0debeef", "1dc0dfbeef", "1dc0debeef00"].map(isAcceptedWithEnd), [true, false, false])
  })

  it("rejects a deposit for a request without another chain", async () => {
    const honestInput = await verifierInputOf(walletOf("SimpleAccount 0.8"), {})
    const request = swapOf(walletOf("SimpleAccount 0.8"), {}) as never
    const verification = verifyQuote({ ...honestInput, request })
    assert.include(verification.ok ? [] : verification.problems.map(({ code }) => code), "unknown_call")
  })
})
