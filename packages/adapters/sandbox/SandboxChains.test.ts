import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  createPublicClient,
  encodeAbiParameters,
  encodePacked,
  getCreate2Address,
  http,
  keccak256,
  parseAbi,
  parseAbiParameters,
  zeroAddress
} from "viem"
import { getUserOperationHash, toPackedUserOperation, type UserOperation } from "viem/account-abstraction"
import { accountContracts, deploymentOf } from "../src/chains/deployments/index.ts"
import { sandboxPairsOfConstantProduct, sandboxPancakePools, sandboxV4Pools } from "./deployment/exchangePlan.ts"
import { sandboxPools } from "./deployment/poolPlan.ts"
import { BITCOIN_PAGES_PATH } from "./explorer/bitcoinPage.ts"
import { SandboxChains, sandboxTokens } from "./index.ts"
import { transact } from "./network/transact.ts"

const abi = parseAbi([
  "struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }",
  "function getUserOpHash(PackedUserOperation op) view returns (bytes32)",
  "function getDepositInfo(address account) view returns (uint256 deposit, bool staked, uint112 stake, uint32 unstakeDelaySec, uint48 withdrawTime)",
  "function getAddress(address owner, uint256 salt) view returns (address)",
  "function proxyCreationCode() view returns (bytes)",
  "function getPool(address tokenA, address tokenB, uint24 fee) view returns (address)",
  "function getPair(address tokenA, address tokenB) view returns (address)",
  "function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)",
  "function getSlot0(bytes32 poolId) view returns (uint160 sqrtPriceX96, int24 tick, uint24 protocolFee, uint24 lpFee)",
  "function getLiquidity(bytes32 poolId) view returns (uint128)",
  "function liquidity() view returns (uint128)",
  "function name() view returns (string)",
  "function symbol() view returns (string)",
  "function decimals() view returns (uint8)",
  "function balanceOf(address account) view returns (uint256)",
  "function getChainId() view returns (uint256)"
])
const quoterAbi = parseAbi([
  "struct QuoteParams { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }",
  "function quoteExactInputSingle(QuoteParams params) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)"
])

const owner = "0x133700000000000000000000000000000000c0de"
const receiver = Address.make("0x00000000000000000000000000000000000000fd")

type Sandbox = SandboxChains["Service"]

const clientOf = (sandbox: Sandbox, chainId: EvmChainId) =>
  createPublicClient({ transport: http(sandbox.rpcUrl(chainId)), cacheTime: 0 })

const sendRpc = async (sandbox: Sandbox, chainId: EvmChainId, body: object): Promise<never> =>
  (await (
    await fetch(sandbox.rpcUrl(chainId), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  ).json()) as never

/** Runs a test with promises, because viem and fetch return promises. */
const steps = (run: (sandbox: Sandbox) => Promise<void>) => () =>
  Effect.gen(function* () {
    const sandbox = yield* SandboxChains
    yield* Effect.promise(() => run(sandbox))
  })

const quoteWethForUsdc = async (sandbox: Sandbox, chainId: EvmChainId, feePips: number, usdc: bigint) => {
  const tokens = sandboxTokens(chainId)
  const usdcAddress = tokens.find(({ symbol }) => symbol === "USDC")!.address
  const wethAddress = tokens.find(({ symbol }) => symbol === "WETH")!.address
  const params = { tokenIn: usdcAddress, tokenOut: wethAddress, amountIn: usdc * 10n ** 6n, fee: feePips }
  const { result } = await clientOf(sandbox, chainId).simulateContract({
    address: deploymentOf(chainId).uniswapV3.quoterV2,
    abi: quoterAbi,
    functionName: "quoteExactInputSingle",
    args: [{ ...params, sqrtPriceLimitX96: 0n }]
  })
  return { weth: Number(result[0]) / 1e18, ticksCrossed: result[2] }
}

layer(SandboxChains.layerTemporary)("SandboxChains", (it) => {
  it.effect.each([1, 8453, 137] as const)("has code at every canonical address of chain %i", (chainId) =>
    steps(async (sandbox) => {
      const client = clientOf(sandbox, chainId)
      const { multicall3, permit2, uniswapV3 } = deploymentOf(chainId)
      const {
        lightAccountFactory: _l,
        lightAccountImplementation: _i,
        kernelMetaFactory: _k,
        ...accounts
      } = accountContracts
      const { poolInitCodeHash: _h, ...uniswap } = uniswapV3
      const tokens = sandboxTokens(chainId)
      const { constantProduct, pancakeV3, uniswapV4, universalRouter } = deploymentOf(chainId)
      const exchanges = constantProduct.flatMap(({ factory, router }) => [factory, router])
      const addresses = [
        ...[multicall3, permit2, universalRouter!, ...exchanges, ...Object.values(uniswapV4!)],
        ...[...Object.values(accounts), ...Object.values(uniswap)]
      ]
      assert.isUndefined(pancakeV3)
      for (const address of [...addresses, ...Object.values(sandbox.paymasters)]) {
        assert.isAbove((await client.getCode({ address }))?.length ?? 0, 100, address)
      }
      for (const { address, symbol, name, decimals, role } of tokens) {
        const readField = (functionName: "symbol" | "name" | "decimals") =>
          client.readContract({ address, abi, functionName })
        assert.deepStrictEqual(
          [await readField("symbol"), await readField("name"), await readField("decimals")],
          [symbol, name, decimals],
          role
        )
      }
      assert.strictEqual(await client.getChainId(), chainId)
      assert.strictEqual(
        await client.readContract({ address: multicall3, abi, functionName: "getChainId" }),
        BigInt(chainId)
      )
      assert.isTrue(sandbox.isRunning(chainId))
    })()
  )

  it.effect.each([1, 137] as const)("has every pool of chain %i at its production address, with liquidity", (chainId) =>
    steps(async (sandbox) => {
      const client = clientOf(sandbox, chainId)
      const { factory, poolInitCodeHash } = deploymentOf(chainId).uniswapV3
      const pools = sandboxPools(chainId)
      assert.isAbove(pools.length, 10)
      for (const { token0, token1, feePips } of pools) {
        const key = [token0, token1, feePips] as const
        const salt = keccak256(encodeAbiParameters([{ type: "address" }, { type: "address" }, { type: "uint24" }], key))
        const expected = getCreate2Address({ from: factory, salt, bytecodeHash: poolInitCodeHash })
        const pool = await client.readContract({ address: factory, abi, functionName: "getPool", args: key })
        assert.strictEqual(pool, expected)
        assert.isTrue((await client.readContract({ address: pool, abi, functionName: "liquidity" })) > 0n)
      }
    })()
  )

  it.effect.each([1, 137, 43114] as const)(
    "has constant-product pairs on chain %i at their production addresses",
    (id) =>
      steps(async (sandbox) => {
        const client = clientOf(sandbox, id)
        const pairs = sandboxPairsOfConstantProduct(id)
        assert.strictEqual(new Set(pairs.map(({ exchange }) => exchange.name)).size, id === 1 ? 1 : 2)
        for (const { exchange, tokens } of pairs) {
          const key = [tokens[0].address, tokens[1].address] as const
          const args = key[0] < key[1] ? key : ([key[1], key[0]] as const)
          const expected = getCreate2Address({
            from: exchange.factory,
            salt: keccak256(encodePacked(["address", "address"], args)),
            bytecodeHash: exchange.initCodeHash
          })
          const pair = await client.readContract({
            address: exchange.factory,
            abi,
            functionName: "getPair",
            args
          })
          assert.strictEqual(pair, expected, exchange.name)
          const [reserve0, reserve1] = await client.readContract({ address: pair, abi, functionName: "getReserves" })
          assert.isTrue(reserve0 > 0n && reserve1 > 0n)
        }
      })()
  )

  it.effect.each([1, 56] as const)(
    "has Uniswap V4 pools without hooks on chain %i, one with a protocol fee",
    (chainId) =>
      steps(async (sandbox) => {
        const client = clientOf(sandbox, chainId)
        const address = deploymentOf(chainId).uniswapV4!.stateView
        const pools = sandboxV4Pools(chainId)
        assert.isAtLeast(pools.length, 5)
        const fees = new Set<number>()
        for (const { feePips, protocolFeePips, sqrtPriceX96, tickSpacing, token0, token1 } of pools) {
          const poolId = keccak256(
            encodeAbiParameters(parseAbiParameters("address, address, uint24, int24, address"), [
              token0,
              token1,
              feePips,
              tickSpacing,
              zeroAddress
            ])
          )
          const slot0 = await client.readContract({ address, abi, functionName: "getSlot0", args: [poolId] })
          const protocolFee = protocolFeePips.zeroForOne + protocolFeePips.oneForZero * 4096
          assert.deepStrictEqual([slot0[0], slot0[2], slot0[3]], [sqrtPriceX96, protocolFee, feePips])
          assert.isTrue(
            (await client.readContract({ address, abi, functionName: "getLiquidity", args: [poolId] })) > 0n
          )
          fees.add(protocolFee)
        }
        assert.strictEqual(fees.size, 2)
      })()
  )

  it.effect(
    "has PancakeSwap V3 on BNB Smart Chain, with its pools at their mainnet addresses",
    steps(async (sandbox) => {
      const client = clientOf(sandbox, 56)
      const { factory, poolDeployer, poolInitCodeHash } = deploymentOf(56).pancakeV3!
      for (const { feePips, token0, token1 } of sandboxPancakePools(56)) {
        const args = [token0, token1, feePips] as const
        const salt = keccak256(encodeAbiParameters(parseAbiParameters("address, address, uint24"), args))
        const expected = getCreate2Address({ from: poolDeployer, salt, bytecodeHash: poolInitCodeHash })
        const pool = await client.readContract({ address: factory, abi, functionName: "getPool", args })
        assert.strictEqual(pool, expected)
        assert.isTrue((await client.readContract({ address: pool, abi, functionName: "liquidity" })) > 0n)
      }
    })
  )

  it.effect.each([500, 3000, 10000])("quotes Ether near 3000 dollars at fee %i", (feePips) =>
    steps(async (sandbox) => {
      const price = 1_000 / (await quoteWethForUsdc(sandbox, 1, feePips, 1_000n)).weth
      assert.closeTo(price, 3_000, 3_000 * (feePips / 1e6 + 0.004))
    })()
  )

  it.effect(
    "crosses a tick with an ordinary swap, and several ticks with a large swap",
    steps(async (sandbox) => {
      assert.isAtLeast((await quoteWethForUsdc(sandbox, 1, 500, 100_000n)).ticksCrossed, 1)
      assert.isAtLeast((await quoteWethForUsdc(sandbox, 1, 500, 5_000_000n)).ticksCrossed, 4)
    })
  )

  it.effect(
    "returns from getUserOpHash the hash that an ERC-4337 client computes",
    steps(async (sandbox) => {
      const op: UserOperation<"0.7"> = {
        sender: owner,
        nonce: 7n,
        callData: "0x1234",
        callGasLimit: 1n,
        verificationGasLimit: 2n,
        preVerificationGas: 3n,
        maxFeePerGas: 4n,
        maxPriorityFeePerGas: 5n,
        signature: "0x"
      }
      const { authorization: _, ...packed } = toPackedUserOperation(op) as ReturnType<typeof toPackedUserOperation> & {
        authorization?: unknown
      }
      for (const version of ["0.7", "0.8"] as const) {
        const entryPoint = accountContracts[version === "0.7" ? "entryPoint07" : "entryPoint08"]
        const client = clientOf(sandbox, 8453)
        const hash = await client.readContract({
          address: entryPoint,
          abi,
          functionName: "getUserOpHash",
          args: [packed]
        })
        const expected = getUserOperationHash({
          chainId: 8453,
          entryPointAddress: entryPoint,
          entryPointVersion: version,
          userOperation: op as never
        })
        assert.strictEqual(hash, expected)
        const paymaster = sandbox.paymasters[version]
        const info = await client.readContract({
          address: entryPoint,
          abi,
          functionName: "getDepositInfo",
          args: [paymaster]
        })
        assert.isTrue(info[0] > 10n ** 20n)
      }
    })
  )

  it.effect(
    "derives account addresses as the production factories do",
    steps(async (sandbox) => {
      const client = clientOf(sandbox, 1)
      const addressBy = (factory: Address) =>
        client.readContract({ address: factory, abi, functionName: "getAddress", args: [owner, 3n] })
      // Expected values that were computed from the published bytecode, without this sandbox.
      assert.strictEqual(
        await addressBy(accountContracts.simpleAccountFactory07),
        "0x516dE46CB7879BB15e6799e46a85d0b3C4D81976"
      )
      assert.strictEqual(
        await addressBy(accountContracts.simpleAccountFactory08),
        "0xB5C82CbF2e4446519891c94573E36Df34ca58ba8"
      )
      const address = accountContracts.safeProxyFactory
      const proxyCode = await client.readContract({ address, abi, functionName: "proxyCreationCode" })
      assert.strictEqual(keccak256(proxyCode), "0x1856e0ee08399d74e0ea0b03adca210aeade6f748969ac023cdcb4dd62dcaf5f")
    })
  )

  it.effect(
    "funds tokens, the wrapped native token and the native token, and reports a token that it does not have",
    () =>
      Effect.gen(function* () {
        const sandbox = yield* SandboxChains
        const client = clientOf(sandbox, 1)
        const usdc = sandboxTokens(1).find(({ symbol }) => symbol === "USDC")!.address
        const weth = deploymentOf(1).wrappedNative.address
        for (const token of [usdc, weth]) {
          yield* sandbox.fund(1, receiver, token, 123n)
          const query = { address: token, abi, functionName: "balanceOf", args: [receiver] } as const
          assert.strictEqual(yield* Effect.promise(() => client.readContract(query)), 123n)
        }
        yield* sandbox.fund(1, receiver, "native", 456n)
        assert.strictEqual(yield* Effect.promise(() => client.getBalance({ address: receiver })), 456n)
        const error = yield* Effect.flip(sandbox.fund(1, receiver, receiver, 1n))
        assert.include(error.message, `The sandbox has no token ${receiver} on chain 1`)
      })
  )

  it.effect(
    "keeps gas prices constant from block to block",
    steps(async (sandbox) => {
      const from = sandbox.keys.treasury.address
      const transfer = {
        jsonrpc: "2.0",
        id: 1,
        method: "eth_sendTransactionSync",
        params: [{ from, to: receiver, value: "0x1" }]
      }
      for (let count = 0; count < 20; count++) await sendRpc(sandbox, 8453, transfer)
      const client = clientOf(sandbox, 8453)
      assert.strictEqual((await client.getBlock()).baseFeePerGas, 5_000_000n)
      assert.strictEqual(await client.getGasPrice(), 6_000_000n)
      assert.strictEqual(await client.estimateMaxPriorityFeePerGas(), 1_000_000n)
    })
  )

  it.effect(
    "forwards a batch as one request, and handles concurrent sends separately",
    steps(async (sandbox) => {
      const call = (id: number, method: string) => ({ jsonrpc: "2.0", id, method, params: [] })
      const responses: ReadonlyArray<{ readonly id: number; readonly result: string }> = await sendRpc(sandbox, 1, [
        call(1, "eth_chainId"),
        call(2, "eth_maxPriorityFeePerGas")
      ])
      assert.deepStrictEqual(
        responses.map(({ id, result }) => [id, Number(result)]),
        [
          [1, 1],
          [2, 100_000_000]
        ]
      )

      const from = sandbox.keys.owners[0]!.address
      const previousNonce = await clientOf(sandbox, 1).getTransactionCount({ address: from })
      const send = {
        jsonrpc: "2.0",
        id: 1,
        method: "eth_sendTransactionSync",
        params: [{ from, to: receiver, value: "0x1" }]
      }
      await Promise.all(Array.from({ length: 10 }, () => sendRpc(sandbox, 1, send)))
      assert.strictEqual(await clientOf(sandbox, 1).getTransactionCount({ address: from }), previousNonce + 10)
    })
  )

  it.effect(
    "continues to answer while blocks are traced and transactions are sent concurrently",
    steps(async (sandbox) => {
      const send = (method: string, params: ReadonlyArray<unknown>) =>
        sendRpc(sandbox, 137, { jsonrpc: "2.0", id: 1, method, params })
      const [from] = ((await send("eth_accounts", [])) as { readonly result: ReadonlyArray<string> }).result
      const methods = ["eth_sendTransaction", "eth_sendTransactionSync"]
      const rounds = Array.from({ length: 2 }, (_, round) => [
        send("debug_traceBlockByNumber", ["0x2", { tracer: "callTracer" }]),
        send(methods[round % 2]!, [{ from, to: receiver, value: "0x1" }])
      ])
      const responses: ReadonlyArray<object> = await Promise.all(rounds.flat())
      for (const response of responses) assert.property(response, "result")
    })
  )

  it.effect(
    "reports immediately that a reorg has removed its own transaction",
    steps(async (sandbox) => {
      const call = async (method: string, ...params: ReadonlyArray<unknown>): Promise<unknown> =>
        ((await sendRpc(sandbox, 137, { jsonrpc: "2.0", id: 1, method, params })) as { readonly result: unknown })
          .result
      const payment = { from: sandbox.keys.treasury.address, to: receiver, value: "0x1" } as const
      assert.strictEqual((await transact({ call }, payment))?.status, "0x1")

      await call("evm_setAutomine", false)
      try {
        const lostTransaction = transact({ call }, payment)
        let pendingHashes: ReadonlyArray<string> = []
        while (pendingHashes.length === 0) {
          pendingHashes = ((await call("eth_getBlockByNumber", "pending", false)) as { transactions: Array<string> })
            .transactions
        }
        await call("anvil_dropTransaction", pendingHashes[0])
        assert.isNull(await lostTransaction)
      } finally {
        await call("evm_setAutomine", true)
      }
    })
  )

  it.effect("moves the time of running chains, and of chains that start later", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxChains
      const timeOf = (chainId: EvmChainId) =>
        Effect.promise(async () => Number((await clientOf(sandbox, chainId).getBlock()).timestamp))
      const previousTime = yield* timeOf(1)
      yield* sandbox.advanceClock(86_400)
      assert.strictEqual(sandbox.clockOffsetSeconds(), 86_400)
      assert.isAtLeast(yield* timeOf(1), previousTime + 86_400)
      assert.isFalse(sandbox.isRunning(42161))
      assert.isAtLeast(yield* timeOf(42161), previousTime + 86_400)
      assert.include((yield* Effect.flip(sandbox.advanceClock(-1))).message, "cannot advance by -1 seconds")
    })
  )

  it.effect(
    "accepts control requests from another process",
    steps(async (sandbox) => {
      const requestGateway = async (path: string, body?: object) => {
        const headers = { "content-type": "application/json" }
        const init = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) }
        const response = await fetch(`${sandbox.gatewayUrl}${path}`, init)
        return { status: response.status, body: (await response.json()) as Record<string, unknown> }
      }
      const to = "0x00000000000000000000000000000000000000FE"
      assert.strictEqual(
        (await requestGateway("/fund", { chainId: 1, address: to, token: "native", amount: "5" })).status,
        200
      )
      assert.strictEqual(await clientOf(sandbox, 1).getBalance({ address: to }), 5n)
      const afterAdvance = await requestGateway("/clock", { advanceSeconds: 60 })
      assert.strictEqual(afterAdvance.body.clockOffsetSeconds, sandbox.clockOffsetSeconds())
      const refusal = await requestGateway("/fund", { chainId: 1, address: "0x12", token: "native", amount: "5" })
      assert.strictEqual(refusal.status, 400)
      assert.include(`${refusal.body.message}`, "Expected an EVM address")
      assert.strictEqual((await requestGateway("/chains/5", {})).status, 404)
    })
  )

  it.effect("serves Bitcoin through Esplora's API, at the time of the sandbox's clock", () =>
    Effect.gen(function* () {
      const { advanceClock, bitcoin, clockOffsetSeconds } = yield* SandboxChains
      const requestPath = (path: string, init?: RequestInit) =>
        Effect.promise(async () => {
          const response = await fetch(`${bitcoin.esploraUrl}${path}`, init)
          return { status: response.status, text: await response.text() }
        })
      const [{ address }] = bitcoin.wallets as [(typeof bitcoin.wallets)[number]]
      const { chain_stats: sums } = JSON.parse((yield* requestPath(`/address/${address}`)).text)
      assert.strictEqual(sums.funded_txo_sum, 150_000_000)
      yield* advanceClock(86_400)
      const startSeconds = Date.now() / 1_000 + clockOffsetSeconds()
      const { height } = yield* bitcoin.control({ mine: 1 })
      const hash = yield* requestPath(`/block-height/${height}`)
      const block = JSON.parse((yield* requestPath(`/block/${hash.text}`)).text)
      assert.isAtLeast(block.timestamp, Math.floor(startSeconds))
      const [{ txid }] = JSON.parse((yield* requestPath(`/block/${hash.text}/txs`)).text)
      const page = yield* Effect.promise(async () =>
        (await fetch(`${new URL(bitcoin.esploraUrl).origin}${BITCOIN_PAGES_PATH}/tx/${txid}`)).text()
      )
      for (const text of ["<h1>Bitcoin transaction</h1>", txid, `<td>${height}</td>`]) assert.include(page, text)
      const refusal = yield* requestPath("/tx", { method: "POST", body: "00" })
      assert.deepStrictEqual([refusal.status, /"code":-22/u.test(refusal.text)], [400, true])
      assert.strictEqual((yield* requestPath("/control", { method: "POST", body: '{"mine":1}' })).status, 415)
      assert.strictEqual((yield* requestPath("/../control")).status, 404)
      const status = yield* Effect.promise(
        async () => (await fetch(`${new URL(bitcoin.esploraUrl).origin}/bitcoin-control`)).status
      )
      assert.strictEqual(status, 404)
    })
  )
})
