import { deploymentOf } from "@countersign/adapters/chains/deployments"
import { sandboxTokens } from "@countersign/adapters/sandbox"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { createPublicClient, erc20Abi, formatUnits, type Hex, http, keccak256, parseUnits, toHex } from "viem"
import { waitUntil } from "../../../core/test/support/until.ts"
import { SeededRandom } from "../kill/SeededRandom.ts"
import { NATIVE, registerOneOfEachKind, type TestWallet } from "../support/accounts.ts"
import { startTestService, type TestService } from "../support/testService.ts"

/** Executes random swaps. Compares the quote, the preview and the on-chain result to the base unit. */

export interface FidelityOptions {
  readonly swaps: number
  readonly seed: number
  readonly chainIds: ReadonlyArray<EvmChainId>
}

export interface FidelityReport {
  executedCount: number
  /** Number of rejected requests and of quotes that could not be executed, by error. */
  readonly refusalCounts: Map<string, number>
  /** Number of quotes whose execution was rejected as stale, because the pools had moved beyond the minimum output. */
  stale: number
  /** Number of executed swaps by venue. */
  readonly venues: Map<string, number>
  splits: number
  readonly problems: Array<string>
}

interface Asset {
  readonly symbol: string
  readonly address: string
  readonly decimals: number
  /** In units of 1e-8 US dollar. */
  readonly priceUsd8: bigint
}

// biome-ignore lint/suspicious/noExplicitAny: the run reads bodies as a client without generated types does.
type Body = any

const increment = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)

const assetsOf = (chainId: EvmChainId): ReadonlyArray<Asset> => {
  const tokens = sandboxTokens(chainId).filter(({ role }) => role !== "rwa")
  const nativeToken = tokens[0]!
  return [{ ...nativeToken, address: NATIVE, decimals: 18 }, ...tokens]
}

/** Initial value of each asset in a wallet, in US dollars. */
const INITIAL_ASSET_USD = 40_000_000n

const unitsOf = (asset: Asset, usd: bigint): bigint => (usd * 10n ** BigInt(8 + asset.decimals)) / asset.priceUsd8

/** Returns an amount from one cent to three million US dollars, distributed logarithmically. */
const randomAmount = (random: SeededRandom, asset: Asset): bigint => {
  const cents = BigInt(Math.floor(10 ** (random.fraction() * 8.48)))
  return (cents * 10n ** BigInt(8 + asset.decimals)) / (asset.priceUsd8 * 100n) + 1n
}

const amountText = (units: bigint, asset: Asset) => formatUnits(units, asset.decimals)

/** One chain of the run. Its swaps run one after another, so that no price moves between a quote and its execution. */
class ChainRun {
  readonly #service: TestService
  readonly #chainId: EvmChainId
  readonly #wallets: ReadonlyArray<TestWallet>
  readonly #random: SeededRandom
  readonly #report: FidelityReport
  readonly #assets: ReadonlyArray<Asset>
  readonly #client: ReturnType<typeof createPublicClient>

  constructor(
    service: TestService,
    chainId: EvmChainId,
    wallets: ReadonlyArray<TestWallet>,
    seed: number,
    report: FidelityReport
  ) {
    this.#service = service
    this.#chainId = chainId
    this.#wallets = wallets
    this.#random = new SeededRandom(seed + chainId)
    this.#report = report
    this.#assets = assetsOf(chainId)
    this.#client = createPublicClient({ transport: http(service.chains.rpcUrl(chainId), { batch: true }) })
  }

  async run(swaps: number, staleEvery: number): Promise<void> {
    for (const { address } of this.#wallets) {
      for (const asset of this.#assets) await this.#fund(address, asset)
    }
    for (let nth = 1; nth <= swaps; nth++) {
      await (nth % staleEvery === 0 ? this.#staleSwap(nth) : this.#swap(nth))
    }
  }

  #fund(address: string, asset: Asset) {
    const token = asset.address === NATIVE ? "native" : asset.address
    return this.#service.fundOn(this.#chainId, address, token, unitsOf(asset, INITIAL_ASSET_USD))
  }

  #problem(nth: number, sentence: string, details: unknown) {
    this.#report.problems.push(`chain ${this.#chainId}, swap ${nth}: ${sentence} ${JSON.stringify(details)}`)
  }

  #asset(): Asset {
    return this.#random.pick(this.#assets as [Asset, ...ReadonlyArray<Asset>])
  }

  #wallet(): TestWallet {
    return this.#random.pick(this.#wallets as [TestWallet, ...ReadonlyArray<TestWallet>])
  }

  #request(nth: number) {
    const random = this.#random
    const wallet = this.#wallet()
    const tokenIn = this.#asset()
    let tokenOut = this.#asset()
    while (tokenOut === tokenIn) tokenOut = this.#asset()
    const isDeducted = random.below(3) === 0
    const gasToken = isDeducted ? tokenIn : this.#asset()
    const recipient =
      random.below(2) === 0 ? wallet.address : keccak256(toHex(`${this.#chainId} ${nth} receiver`)).slice(0, 42)
    const body = {
      walletAddress: wallet.address,
      toAddress: recipient,
      chainIdIn: this.#chainId,
      chainIdOut: this.#chainId,
      tokenIn: tokenIn.address,
      tokenOut: tokenOut.address,
      amountIn: amountText(randomAmount(random, tokenIn), tokenIn),
      payGasFeeToken: gasToken.address,
      gasFeePaymentMethod: isDeducted ? "DEDUCT_FROM_AMOUNT" : "ADD_TO_AMOUNT",
      routeProfile: random.pick(["QUICKEST_QUOTE", "BEST_OUTPUT"] as const),
      slippage: random.pick([0.5, 1, 7] as const),
      transactionFeePercent: random.pick([0, 0.3, 12.5] as const)
    }
    return { body, gasToken, recipient, tokenIn, tokenOut, wallet }
  }

  async #quote(body: object): Promise<{ readonly quote: Body } | { readonly refusal: string }> {
    const response = await this.#service.request("POST", "/api/v1/crypto/swap", body)
    if (response.status !== 200) return { refusal: String(response.body.id) }
    const [quote] = response.body.quotes
    return quote.revertReason === undefined ? { quote } : { refusal: String(quote.revertReason.decoded) }
  }

  async #execute(wallet: TestWallet, quote: Body) {
    const executionBody = {
      userOperationHash: quote.userOperationHash,
      ...(await this.#service.signatures(wallet.privateKey, quote.signData))
    }
    // An owner may have only one pending first use of a gas token on all chains together.
    return waitUntil(
      () => this.#service.request("POST", "/api/v1/crypto/execute-user-op", executionBody),
      ({ body }) => body.id !== "UNPAID_GAS_LIMIT"
    )
  }

  async #balances(holder: string, assets: ReadonlyArray<Asset>): Promise<ReadonlyMap<string, bigint>> {
    const amounts = await Promise.all(
      assets.map(({ address }) =>
        address === NATIVE
          ? this.#client.getBalance({ address: holder as Hex })
          : this.#client.readContract({
              address: address as Hex,
              abi: erc20Abi,
              functionName: "balanceOf",
              args: [holder as Hex]
            })
      )
    )
    return new Map(assets.map(({ address }, i) => [address, amounts[i]!]))
  }

  /** Returns the native tokens that the EntryPoint takes in advance, if the wallet pays the gas itself. */
  async #prefund({ address }: TestWallet, quote: Body): Promise<bigint> {
    const deposit = await this.#client.readContract({
      address: quote.userOperations.at(-1).entryPoint,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [address as Hex]
    })
    const missingDeposit = parseUnits(quote.estimatedGasFees.maxGasFeeNative, 18) - deposit
    return missingDeposit > 0n ? missingDeposit : 0n
  }

  async #swap(nth: number): Promise<void> {
    const request = this.#request(nth)
    const { body, gasToken, recipient, tokenIn, tokenOut, wallet } = request
    const quoteResult = await this.#quote(body)
    if ("refusal" in quoteResult) {
      increment(this.#report.refusalCounts, quoteResult.refusal.replaceAll(/[\d.]+/gu, "…").slice(0, 80))
      return
    }
    const { quote } = quoteResult
    const assets = [...new Map([tokenIn, tokenOut, gasToken].map((asset) => [asset.address, asset])).values()]
    const holders = [...new Set([wallet.address, recipient])]
    const balancesBefore = await Promise.all(holders.map((holder) => this.#balances(holder, assets)))
    const prefund = await this.#prefund(wallet, quote)
    const execution = await this.#execute(wallet, quote)
    if (execution.status !== 200) return this.#problem(nth, "was not accepted", [execution.body, body])
    const transaction: Body = await this.#service.settled(wallet.address, quote.userOperationHash)
    if (transaction.status !== "COMPLETED") return this.#problem(nth, "did not complete", [transaction.failure, body])
    const balancesAfter = await Promise.all(holders.map((holder) => this.#balances(holder, assets)))
    const changeOf = (holderIndex: number, { address }: Asset) =>
      balancesAfter[holderIndex]!.get(address)! - balancesBefore[holderIndex]!.get(address)!

    // With native tokens the wallet prepays the maximum. With a token it pays only the used gas.
    const gasUnitsOf = (amount: string) => parseUnits(amount, gasToken.decimals)
    const quotedGas = gasUnitsOf(quote.estimatedGasFees.gasFeeTokenAmount)
    const paidGas = gasUnitsOf(transaction.fees.find(({ type }: Body) => type === "GAS").amount)
    for (const asset of assets) {
      const previewedChange = quote.preview.assetChanges
        .filter(({ token }: Body) => token === asset.address)
        .reduce((sum: bigint, { amount }: Body) => sum + parseUnits(amount, asset.decimals), 0n)
      const gasDifference = asset === gasToken && asset.address !== NATIVE ? quotedGas - paidGas : 0n
      const realChange = changeOf(0, asset)
      if (realChange !== previewedChange + gasDifference) {
        this.#problem(
          nth,
          `changed the wallet's ${asset.symbol} by ${realChange}, previewed ${previewedChange + gasDifference}`,
          body
        )
      }
    }
    const quotedAmount = parseUnits(quote.amountOut, tokenOut.decimals)
    const ownGasAmount =
      recipient !== wallet.address || gasToken !== tokenOut ? 0n : gasToken.address === NATIVE ? prefund : paidGas
    const receivedAmount = changeOf(holders.length - 1, tokenOut) + ownGasAmount
    if (receivedAmount !== quotedAmount)
      this.#problem(nth, `gave ${receivedAmount}, quoted ${quotedAmount}`, [body, quote.route])
    if (receivedAmount < parseUnits(quote.minAmountOut, tokenOut.decimals))
      this.#problem(nth, "broke its minimum", body)
    this.#report.executedCount += 1
    if (quote.route.length > 1) this.#report.splits += 1
    for (const venue of new Set<string>(quote.route.flatMap(({ hops }: Body) => hops.map((hop: Body) => hop.venue)))) {
      increment(this.#report.venues, venue)
    }
  }

  /** Requests a quote, and then moves its pools by more than the quote's slippage with another swap. */
  async #staleSwap(nth: number): Promise<void> {
    const [nativeAsset, , ...tokens] = this.#assets as [Asset, Asset, ...ReadonlyArray<Asset>]
    const usdc = tokens.find(({ symbol }) => symbol === "USDC")!
    const swapOf = (wallet: TestWallet, usd: bigint) => ({
      walletAddress: wallet.address,
      toAddress: wallet.address,
      chainIdIn: this.#chainId,
      chainIdOut: this.#chainId,
      tokenIn: usdc.address,
      tokenOut: tokens.find(({ symbol }) => /W?BTC/u.test(symbol))?.address ?? nativeAsset.address,
      amountIn: amountText(unitsOf(usdc, usd), usdc),
      payGasFeeToken: usdc.address,
      gasFeePaymentMethod: "ADD_TO_AMOUNT",
      routeProfile: "BEST_OUTPUT"
    })
    const [slowWallet, fastWallet] = [this.#wallets[0]!, this.#wallets[1]!]
    const firstQuote = await this.#quote({ ...swapOf(slowWallet, 1_000n), slippage: 0.5 })
    const secondQuote = await this.#quote({ ...swapOf(fastWallet, 2_500_000n), slippage: 50 })
    if ("refusal" in firstQuote || "refusal" in secondQuote) return
    const moveResponse = await this.#execute(fastWallet, secondQuote.quote)
    if (moveResponse.status !== 200) return this.#problem(nth, "could not move the pools", moveResponse.body)
    await this.#service.settled(fastWallet.address, secondQuote.quote.userOperationHash)
    const operators = Object.values(this.#service.chains.keys.operators).map(({ address }) => address)
    const readBalances = () => Promise.all(operators.map((address) => this.#client.getBalance({ address })))
    const operatorBalancesBefore = await readBalances()
    const { body, status } = await this.#execute(slowWallet, firstQuote.quote)
    const operatorBalancesAfter = await readBalances()
    if (status === 200) {
      // The second swap moved other pools than those of the first quote, so the first quote must execute.
      const transaction: Body = await this.#service.settled(slowWallet.address, firstQuote.quote.userOperationHash)
      if (transaction.status !== "COMPLETED") this.#problem(nth, "was accepted and failed", transaction.failure)
      return
    }
    if (status !== 409 || body.id !== "QUOTE_STALE")
      return this.#problem(nth, "was not refused as stale", [status, body])
    if (operatorBalancesBefore.some((balance, i) => balance !== operatorBalancesAfter[i]))
      this.#problem(nth, "cost gas to refuse", body)
    this.#report.stale += 1
  }
}

const STALE_EVERY = 20

export const runFidelity = async ({ chainIds, seed, swaps }: FidelityOptions): Promise<FidelityReport> => {
  const report: FidelityReport = {
    executedCount: 0,
    refusalCounts: new Map(),
    stale: 0,
    venues: new Map(),
    splits: 0,
    problems: []
  }
  const service = await startTestService()
  try {
    const wallets = await registerOneOfEachKind(service)
    const swapsPerChain = Math.ceil(swaps / chainIds.length)
    await Promise.all(
      chainIds.map((chainId) => {
        const usableWallets = wallets.filter(({ eip7702 }) => !eip7702 || deploymentOf(chainId).eip7702)
        return new ChainRun(service, chainId, usableWallets, seed, report).run(swapsPerChain, STALE_EVERY)
      })
    )
    return report
  } finally {
    await service.stop()
  }
}
